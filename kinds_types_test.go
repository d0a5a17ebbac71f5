package pare_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// The kinds of faults around types: literals, orders, decimals, timestamps.

// typed is a column of one page for each row group, with a Bloom filter.
func typed(typ metadata.Type, element func(w *thriftWriter), compare func(a, b []byte) int, groups ...kindPage) kindColumn {
	c := kindColumn{name: "c", typ: typ, element: element, compare: compare, bloom: 64}
	for _, p := range groups {
		c.groups = append(c.groups, []kindPage{p})
		if typ == metadata.FixedLenByteArray {
			c.length = int32(len(p.values[0]))
		}
	}
	return c
}

// checkCoded checks a column plain and by dictionary.
func (c kindColumn) checkCoded(t *testing.T, queries ...kindQuery) {
	t.Helper()
	file(c).check(t, queries...)
	coded := c
	coded.groups = nil
	for _, pages := range c.groups {
		var g []kindPage
		for _, p := range pages {
			g = append(g, p.coded())
		}
		coded.groups = append(coded.groups, g)
	}
	file(coded).check(t, queries...)
}

var bytewise = slices.Compare[[]byte]

// TestKindTypeMapping: bounds are of the physical type.
func TestKindTypeMapping(t *testing.T) {
	typed(metadata.Int32, nil, byInt32, each(i32, -7, 3), each(i32, 100, 200)).checkCoded(t, rowsWhere("c = 3", 1).reads(1), rowsWhere("c = 3.0", 1), rowsWhere("c < 2147483648", 0, 1, 2, 3), rowsWhere("c > -9223372036854775808", 0, 1, 2, 3))
	typed(metadata.Float, nil, byFloat32, each(f32, 0.04, 0, 0.03)).checkCoded(t, rowsWhere("c > 0", 0, 2), rowsWhere("c = 0.04", 0), rowsWhere("c < 1", 0, 1, 2), rowsWhere("c > 0.03", 0))
}

// TestKindLiteralWidening: literals are not rounded to the column's type.
func TestKindLiteralWidening(t *testing.T) {
	typed(metadata.Int64, nil, byInt64, each(i64, 2), each(i64, math.MaxInt64)).checkCoded(t, rowsWhere("c > 1.5", 0, 1), rowsWhere("c > 1.5 AND c < 3", 0), rowsWhere("c = 1.5").reads(0), rowsWhere("c = 9223372036854775807", 1),
		rowsWhere("c = 9223372036854775808").reads(0), rowsWhere("c >= 9223372036854775806.5", 1), rowsWhere("c IN (1.5, 2)", 0))
	typed(metadata.Float, nil, byFloat32, each(f32, 0.1, 0.5)).checkCoded(t, rowsWhere("c = 0.5", 1), rowsWhere("c >= 0.5", 1), rowsWhere("c = 0.1", 0))
	typed(metadata.Int32, asInteger(8, true), byInt32, each(i32, -128, 127)).checkCoded(t, rowsWhere("c = 200").reads(0), rowsWhere("c < 200", 0, 1), rowsWhere("c > -200", 0, 1), rowsWhere("c = 127", 1))
}

// fixed is a decimal of so many bytes.
func fixed(width int) func(v int64) []byte {
	return func(v int64) []byte {
		b := make([]byte, width)
		for i := range width {
			b[width-1-i] = byte(v >> min(8*i, 63))
		}
		return b
	}
}

func byDecimal(a, b []byte) int {
	return metadata.Value{Order: metadata.OrderDecimal, Bytes: a}.Compare(metadata.Value{Order: metadata.OrderDecimal, Bytes: b})
}

