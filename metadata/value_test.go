package metadata

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Decimals compare as integers, whatever their lengths and leading bytes.
func TestDecimalOrderLaw(t *testing.T) {
	draw := func(t *rapid.T, name string) (Value, *big.Int) {
		b := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 0xff, 0x7f, 0x80})), 0, 20).Draw(t, name)
		i := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			i.Sub(i, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return Value{Order: OrderDecimal, Bytes: b}, i
	}
	rapid.Check(t, func(t *rapid.T) {
		v, i := draw(t, "v")
		w, j := draw(t, "w")
		if v.Compare(w) != i.Cmp(j) || w.Compare(v) != j.Cmp(i) {
			t.Fatalf("%x and %x compare as %d, %v and %v as %d", v.Bytes, w.Bytes, v.Compare(w), i, j, i.Cmp(j))
		}
		if v.BigInt().Cmp(i) != 0 {
			t.Fatalf("%x is %v, not %v", v.Bytes, v.BigInt(), i)
		}
		if d := DecimalValue(i); d.BigInt().Cmp(i) != 0 || d.Compare(v) != 0 {
			t.Fatalf("%v becomes %x", i, d.Bytes)
		}
	})
}

func TestFloatOrder(t *testing.T) {
	inOrder := []float64{math.Inf(-1), -1, 0, 1, math.Inf(1), math.NaN()}
	for i, a := range inOrder {
		for j, b := range inOrder {
			want := 0
			if i != j {
				want = 1
				if i < j {
					want = -1
				}
			}
			if got := FloatValue(a).Compare(FloatValue(b)); got != want {
				t.Errorf("%v and %v compare as %d", a, b, got)
			}
		}
	}
	if FloatValue(math.Copysign(0, -1)).Compare(FloatValue(0)) != 0 {
		t.Error("the zeros differ")
	}
	negative := math.Float64frombits(math.Float64bits(math.NaN()) | 1<<63)
	if FloatValue(negative).Compare(FloatValue(math.NaN())) != 0 || FloatValue(negative).Compare(FloatValue(1)) != 1 {
		t.Error("a NaN with a sign is not a NaN like any other")
	}
}

func TestUnsignedOrder(t *testing.T) {
	if UintValue(1<<63).Compare(UintValue(1)) != 1 || UintValue(math.MaxUint64).BigInt().Sign() != 1 {
		t.Error("a uint64 of 2^63 is not above 1")
	}
}

func TestHalfFloat(t *testing.T) {
	for in, want := range map[uint16]float64{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: 6.103515625e-05, 0x0001: 5.960464477539063e-08, 0x03ff: 6.097555160522461e-05,
		0x7c00: math.Inf(1), 0xfc00: math.Inf(-1), 0x3555: 0.333251953125,
	} {
		if got := HalfFloat(in); got != want {
			t.Errorf("%04x is %v, want %v", in, got, want)
		}
	}
	if z := HalfFloat(0x8000); z != 0 || !math.Signbit(z) {
		t.Errorf("the negative zero is %v", z)
	}
	for _, in := range []uint16{0x7c01, 0x7e00, 0xfe00, 0x7fff} {
		if !math.IsNaN(HalfFloat(in)) {
			t.Errorf("%04x is %v, want NaN", in, HalfFloat(in))
		}
	}
}

func TestInt96(t *testing.T) {
	at := func(nanos int64, day int32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, uint64(nanos)), uint32(day))
	}
	for _, c := range []struct {
		nanos  int64
		day    int32
		micros int64
	}{
		{0, 2440588, 0}, {1999, 2440588, 1}, {-1, 2440588, -1}, {-1000, 2440588, -1}, {-1001, 2440588, -2},
		{86399_999_999_999, 2440587, -1}, {0, 2440589, 86_400_000_000}, {0, 0, -2440588 * 86_400_000_000},
	} {
		b := at(c.nanos, c.day)
		if got := Int96Micros(b); got != c.micros {
			t.Errorf("%d ns of day %d is %d µs, want %d", c.nanos, c.day, got, c.micros)
		}
		if c.day > 0 && Int96Nanos(b) != (int64(c.day)-2440588)*86_400_000_000_000+c.nanos {
			t.Errorf("%d ns of day %d is %d ns", c.nanos, c.day, Int96Nanos(b))
		}
	}
}

// The width of a value is its type's, and small integers stay in their range.
func TestColumnValueWidths(t *testing.T) {
	for _, c := range []struct {
		col   columnSpec
		width int
	}{
		{columnSpec{typ: Boolean}, 1}, {columnSpec{typ: Int32}, 4}, {columnSpec{typ: Int64}, 8}, {columnSpec{typ: Int96}, 12}, {columnSpec{typ: Float}, 4},
		{columnSpec{typ: Double}, 8}, {columnSpec{typ: FixedLenByteArray, length: 5, element: func(w *crafter) { w.i32(6, 5); w.i32(8, 9) }}, 5},
		{columnSpec{typ: FixedLenByteArray, length: 2, element: func(w *crafter) { w.sub(10, func(w *crafter) { w.sub(15, nil) }) }}, 2},
	} {
		c.col.name = "a"
		col := parseCrafted(t, fileSpec{columns: []columnSpec{c.col}, rows: 1}).Schema.Columns[0]
		for n := range 17 {
			if v, ok := col.Value(make([]byte, n)); ok != (n == c.width) || v.Order != col.Order {
				t.Errorf("%d bytes of %s: %v", n, col.TypeName(), ok)
			}
		}
	}
}

func TestColumnValueOfSmallIntegers(t *testing.T) {
	for _, c := range []struct {
		converted int32
		raw       int32
		want      int64
		ok        bool
	}{
		{11, 255, 255, true}, {11, 256, 0, false}, {11, -1, 255, false}, // UINT(8)
		{12, 65535, 65535, true}, {12, 65536, 0, false}, // UINT(16)
		{13, -1, math.MaxUint32, true},                                       // UINT(32)
		{15, -128, -128, true}, {15, 128, -128, false}, {15, 300, 44, false}, // INT(8)
		{16, -32768, -32768, true}, {16, 32768, -32768, false}, // INT(16)
		{17, math.MinInt32, math.MinInt32, true}, // INT(32)
		{6, -1, -1, true},                        // DATE
	} {
		col := parseCrafted(t, fileSpec{columns: []columnSpec{{name: "a", typ: Int32, element: func(w *crafter) { w.i32(6, c.converted) }}}, rows: 1}).Schema.Columns[0]
		v, ok := col.Value(binary.LittleEndian.AppendUint32(nil, uint32(c.raw)))
		if ok != c.ok || v.Int != c.want || col.Int32(c.raw) != c.want {
			t.Errorf("%s of %d: %d, %v; want %d, %v", col.TypeName(), c.raw, v.Int, ok, c.want, c.ok)
		}
	}
}
