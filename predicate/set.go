package predicate

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

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

// Decide answers for a unit of rows of which zone is believed.
func (s Set) Decide(z metadata.Zone) Decision {
	if z.Rows == 0 {
		return Never
	}
	if z.AllNull() {
		if s.Null {
			return Always
		}
		return Never
	}
	overlaps, covers := s.against(z)
	mayHold := overlaps || s.NaN && !z.NoNaN || s.Null && !z.NoNulls()
	if !mayHold {
		return Never
	}
	if covers && (s.NaN || z.NoNaN) && (s.Null || z.NoNulls()) {
		return Always
	}
	return Maybe
}

// against reports whether any value, and whether every value, within a zone's
// bounds is in one interval of the set.
func (s Set) against(z metadata.Zone) (overlaps, covers bool) {
	k := 0
	if z.HasLower {
		k = s.search(z.Lower)
	}
	if k == len(s.Intervals) {
		return false, false
	}
	i := s.Intervals[k]
	// i reaches at least to the zone's lower bound.
	overlaps = true
	if z.HasUpper && i.HasLo {
		c := i.Lo.Value.Compare(z.Upper)
		overlaps = c < 0 || c == 0 && !i.Lo.Open
	}
	covers = overlaps && (!i.HasLo || z.HasLower && i.holds(z.Lower))
	if covers && i.HasHi {
		if !z.HasUpper {
			return overlaps, false
		}
		c := z.Upper.Compare(i.Hi.Value)
		covers = c < 0 || c == 0 && !i.Hi.Open
	}
	return overlaps, covers
}

// Within returns the values of the set that a unit of rows can hold, as far as
// its zone is believed.
func (s Set) Within(z metadata.Zone) Set {
	bounds := Interval{Lo: End{Value: z.Lower}, Hi: End{Value: z.Upper}, HasLo: z.HasLower, HasHi: z.HasUpper}
	return s.Intersect(Set{Intervals: []Interval{bounds}, Null: !z.NoNulls(), NaN: !z.NoNaN})
}

// Share is the part of a zone's range that lies in the set's intervals, by
// width; ok is false for values without a width and for unknown bounds.
func (s Set) Share(z metadata.Zone) (share float64, ok bool) {
	if !z.HasLower || !z.HasUpper {
		return 0, false
	}
	lo, okLo := position(z.Lower)
	hi, okHi := position(z.Upper)
	if !okLo || !okHi || math.IsInf(hi-lo, 0) {
		return 0, false
	}
	unit := 1.0 // integers are as wide as one step
	if z.Lower.Order == metadata.OrderFloat {
		unit = 0
	}
	if hi-lo+unit == 0 {
		return 0, false
	}
	for _, i := range s.Intervals {
		from, to := lo, hi
		if i.HasLo {
			p, _ := position(i.Lo.Value)
			from = max(from, p)
		}
		if i.HasHi {
			p, _ := position(i.Hi.Value)
			to = min(to, p)
		}
		if from <= to {
			share += (to - from + unit) / (hi - lo + unit)
		}
	}
	return min(share, 1), true
}

// position places a number on a line.
func position(v metadata.Value) (float64, bool) {
	switch v.Order {
	case metadata.OrderInt:
		return float64(v.Int), true
	case metadata.OrderUint:
		return float64(v.Uint64()), true
	case metadata.OrderFloat:
		return v.Float, true
	}
	return 0, false
}

// maxExpanded is how many neighbouring integers Points takes apart.
const maxExpanded = 1000

// Points returns the values of the set if they are finitely many, as they are
// for =, IN and their combinations; short ranges of integers are, too. NULL is
// not among them.
func (s Set) Points() ([]metadata.Value, bool) {
	out := make([]metadata.Value, 0, len(s.Intervals))
	for _, i := range s.Intervals {
		if !i.isPoint() {
			if !i.HasLo || !i.HasHi {
				return nil, false
			}
			if _, _, discrete := step(i.Lo.Value, +1); !discrete || i.Lo.Value.Order == metadata.OrderDecimal {
				return nil, false
			}
			// As unsigned numbers the difference cannot overflow.
			if n := uint64(i.Hi.Value.Int) - uint64(i.Lo.Value.Int); n > maxExpanded || uint64(len(out))+n > uint64(len(s.Intervals))+maxExpanded {
				return nil, false
			}
		}
		for v := i.Lo.Value; ; v, _, _ = step(v, +1) {
			out = append(out, v)
			if v.Compare(i.Hi.Value) >= 0 {
				break
			}
		}
	}
	return out, !s.NaN
}

// render writes the set as a condition on a column, in the column's own terms.
// It is text of the dialect, but for long lists and long values.
func (s Set) render(col *metadata.Column) string {
	var parts, points []string
	for _, i := range s.Intervals {
		if i.isPoint() {
			points = append(points, FormatValue(col, i.Lo.Value))
			continue
		}
		parts = append(parts, i.render(col, s.NaN))
	}
	switch {
	case len(points) == 1:
		parts = append(parts, fmt.Sprintf("%s = %s", col.Name, points[0]))
	case len(points) > 8:
		parts = append(parts, fmt.Sprintf("%s IN (%s, … %d values)", col.Name, strings.Join(points[:6], ", "), len(points)))
	case len(points) > 1:
		parts = append(parts, fmt.Sprintf("%s IN (%s)", col.Name, strings.Join(points, ", ")))
	}
	if s.NaN && (len(s.Intervals) == 0 || s.Intervals[len(s.Intervals)-1].HasHi) {
		parts = append(parts, col.Name+" = 'nan'")
	}
	if s.Null {
		parts = append(parts, col.Name+" IS NULL")
	}
	if len(parts) == 0 {
		return "FALSE"
	}
	return strings.Join(parts, " OR ")
}

// render writes one interval. NaN is above all numbers, so an interval
// without an upper end holds it unless that is said.
func (i Interval) render(col *metadata.Column, nan bool) string {
	var ends []string
	if i.HasLo {
		op := ">="
		if i.Lo.Open {
			op = ">"
		}
		ends = append(ends, fmt.Sprintf("%s %s %s", col.Name, op, FormatValue(col, i.Lo.Value)))
	}
	switch {
	case i.HasHi:
		op := "<="
		if i.Hi.Open {
			op = "<"
		}
		ends = append(ends, fmt.Sprintf("%s %s %s", col.Name, op, FormatValue(col, i.Hi.Value)))
	case col.Order == metadata.OrderFloat && !nan:
		ends = append(ends, col.Name+" < 'nan'")
	}
	if len(ends) == 0 {
		return col.Name + " IS NOT NULL"
	}
	return strings.Join(ends, " AND ")
}