// TestKindDecimalScale: literals of any scale, in every physical type.
func TestKindDecimalScale(t *testing.T) {
	queries := []kindQuery{rowsWhere("c = 1", 1).reads(1), rowsWhere("c = 1.00", 1), rowsWhere("c = 1.000", 1), rowsWhere("c = 1.005").reads(0), rowsWhere("c < 1.005", 0, 1), rowsWhere("c > 0.995", 1, 2, 3),
		rowsWhere("c >= 20.001", 3), rowsWhere("c = -2", 0), rowsWhere("c IN (-2.0, 30, 1.001)", 0, 3), rowsWhere("c BETWEEN 0.1 AND 19.99", 1), rowsWhere("c = 2"), rowsWhere("c = 200")}
	values := func(f func(int64) []byte) []kindPage { return []kindPage{each(f, -200, 100), each(f, 2000, 3000)} }
	minimal := func(v int64) []byte { return metadata.DecimalValue(big.NewInt(v)).Bytes }
	padded := func(v int64) []byte { return fixed(5)(v) }
	typed(metadata.Int32, asDecimal(9, 2), byInt32, values(func(v int64) []byte { return i32(int32(v)) })...).checkCoded(t, queries...)
	typed(metadata.Int64, asDecimal(18, 2), byInt64, values(i64)...).checkCoded(t, queries...)
	typed(metadata.FixedLenByteArray, asDecimal(38, 2), byDecimal, values(fixed(16))...).checkCoded(t, queries...)
	typed(metadata.FixedLenByteArray, asDecimal(5, 2), byDecimal, values(fixed(3))...).checkCoded(t, queries...)
	typed(metadata.ByteArray, asDecimal(38, 2), byDecimal, values(minimal)...).checkCoded(t, queries...)
	typed(metadata.ByteArray, asDecimal(38, 2), byDecimal, values(padded)...).checkCoded(t, queries...)
	typed(metadata.Int64, asDecimal(4, 2), byInt64, values(i64)...).checkCoded(t, queries...) // wider than it needs to be
	typed(metadata.Int32, asDecimal(5, 3), byInt32, each(i32, 100)).checkCoded(t, rowsWhere("c = 0.100", 0), rowsWhere("c = 0.1", 0), rowsWhere("c > 0.1").reads(0))
}

// TestKindDecimalEncoding: bounds shorter or longer than the type, and
// literals shorter than the width.
func TestKindDecimalEncoding(t *testing.T) {
	for _, width := range []int{1, 2, 3, 15} {
		c := typed(metadata.FixedLenByteArray, asDecimal(3, 0), byDecimal, each(fixed(2), -5, 300), each(fixed(2), 7, 8))
		c.stats = func(_ int, s *metadata.Statistics) {
			s.MinValue, s.MaxValue = make([]byte, width), append(make([]byte, width-1), 1)
		}
		if width == 2 {
			c.stats = nil
		}
		c.noIndex = true
		c.checkCoded(t, rowsWhere("c = 300", 1), rowsWhere("c = -5", 0), rowsWhere("c < 0", 0), rowsWhere("c IN (7, 8)", 2, 3))
	}
	big := func(s string) func(int64) []byte {
		return func(sign int64) []byte {
			n, _ := new(big.Int).SetString(s, 10)
			b := metadata.DecimalValue(n.Mul(n, bigInt(sign))).Bytes
			fill := byte(0)
			if sign < 0 {
				fill = 0xff
			}
			return append(slices.Repeat([]byte{fill}, 16-len(b)), b...)
		}
	}
	typed(metadata.FixedLenByteArray, asDecimal(38, 2), byDecimal, each(big("12345678901234567890123456789012345678"), -1, 1), each(big("5"), -1, 1)).checkCoded(t,
		rowsWhere("c = 123456789012345678901234567890123456.78", 1).reads(1), rowsWhere("c = -123456789012345678901234567890123456.78", 0), rowsWhere("c = -0.05", 2), rowsWhere("c = 0.05", 3), rowsWhere("c = 0.051").reads(0))
}

func bigInt(v int64) *big.Int { return big.NewInt(v) }

