package ndv

import (
	"math"
	"slices"

	"github.com/parequet/pare/metadata"
)

// component is a group of parts whose ranges overlap.
type component struct {
	parts []*part // ascending by lower bound
	hull  metadata.Zone
	// shares says that the first value is the last one of the component
	// before.
	shares bool
}

// bounded reports whether it is known where a part's values lie.
func (p *part) bounded() bool { return p.zone.HasLower && p.zone.HasUpper }

// components groups the parts, which must be bounded. It sorts them.
func components(parts []*part) (out []component) {
	slices.SortFunc(parts, func(a, b *part) int { return a.zone.Lower.Compare(b.zone.Lower) })
	for i, p := range parts {
		if n := len(out); n > 0 {
			c := &out[n-1]
			switch x := c.hull.Upper.Compare(p.zone.Lower); {
			case x > 0, x == 0 && !(c.hull.UpperExact && p.zone.LowerExact):
				c.parts = parts[i-len(c.parts) : i+1]
				c.take(p.zone)
				continue
			case x == 0:
				out = append(out, component{parts: parts[i : i+1], hull: p.zone, shares: true})
				continue
			}
		}
		out = append(out, component{parts: parts[i : i+1], hull: p.zone})
	}
	return out
}

func (c *component) take(z metadata.Zone) {
	if x := z.Upper.Compare(c.hull.Upper); x > 0 || x == 0 && z.UpperExact {
		c.hull.Upper, c.hull.UpperExact = z.Upper, z.UpperExact
	}
}

// most is an upper bound of what all parts hold: components add up, less one
// for each value that two share; inside one no more than its range has room for.
func most(cs []component, free []*part) (hi int64, on Assumption) {
	for _, c := range cs {
		sum, why := int64(0), Assumption(0)
		for _, p := range c.parts {
			sum, why = sum+p.hi, why|p.hiOn
		}
		if n, ok := rangeWidth(c.hull); ok && n < sum {
			sum, why = n, Bounds
		}
		if c.shares {
			sum, why = sum-1, why|Bounds
		}
		hi, on = hi+sum, on|why
	}
	for _, p := range free {
		hi, on = hi+p.hi, on|p.hiOn
	}
	return hi, on
}

// least is a lower bound of what all parts hold: that of the heaviest set of
// parts whose ranges are disjoint, where two may share an end for the price of
// one value. Weighted interval scheduling, O(n log n).
func least(bounded, free []*part) (lo int64, on Assumption) {
	for _, p := range free {
		if p.lo > lo {
			lo, on = p.lo, p.loOn
		}
	}
	byEnd := slices.Clone(bounded)
	slices.SortFunc(byEnd, func(a, b *part) int { return a.zone.Upper.Compare(b.zone.Upper) })
	best := make([]weight, len(byEnd)+1) // of the first i parts
	for i, p := range byEnd {
		with := weight{p.lo, p.loOn}
		before, _ := slices.BinarySearchFunc(byEnd[:i], p.zone.Lower, func(q *part, v metadata.Value) int { return q.zone.Upper.Compare(v) })
		with = with.plus(best[before], 0) // all that end before p begins
		touching, _ := slices.BinarySearchFunc(byEnd[:i], p.zone.Lower, func(q *part, v metadata.Value) int {
			if q.zone.Upper.Compare(v) <= 0 {
				return -1
			}
			return 1
		})
		if touching > before {
			with = with.heavier(weight{p.lo, p.loOn}.plus(best[touching], 1))
		}
		best[i+1] = best[i].heavier(with)
	}
	if w := best[len(byEnd)]; w.lo > lo {
		lo, on = w.lo, w.on
	}
	return lo, on
}

type weight struct {
	lo int64
	on Assumption
}

func (w weight) plus(v weight, shared int64) weight {
	if v.lo == 0 {
		return w
	}
	return weight{w.lo + v.lo - shared, w.on | v.on | Bounds}
}

func (w weight) heavier(v weight) weight {
	if v.lo > w.lo {
		return v
	}
	return w
}

// estimate adds up the components' estimates.
func estimate(col *Column, cs []component, free []*part) (d float64, route string) {
	if len(free) > 0 {
		// Nobody knows where these lie: all in one.
		all := slices.Clone(free)
		for _, c := range cs {
			all = append(all, c.parts...)
		}
		return pooled(all), "row groups pooled, as drawn from the same values"
	}
	routes := map[string]bool{}
	for _, c := range cs {
		e, r := c.estimate()
		if c.shares {
			e--
		}
		d += e
		routes[r] = true
	}
	switch {
	case len(cs) == 1:
		for r := range routes {
			route = r
		}
	case len(routes) == 1 && routes[""]:
		route = "row groups with ranges apart add up"
	default:
		route = "groups of row groups with ranges apart add up"
	}
	return d, route
}

