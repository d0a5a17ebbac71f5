package ndv

import (
	"math"
	"slices"

	"github.com/parequet/pare/metadata"
)

// fewestUnits is how many pages or row groups it takes for their extremes to
// tell anything.
const fewestUnits = 4

// spread estimates from nothing but the extremes of units, pages or row groups,
// of n values in all, in the order of the rows.
//
// Where the units follow each other, neighbours that share a value mean runs: a
// cut falls into a run of length r with probability 1 − 1/r. Where their ranges
// are alike, what they share tells the probability p that a value is in a unit,
// which is 1 − e^(−m/d) for m of d values drawn. Otherwise nothing is said.
// zones is changed.
func spread(zones []*metadata.Zone, n float64) (d float64, route string, ok bool) {
	zones = slices.DeleteFunc(zones, func(z *metadata.Zone) bool { return z.AllNull() })
	if len(zones) < fewestUnits || slices.ContainsFunc(zones, func(z *metadata.Zone) bool { return !z.HasLower || !z.HasUpper }) {
		return 0, "", false
	}
	lower := func(z *metadata.Zone) (metadata.Value, bool) { return z.Lower, z.LowerExact }
	upper := func(z *metadata.Zone) (metadata.Value, bool) { return z.Upper, z.UpperExact }
	uncut := comparable(zones, lower) && comparable(zones, upper)
	if !uncut {
		return 0, "", false
	}
	if cuts, inRun, ok := cutsOf(zones); ok {
		if inRun == cuts {
			return 0, "", false // runs longer than units
		}
		return n * float64(cuts-inRun) / float64(cuts), "units in order, and how many share a value with the next", true
	}
	hull := hullOfZones(zones)
	at, ok := line(hull)
	if !ok || !aligned(zones, hull, at) {
		return 0, "", false
	}
	m := n / float64(len(zones))
	var t []ties
	if !sparse(zones, lower, hull, at, m) {
		t = append(t, minimaTies(zones))
	}
	if !sparse(zones, upper, hull, at, m) {
		t = append(t, maximaTies(zones))
	}
	if len(t) == 0 {
		return 0, "", false
	}
	p := sharing(0.5, 0.5, t...)
	return occupancy(-m/math.Log1p(-p), n), "the extremes that units of one range share", true
}

// cutsOf counts the cuts between units that follow each other, up or down, and
// those that fall into a run; ok is false if ranges overlap.
func cutsOf(zones []*metadata.Zone) (cuts, inRun int, ok bool) {
	up, down := true, true
	for i := 1; i < len(zones); i++ {
		x, y := zones[i-1].Upper.Compare(zones[i].Lower), zones[i].Upper.Compare(zones[i-1].Lower)
		up, down = up && x <= 0, down && y <= 0
		if cuts++; x == 0 || y == 0 {
			inRun++
		}
	}
	return cuts, inRun, up || down
}

func hullOfZones(zones []*metadata.Zone) metadata.Zone {
	hull := *zones[0]
	for _, z := range zones[1:] {
		if z.Lower.Compare(hull.Lower) < 0 {
			hull.Lower = z.Lower
		}
		if z.Upper.Compare(hull.Upper) > 0 {
			hull.Upper = z.Upper
		}
	}
	return hull
}

// pointers refers to zones.
func pointers(zones []metadata.Zone) []*metadata.Zone {
	out := make([]*metadata.Zone, len(zones))
	for i := range zones {
		out[i] = &zones[i]
	}
	return out
}

// pages uses the bounds of a chunk's pages.
func (col *Column) pages(p *part, c *Chunk) {
	if len(c.PageZones) < 2 {
		return
	}
	parts := make([]part, 0, len(c.PageZones))
	var bounded []*part
	for i := range c.PageZones {
		z := &c.PageZones[i]
		x := part{hi: z.Rows, zone: z}
		if z.Nulls >= 0 {
			x.hi -= z.Nulls
		}
		if !z.HasLower || !z.HasUpper || x.hi == 0 {
			continue
		}
		x.raise(1, Bounds|Counts)
		if z.Lower.Compare(z.Upper) != 0 && z.LowerExact && z.UpperExact {
			x.raise(2, Bounds)
		}
		parts = append(parts, x)
	}
	for i := range parts {
		bounded = append(bounded, &parts[i])
	}
	components(bounded) // sorts them
	lo, on := least(bounded, nil)
	p.raise(lo, on|Bounds)
	if !math.IsNaN(p.estimate) {
		return
	}
	if d, route, ok := spread(pointers(c.PageZones), p.n); ok {
		p.settle(d, T1, "pages: "+route)
	}
}
