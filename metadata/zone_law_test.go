package metadata

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// holds says why a zone contradicts a value that its rows hold, or "".
func (z Zone) holds(v Value) string {
	switch {
	case z.AllNull():
		return "all rows are null"
	case v.IsNaN():
		if z.NoNaN {
			return "no row is NaN"
		}
	case z.HasLower && z.Lower.Compare(v) > 0:
		return "the value is below the lower bound"
	case z.HasUpper && z.Upper.Compare(v) < 0:
		return "the value is above the upper bound"
	}
	return ""
}

// lawColumns draw physical values of a column, as PLAIN bytes.
var lawColumns = map[string]struct {
	col   columnSpec
	value *rapid.Generator[[]byte]
}{
	"INT32":                 {colInt32, rapid.Map(rapid.Int32(), le32)},
	"INT64":                 {colInt64, rapid.Map(rapid.Int64(), le64)},
	"UINT(32)":              {colUint32, rapid.Map(rapid.Int32(), le32)},
	"UINT(64)":              {colUint64, rapid.Map(rapid.Int64(), le64)},
	"DOUBLE":                {colDouble, rapid.Map(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1)})), leDouble)},
	"FLOAT16":               {colFloat16, rapid.SliceOfN(rapid.Byte(), 2, 2)},
	"STRING":                {colString, rapid.SliceOfN(rapid.SampledFrom([]byte{0, 'a', 'b', 0xff}), 0, 24)},
	"FIXED":                 {colFixed, rapid.SliceOfN(rapid.SampledFrom([]byte{'a', 0xff}), 20, 20)},
	"DECIMAL in FIXED":      {colDecimalF, rapid.SliceOfN(rapid.Byte(), 4, 4)},
	"DECIMAL in BYTE_ARRAY": {colDecimalB, rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0x7f, 0x80, 0xff}), 1, 20)},
}

// truncate cuts bounds short as the format allows: the maximum is increased,
// or kept whole if it cannot be.
func truncate(lo, hi []byte, n int) (l, h []byte) {
	if len(lo) > n {
		lo = lo[:n]
	}
	if len(hi) > n {
		cut := bytes.Clone(hi[:n])
		for i := n - 1; i >= 0; i-- {
			if cut[i]++; cut[i] != 0 {
				return lo, cut
			}
		}
	}
	return lo, hi
}

// No zone contradicts the values that honest statistics summarise.
func TestZoneHoldsItsValuesLaw(t *testing.T) {
	for name, law := range lawColumns {
		t.Run(name, func(t *testing.T) { rapid.Check(t, func(rt *rapid.T) { checkHonest(t, rt, law.col, law.value) }) })
	}
}

func FuzzZone(f *testing.F) {
	f.Fuzz(func(t *testing.T, entropy []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) {
			law := lawColumns[rapid.SampledFrom(slices.Sorted(maps.Keys(lawColumns))).Draw(rt, "column")]
			checkHonest(t, rt, law.col, law.value)
		})(t, entropy)
	})
}

func checkHonest(t *testing.T, rt *rapid.T, spec columnSpec, value *rapid.Generator[[]byte]) {
	spec.name = "c"
	raw := rapid.SliceOfN(value, 1, 6).Draw(rt, "values")
	nulls := int64(rapid.IntRange(0, 3).Draw(rt, "nulls"))
	rows := int64(len(raw)) + nulls
	f := parseCrafted(t, fileSpec{columns: []columnSpec{spec}, rows: rows, orders: rapid.IntRange(1, 2).Draw(rt, "orders")})
	col := f.Schema.Columns[0]

	var lo, hi []byte
	var values []Value
	nans := int64(0)
	for _, b := range raw {
		v, ok := col.Value(b)
		if !ok {
			rt.Fatalf("%x is no value of %s", b, col.TypeName())
		}
		values = append(values, v)
		if v.IsNaN() {
			nans++
			continue
		}
		if less, _ := col.Value(lo); lo == nil || v.Compare(less) < 0 {
			lo = append([]byte{}, b...)
		}
		if more, _ := col.Value(hi); hi == nil || v.Compare(more) > 0 {
			hi = append([]byte{}, b...)
		}
	}
	if col.Order == OrderBytes && lo != nil && rapid.Bool().Draw(rt, "truncate") {
		lo, hi = truncate(lo, hi, rapid.IntRange(1, 18).Draw(rt, "bytes kept"))
	}
	s := &Statistics{MinValue: lo, MaxValue: hi}
	x := &ColumnIndex{NullPages: []bool{false}, Min: [][]byte{lo}, Max: [][]byte{hi}}
	if rapid.Bool().Draw(rt, "null count") {
		s.NullCount, x.NullCounts = &nulls, []int64{nulls}
	}
	if col.Order == OrderFloat && rapid.Bool().Draw(rt, "NaN count") {
		s.NaNCount, x.NaNCounts = &nans, []int64{nans}
	}
	zones := map[string]Zone{}
	c, err := f.RowGroups[0].Chunk(col)
	if err != nil {
		rt.Fatal(err)
	}
	zones["statistics"], _ = f.StatisticsZone(c, s, rows)
	pages, b := f.PageZones(c, x, []int64{rows})
	if pages == nil {
		rt.Fatalf("the column index is ignored: %s", b.Why)
	}
	zones["column index"] = pages[0]
	for name, z := range zones {
		for i, v := range values {
			if why := z.holds(v); why != "" {
				rt.Fatalf("%s: %s, but value %d is %x", name, why, i, raw[i])
			}
		}
		if z.Nulls >= 0 && z.Nulls != nulls {
			rt.Fatalf("%s: %d nulls of %d", name, z.Nulls, nulls)
		}
		checkZone(col, z, func(s string) { rt.Fatalf("%s: %s", name, s) })
	}
}
