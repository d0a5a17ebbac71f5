package predicate

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// universes are values of each order, among and between which sets are tried.
func universes() map[string][]metadata.Value {
	out := map[string][]metadata.Value{}
	for i := int64(-4); i <= 4; i++ {
		out["int"] = append(out["int"], metadata.IntValue(i))
		out["uint"] = append(out["uint"], metadata.UintValue(uint64(i+5)))
		out["decimal"] = append(out["decimal"], metadata.DecimalValue(big.NewInt(i*100+i)), metadata.DecimalValue(big.NewInt(i)))
	}
	out["int"] = append(out["int"], metadata.IntValue(math.MinInt64), metadata.IntValue(math.MinInt64+1), metadata.IntValue(math.MaxInt64-1), metadata.IntValue(math.MaxInt64))
	out["uint"] = append(out["uint"], metadata.UintValue(math.MaxInt64), metadata.UintValue(1<<63), metadata.UintValue(math.MaxUint64-1), metadata.UintValue(math.MaxUint64))
	for _, f := range floatPool[:len(floatPool)-1] {
		out["float"] = append(out["float"], metadata.FloatValue(f))
	}
	for _, s := range textPool {
		out["bytes"] = append(out["bytes"], bytesValue(s), bytesValue(s+"\x00"), bytesValue(s+"\xff"))
	}
	return out
}

func drawInterval(t *rapid.T, values []metadata.Value) Interval {
	at := rapid.SampledFrom(values)
	i := Interval{HasLo: rapid.IntRange(0, 5).Draw(t, "hasLo") > 0, HasHi: rapid.IntRange(0, 5).Draw(t, "hasHi") > 0}
	if i.HasLo {
		i.Lo = End{at.Draw(t, "lo"), rapid.Bool().Draw(t, "loOpen")}
	}
	if i.HasHi {
		i.Hi = End{at.Draw(t, "hi"), rapid.Bool().Draw(t, "hiOpen")}
	}
	return i
}

// within is membership by definition.
func within(i Interval, v metadata.Value) bool {
	if i.HasLo {
		if c := v.Compare(i.Lo.Value); c < 0 || c == 0 && i.Lo.Open {
			return false
		}
	}
	if i.HasHi {
		if c := v.Compare(i.Hi.Value); c > 0 || c == 0 && i.Hi.Open {
			return false
		}
	}
	return true
}

func withinAny(is []Interval, v metadata.Value) bool {
	for _, i := range is {
		if within(i, v) {
			return true
		}
	}
	return false
}

// checkNormal: the promises of the type Set about its intervals.
func checkNormal(t *rapid.T, what string, s Set) {
	for k, i := range s.Intervals {
		if i.empty() {
			t.Fatalf("%s: an empty interval in %v", what, s)
		}
		for _, e := range []struct {
			has bool
			end End
		}{{i.HasLo, i.Lo}, {i.HasHi, i.Hi}} {
			if _, _, discrete := step(e.end.Value, 1); e.has && discrete && e.end.Open {
				t.Fatalf("%s: an open end of a discrete type in %v", what, s)
			}
		}
		if k > 0 && joins(s.Intervals[k-1], i) {
			t.Fatalf("%s: intervals %d and %d touch in %v", what, k-1, k, s)
		}
		if k > 0 && compareLo(s.Intervals[k-1], i) >= 0 {
			t.Fatalf("%s: intervals out of order in %v", what, s)
		}
	}
}

// TestSetAlgebraAgreesWithMembership: union, intersection and complement hold
// of every value what logic says of it.
func TestSetAlgebraAgreesWithMembership(t *testing.T) {
	for name, values := range universes() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				drawn := func(label string) ([]Interval, Set) {
					is := make([]Interval, rapid.IntRange(0, 5).Draw(t, label))
					for k := range is {
						is[k] = drawInterval(t, values)
					}
					s := newSet(is, rapid.Bool().Draw(t, "null"), name == "float" && rapid.Bool().Draw(t, "nan"))
					checkNormal(t, label, s)
					return is, s
				}
				ai, a := drawn("a")
				bi, b := drawn("b")
				union, meet, rest := a.Union(b), a.Intersect(b), a.complement(!a.Null)
				checkNormal(t, "union", union)
				checkNormal(t, "intersection", meet)
				checkNormal(t, "complement", rest)
				for _, v := range values {
					ina, inb := withinAny(ai, v), withinAny(bi, v)
					if a.Contains(v) != ina || union.Contains(v) != (ina || inb) || meet.Contains(v) != (ina && inb) || rest.Contains(v) != !ina {
						t.Fatalf("of %v: in a %v, in b %v; a %v, union %v, intersection %v, complement %v", v, ina, inb,
							a.Contains(v), union.Contains(v), meet.Contains(v), rest.Contains(v))
					}
				}
				nan := metadata.FloatValue(math.NaN())
				if a.Contains(nan) != a.NaN || rest.Contains(nan) == a.NaN || union.NaN != (a.NaN || b.NaN) || meet.NaN != (a.NaN && b.NaN) ||
					union.Null != (a.Null || b.Null) || meet.Null != (a.Null && b.Null) {
					t.Fatalf("NULL or NaN: a %v, b %v, union %v, intersection %v", a, b, union, meet)
				}
				checkPoints(t, a, values)
			})
		})
	}
}

// checkPoints: Points lists every member, or refuses.
func checkPoints(t *rapid.T, s Set, values []metadata.Value) {
	points, ok := s.Points()
	if !ok {
		return
	}
	for _, v := range values {
		found := false
		for _, p := range points {
			found = found || p.Compare(v) == 0
		}
		if found != s.Contains(v) {
			t.Fatalf("%v: Points lists %v: %v", s, v, found)
		}
	}
}

// TestComplementTwice gives the set back, where the ends of the type's range
// are not in play.
func TestComplementTwice(t *testing.T) {
	for name, values := range universes() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				inner := values[:9]
				a := newSet([]Interval{drawInterval(t, inner), drawInterval(t, inner), drawInterval(t, inner)}, false, false)
				back := a.complement(true).complement(false)
				if len(back.Intervals) != len(a.Intervals) || back.Null != a.Null || back.NaN != a.NaN {
					t.Fatalf("%v became %v", a, back)
				}
				for k, i := range a.Intervals {
					if j := back.Intervals[k]; compareLo(i, j) != 0 || compareHi(i, j) != 0 {
						t.Fatalf("%v became %v", a, back)
					}
				}
			})
		})
	}
}
