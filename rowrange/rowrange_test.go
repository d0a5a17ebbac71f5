package rowrange_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/rowrange"
)

const rows = 40

// bits is the model: one boolean per row.
type bits [rows]bool

func model(s rowrange.Set) (b bits) {
	for _, r := range s {
		for i := r.From; i < r.To; i++ {
			b[i] = true
		}
	}
	return b
}

func drawSet(t *rapid.T, name string) rowrange.Set {
	at := rapid.Int64Range(0, rows)
	pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) rowrange.Range {
		return rowrange.Range{From: at.Draw(t, "from"), To: at.Draw(t, "to")}
	}), 0, 6).Draw(t, name)
	return rowrange.New(pairs...)
}

// TestAlgebraAgreesWithOneBooleanPerRow is the law that everything else here
// rests on.
func TestAlgebraAgreesWithOneBooleanPerRow(t *testing.T) { rapid.Check(t, algebraAgrees) }

func FuzzAlgebra(f *testing.F) { f.Fuzz(rapid.MakeFuzz(algebraAgrees)) }

func algebraAgrees(t *rapid.T) {
	s, u := drawSet(t, "s"), drawSet(t, "u")
	from, to := rapid.Int64Range(0, rows).Draw(t, "from"), rapid.Int64Range(0, rows).Draw(t, "to")
	ms, mu := model(s), model(u)
	check := func(name string, got rowrange.Set, want func(i int64) bool) {
		for i, r := range got {
			if r.To <= r.From || i > 0 && got[i-1].To >= r.From {
				t.Fatalf("%s: %v is not normal", name, got)
			}
		}
		m := model(got)
		for i := range int64(rows) {
			if m[i] != want(i) {
				t.Fatalf("%s of %v and %v: row %d is %v in %v", name, s, u, i, m[i], got)
			}
		}
	}
	check("intersect", s.Intersect(u), func(i int64) bool { return ms[i] && mu[i] })
	check("union", s.Union(u), func(i int64) bool { return ms[i] || mu[i] })
	check("subtract", s.Subtract(u), func(i int64) bool { return ms[i] && !mu[i] })
	check("complement", s.Complement(rows), func(i int64) bool { return !ms[i] })
	check("slice", s.Slice(from, to), func(i int64) bool { return ms[i] && from <= i && i < to })
	more := rapid.Int64Range(0, 5).Draw(t, "more")
	check("lengthen", s.Lengthen(more).Slice(0, rows), func(i int64) bool {
		for k := max(0, i-more); k <= i; k++ {
			if ms[k] {
				return true
			}
		}
		return false
	})
	n, before := int64(0), make([]int64, rows)
	overlaps, covers := false, true
	for i := range int64(rows) {
		before[i] = n
		if ms[i] {
			n++
		}
		if from <= i && i < to {
			overlaps = overlaps || ms[i]
			covers = covers && ms[i]
		}
		if s.Contains(i) != ms[i] {
			t.Fatalf("contains %d in %v", i, s)
		}
	}
	check("head", s.Head(from), func(i int64) bool { return ms[i] && before[i] < from })
	if s.Len() != n || s.Overlaps(from, to) != overlaps || s.Covers(from, to) != covers {
		t.Fatalf("%v over [%d,%d): len %d, overlaps %v, covers %v", s, from, to, s.Len(), s.Overlaps(from, to), s.Covers(from, to))
	}
	if model(s) != ms || model(u) != mu {
		t.Fatal("an operand was changed")
	}
}

func ExampleSet_Intersect() {
	dates := rowrange.Of(3072, 4096)
	amounts := rowrange.New(rowrange.Range{From: 0, To: 2048}, rowrange.Range{From: 4000, To: 8192})
	fmt.Println(dates.Intersect(amounts), dates.Union(amounts))
	// Output: [4000,4096) [0,2048) [3072,8192)
}

// TestRest: the heads of a set that is used up from its front are its rows, in
// order, each once.
func TestRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, "set")
		var heads []rowrange.Set
		var got rowrange.Set
		var head rowrange.Set
		for left := s.Rest(); !left.Empty(); {
			n := rapid.Int64Range(1, 12).Draw(t, "rows")
			span := rapid.OneOf(rapid.Int64Range(1, 60), rapid.Just(int64(math.MaxInt64))).Draw(t, "span")
			head = left.Head(head, n, span)
			rest := s.Subtract(got)
			want := rest.Slice(rest[0].From, rest[0].From+min(span, 1000)).Head(n)
			if !head.Equal(want) {
				t.Fatalf("of %v, %d rows in %d: %v, want %v", rest, n, span, head, want)
			}
			if rapid.Bool().Draw(t, "half") && head.Len() > 1 {
				head = head.Head(head.Len() / 2)
			}
			heads = append(heads, append(rowrange.Set{}, head...))
			got = rowrange.Join(heads)
			left.Use(head[len(head)-1].To)
		}
		if !got.Equal(s) {
			t.Fatalf("%v of %v", got, s)
		}
	})
}
