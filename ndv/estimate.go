package ndv

import (
	"math"
	"slices"

	"github.com/parequet/pare/metadata"
)

// Answer is what is known of a column's distinct values.
type Answer struct {
	Column string
	// Lo ≤ truth ≤ Hi, as far as what LoOn and HiOn name holds.
	Lo, Hi     int64
	LoOn, HiOn Assumption
	// Estimate is the most likely number; Known is false if nothing but the
	// bounds is known, and Estimate is then Hi.
	Estimate int64
	Known    bool
	Tier     Tier   // of the evidence that the estimate rests on
	Route    string // how it was found, for people
	Values   int64  // values that are not null, at most
	Rows     int64  // values, nulls included
	Nulls    int64  // -1 if unknown
}

// NoEvidence is the route where only counts and bounds are known.
const NoEvidence = "no evidence"

// Exact reports whether the interval is one number.
func (a Answer) Exact() bool { return a.Lo == a.Hi }

// Estimate answers for a column by the whole ladder, as far as its chunks have
// the evidence. O(n log n) in the number of chunks.
func Estimate(col Column) Answer {
	col.prepare()
	a := Answer{Column: col.Name, Known: true, Route: "there are no values"}
	parts, nulls := make([]part, 0, len(col.Chunks)), int64(0)
	for i := range col.Chunks {
		c := &col.Chunks[i]
		a.Rows = add(a.Rows, c.Zone.Rows)
		if a.Nulls += c.Zone.Nulls; c.Zone.Nulls < 0 || nulls < 0 {
			nulls = -1
		}
		p := col.part(c)
		a.Tier = max(a.Tier, p.tier)
		a.Values = add(a.Values, p.hiValues)
		if p.n > 0 {
			parts = append(parts, p)
		}
	}
	a.Nulls = max(a.Nulls, nulls)
	if nulls < 0 {
		a.Nulls = -1
	}
	switch len(parts) {
	case 0:
		return a
	case 1:
		a.take(parts[0])
		return a
	}
	all := combine(&col, parts)
	a.take(all)
	return a
}

// Tight reports whether the interval leaves little to be asked.
func (a Answer) Tight() bool { return float64(a.Hi) <= 1.05*float64(a.Lo) }

func (a *Answer) take(p part) {
	a.Lo, a.Hi, a.LoOn, a.HiOn, a.Tier, a.Route = p.lo, p.hi, p.loOn, p.hiOn, p.tier, p.route
	a.Known = !math.IsNaN(p.estimate)
	if a.Estimate = a.Hi; a.Known {
		a.Estimate = min(max(whole(p.estimate), a.Lo), a.Hi)
	} else {
		a.Route = NoEvidence
	}
}

// combine answers for several chunks.
func combine(col *Column, parts []part) part {
	out := part{hi: math.MaxInt64, estimate: math.NaN()}
	var bounded, free []*part
	known, seen, n, values := 0, 0.0, 0.0, int64(0)
	for i := range parts {
		p := &parts[i]
		out.n += p.n
		values = add(values, p.hiValues)
		out.tier = max(out.tier, p.tier)
		if p.bounded() {
			bounded = append(bounded, p)
		} else {
			free = append(free, p)
		}
		if !math.IsNaN(p.estimate) {
			known++
			seen, n = seen+p.estimate, n+p.n
		}
	}
	cs := components(bounded)
	out.lower(values, Counts)
	hi, on := most(cs, free)
	out.lower(hi, on)
	lo, on := least(bounded, free)
	out.raise(lo, on)
	if known > 0 {
		for i := range parts {
			if p := &parts[i]; math.IsNaN(p.estimate) { // as the others
				p.estimate = min(max(p.n*seen/n, float64(p.lo)), float64(p.hi))
			}
		}
		d, route := estimate(col, cs, free)
		first := parts[0].route
		if !slices.ContainsFunc(parts, func(p part) bool { return p.route != first }) {
			route = first + "; " + route
		}
		out.settle(d, out.tier, route)
	}
	if known == 0 {
		if d, route, ok := spread(inOrder(col), out.n); ok {
			out.settle(d, T0, "row groups: "+route)
		}
	}
	unite(col, &out)
	out.clamp()
	return out
}

// inOrder are the zones of the chunks in the order of the rows.
func inOrder(col *Column) []metadata.Zone {
	out := make([]metadata.Zone, len(col.Chunks))
	for i := range col.Chunks {
		out[i] = col.Chunks[i].Zone
	}
	return out
}

// unite uses the evidence that can be united as it is: dictionaries and Bloom
// filters.
func unite(col *Column, out *part) {
	var sets []Set
	var filters []*Filter
	complete, filtered := true, true
	for i := range col.Chunks {
		c := &col.Chunks[i]
		if _, most := c.values(); most == 0 {
			continue
		}
		if c.Values != nil {
			sets = append(sets, c.Values)
		}
		complete = complete && c.Values != nil && c.Usage == All
		if filtered = filtered && c.Filter.usable(); filtered {
			filters = append(filters, c.Filter)
		}
	}
	if len(sets) > 0 {
		n := int64(len(union(sets)))
		out.raise(n, Entries|Used)
		if complete {
			out.lower(n, Entries)
			out.settle(float64(n), T3, "the union of all dictionaries")
			return
		}
	}
	if filtered && len(filters) > 0 {
		if n, all := distinctOf(filters); n > 0 {
			route := "the bits of all Bloom filters"
			if !all {
				route = "the bits of some Bloom filters, and how much these share"
			}
			out.settle(n, T4, route)
		}
	}
}

// whole rounds what may be larger than any integer.
func whole(f float64) int64 {
	if f >= math.MaxInt64 || math.IsNaN(f) {
		return math.MaxInt64
	}
	return int64(math.Round(max(f, 0)))
}
