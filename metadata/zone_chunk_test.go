package metadata

import (
	"encoding/binary"
	"math"
	"testing"
)

func le32(v int32) []byte      { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
func le64(v int64) []byte      { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }
func leFloat(v float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }
func leDouble(v float64) []byte {
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
}

func converted(c int32) func(w *crafter) {
	return func(w *crafter) { w.i32(6, c); w.i32(7, 2); w.i32(8, 9) }
}

func logicalMember(member int16) func(w *crafter) {
	return func(w *crafter) { w.sub(10, func(w *crafter) { w.sub(member, nil) }) }
}

// Columns of every order.
var (
	colBool      = columnSpec{typ: Boolean, rep: Optional}
	colInt32     = columnSpec{typ: Int32, rep: Optional}
	colInt64     = columnSpec{typ: Int64, rep: Optional}
	colDate      = columnSpec{typ: Int32, rep: Optional, element: converted(6)}
	colTimestamp = columnSpec{typ: Int64, rep: Optional, element: converted(10)}
	colDecimal32 = columnSpec{typ: Int32, rep: Optional, element: converted(5)}
	colDecimal64 = columnSpec{typ: Int64, rep: Optional, element: converted(5)}
	colDecimalF  = columnSpec{typ: FixedLenByteArray, length: 4, rep: Optional, element: converted(5)}
	colDecimalB  = columnSpec{typ: ByteArray, rep: Optional, element: converted(5)}
	colInt8      = columnSpec{typ: Int32, rep: Optional, element: converted(15)}
	colUint8     = columnSpec{typ: Int32, rep: Optional, element: converted(11)}
	colUint32    = columnSpec{typ: Int32, rep: Optional, element: converted(13)}
	colUint64    = columnSpec{typ: Int64, rep: Optional, element: converted(14)}
	colInt96     = columnSpec{typ: Int96, rep: Optional}
	colFloat     = columnSpec{typ: Float, rep: Optional}
	colDouble    = columnSpec{typ: Double, rep: Optional}
	colFloat16   = columnSpec{typ: FixedLenByteArray, length: 2, rep: Optional, element: logicalMember(15)}
	colBinary    = columnSpec{typ: ByteArray, rep: Optional}
	colString    = columnSpec{typ: ByteArray, rep: Optional, element: converted(0)}
	colFixed     = columnSpec{typ: FixedLenByteArray, length: 20, rep: Optional}
	colUUID      = columnSpec{typ: FixedLenByteArray, length: 16, rep: Optional, element: logicalMember(14)}
	colInterval  = columnSpec{typ: FixedLenByteArray, length: 12, rep: Optional, element: converted(21)}
	colUnknown   = columnSpec{typ: Int32, rep: Optional, element: logicalMember(11)}
)

// samples are a smaller and a larger value of each column.
var samples = map[string]struct {
	col    columnSpec
	lo, hi []byte
	signed bool // its own order is the signed order of the physical value
}{
	"BOOLEAN": {colBool, []byte{0}, []byte{1}, true}, "INT32": {colInt32, le32(-5), le32(7), true}, "INT64": {colInt64, le64(-5), le64(7), true},
	"DATE": {colDate, le32(-5), le32(7), true}, "TIMESTAMP": {colTimestamp, le64(-5), le64(7), true}, "INT(8)": {colInt8, le32(-128), le32(127), true},
	"DECIMAL in INT32": {colDecimal32, le32(-5), le32(7), true}, "DECIMAL in INT64": {colDecimal64, le64(-5), le64(7), true},
	"FLOAT": {colFloat, leFloat(-1.5), leFloat(2), true}, "DOUBLE": {colDouble, leDouble(-1.5), leDouble(2), true},
	"FLOAT16": {colFloat16, []byte{0, 0xc0}, []byte{0, 0x3c}, false}, "STRING": {colString, []byte("a"), []byte("é"), false},
	"BYTE_ARRAY": {colBinary, []byte("a"), []byte{0xfe}, false}, "UUID": {colUUID, make([]byte, 16), []byte("0123456789abcdef"), false},
	"DECIMAL in FIXED": {colDecimalF, []byte{0xff, 0xff, 0xff, 0xfe}, []byte{0, 0, 0, 1}, false}, "DECIMAL in BYTE_ARRAY": {colDecimalB, []byte{0xfe}, []byte{0, 0x80}, false},
	"UINT(8)": {colUint8, le32(1), le32(200), false}, "UINT(32)": {colUint32, le32(1), le32(-1), false}, "UINT(64)": {colUint64, le64(1), le64(-1), false},
}

const zoneRows = 100

// zoneIn returns the zone of a crafted chunk of 100 rows.
func zoneIn(t testing.TB, col columnSpec, s Statistics, orders int, createdBy string) (Zone, Belief) {
	t.Helper()
	col.name = "c"
	col.meta = stats(s)
	f := parseCrafted(t, fileSpec{columns: []columnSpec{col}, rows: zoneRows, createdBy: createdBy, orders: orders})
	c, err := f.RowGroups[0].Chunk(f.Schema.Columns[0])
	if err != nil {
		t.Fatal(err)
	}
	z, b := f.ChunkZone(c)
	checkZone(c.Column, z, func(s string) { t.Errorf("%s", s) })
	return z, b
}

func zoneOf(t testing.TB, col columnSpec, s Statistics) (Zone, Belief) {
	return zoneIn(t, col, s, 1, "")
}

func bounded(z Zone) bool   { return z.HasLower && z.HasUpper }
func unbounded(z Zone) bool { return !z.HasLower && !z.HasUpper }

func TestZoneOfDefinedOrder(t *testing.T) {
	for name, s := range samples {
		if z, b := zoneOf(t, s.col, Statistics{MinValue: s.lo, MaxValue: s.hi, NullCount: ptr(int64(3))}); !bounded(z) || b.Why != "" || z.Nulls != 3 || z.Rows != zoneRows {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestZoneDeprecatedBounds(t *testing.T) {
	for name, s := range samples {
		z, b := zoneOf(t, s.col, Statistics{Min: s.lo, Max: s.hi})
		if s.signed != bounded(z) || !s.signed != unbounded(z) || s.signed == b.Doubt {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestZoneWithoutColumnOrders(t *testing.T) {
	for name, s := range samples {
		for _, orders := range []int{0, 3} { // absent; a member unknown to us
			z, b := zoneIn(t, s.col, Statistics{MinValue: s.lo, MaxValue: s.hi}, orders, "")
			if s.signed != bounded(z) || !s.signed != unbounded(z) || s.signed == b.Doubt {
				t.Errorf("%s, orders %d: %+v, %+v", name, orders, z, b)
			}
		}
	}
}

func TestZoneMinEqualToMaxNeedsNoOrder(t *testing.T) {
	for name, s := range samples {
		for i, st := range []Statistics{{Min: s.hi, Max: s.hi}, {MinValue: s.hi, MaxValue: s.hi}} {
			if z, b := zoneIn(t, s.col, st, 0, "some writer version 1.0"); !bounded(z) || b.Why != "" {
				t.Errorf("%s, %d: %+v, %+v", name, i, z, b)
			}
			binary := s.col.typ == ByteArray || s.col.typ == FixedLenByteArray
			if z, b := zoneIn(t, s.col, st, 0, ""); bounded(z) == (binary && i == 0) || b.Doubt != (binary && i == 0) {
				t.Errorf("%s, %d, unknown writer: %+v, %+v", name, i, z, b)
			}
		}
	}
	// But a single bound is not a pair, and quirks of writers stay.
	if z, _ := zoneIn(t, colString, Statistics{Min: []byte("a")}, 0, ""); !unbounded(z) {
		t.Errorf("one bound without an order: %+v", z)
	}
	if z, b := zoneIn(t, colString, Statistics{Min: []byte("a"), Max: []byte("a")}, 0, "parquet-mr version 1.6.0"); !unbounded(z) || !b.Doubt {
		t.Errorf("PARQUET-251: %+v, %+v", z, b)
	}
}

func TestZoneCurrentPairBeforeDeprecated(t *testing.T) {
	z, _ := zoneOf(t, colInt32, Statistics{Min: le32(1), Max: le32(2), MinValue: le32(3), MaxValue: le32(4)})
	if z.Lower.Int != 3 || z.Upper.Int != 4 {
		t.Errorf("%+v", z)
	}
	// The pairs are not mixed.
	if z, _ = zoneOf(t, colInt32, Statistics{Min: le32(1), Max: le32(2), MinValue: le32(1)}); !z.HasLower || z.HasUpper {
		t.Errorf("%+v", z)
	}
}

func TestZoneOneSided(t *testing.T) {
	if z, b := zoneOf(t, colInt32, Statistics{MaxValue: le32(4)}); z.HasLower || !z.HasUpper || b.Why != "" {
		t.Errorf("%+v, %+v", z, b)
	}
	if z, b := zoneOf(t, colString, Statistics{MinValue: []byte("m")}); !z.HasLower || z.HasUpper || b.Why != "" {
		t.Errorf("%+v, %+v", z, b)
	}
}

func TestZoneAbsentStatistics(t *testing.T) {
	f, c, err := craftChunk(t, colString, zoneRows, "")
	if err != nil {
		t.Fatal(err)
	}
	if z, b := f.ChunkZone(c); !unbounded(z) || z.Nulls != -1 || b.Why == "" || b.Doubt {
		t.Errorf("%+v, %+v", z, b)
	}
	if z, b := zoneOf(t, colString, Statistics{NullCount: ptr(int64(4))}); !unbounded(z) || z.Nulls != 4 || b.Why == "" || b.Doubt {
		t.Errorf("%+v, %+v", z, b)
	}
}

// An empty maximum of strings is likelier not written at all.
func TestZoneEmptyStringBounds(t *testing.T) {
	z, b := zoneOf(t, colString, Statistics{MinValue: []byte{}, MaxValue: []byte{}})
	if !z.HasLower || z.HasUpper || b.Why != "" {
		t.Errorf("%+v, %+v", z, b)
	}
	if z, _ = zoneOf(t, colString, Statistics{MinValue: []byte{}, MaxValue: []byte("x")}); !bounded(z) {
		t.Errorf("%+v", z)
	}
}

// Every value of a fixed length above zero is above the empty one, so an
// empty maximum is no bound.
func TestZoneEmptyBoundsOfFixedLength(t *testing.T) {
	for name, col := range map[string]columnSpec{"FIXED": colFixed, "UUID": colUUID} {
		col.name, col.meta = "c", stats(Statistics{MinValue: []byte{}, MaxValue: []byte{}})
		f := parseCrafted(t, fileSpec{columns: []columnSpec{col}, rows: zoneRows, orders: 1})
		c, err := f.RowGroups[0].Chunk(f.Schema.Columns[0])
		if err != nil {
			t.Fatal(err)
		}
		if z, _ := f.ChunkZone(c); z.HasUpper {
			t.Errorf("%s: an empty maximum excludes every value", name)
		}
	}
}

func TestZoneWrongWidth(t *testing.T) {
	for name, s := range samples {
		if s.col.typ == ByteArray || name == "UUID" {
			continue
		}
		for _, bad := range [][]byte{{}, s.hi[1:], append([]byte{0}, s.hi...)} {
			if len(bad) == len(s.hi) {
				continue
			}
			for _, st := range []Statistics{{MinValue: bad, MaxValue: s.hi}, {MinValue: s.lo, MaxValue: bad}, {MinValue: bad, MaxValue: bad}} {
				if z, b := zoneOf(t, s.col, st); !unbounded(z) || !b.Doubt {
					t.Errorf("%s, %d bytes: %+v, %+v", name, len(bad), z, b)
				}
			}
		}
	}
	if z, b := zoneOf(t, colUUID, Statistics{MinValue: make([]byte, 17), MaxValue: make([]byte, 17)}); !unbounded(z) || !b.Doubt {
		t.Errorf("17 bytes of a UUID: %+v, %+v", z, b)
	}
	if z, b := zoneOf(t, colDecimalB, Statistics{MinValue: []byte{}, MaxValue: []byte{1}}); !unbounded(z) || !b.Doubt {
		t.Errorf("no byte of a decimal: %+v, %+v", z, b)
	}
}

func TestZoneMinAboveMax(t *testing.T) {
	for name, s := range samples {
		if z, b := zoneOf(t, s.col, Statistics{MinValue: s.hi, MaxValue: s.lo}); !unbounded(z) || !b.Doubt {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestZoneNullCounts(t *testing.T) {
	bounds := Statistics{MinValue: le32(1), MaxValue: le32(2)}
	for _, n := range []int64{-1, zoneRows + 1, math.MinInt64, math.MaxInt64} {
		s := bounds
		s.NullCount = &n
		if z, b := zoneOf(t, colInt32, s); z.Nulls != -1 || !unbounded(z) || !b.Doubt {
			t.Errorf("a null count of %d: %+v, %+v", n, z, b)
		}
	}
	if z, _ := zoneOf(t, colInt32, bounds); z.Nulls != -1 || z.NoNulls() || z.AllNull() {
		t.Errorf("an absent null count: %+v", z)
	}
	if z, _ := zoneOf(t, colInt32, Statistics{NullCount: ptr(int64(zoneRows))}); !z.AllNull() || z.NoNulls() {
		t.Errorf("all null: %+v", z)
	}
	required := colInt32
	required.rep = Required
	if z, _ := zoneOf(t, required, bounds); !z.NoNulls() || z.AllNull() {
		t.Errorf("a required column: %+v", z)
	}
}

// Bounds say that there is a value; a null count of all says there is none.
func TestZoneAllNullBesideBoundsIsDoubted(t *testing.T) {
	z, b := zoneOf(t, colInt32, Statistics{MinValue: le32(1), MaxValue: le32(9), NullCount: ptr(int64(zoneRows))})
	if z.AllNull() || !b.Doubt {
		t.Errorf("%+v, %+v", z, b)
	}
}

// A column of the logical type UNKNOWN holds only nulls if its writer says so
// rightly. Some say so of intervals or of integers; only a count is proof.
func TestZoneUnknownTypeProvesNoNulls(t *testing.T) {
	if z, _ := zoneOf(t, colUnknown, Statistics{NullCount: ptr(int64(40)), MinValue: le32(30), MaxValue: le32(30)}); z.AllNull() {
		t.Errorf("40 nulls of 100 are taken for all: %+v", z)
	}
	if z, _ := zoneOf(t, colUnknown, Statistics{}); z.AllNull() {
		t.Errorf("an absent null count is taken for all: %+v", z)
	}
	if z, _ := zoneOf(t, colUnknown, Statistics{NullCount: ptr(int64(zoneRows))}); !z.AllNull() {
		t.Errorf("all null: %+v", z)
	}
}