// TestKindUnsigned: unsigned order and encoding, bounds in signed order.
func TestKindUnsigned(t *testing.T) {
	u64 := func(v uint64) []byte { return i64(int64(v)) }
	byUint64 := func(a, b []byte) int {
		return metadata.UintValue(binary.LittleEndian.Uint64(a)).Compare(metadata.UintValue(binary.LittleEndian.Uint64(b)))
	}
	queries := []kindQuery{rowsWhere("c = 9223372036854775808", 1), rowsWhere("c = 0", 0), rowsWhere("c > 1", 1, 2, 3), rowsWhere("c = 18446744073709551615", 3).reads(1), rowsWhere("c = -1").reads(0)}
	groups := []kindPage{each(u64, 0, 1<<63), each(u64, 5, math.MaxUint64)}
	typed(metadata.Int64, asInteger(64, false), byUint64, groups...).checkCoded(t, queries...)
	wrong := typed(metadata.Int64, asInteger(64, false), byInt64, groups...) // the maximum is below the minimum
	wrong.checkCoded(t, queries[:3]...)
	u32 := func(v uint32) []byte { return i32(int32(v)) }
	byUint32 := func(a, b []byte) int {
		return metadata.UintValue(uint64(binary.LittleEndian.Uint32(a))).Compare(metadata.UintValue(uint64(binary.LittleEndian.Uint32(b))))
	}
	typed(metadata.Int32, asInteger(32, false), byUint32, each(u32, 5, math.MaxUint32)).checkCoded(t, rowsWhere("c = 4294967295", 1), rowsWhere("c > 5", 1), rowsWhere("c = -1").reads(0), rowsWhere("c < 6", 0))
	legacy := typed(metadata.Int32, asInteger(32, false), byInt32, each(u32, 5, math.MaxUint32))
	legacy.legacy, legacy.noIndex = true, true
	legacy.checkCoded(t, rowsWhere("c = 4294967295", 1), rowsWhere("c > 5", 1))
}

// TestKindSmallIntegers: values whose upper bits are not their type's, as some
// writers store them, are what they are read as, for every rung.
func TestKindSmallIntegers(t *testing.T) {
	typed(metadata.Int32, asInteger(8, false), nil, each(i32, -1, 5)).checkCoded(t, rowsWhere("c = 255", 0), rowsWhere("c = 5", 1), rowsWhere("c IN (255, 7)", 0))
	typed(metadata.Int32, asInteger(16, true), nil, each(i32, 0xffff, 5)).checkCoded(t, rowsWhere("c = -1", 0), rowsWhere("c < 0", 0))
	typed(metadata.Int32, asInteger(16, false), nil, each(i32, -2, 5)).checkCoded(t, rowsWhere("c = 65534", 0))
}

// TestKindUUIDOrder: UUIDs in the order of their bytes.
func TestKindUUIDOrder(t *testing.T) {
	uuid := func(b byte) []byte { return append(make([]byte, 15), b) }
	high := func(b byte) []byte { return append([]byte{b}, make([]byte, 15)...) }
	typed(metadata.FixedLenByteArray, asUUID, bytewise, each(high, 0x10, 0x90, 0xf0), each(uuid, 1, 2)).checkCoded(t, rowsWhere("c = UUID '90000000-0000-0000-0000-000000000000'", 1).reads(1),
		rowsWhere("c > UUID '10000000-0000-0000-0000-000000000000'", 1, 2), rowsWhere("c = UUID '00000000-0000-0000-0000-000000000003'").reads(0), rowsWhere("c < UUID '00000000-0000-0000-0000-000000000002'", 3))
}

// TestKindINT96: bounds of INT96 say nothing, defined order or not.
func TestKindINT96(t *testing.T) {
	at := func(day int32) []byte { return append(i64(3600_000_000_000), i32(2440588+day)...) }
	for _, noOrders := range []bool{false, true} {
		for _, legacy := range []bool{false, true} {
			c := typed(metadata.Int96, nil, bytewise, each(at, 0, 300), each(at, 1, 2))
			c.legacy = legacy
			f := file(c)
			f.noOrders = noOrders
			f.check(t, rowsWhere("c = TIMESTAMP '1970-10-28 01:00:00'", 1), rowsWhere("c < TIMESTAMP '1970-01-02'", 0), rowsWhere("c >= TIMESTAMP '1970-01-02'", 1, 2, 3))
		}
	}
	coded := typed(metadata.Int96, nil, nil, each(at, 0, 300).coded())
	file(coded).check(t, rowsWhere("c = TIMESTAMP '1971-01-01'").reads(0), rowsWhere("c = TIMESTAMP '1970-10-28 01:00:00'", 1))
}

