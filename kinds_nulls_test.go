package pare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// The kinds of faults around NULL, NaN and the two zeros.

func i64p(v int64) *int64 { return &v }

// TestKindNullCountMissing: an absent null count is not 0, whoever wrote it,
// and a null count without bounds says nothing of values.
func TestKindNullCountMissing(t *testing.T) {
	for _, writer := range []string{"", "parquet-rs version 52.2.0", "parquet-rs version 54.0.0", "parquet-mr version 1.13.0"} {
		c := numbers("c", each(i32, 1, 5).nulls(1))
		c.optional, c.noIndex = true, true
		c.stats = func(_ int, s *metadata.Statistics) { s.NullCount = nil }
		f := file(c)
		f.createdBy = writer
		f.check(t, rowsWhere("c IS NULL", 2).reads(1), rowsWhere("c IS NOT NULL", 0, 1), rowsWhere("c >= 1", 0, 1), rowsWhere("c < 1 OR c IS NULL", 2), rowsWhere("NOT (c > 1)", 0))
	}
	// parquet-mr 1.5 wrote a null count of 0 and no bounds.
	s := kindColumn{name: "s", typ: metadata.ByteArray, element: asString, optional: true, noIndex: true, groups: [][]kindPage{{each(txt, "a", "b")}}}
	file(s).check(t, rowsWhere("s = 'a'", 0), rowsWhere("s IS NOT NULL", 0, 1), rowsWhere("s IS NULL").reads(0))
}

// TestKindNullCountAbsurd: negative or more than there are values.
func TestKindNullCountAbsurd(t *testing.T) {
	for _, n := range []int64{-1, math.MinInt64, 4, math.MaxInt64} {
		c := numbers("c", each(i32, 1, 5).nulls(1))
		c.optional = true
		c.stats = func(_ int, s *metadata.Statistics) { s.NullCount = i64p(n) }
		c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.NullCounts[0] = n }
		file(c).check(t, rowsWhere("c = 5", 1), rowsWhere("c IS NULL", 2), rowsWhere("c IS NOT NULL", 0, 1))
	}
	// All values are said to be NULL beside bounds that say otherwise.
	c := numbers("c", each(i32, 1, 5).nulls(1))
	c.optional = true
	c.stats = func(_ int, s *metadata.Statistics) { s.NullCount = i64p(3) }
	file(c).check(t, rowsWhere("c = 5", 1), rowsWhere("c IS NOT NULL", 0, 1))
}

// TestKindInWithNull: NULL in a list adds no row.
func TestKindInWithNull(t *testing.T) {
	for _, coded := range []bool{false, true} {
		p := each(i32, 1, 5).nulls(1)
		p.dict = coded
		c := numbers("c", p)
		c.optional = true
		c.stats = func(_ int, s *metadata.Statistics) { s.NullCount = nil }
		file(c).check(t, rowsWhere("c IN (9, NULL)"), rowsWhere("c IN (5, NULL)", 1), rowsWhere("c IN (9, NULL) OR c IS NULL", 2), rowsWhere("c NOT IN (9, NULL)"), rowsWhere("NOT (c IN (5, NULL))"))
	}
}

// TestKindNotWithNull: a negated condition rejects NULL too, on bounds as on
// dictionaries.
func TestKindNotWithNull(t *testing.T) {
	c := kindColumn{name: "s", typ: metadata.ByteArray, element: asString, optional: true, compare: slices.Compare[[]byte], groups: [][]kindPage{
		{each(txt, "foo").nulls(1).coded()}, {each(txt, "foo", "foo").coded()}, {kindPage{}.nulls(2).coded()}}}
	file(c).check(t, rowsWhere("s NOT IN ('foo', 'bar')").reads(0), rowsWhere("s <> 'foo'").reads(0), rowsWhere("NOT (s = 'bar')", 0, 2, 3), rowsWhere("s <> 'bar'", 0, 2, 3),
		rowsWhere("NOT (s IS NULL)", 0, 2, 3), rowsWhere("NOT (s IS NOT NULL)", 1, 4, 5), rowsWhere("s NOT LIKE '%x%'", 0, 2, 3), rowsWhere("NOT (s <> 'foo')", 0, 2, 3),
		rowsWhere("s = 'bar' OR s IS NULL", 1, 4, 5), rowsOf(predicate.Not(predicate.Col("s").Func("is", func(metadata.Value) bool { return true }))))
}

func floats(name string, pages ...kindPage) kindColumn {
	return kindColumn{name: name, typ: metadata.Double, compare: byFloat64, groups: [][]kindPage{pages}}
}

