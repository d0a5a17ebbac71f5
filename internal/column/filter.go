package column

import (
	"encoding/binary"
	"math"
	"sort"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

func b2b(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Filter tests a leaf on the rows of a vector and writes 1 for each row that
// passes, 0 for each that does not, into mask.
func Filter(l predicate.Leaf, mask []byte, v *Vector) {
	if v.dict != nil {
		pass := v.passing(l)
		for i, k := range v.indices {
			mask[i] = pass[k]
		}
	} else if set, ok := l.(*predicate.SetLeaf); !ok || !filterSet(set.Set, mask, v) {
		for i := range mask {
			mask[i] = b2b(v.IsValid(i) && l.Test(v.Value(i)))
		}
	}
	if v.Nulls > 0 {
		null := b2b(l.TestNull())
		for i := range mask {
			if !v.IsValid(i) {
				mask[i] = null
			}
		}
	}
}

// filterSet is the fast path of numbers; null slots get any answer. It
// reports whether it applies.
func filterSet(s predicate.Set, mask []byte, v *Vector) bool {
	switch v.Column.Order {
	case metadata.OrderInt:
		bounds := intBounds(s)
		switch {
		case v.Width == 8 && len(bounds) == 1:
			lo, hi := bounds[0][0], bounds[0][1]
			for i := range mask {
				x := int64(binary.LittleEndian.Uint64(v.Fixed[8*i:]))
				mask[i] = b2b(lo <= x && x <= hi)
			}
		case v.Width == 8:
			for i := range mask {
				mask[i] = b2b(within(bounds, int64(binary.LittleEndian.Uint64(v.Fixed[8*i:]))))
			}
		case v.Width == 4 && len(bounds) == 1 && v.Column.Logical.Kind != metadata.Integer:
			lo, hi := bounds[0][0], bounds[0][1]
			for i := range mask {
				x := int64(int32(binary.LittleEndian.Uint32(v.Fixed[4*i:])))
				mask[i] = b2b(lo <= x && x <= hi)
			}
		case v.Width == 4:
			for i := range mask {
				mask[i] = b2b(within(bounds, v.Column.Int32(int32(binary.LittleEndian.Uint32(v.Fixed[4*i:])))))
			}
		case v.Width == 1:
			pass := [2]byte{b2b(within(bounds, 0)), b2b(within(bounds, 1))}
			for i := range mask {
				mask[i] = pass[v.Fixed[i]&1]
			}
		default:
			return false
		}
		return true
	case metadata.OrderFloat:
		if len(s.Intervals) != 1 || v.Width < 4 {
			return false
		}
		filterFloats(s, mask, v)
		return true
	}
	return false
}

// intBounds turns the intervals of a discrete set, whose ends are closed, into
// pairs of integers.
func intBounds(s predicate.Set) [][2]int64 {
	out := make([][2]int64, len(s.Intervals))
	for k, i := range s.Intervals {
		out[k] = [2]int64{math.MinInt64, math.MaxInt64}
		if i.HasLo {
			out[k][0] = i.Lo.Value.Int
		}
		if i.HasHi {
			out[k][1] = i.Hi.Value.Int
		}
	}
	return out
}

func within(bounds [][2]int64, x int64) bool {
	k := sort.Search(len(bounds), func(i int) bool { return x <= bounds[i][1] })
	return k < len(bounds) && bounds[k][0] <= x
}

func filterFloats(s predicate.Set, mask []byte, v *Vector) {
	i0 := s.Intervals[0]
	lo, hi := math.Inf(-1), math.Inf(1)
	if i0.HasLo {
		lo = i0.Lo.Value.Float
	}
	if i0.HasHi {
		hi = i0.Hi.Value.Float
	}
	openLo, openHi := i0.HasLo && i0.Lo.Open, i0.HasHi && i0.Hi.Open
	for i := range mask {
		var x float64
		if v.Width == 4 {
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(v.Fixed[4*i:])))
		} else {
			x = math.Float64frombits(binary.LittleEndian.Uint64(v.Fixed[8*i:]))
		}
		pass := lo <= x && x <= hi && !(openLo && x == lo) && !(openHi && x == hi)
		mask[i] = b2b(pass || s.NaN && x != x)
	}
}
