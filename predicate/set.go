package predicate

import (
	"math"
	"slices"
	"sort"

	"github.com/parequet/pare/metadata"
)

// Set is a set of values of one column: a union of intervals, and whether
// NULL and NaN belong to it. The intervals are sorted and do not overlap; on
// discrete types their ends are closed and no two touch. The zero Set is
// empty. Sets are immutable.
type Set struct {
	Intervals []Interval
	Null      bool
	NaN       bool
}

// Interval holds the values between two ends. A missing end is unbounded.
type Interval struct {
	Lo, Hi       End
	HasLo, HasHi bool
}

// End is one end of an interval.
type End struct {
	Value metadata.Value
	Open  bool // the value itself is outside
}

// all is the interval of every value.
var all = Interval{}

func point(v metadata.Value) Interval {
	return Interval{Lo: End{Value: v}, Hi: End{Value: v}, HasLo: true, HasHi: true}
}

func below(v metadata.Value, open bool) Interval {
	return Interval{Hi: End{v, open}, HasHi: true}
}

func above(v metadata.Value, open bool) Interval {
	return Interval{Lo: End{v, open}, HasLo: true}
}

func (i Interval) isPoint() bool {
	return i.HasLo && i.HasHi && !i.Lo.Open && !i.Hi.Open && i.Lo.Value.Compare(i.Hi.Value) == 0
}

// empty reports whether no value of the column lies in the interval.
func (i Interval) empty() bool {
	if !i.HasLo || !i.HasHi {
		return false
	}
	c := i.Lo.Value.Compare(i.Hi.Value)
	return c > 0 || c == 0 && (i.Lo.Open || i.Hi.Open)
}

// closed turns open ends of discrete types into closed ones: x > 4 is x >= 5.
// ok is false if no value is left.
func (i Interval) closed() (_ Interval, ok bool) {
	if i.HasLo && i.Lo.Open {
		v, found, discrete := step(i.Lo.Value, +1)
		if discrete {
			if !found {
				return i, false
			}
			i.Lo = End{Value: v}
		}
	}
	if i.HasHi && i.Hi.Open {
		v, found, discrete := step(i.Hi.Value, -1)
		if discrete {
			if !found {
				return i, false
			}
			i.Hi = End{Value: v}
		}
	}
	return i, !i.empty()
}

// step returns the neighbour of a value of a discrete type. found is false at
// the end of the type's range.
func step(v metadata.Value, d int64) (next metadata.Value, found, discrete bool) {
	switch v.Order {
	case metadata.OrderInt:
		if d > 0 && v.Int == math.MaxInt64 || d < 0 && v.Int == math.MinInt64 {
			return v, false, true
		}
		return metadata.IntValue(v.Int + d), true, true
	case metadata.OrderUint:
		if u := v.Uint64(); d > 0 && u == math.MaxUint64 || d < 0 && u == 0 {
			return v, false, true
		}
		return metadata.UintValue(v.Uint64() + uint64(d)), true, true
	case metadata.OrderDecimal:
		i := v.BigInt()
		return metadata.DecimalValue(i.Add(i, bigOf(d))), true, true
	}
	return v, false, false
}

// compareLo orders the lower ends of two intervals.
func compareLo(a, b Interval) int {
	switch {
	case !a.HasLo || !b.HasLo:
		return b2i(a.HasLo) - b2i(b.HasLo)
	case a.Lo.Value.Compare(b.Lo.Value) != 0:
		return a.Lo.Value.Compare(b.Lo.Value)
	}
	return b2i(a.Lo.Open) - b2i(b.Lo.Open)
}

