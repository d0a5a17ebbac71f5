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
				c.take(*p.zone)
				continue
			case x == 0:
				out = append(out, component{parts: parts[i : i+1], hull: *p.zone, shares: true})
				continue
			}
		}
		out = append(out, component{parts: parts[i : i+1], hull: *p.zone})
	}
	return out
}

func (c *component) take(z metadata.Zone) {
	if x := z.Upper.Compare(c.hull.Upper); x > 0 || x == 0 && z.UpperExact {
		c.hull.Upper, c.hull.UpperExact = z.Upper, z.UpperExact
	}
}

// add saturates: counts are a file's claims.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// most is an upper bound of what all parts hold: components add up, less one
// for each value that two share; inside one no more than its range has room for.
func most(cs []component, free []*part) (hi int64, on Assumption) {
	for _, c := range cs {
		sum, why := int64(0), Assumption(0)
		for _, p := range c.parts {
			sum, why = add(sum, p.hi), why|p.hiOn
		}
		if n, ok := rangeWidth(c.hull); ok && n < sum {
			sum, why = n, Bounds
		}
		if c.shares {
			sum, why = sum-1, why|Bounds
		}
		hi, on = add(hi, sum), on|why
	}
	for _, p := range free {
		hi, on = add(hi, p.hi), on|p.hiOn
	}
	return hi, on
}

// least is a lower bound of what all parts hold: that of the heaviest set of
// parts whose ranges are disjoint, where two may share an end for the price of
// one value. Weighted interval scheduling, O(n log n). bounded ascends by lower
// bounds.
func least(bounded, free []*part) (lo int64, on Assumption) {
	for _, p := range free {
		if p.lo > lo {
			lo, on = p.lo, p.loOn
		}
	}
	if len(bounded) == 0 {
		return lo, on
	}
	first, last := bounded[0].zone.Upper, bounded[0].zone.Lower // the first end and the last beginning
	nested := false
	for i, p := range bounded {
		if p.zone.Upper.Compare(first) < 0 {
			first = p.zone.Upper
		}
		if p.zone.Lower.Compare(last) > 0 {
			last = p.zone.Lower
		}
		nested = nested || i > 0 && p.zone.Upper.Compare(bounded[i-1].zone.Upper) < 0
	}
	if last.Compare(first) < 0 { // all overlap
		for _, p := range bounded {
			if p.lo > lo {
				lo, on = p.lo, p.loOn
			}
		}
		return lo, on
	}
	byEnd := bounded
	if nested {
		byEnd = slices.Clone(bounded)
		slices.SortFunc(byEnd, func(a, b *part) int { return a.zone.Upper.Compare(b.zone.Upper) })
	}
	best := make([]weight, len(byEnd)+1) // of the first i parts
	before, touching := 0, 0             // parts that end before this one begins, and those that end there
	for i, p := range byEnd {
		end := func(below int) func(q *part, v metadata.Value) int {
			return func(q *part, v metadata.Value) int {
				if q.zone.Upper.Compare(v) < below {
					return -1
				}
				return 1
			}
		}
		if nested {
			before, _ = slices.BinarySearchFunc(byEnd[:i], p.zone.Lower, end(0))
			touching, _ = slices.BinarySearchFunc(byEnd[:i], p.zone.Lower, end(1))
		}
		for !nested && before < i && byEnd[before].zone.Upper.Compare(p.zone.Lower) < 0 {
			before++ // beginnings ascend, too
		}
		for !nested && touching < i && byEnd[touching].zone.Upper.Compare(p.zone.Lower) <= 0 {
			touching++
		}
		with := weight{p.lo, p.loOn}.plus(best[before], 0)
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

// addUp adds up the components' estimates.
func addUp(cs []component, free []*part) (d float64, route string) {
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
