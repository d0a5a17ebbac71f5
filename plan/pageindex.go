package plan

import (
	"fmt"
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// pageIndex narrows row groups to rows by the bounds of their pages, and
// learns where the pages of the columns to read are.
type pageIndex struct{}

func (pageIndex) Name() string { return "page_index" }

func (pageIndex) Needs(q *Query, g *Group) ([]metadata.Extent, string) { return g.indexNeeds(q) }

func (s pageIndex) Narrow(q *Query, g *Group, have metadata.Bytes) []metadata.Extent {
	before := g.May
	g.readIndexes(q.File, have)
	g.narrowByPages(q, s, before)
	return nil
}

// narrowByPages evaluates the condition by the pages that a stage located.
func (g *Group) narrowByPages(q *Query, s Stage, before rowrange.Set) {
	st := Step{Stage: s.Name(), Asked: true}
	if !g.May.Equal(g.Must) {
		g.takeRows(q.Where.Root)
		st.Units = g.pageUnits(q.Where.Root)
	}
	st.Reason = g.indexReason(before)
	g.step(st, before)
}

// indexNeeds returns the index extents that can change what is read, or why
// there are none.
func (g *Group) indexNeeds(q *Query) (need []metadata.Extent, why string) {
	if q.Skip&PageIndex != 0 {
		return nil, "switched off"
	}
	decided := g.May.Equal(g.Must)
	if decided && g.May.Equal(rowrange.All(g.RowGroup.NumRows)) && (q.Limit < 0 || q.Limit >= g.RowGroup.NumRows) && !g.worthDividing(q) {
		return nil, "every row is wanted"
	}
	for _, c := range g.Chunks() {
		if !q.File.HasOffsetIndex(c.Chunk) {
			if c.OffsetIndex.Length > 0 {
				g.doubt(c, "offset index", "it lies outside the file")
			}
			continue
		}
		filter := slices.Contains(g.Filter, c) && !decided
		switch {
		case !filter && decided && !slices.Contains(g.Output, c):
			continue // neither tested nor returned
		case c.Column.Repeated(): // its bounds decide nothing
		case filter && q.File.HasColumnIndex(c.Chunk):
			need = append(need, c.ColumnIndex)
		case filter && c.ColumnIndex.Length > 0:
			g.doubt(c, "column index", "it lies outside the file")
		}
		if _, aggregated := q.Aggregates[c.Column]; aggregated && !filter && q.File.HasColumnIndex(c.Chunk) {
			need = append(need, c.ColumnIndex)
		}
		need = append(need, c.OffsetIndex)
	}
	if len(need) == 0 {
		return nil, "the file has no page index"
	}
	return need, ""
}

// worthDividing reports whether a row group of which every row is wanted is so
// large that the places of its pages are worth knowing: it can be read in
// portions then.
func (g *Group) worthDividing(q *Query) bool {
	if q.Divide <= 0 || q.Aggregates != nil {
		return false
	}
	size := int64(0)
	for _, c := range g.Output {
		if !q.File.HasOffsetIndex(c.Chunk) {
			return false
		}
		size += c.Pages.Length
	}
	return size > q.Divide
}

// readIndexes parses what was fetched. An index that is wrong is doubted and
// left out; its chunk is then read whole.
func (g *Group) readIndexes(f *metadata.File, have metadata.Bytes) {
	rows := g.RowGroup.NumRows
	for _, c := range g.Chunks() {
		b, ok := have.Get(c.OffsetIndex)
		if !ok || !f.HasOffsetIndex(c.Chunk) {
			continue
		}
		x, err := metadata.ParseOffsetIndex(b)
		if err == nil {
			if why := x.Settle(c.Chunk, rows); why != "" {
				g.doubt(c, "offset index", why)
				continue
			}
			c.Index = x
		} else {
			g.doubt(c, "offset index", err.Error())
			continue
		}
		if !f.HasColumnIndex(c.Chunk) || c.NumValues != rows || c.Column.Repeated() {
			continue
		}
		if b, ok = have.Get(c.ColumnIndex); !ok {
			continue
		}
		ci, err := metadata.ParseColumnIndex(b)
		if err != nil {
			c.Why = err.Error()
			g.doubt(c, "column index", c.Why)
			continue
		}
		counts := make([]int64, len(x.Pages))
		for i := range counts {
			from, to := x.Rows(i, rows)
			counts[i] = to - from
		}
		zones, belief := f.PageZones(c.Chunk, ci, counts)
		if belief.Doubt {
			g.doubt(c, "column index", belief.Why)
		}
		ownBounds(zones)
		c.Zones, c.Why = zones, belief.Why
	}
}

// ownBounds gives bounds of bytes memory of their own: the index's is used again.
func ownBounds(zones []metadata.Zone) {
	n := 0
	for i := range zones {
		n += len(zones[i].Lower.Bytes) + len(zones[i].Upper.Bytes)
	}
	if n == 0 {
		return
	}
	all := make([]byte, 0, n)
	own := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		at := len(all)
		all = append(all, b...)
		return all[at:len(all):len(all)]
	}
	for i := range zones {
		z := &zones[i]
		z.Lower.Bytes, z.Upper.Bytes = own(z.Lower.Bytes), own(z.Upper.Bytes)
	}
}

