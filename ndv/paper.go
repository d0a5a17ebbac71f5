package ndv

import (
	"math"

	"github.com/parequet/pare/metadata"
)

// Paper answers as "Zero-Cost NDV Estimation from Columnar File Metadata"
// does: the inversion of S = ndv·len + n·⌈log2 ndv⌉/8 by Newton's method, and of
// the coupon collector's E[m] = ndv·(1 − e^(−k/ndv)) for m distinct minima or
// maxima of k row groups; a detector of layouts chooses, the larger wins, and
// non-null rows and the width of an integer range cap it. The paper does not
// say how to combine row groups: here the largest answer stands. Its interval
// is that of [Estimate].
func Paper(col Column) Answer {
	a := Estimate(col)
	col.prepare()
	length := paperLength(&col)
	d := 0.0
	layout := layoutOf(&col)
	if layout != sortedLayout {
		for i := range col.Chunks {
			if c := &col.Chunks[i]; c.Size > 0 {
				_, n := c.values()
				d = max(d, paperInversion(float64(c.Size), float64(n), length))
			}
		}
	}
	if layout != spreadLayout {
		d = max(d, paperDiversity(&col))
	}
	if math.IsNaN(d) {
		d = 0 // the iteration left the numbers
	}
	a.Known, a.Tier, a.Route = d > 0, T0, "the paper: "+layout.String()
	d = min(d, float64(a.Values))
	if hull, ok := hullOf(&col); ok {
		if n, ok := rangeWidth(hull); ok {
			d = min(d, float64(n))
		}
	}
	a.Estimate = whole(d)
	return a
}

// paperLength is the mean length of the distinct minima and maxima.
func paperLength(col *Column) float64 {
	if col.Width >= 0 {
		return float64(col.Width)
	}
	seen := map[string]bool{}
	sum := 0
	for i := range col.Chunks {
		z := &col.Chunks[i].Zone
		for _, v := range []struct {
			has bool
			b   []byte
		}{{z.HasLower, z.Lower.Bytes}, {z.HasUpper, z.Upper.Bytes}} {
			if v.has && !seen[string(v.b)] {
				seen[string(v.b)] = true
				sum += len(v.b)
			}
		}
	}
	if len(seen) == 0 {
		return 8
	}
	return max(1, float64(sum)/float64(len(seen)))
}

// paperInversion solves S = d·length + n·⌈log2 d⌉/8.
func paperInversion(size, n, length float64) float64 {
	if n <= 0 {
		return 0
	}
	length = max(length, 0.5) // values of no width
	f := func(d float64) float64 { return d*length + n*math.Ceil(math.Log2(max(d, 1)))/8 - size }
	d := max(1, size/length/2)
	for range 100 {
		slope := length + n/(8*d*math.Ln2)
		next := max(1, d-f(d)/slope)
		if math.Abs(next-d) < 0.5 {
			return min(next, n)
		}
		d = next
	}
	return min(d, n)
}

// paperDiversity inverts how many different minima or maxima there are.
func paperDiversity(col *Column) float64 {
	lows, highs, k := map[any]bool{}, map[any]bool{}, 0
	for i := range col.Chunks {
		z := &col.Chunks[i].Zone
		if z.HasLower && z.HasUpper {
			k++
			lows[keyOf(z.Lower)], highs[keyOf(z.Upper)] = true, true
		}
	}
	m := max(len(lows), len(highs))
	if m == k {
		return float64(m) // no finite solution
	}
	return math.Round(couponPopulation(float64(m), float64(k)))
}

func keyOf(v metadata.Value) any {
	if v.Bytes != nil {
		return string(v.Bytes)
	}
	return [2]any{v.Int, v.Float}
}

// couponPopulation solves m = d(1 − e^(−k/d)) for d, by Newton's method.
func couponPopulation(m, k float64) float64 {
	d := m
	for range 100 {
		e := math.Exp(-k / d)
		next := d - (d*(1-e)-m)/(1-e-k/d*e)
		if next < m {
			next = m
		}
		if math.Abs(next-d) < 1e-6 {
			return next
		}
		d = next
	}
	return d
}

// layout is the paper's classification of a column.
type layout uint8

const (
	spreadLayout layout = iota
	sortedLayout
	mixedLayout
)

func (l layout) String() string {
	return [...]string{"well spread, sizes are inverted", "sorted, extremes are counted", "mixed, the larger of both"}[l]
}

// layoutOf compares neighbouring row groups: the share whose ranges overlap,
// and the share whose minima ascend.
func layoutOf(col *Column) layout {
	pairs, overlaps, ascends := 0.0, 0.0, 0.0
	for i := 1; i < len(col.Chunks); i++ {
		a, b := &col.Chunks[i-1].Zone, &col.Chunks[i].Zone
		if !a.HasLower || !a.HasUpper || !b.HasLower || !b.HasUpper {
			continue
		}
		pairs++
		if a.Lower.Compare(b.Upper) <= 0 && b.Lower.Compare(a.Upper) <= 0 {
			overlaps++
		}
		if a.Lower.Compare(b.Lower) <= 0 {
			ascends++
		}
	}
	switch {
	case pairs == 0 || overlaps/pairs > 0.7:
		return spreadLayout
	case overlaps/pairs < 0.1 || max(ascends, pairs-ascends)/pairs > 0.9:
		return sortedLayout
	}
	return mixedLayout
}

func hullOf(col *Column) (hull metadata.Zone, ok bool) {
	for i := range col.Chunks {
		z := col.Chunks[i].Zone
		if z.AllNull() {
			continue
		}
		if !z.HasLower || !z.HasUpper {
			return hull, false
		}
		if !ok || z.Lower.Compare(hull.Lower) < 0 {
			hull.Lower, hull.HasLower = z.Lower, true
		}
		if !ok || z.Upper.Compare(hull.Upper) > 0 {
			hull.Upper, hull.HasUpper = z.Upper, true
		}
		ok = true
	}
	return hull, ok
}
