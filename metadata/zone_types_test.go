package metadata

import (
	"math"
	"strings"
	"testing"
)

func TestZoneNaNBounds(t *testing.T) {
	nan16, one16 := []byte{0, 0x7e}, []byte{0, 0x3c}
	nan32, nan64 := leFloat(float32(math.NaN())), leDouble(math.NaN())
	for name, c := range map[string]struct {
		col     columnSpec
		nan, ok []byte
	}{"FLOAT": {colFloat, nan32, leFloat(1)}, "DOUBLE": {colDouble, nan64, leDouble(1)}, "FLOAT16": {colFloat16, nan16, one16}} {
		for orders := range 3 {
			for _, s := range []Statistics{{MinValue: c.nan, MaxValue: c.nan}, {MinValue: c.ok, MaxValue: c.nan}, {MinValue: c.nan, MaxValue: c.ok}, {MinValue: c.nan}, {MaxValue: c.nan},
				{Min: c.nan, Max: c.nan}} {
				if z, b := zoneIn(t, c.col, s, orders, ""); !unbounded(z) || z.NoNaN || !b.Doubt {
					t.Errorf("%s, orders %d: %+v, %+v", name, orders, z, b)
				}
			}
		}
	}
}

func TestZoneNaNCounts(t *testing.T) {
	for orders := range 3 {
		for _, c := range []struct {
			n    *int64
			none bool
		}{{nil, false}, {ptr(int64(0)), true}, {ptr(int64(1)), false}, {ptr(int64(-1)), false}} {
			if z, _ := zoneIn(t, colDouble, Statistics{MinValue: leDouble(1), MaxValue: leDouble(2), NaNCount: c.n}, orders, ""); z.NoNaN != c.none || !bounded(z) {
				t.Errorf("orders %d: %+v", orders, z)
			}
		}
	}
	if z, _ := zoneOf(t, colInt32, Statistics{MinValue: le32(1), MaxValue: le32(2)}); !z.NoNaN {
		t.Errorf("an integer may be NaN: %+v", z)
	}
}

func TestZoneSignedZero(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, s := range [][2]float64{{0, 5}, {-5, negative}, {0, negative}, {negative, 0}} {
		z, _ := zoneOf(t, colDouble, Statistics{MinValue: leDouble(s[0]), MaxValue: leDouble(s[1])})
		for _, zero := range []float64{0, negative} {
			if !bounded(z) || z.Lower.Compare(FloatValue(zero)) > 0 || z.Upper.Compare(FloatValue(zero)) < 0 {
				t.Errorf("[%v, %v] excludes %v", s[0], s[1], zero)
			}
		}
		if s[0] == 0 && z.LowerExact || s[1] == 0 && z.UpperExact {
			t.Errorf("[%v, %v]: a zero is exact", s[0], s[1])
		}
	}
}

