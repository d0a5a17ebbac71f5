package pare_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
)

// The kinds of faults of counts, minima and maxima that come from metadata.

// answers holds count(*), count, min and max of the column c against want, at
// every set of rungs.
func (f kindFile) answers(t *testing.T, where string, want ...string) {
	t.Helper()
	data := f.bytes()
	var x predicate.Expr
	if where != "" {
		x = parse(t, where)
	}
	for skip := range plan.AllStages + 1 {
		file, src := openBytes(t, "crafted", data, exact)
		a, err := pare.NewAggregator(pare.Aggregate{Func: "count", Star: true}, pare.Aggregate{Func: "count", Column: "c"}, pare.Aggregate{Func: "min", Column: "c"}, pare.Aggregate{Func: "max", Column: "c"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Add(t.Context(), file, pare.Query{Where: x, Skip: skip})
		if err != nil {
			t.Fatal(err)
		}
		batch, err := a.Result()
		if err != nil {
			t.Fatal(err)
		}
		got := appendBatch(nil, batch)[0]
		batch.Release()
		for i := range got {
			if got[i] != "NULL" {
				got[i] = got[i][:len(got[i])-1]
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("WHERE %s, skip %d: %v, right is %v%s", where, skip, got, want, prunedBy(r))
			return
		}
		if src.bytes.Load() != r.Bytes.Total {
			t.Errorf("%d bytes crossed the source, the receipt says %d", src.bytes.Load(), r.Bytes.Total)
		}
	}
}

// TestKindAggregatesOfTruncatedBounds: a bound that was cut is no minimum.
func TestKindAggregatesOfTruncatedBounds(t *testing.T) {
	no := false
	for _, flag := range []*bool{nil, &no} {
		c := typed(metadata.ByteArray, asString, bytewise, each(txt, "A123456789"), each(txt, "B"))
		c.stats = func(g int, s *metadata.Statistics) {
			if s.MinExact, s.MaxExact = flag, flag; g == 0 {
				s.MinValue, s.MaxValue = txt("A1234567"), txt("A1234568")
			}
		}
		c.columnIndex = func(g int, x *metadata.ColumnIndex) {
			if g == 0 {
				x.Min[0], x.Max[0] = txt("A1234567"), txt("A1234568")
			}
		}
		file(c).answers(t, "", "2", "2", "A123456789", "B")
		file(c).answers(t, "c < 'B'", "1", "1", "A123456789", "A123456789")
	}
}

// TestKindStatsMerge: a row group without bounds is no reason to leave its
// values out, and wide decimals keep all their digits.
func TestKindStatsMerge(t *testing.T) {
	c := typed(metadata.ByteArray, asString, bytewise, each(txt, "a", "b"), each(txt, "zzzz", "c"))
	c.noIndex = true
	c.stats = func(g int, s *metadata.Statistics) {
		if g == 1 {
			s.MinValue, s.MaxValue = nil, nil
		}
	}
	file(c).answers(t, "", "4", "4", "a", "zzzz")
	file(c).check(t, rowsWhere("c = 'zzzz'", 2), rowsWhere("c > 'b'", 2, 3))
	wide := func(s string) []byte {
		n, _ := new(big.Int).SetString(s, 10)
		b := metadata.DecimalValue(n).Bytes
		return append(make([]byte, 16-len(b)), b...)
	}
	d := typed(metadata.FixedLenByteArray, asDecimal(38, 10), byDecimal, each(wide, "1", "170141183460469231731"), each(wide, "1000000000000000000000000000000000001", "5"))
	file(d).answers(t, "", "4", "4", "1e-10", "100000000000000000000000000.0000000001")
}

// TestKindStatsAfterFilter: bounds are those of all rows, not of those that match.
func TestKindStatsAfterFilter(t *testing.T) {
	c, f := numbers("c", each(i32, 1, 2)), numbers("f", each(i32, 1, 2))
	file(c, f).answers(t, "f > 1", "1", "1", "2", "2")
	file(c, f).answers(t, "f >= 1", "2", "2", "1", "2")
	file(c, f).answers(t, "f > 5", "0", "0", "NULL", "NULL")
}

// TestKindStatsAggregate: a maximum from bounds does not forget NaN, a minimum
// does not take one zero for the other, unknown counts are counted.
func TestKindStatsAggregate(t *testing.T) {
	nan := floats("c", each(f64, 1, 2, math.NaN()))
	nan.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = f64(1), f64(2) }
	nan.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = f64(1), f64(2) }
	file(nan).answers(t, "", "3", "3", "1", "NaN")
	file(nan).answers(t, "c <= 2", "2", "2", "1", "2")

	zero := floats("c", each(f64, 0, 1))
	zero.stats = func(_ int, s *metadata.Statistics) { s.MinValue = f64(math.Copysign(0, -1)) }
	zero.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0] = f64(math.Copysign(0, -1)) }
	file(zero).answers(t, "", "2", "2", "0", "1")

	nulls := numbers("c", each(i32, 4, 7).nulls(3))
	nulls.optional = true
	nulls.stats = func(_ int, s *metadata.Statistics) { s.NullCount = nil }
	nulls.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.NullCounts = nil }
	file(nulls).answers(t, "", "5", "2", "4", "7")
	nulls.stats = func(_ int, s *metadata.Statistics) { s.NullCount = i64p(-1) }
	file(nulls).answers(t, "", "5", "2", "4", "7")
	all := numbers("c", kindPage{}.nulls(3))
	all.optional = true
	file(all).answers(t, "", "3", "0", "NULL", "NULL")

	wrong := typed(metadata.Int64, asTimestamp(false, 3), byInt64, each(i64, 5, 9)) // the minimum is above the maximum
	wrong.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = i64(100), i64(1) }
	wrong.noIndex = true
	file(wrong).answers(t, "", "2", "2", "1970-01-01T00:00:00.000000005", "1970-01-01T00:00:00.000000009")
}
