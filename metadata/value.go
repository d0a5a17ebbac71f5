package metadata

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
)

// Order says how the values of a column compare, and so which field of a
// [Value] holds them.
type Order uint8

const (
	OrderNone    Order = iota // equality of Bytes only (INTERVAL, geometry)
	OrderInt                  // Int, signed: booleans, integers, dates, times, timestamps, decimals in INT32 and INT64
	OrderUint                 // Int holds the bits of a uint64
	OrderFloat                // Float: FLOAT, DOUBLE, FLOAT16; -0 equals +0, NaN equals NaN and is above all numbers
	OrderBytes                // Bytes, unsigned and lexicographic: strings, binary, UUID
	OrderDecimal              // Bytes, a big-endian two's complement integer of any length
)

// Value is one value of a column, not null, in the column's own unit: days
// for a date, the column's time unit for a timestamp, the unscaled integer
// for a decimal. Bytes may alias a file's buffer; do not change or keep it
// beyond the call it was given to.
type Value struct {
	Order Order
	Int   int64
	Float float64
	Bytes []byte
}

// Uint64 returns the value of an OrderUint column.
func (v Value) Uint64() uint64 { return uint64(v.Int) }

// Bool returns the value of a BOOLEAN column.
func (v Value) Bool() bool { return v.Int != 0 }

// BigInt returns an OrderInt, OrderUint or OrderDecimal value as an integer,
// nil for other orders.
func (v Value) BigInt() *big.Int {
	switch v.Order {
	case OrderInt:
		return big.NewInt(v.Int)
	case OrderUint:
		return new(big.Int).SetUint64(uint64(v.Int))
	case OrderDecimal:
		return bigFromTwos(v.Bytes)
	}
	return nil
}

// IntValue makes an OrderInt value.
func IntValue(i int64) Value { return Value{Order: OrderInt, Int: i} }

// UintValue makes an OrderUint value.
func UintValue(u uint64) Value { return Value{Order: OrderUint, Int: int64(u)} }

// FloatValue makes an OrderFloat value.
func FloatValue(f float64) Value { return Value{Order: OrderFloat, Float: f} }

// BytesValue makes an OrderBytes value that aliases b.
func BytesValue(b []byte) Value { return Value{Order: OrderBytes, Bytes: b} }

// DecimalValue makes an OrderDecimal value.
func DecimalValue(i *big.Int) Value { return Value{Order: OrderDecimal, Bytes: twosFromBig(i)} }

// IsNaN reports whether the value is a floating-point NaN.
func (v Value) IsNaN() bool { return v.Order == OrderFloat && math.IsNaN(v.Float) }