// TestKindNaN: NaN is above every number and equal to itself. Bounds that
// leave it out prune nothing that it would pass; NaN as a bound is none.
func TestKindNaN(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	silent := func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = f64(1), f64(2) }
	silentPages := func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = f64(1), f64(2) }
	wants := []kindQuery{rowsWhere("c = 'nan'", 2), rowsWhere("c > 2", 2), rowsWhere("c >= 2", 1, 2), rowsWhere("c <> 1", 1, 2), rowsWhere("c > 'inf'", 2), rowsWhere("c > 1e300", 2),
		rowsWhere("c = 7").reads(0), rowsWhere("c < 1").reads(0), rowsWhere("c <= 2", 0, 1), rowsWhere("NOT (c <= 2)", 2), rowsWhere("c IN (7, 'nan')", 2), rowsWhere("c BETWEEN 2 AND 'nan'", 1, 2)}
	for _, coded := range []bool{false, true} {
		p := each(f64, 1, 2, nan)
		p.dict = coded
		c := floats("c", p)
		c.stats, c.columnIndex = silent, silentPages
		file(c).check(t, wants...)
	}
	for name, bounds := range map[string][2][]byte{"both": {f64(nan), f64(nan)}, "a minimum of": {f64(nan), f64(2)}, "a maximum of": {f64(1), f64(nan)}} {
		t.Run(name+" NaN", func(t *testing.T) {
			c := floats("c", each(f64, 1, 2, nan))
			c.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = bounds[0], bounds[1] }
			c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = bounds[0], bounds[1] }
			file(c).check(t, rowsWhere("c = 'nan'", 2), rowsWhere("c > 2", 2), rowsWhere("c = 1", 0), rowsWhere("c < 2", 0))
		})
	}
	only := floats("c", each(f64, nan))
	only.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = nil, nil }
	file(only).check(t, rowsWhere("c = 'nan'", 0), rowsWhere("c IS NOT NULL", 0), rowsWhere("c < 'nan'"))
	counted := floats("c", each(f64, 1, 2))
	counted.stats = func(_ int, s *metadata.Statistics) { s.NaNCount = i64p(0) }
	file(counted).check(t, rowsWhere("c > 2").reads(0), rowsWhere("c = 'nan'").reads(0), rowsWhere("c < 'inf'", 0, 1))
	file(floats("c", each(f64, -inf, inf), each(f64, 0))).check(t, rowsWhere("c = 'inf'", 1), rowsWhere("c < -1e308", 0), rowsWhere("c > 1e308", 1))
}

// TestKindSignedZero: the zeros are equal, whichever of them the bounds, the
// dictionary or the Bloom filter hold.
func TestKindSignedZero(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, coded := range []bool{false, true} {
		for _, zero := range []float64{0, minus} {
			p := each(f64, zero, 1)
			p.dict = coded
			c := floats("c", p)
			c.bloom = 64
			file(c).check(t, rowsWhere("c = 0", 0), rowsWhere("c = -0.0", 0), rowsWhere("c <= 0", 0), rowsWhere("c >= 0", 0, 1), rowsWhere("c < 0"), rowsWhere("c > -0.0", 1), rowsWhere("c IN (-0.0, 5)", 0))
		}
	}
	c := floats("c", each(f64, minus, 0)) // a maximum of -0 below a minimum of +0
	c.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = f64(0), f64(minus) }
	c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = f64(0), f64(minus) }
	file(c).check(t, rowsWhere("c = 0", 0, 1), rowsWhere("c = -0.0", 0, 1), rowsWhere("c <> 0"))
	var values []float64
	for i := range 400 {
		values = append(values, float64(i-200)+0.5)
	}
	absent := floats("c", each(f64, values...))
	absent.bloom = 1024
	file(absent).check(t, rowsWhere("c = 0.0").reads(0), rowsWhere("c = 0.5", 200)) // both zeros are asked for
	single := kindColumn{name: "c", typ: metadata.Float, compare: byFloat32, bloom: 64, groups: [][]kindPage{{each(f32, float32(minus), 1)}}}
	file(single).check(t, rowsWhere("c = 0", 0), rowsWhere("c = -0.0", 0))
}

// TestKindFloatStats: range conditions on several 32-bit columns, with values
// at the edges and literals that no float32 equals.
func TestKindFloatStats(t *testing.T) {
	column := func(name string, groups ...[]float32) kindColumn {
		c := kindColumn{name: name, typ: metadata.Float, compare: byFloat32, stats: func(_ int, s *metadata.Statistics) { s.NaNCount = i64p(0) }}
		for _, g := range groups {
			c.groups = append(c.groups, []kindPage{each(f32, g...)})
		}
		return c
	}
	f := file(column("xmin", []float32{0.1, 0.2}, []float32{1.1, 1.2}), column("xmax", []float32{0.3, 0.4}, []float32{1.3, 1.4}),
		column("ymin", []float32{-0.1, 16777216}, []float32{5.1, 5.2}), column("ymax", []float32{0.1, 16777218}, []float32{5.3, 5.4}))
	f.check(t, rowsWhere("xmin <= 0.15 AND xmax >= 0.15 AND ymin <= 0 AND ymax >= 0", 0).reads(1), rowsWhere("xmin >= 1.1 AND xmax <= 1.4 AND ymin > 5.15 AND ymax < 5.45", 3).reads(1),
		rowsWhere("ymin > 16777215.5e0 AND ymax >= 16777217e0", 1), rowsWhere("ymin >= 16777216 AND ymin < 16777217e0", 1), rowsWhere("xmin > 0.1", 1, 2, 3), rowsWhere("xmin > 100 OR ymax > 5.3 AND ymax < 6", 3))
}
