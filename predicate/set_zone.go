package predicate

import (
	"math"

	"github.com/parequet/pare/metadata"
)

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
	if !okLo || !okHi || math.IsInf(lo, 0) || math.IsInf(hi, 0) || math.IsInf(hi-lo, 0) {
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