// Compare orders two values of the same column: -1, 0 or +1.
func (v Value) Compare(w Value) int {
	switch v.Order {
	case OrderInt:
		return cmp.Compare(v.Int, w.Int)
	case OrderUint:
		return cmp.Compare(uint64(v.Int), uint64(w.Int))
	case OrderFloat:
		return compareFloat(v.Float, w.Float)
	case OrderDecimal:
		return compareTwos(v.Bytes, w.Bytes)
	}
	return bytes.Compare(v.Bytes, w.Bytes)
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	// At least one NaN: it is equal to itself and above everything else.
	return cmp.Compare(b2i(a != a), b2i(b != b))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareTwos compares big-endian two's complement integers of any lengths.
func compareTwos(a, b []byte) int {
	an, bn := len(a) > 0 && a[0]&0x80 != 0, len(b) > 0 && b[0]&0x80 != 0
	if an != bn {
		return b2i(bn) - b2i(an)
	}
	a, b = trimTwos(a), trimTwos(b)
	if len(a) != len(b) {
		longer := cmp.Compare(len(a), len(b))
		if an {
			return -longer
		}
		return longer
	}
	return bytes.Compare(a, b)
}

// trimTwos drops leading bytes that only repeat the sign; zero becomes empty
// or a single byte.
func trimTwos(a []byte) []byte {
	for len(a) > 1 && (a[0] == 0 && a[1]&0x80 == 0 || a[0] == 0xff && a[1]&0x80 != 0) {
		a = a[1:]
	}
	if len(a) == 1 && a[0] == 0 {
		return nil
	}
	return a
}

func bigFromTwos(b []byte) *big.Int {
	i := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		i.Sub(i, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return i
}

func twosFromBig(i *big.Int) []byte {
	n := i.BitLen()/8 + 1
	if i.Sign() >= 0 {
		return i.FillBytes(make([]byte, n))
	}
	t := new(big.Int).Lsh(big.NewInt(1), uint(8*n))
	return t.Add(t, i).FillBytes(make([]byte, n))
}

func orderOf(c *Column) Order {
	switch c.Logical.Kind {
	case Interval, Geometry, Geography, Null:
		return OrderNone
	case Float16:
		return OrderFloat
	case Decimal:
		if c.Type == ByteArray || c.Type == FixedLenByteArray {
			return OrderDecimal
		}
	case Integer:
		if !c.Logical.Signed && c.Logical.Bits == 64 {
			return OrderUint
		}
	}
	switch c.Type {
	case Boolean, Int32, Int64, Int96:
		return OrderInt
	case Float, Double:
		return OrderFloat
	}
	return OrderBytes
}

// Value decodes a value in the PLAIN encoding without a length prefix, as
// statistics and indexes hold it. ok is false if the bytes have another width
// than the type or lie outside the logical type.
func (c *Column) Value(b []byte) (v Value, ok bool) {
	v.Order = c.Order
	switch c.Type {
	case Boolean:
		if len(b) != 1 {
			return v, false
		}
		v.Int = int64(b[0] & 1)
	case Int32:
		if len(b) != 4 {
			return v, false
		}
		raw := int32(binary.LittleEndian.Uint32(b))
		v.Int = c.Int32(raw)
		return v, v.Int == int64(raw) || c.Logical.Bits == 32
	case Int64:
		if len(b) != 8 {
			return v, false
		}
		v.Int = int64(binary.LittleEndian.Uint64(b))
	case Int96:
		if len(b) != 12 {
			return v, false
		}
		v.Int = Int96Micros(b)
	case Float:
		if len(b) != 4 {
			return v, false
		}
		v.Float = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case Double:
		if len(b) != 8 {
			return v, false
		}
		v.Float = math.Float64frombits(binary.LittleEndian.Uint64(b))
	case FixedLenByteArray:
		if c.Logical.Kind == Float16 {
			if len(b) != 2 {
				return v, false
			}
			v.Float = HalfFloat(binary.LittleEndian.Uint16(b))
			return v, true
		}
		v.Bytes = b
		// Bounds of plain bytes may be cut short; numbers may not.
		return v, len(b) <= int(c.TypeLength) && (c.Order != OrderDecimal || len(b) == int(c.TypeLength))
	case ByteArray:
		v.Bytes = b
		return v, c.Order != OrderDecimal || len(b) > 0
	default:
		return v, false
	}
	return v, true
}

// Int32 widens a raw INT32 to the column's domain: small and unsigned
// integers keep only the bits that their type has.
func (c *Column) Int32(raw int32) int64 {
	if c.Logical.Kind != Integer {
		return int64(raw)
	}
	switch l := c.Logical; {
	case l.Bits == 8 && l.Signed:
		return int64(int8(raw))
	case l.Bits == 8:
		return int64(uint8(raw))
	case l.Bits == 16 && l.Signed:
		return int64(int16(raw))
	case l.Bits == 16:
		return int64(uint16(raw))
	case !l.Signed:
		return int64(uint32(raw))
	}
	return int64(raw)
}

const (
	julianUnixEpoch = 2440588 // Julian day of 1970-01-01
	microsPerDay    = 86_400_000_000
)

// Int96Micros converts an INT96 timestamp (nanoseconds of the day, Julian day)
// to microseconds since 1970, rounding down. Dates far outside the range of
// int64 wrap around.
func Int96Micros(b []byte) int64 {
	nanos := int64(binary.LittleEndian.Uint64(b))
	day := int64(int32(binary.LittleEndian.Uint32(b[8:]))) - julianUnixEpoch
	micros := nanos / 1000
	if nanos%1000 < 0 {
		micros--
	}
	return day*microsPerDay + micros
}

// Int96Nanos is Int96Micros in nanoseconds; outside the years 1677 to 2262 it
// wraps around.
func Int96Nanos(b []byte) int64 {
	nanos := int64(binary.LittleEndian.Uint64(b))
	day := int64(int32(binary.LittleEndian.Uint32(b[8:]))) - julianUnixEpoch
	return day*microsPerDay*1000 + nanos
}

// ToHalfFloat is the inverse of [HalfFloat] for values that it returned.
func ToHalfFloat(f float64) uint16 {
	bits := math.Float64bits(f)
	sign := uint16(bits >> 48 & 0x8000)
	switch a := math.Abs(f); {
	case f != f:
		return sign | 0x7c00 | uint16(bits>>42&0x3ff)
	case math.IsInf(f, 0):
		return sign | 0x7c00
	case a < 1.0/(1<<14): // zero or subnormal
		return sign | uint16(a*(1<<24))
	}
	return sign | uint16((bits>>52&0x7ff)-1008)<<10 | uint16(bits>>42&0x3ff)
}

// HalfFloat widens an IEEE 754 half-precision number.
func HalfFloat(h uint16) float64 {
	sign := uint64(h>>15) << 63
	exp, frac := uint64(h>>10)&0x1f, uint64(h)&0x3ff
	switch exp {
	case 0: // zero or subnormal: frac × 2^-24
		f := float64(frac) * (1.0 / (1 << 24))
		return math.Float64frombits(math.Float64bits(f) | sign)
	case 0x1f: // infinity or NaN
		return math.Float64frombits(sign | 0x7ff<<52 | frac<<42)
	}
	return math.Float64frombits(sign | (exp+1008)<<52 | frac<<42)
}