// pageUnits lists the verdicts on the pages of each leaf that is still open,
// neighbours of one verdict joined.
func (g *Group) pageUnits(root predicate.Node) (units []Unit) {
	g.undecided(root, func(l predicate.Leaf) {
		c, verdicts := g.chunk(l.Column()), g.verdicts[l]
		for first := 0; first < len(verdicts); {
			d, run := verdicts[first], c.Zones[first]
			end := first + 1
			for ; end < len(verdicts) && verdicts[end] == d; end++ {
				joinZones(&run, &c.Zones[end])
			}
			u := Unit{Column: c.Column.Name, First: first, Last: end - 1, Decision: d, Why: describeZone(c.Column, run, metadata.Belief{Why: c.Why})}
			if group, ok := l.(*predicate.GroupLeaf); ok {
				u.Column, u.Why = group.Name, describeGroup(group, d)
			}
			units = append(units, u)
			first = end
		}
	})
	return units
}

// joinZones makes out bound the values of z, too.
func joinZones(out, z *metadata.Zone) {
	out.LowerExact, out.UpperExact = false, false
	switch {
	case z.AllNull():
	case out.AllNull():
		out.Lower, out.HasLower, out.Upper, out.HasUpper, out.NoNaN = z.Lower, z.HasLower, z.Upper, z.HasUpper, z.NoNaN
	default:
		out.HasLower = out.HasLower && z.HasLower
		if out.HasLower && z.Lower.Compare(out.Lower) < 0 {
			out.Lower = z.Lower
		}
		out.HasUpper = out.HasUpper && z.HasUpper
		if out.HasUpper && z.Upper.Compare(out.Upper) > 0 {
			out.Upper = z.Upper
		}
		out.NoNaN = out.NoNaN && z.NoNaN
	}
	out.Rows += z.Rows
	if out.Nulls >= 0 && z.Nulls >= 0 {
		out.Nulls += z.Nulls
	} else {
		out.Nulls = -1
	}
}

// indexReason sums up what the page index did.
func (g *Group) indexReason(before rowrange.Set) string {
	located, bounded := 0, 0
	for _, c := range g.Chunks() {
		if c.Index != nil {
			located++
		}
		if c.Zones != nil {
			bounded++
		}
	}
	switch {
	case g.May.Empty():
		return "no page may match"
	case bounded == 0 && len(g.Filter) > 0 && !before.Equal(g.Must):
		return "no column index could be used; pages are only located"
	case g.May.Equal(before):
		return fmt.Sprintf("no page could be ruled out; the pages of %d columns are located", located)
	}
	return fmt.Sprintf("%d of %d rows may match", g.May.Len(), before.Len())
}