func TestZoneUnorderedTypes(t *testing.T) {
	for name, col := range map[string]columnSpec{"INT96": colInt96, "INTERVAL": colInterval} {
		z, b := zoneOf(t, col, Statistics{MinValue: make([]byte, 12), MaxValue: make([]byte, 12), NullCount: ptr(int64(2))})
		if !unbounded(z) || b.Why == "" || z.Nulls != 2 {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestZoneDecimalsOfBytes(t *testing.T) {
	// -2 to 128 in bytes of different lengths.
	z, _ := zoneOf(t, colDecimalB, Statistics{MinValue: []byte{0xff, 0xff, 0xfe}, MaxValue: []byte{0, 0x80}})
	if !bounded(z) || z.Lower.BigInt().Int64() != -2 || z.Upper.BigInt().Int64() != 128 {
		t.Errorf("%+v", z)
	}
	const old = "github.com/parquet-go/parquet-go version 0.32.0(build )"
	for name, col := range map[string]columnSpec{"FIXED": colDecimalF, "BYTE_ARRAY": colDecimalB} {
		if z, b := zoneIn(t, col, Statistics{MinValue: []byte{0, 0, 0, 1}, MaxValue: []byte{0, 0, 0, 2}}, 1, old); !unbounded(z) || !b.Doubt {
			t.Errorf("decimals of parquet-go in %s: %+v, %+v", name, z, b)
		}
	}
	if z, _ := zoneIn(t, colDecimal64, Statistics{MinValue: le64(1), MaxValue: le64(2)}, 1, old); !bounded(z) {
		t.Errorf("decimals of parquet-go in INT64: %+v", z)
	}
}

func TestZoneUnsigned(t *testing.T) {
	z, _ := zoneOf(t, colUint64, Statistics{MinValue: le64(1), MaxValue: le64(-1)})
	if !bounded(z) || z.Upper.Uint64() != math.MaxUint64 {
		t.Errorf("%+v", z)
	}
	if z, _ = zoneOf(t, colUint32, Statistics{MinValue: le32(1), MaxValue: le32(-1)}); !bounded(z) || z.Upper.Int != math.MaxUint32 {
		t.Errorf("%+v", z)
	}
	// In signed order, 2^31 is below 1.
	if z, b := zoneOf(t, colUint32, Statistics{MinValue: le32(math.MinInt32), MaxValue: le32(1)}); !unbounded(z) || !b.Doubt {
		t.Errorf("%+v, %+v", z, b)
	}
}

func TestZoneExactness(t *testing.T) {
	yes, no := ptr(true), ptr(false)
	for name, c := range map[string]struct {
		col          columnSpec
		lo, hi       []byte
		min, max     *bool
		lower, upper bool
	}{
		"integers":                {colInt32, le32(1), le32(2), nil, nil, true, true},
		"integers said inexact":   {colInt32, le32(1), le32(2), no, yes, false, true},
		"strings":                 {colString, []byte("a"), []byte("b"), nil, nil, false, false},
		"strings said exact":      {colString, []byte("a"), []byte("b"), yes, yes, true, true},
		"strings said half exact": {colString, []byte("a"), []byte("b"), no, yes, false, true},
		"UUIDs":                   {colUUID, make([]byte, 16), make([]byte, 16), nil, nil, false, false},
	} {
		z, _ := zoneOf(t, c.col, Statistics{MinValue: c.lo, MaxValue: c.hi, MinExact: c.min, MaxExact: c.max})
		if z.LowerExact != c.lower || z.UpperExact != c.upper {
			t.Errorf("%s: %+v", name, z)
		}
	}
}

func TestZoneOfParquet251(t *testing.T) {
	s := Statistics{MinValue: []byte("aaaaaaaaaaaaaaaaaaaa"), MaxValue: []byte("bbbbbbbbbbbbbbbbbbbb"), NullCount: ptr(int64(1))}
	for _, w := range []string{"parquet-mr version 1.8.1 (build 4aba4dae7bb0d4edbcf7923ae1339f28fd3f7fcf)", "parquet-mr", "parquet-mr (build 32c46643845ea8a705c35d4ec8fc654cc8ff816d)"} {
		for name, col := range map[string]columnSpec{"BYTE_ARRAY": colBinary, "STRING": colString, "FIXED": colFixed} {
			if z, b := zoneIn(t, col, s, 1, w); !unbounded(z) || !b.Doubt || z.Nulls != 1 || !strings.Contains(b.Why, "PARQUET-251") {
				t.Errorf("%s of %q: %+v, %+v", name, w, z, b)
			}
		}
		if z, _ := zoneIn(t, colInt32, Statistics{MinValue: le32(1), MaxValue: le32(2)}, 1, w); !bounded(z) {
			t.Errorf("integers of %q: %+v", w, z)
		}
	}
	if z, _ := zoneIn(t, colString, s, 1, "parquet-mr version 1.8.2 (build abc)"); !bounded(z) {
		t.Errorf("a repaired version: %+v", z)
	}
}