// compareHi orders the upper ends of two intervals.
func compareHi(a, b Interval) int {
	switch {
	case !a.HasHi || !b.HasHi:
		return b2i(b.HasHi) - b2i(a.HasHi)
	case a.Hi.Value.Compare(b.Hi.Value) != 0:
		return a.Hi.Value.Compare(b.Hi.Value)
	}
	return b2i(b.Hi.Open) - b2i(a.Hi.Open)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// joins reports whether nothing lies between the end of a and the start of b,
// given that a starts first.
func joins(a, b Interval) bool {
	if !a.HasHi || !b.HasLo {
		return true
	}
	c := a.Hi.Value.Compare(b.Lo.Value)
	if c > 0 || c == 0 && !(a.Hi.Open && b.Lo.Open) {
		return true
	}
	if a.Hi.Open || b.Lo.Open {
		return false
	}
	next, found, discrete := step(a.Hi.Value, +1)
	return discrete && found && next.Compare(b.Lo.Value) == 0
}

// newSet normalises intervals in any order.
func newSet(intervals []Interval, null, nan bool) Set {
	s := Set{Null: null, NaN: nan}
	kept := make([]Interval, 0, len(intervals))
	for _, i := range intervals {
		if c, ok := i.closed(); ok && !c.empty() {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, compareLo)
	for _, i := range kept {
		if n := len(s.Intervals); n > 0 && joins(s.Intervals[n-1], i) {
			if last := &s.Intervals[n-1]; compareHi(i, *last) > 0 {
				last.Hi, last.HasHi = i.Hi, i.HasHi
			}
			continue
		}
		s.Intervals = append(s.Intervals, i)
	}
	return s
}

// Union returns the values in either set.
func (s Set) Union(t Set) Set {
	return newSet(append(slices.Clone(s.Intervals), t.Intervals...), s.Null || t.Null, s.NaN || t.NaN)
}

// Intersect returns the values in both sets. O(n+m).
func (s Set) Intersect(t Set) Set {
	var out []Interval
	for i, j := 0, 0; i < len(s.Intervals) && j < len(t.Intervals); {
		a, b := s.Intervals[i], t.Intervals[j]
		x := a
		if compareLo(b, a) > 0 {
			x.Lo, x.HasLo = b.Lo, b.HasLo
		}
		if compareHi(a, b) > 0 {
			x.Hi, x.HasHi = b.Hi, b.HasHi
			j++
		} else {
			i++
		}
		if !x.empty() {
			out = append(out, x)
		}
	}
	return newSet(out, s.Null && t.Null, s.NaN && t.NaN)
}

// complement returns the values that are not in the set. Whether NULL belongs
// to it is the caller's to say: negating a comparison leaves NULL outside.
func (s Set) complement(null bool) Set {
	var out []Interval
	gap := all
	open := true // whether gap's upper end is still to come
	for _, i := range s.Intervals {
		if i.HasLo {
			gap.Hi, gap.HasHi = End{i.Lo.Value, !i.Lo.Open}, true
			out = append(out, gap)
		}
		if open = i.HasHi; !open {
			break
		}
		gap = above(i.Hi.Value, !i.Hi.Open)
	}
	if open {
		out = append(out, gap)
	}
	return newSet(out, null, !s.NaN)
}

// Contains reports whether a value, not null, is in the set. O(log n).
func (s Set) Contains(v metadata.Value) bool {
	if v.IsNaN() {
		return s.NaN
	}
	i := s.search(v)
	return i < len(s.Intervals) && s.Intervals[i].holds(v)
}

// search returns the first interval that does not lie wholly below v.
func (s Set) search(v metadata.Value) int {
	return sort.Search(len(s.Intervals), func(k int) bool {
		i := s.Intervals[k]
		if !i.HasHi {
			return true
		}
		c := v.Compare(i.Hi.Value)
		return c < 0 || c == 0 && !i.Hi.Open
	})
}

// holds reports whether v, which is not above the interval, is in it.
func (i Interval) holds(v metadata.Value) bool {
	if !i.HasLo {
		return true
	}
	c := v.Compare(i.Lo.Value)
	return c > 0 || c == 0 && !i.Lo.Open
}

// Empty reports whether nothing at all is in the set.
func (s Set) Empty() bool { return len(s.Intervals) == 0 && !s.Null && !s.NaN }

// full reports whether every value of a column is in the set.
func (s Set) full(col *metadata.Column) bool {
	return len(s.Intervals) == 1 && !s.Intervals[0].HasLo && !s.Intervals[0].HasHi &&
		(s.Null || col.MaxDef == 0) && (s.NaN || col.Order != metadata.OrderFloat)
}