// estimate combines parts whose ranges overlap.
func (c *component) estimate() (d float64, route string) {
	if len(c.parts) == 1 {
		return c.parts[0].estimate, ""
	}
	lo, okLo := position(c.hull.Lower)
	hi, okHi := position(c.hull.Upper)
	if okLo && okHi && hi > lo && !aligned(c.parts, lo, hi) {
		return staggered(c.parts, lo, hi), "row groups with staggered ranges, by segments"
	}
	return shared(c.parts), "row groups with one range, by the extremes that they share"
}

// position places a value on a line.
func position(v metadata.Value) (float64, bool) {
	switch v.Order {
	case metadata.OrderInt:
		return float64(v.Int), true
	case metadata.OrderUint:
		return float64(v.Uint64()), true
	case metadata.OrderFloat:
		return v.Float, !math.IsInf(v.Float, 0) && !math.IsNaN(v.Float)
	case metadata.OrderDecimal:
		f, _ := v.BigInt().Float64()
		return f, !math.IsInf(f, 0)
	}
	return 0, false
}

// aligned reports whether most of the parts' ranges are most of the whole.
func aligned(parts []*part, lo, hi float64) bool {
	covered := 0.0
	for _, p := range parts {
		from, _ := position(p.zone.Lower)
		to, _ := position(p.zone.Upper)
		covered += (to - from) / (hi - lo)
	}
	return covered >= 0.8*float64(len(parts))
}

// pooled is what parts hold that draw from the same values, as likely each.
func pooled(parts []*part) float64 {
	seen, n, largest := 0.0, 0.0, 0.0
	for _, p := range parts {
		seen, n, largest = seen+p.estimate, n+p.n, max(largest, p.estimate)
	}
	return poolOf(seen, n, largest, float64(len(parts)))
}

// poolOf is pooled for k parts that see so many values in n draws altogether.
func poolOf(seen, n, largest, k float64) float64 {
	d := population(seen/k, n/k)
	if math.IsInf(d, 1) {
		return seen
	}
	return min(max(occupancy(d, n), largest), seen)
}

// shared estimates from the minima and maxima that parts have in common.
func shared(parts []*part) float64 {
	seen, n, largest := 0.0, 0.0, 0.0
	zones := make([]metadata.Zone, len(parts))
	for i, p := range parts {
		seen, n, largest = seen+p.estimate, n+p.n, max(largest, p.estimate)
		zones[i] = p.zone
	}
	k := float64(len(parts))
	pool := poolOf(seen, n, largest, k)
	var t []ties
	if comparable(zones, func(z metadata.Zone) (metadata.Value, bool) { return z.Lower, z.LowerExact }) {
		t = append(t, minimaTies(zones))
	}
	if comparable(zones, func(z metadata.Zone) (metadata.Value, bool) { return z.Upper, z.UpperExact }) {
		t = append(t, maximaTies(zones))
	}
	if len(t) == 0 {
		return pool
	}
	p := sharing(seen/k/pool, 1, t...)
	return min(max(seen/k/p, largest), seen)
}

// comparable reports whether equal bounds are equal values: they are not cut
// short.
func comparable(zones []metadata.Zone, end func(metadata.Zone) (metadata.Value, bool)) bool {
	const shortestCut = 16
	for _, z := range zones {
		if v, exact := end(z); !exact && len(v.Bytes) >= shortestCut {
			return false
		}
	}
	return true
}

// segments is into how many stretches a component is cut at most.
const segments = 64

// staggered cuts the range into stretches and pools what the parts hold of
// each, as if their values lay evenly in their ranges.
func staggered(parts []*part, lo, hi float64) (d float64) {
	cuts := make([]float64, 0, 2*len(parts))
	for _, p := range parts {
		from, _ := position(p.zone.Lower)
		to, _ := position(p.zone.Upper)
		cuts = append(cuts, from, to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if step := float64(len(cuts)-1) / segments; step > 1 {
		for i := range segments + 1 {
			cuts[i] = cuts[int(float64(i)*step)]
		}
		cuts[segments] = hi
		cuts = cuts[:segments+1]
	}
	type segment struct{ seen, n, largest, k float64 }
	in := make([]segment, len(cuts))
	for _, p := range parts {
		from, _ := position(p.zone.Lower)
		to, _ := position(p.zone.Upper)
		i, _ := slices.BinarySearch(cuts, from)
		if i > 0 && (i == len(cuts) || cuts[i] > from) {
			i--
		}
		if from == to {
			s := &in[min(i, len(cuts)-2)]
			s.seen, s.n, s.largest, s.k = s.seen+p.estimate, s.n+p.n, max(s.largest, p.estimate), s.k+1
			continue
		}
		for ; i+1 < len(cuts) && cuts[i] < to; i++ {
			share := (min(to, cuts[i+1]) - max(from, cuts[i])) / (to - from)
			s := &in[i]
			s.seen, s.n, s.largest, s.k = s.seen+share*p.estimate, s.n+share*p.n, max(s.largest, share*p.estimate), s.k+1
		}
	}
	for _, s := range in {
		if s.k > 0 {
			d += poolOf(s.seen, s.n, s.largest, s.k)
		}
	}
	return d
}