// TestKindTimestampUnit: literals are converted to the file's unit, exactly.
func TestKindTimestampUnit(t *testing.T) {
	for unit, per := range map[int16]int64{1: 1_000, 2: 1_000_000, 3: 1_000_000_000} {
		at := func(seconds int64) []byte { return i64(seconds * per) }
		const y2020, jan2023 = 1577836800, 1673740800
		typed(metadata.Int64, asTimestamp(false, unit), byInt64, each(at, y2020), each(at, jan2023, jan2023+1)).checkCoded(t, rowsWhere("c > TIMESTAMP '1990-01-01'", 0, 1, 2), rowsWhere("c = TIMESTAMP '2020-01-01'", 0).reads(1),
			rowsWhere("c < TIMESTAMP '2023-02-01' AND c >= TIMESTAMP '2023-01-01'", 1, 2).reads(1), rowsWhere("c > TIMESTAMP '2023-01-15 00:00:00.000000001'", 2), rowsWhere("c = TIMESTAMP '2020-01-01 00:00:00.0000001'").reads(0),
			rowsWhere("c >= DATE '2023-01-16'"), rowsWhere("c < DATE '2020-01-02'", 0))
	}
}

// TestKindTimeZone: instants are compared as instants, over a change of clocks.
func TestKindTimeZone(t *testing.T) {
	at := func(minute int64) []byte { return i64((1509235200 + minute*60) * 1_000_000) } // 2017-10-29 00:00 UTC
	typed(metadata.Int64, asTimestamp(true, 2), byInt64, each(at, 45, 60, 70), each(at, 200)).checkCoded(t, rowsWhere("c = TIMESTAMP '2017-10-29 01:00:00'", 1).reads(1), rowsWhere("c > TIMESTAMP '2017-10-29 00:45:00'", 1, 2, 3),
		rowsWhere("c = TIMESTAMP '2017-10-29 01:10:00Z'", 2), rowsWhere("c = TIMESTAMP '2017-10-29 09:10:00+08:00'", 2), rowsWhere("c <= TIMESTAMP '2017-10-29 03:00:00+02:00'", 0, 1))
}

// TestKindCharPadding: bytes are compared as they are.
func TestKindCharPadding(t *testing.T) {
	typed(metadata.ByteArray, asString, bytewise, each(txt, "s  ", "z", "z\t", "za")).checkCoded(t, rowsWhere("c = 's'").reads(0), rowsWhere("c = 's  '", 0), rowsWhere("c > 'z'", 2, 3), rowsWhere("c >= 'z' AND c < 'z '", 1, 2))
}

// TestKindLikePrefix: a prefix's range ends above every continuation.
func TestKindLikePrefix(t *testing.T) {
	typed(metadata.ByteArray, asString, bytewise, each(txt, "A", "AB", "A\U0010ffffx"), each(txt, "a\x7f", "a\x7fz", "b"), each(txt, "\U0010ffff", "\U0010ffff\U0010ffff")).checkCoded(t,
		rowsWhere("c LIKE 'A%'", 0, 1, 2).reads(1), rowsWhere("c LIKE 'a\x7f%'", 3, 4), rowsWhere("c LIKE '\U0010ffff%'", 6, 7), rowsWhere("c LIKE 'A\U0010ffff%'", 2), rowsWhere("c NOT LIKE 'A%'", 3, 4, 5, 6, 7), rowsWhere("c LIKE '%B'", 1))
	binaries := typed(metadata.ByteArray, nil, bytewise, each(txt, "\xff", "\xff\xff", "\xff\xff\x01"), each(txt, "\xfe\xff"))
	binaries.checkCoded(t, rowsWhere(`c = '\xFF\xFF'`, 1).reads(1), rowsOf(predicate.Col("c").Ge([]byte{0xff, 0xff}), 1, 2))
}

// TestKindNameCase: names are matched whatever their case where that is clear.
func TestKindNameCase(t *testing.T) {
	c := typed(metadata.ByteArray, asString, bytewise, each(txt, "40", "5"))
	c.name = "COL"
	c.checkCoded(t, rowsWhere("col LIKE '4%'", 0), rowsWhere("COL = '5'", 1), rowsWhere("Col = '6'").reads(0))
	d := c
	d.name = "col"
	d.groups = [][]kindPage{{each(txt, "x", "y")}}
	file(c, d).check(t, rowsWhere(`"col" = 'x'`, 0), rowsWhere(`"COL" = '5'`, 1), rowsWhere("COL = '40' AND col = 'x'", 0))
}
