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
		if uniteSets(&col, &parts[0]) {
			parts[0].route = "the values of the dictionary"
		}
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
		d, route := addUp(cs, free)
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
	if !uniteSets(col, &out) {
		uniteFilters(col, &out)
	}
	out.clamp()
	return out
}

// inOrder are the zones of the chunks in the order of the rows.
func inOrder(col *Column) []*metadata.Zone {
	out := make([]*metadata.Zone, len(col.Chunks))
	for i := range col.Chunks {
		out[i] = &col.Chunks[i].Zone
	}
	return out
}

// uniteSets uses the union of dictionaries. It reports whether that is all.
func uniteSets(col *Column, out *part) (complete bool) {
	var sets []Set
	complete, used := true, true
	for i := range col.Chunks {
		c := &col.Chunks[i]
		if c.Kept >= 0 {
			return false // who knows which values are kept
		}
		if _, most := c.values(); most == 0 {
			continue
		}
		if c.Values != nil {
			sets = append(sets, c.Values)
			used = used && !c.Unused
		}
		complete = complete && c.Values != nil && c.Usage == All
	}
	if len(sets) == 0 {
		return false
	}
	n := int64(len(union(sets)))
	if !complete {
		if used {
			out.raise(n, Entries|Used)
		}
		return false
	}
	// Nothing else knows more, whatever parts add up to.
	out.hi, out.hiOn = min(out.hi, n), out.hiOn|Entries
	if out.lo = min(out.lo, n); used {
		out.lo, out.loOn = out.hi, Entries|Used
	}
	out.settle(float64(n), T3, "the union of all dictionaries")
	return true
}

// uniteFilters uses Bloom filters, if all chunks have one.
func uniteFilters(col *Column, out *part) {
	var filters []*Filter
	for i := range col.Chunks {
		c := &col.Chunks[i]
		if _, most := c.values(); most == 0 {
			continue
		}
		if !c.Filter.usable() || c.Kept >= 0 {
			return
		}
		filters = append(filters, c.Filter)
	}
	if n, all := distinctOf(filters); n > 0 {
		route := "the bits of all Bloom filters"
		if !all {
			route = "the bits of some Bloom filters, and how much these share"
		}
		out.settle(n, T4, route)
	}
}

// whole rounds what may be larger than any integer.
func whole(f float64) int64 {
	if f >= math.MaxInt64 || math.IsNaN(f) {
		return math.MaxInt64
	}
	return int64(math.Round(max(f, 0)))
}
