package pare

import (
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/predicate"
)

// NDV estimates how many distinct values columns hold in the rows that the plan
// leaves: how many customers in this fortnight? It reads nothing: it rests on
// the footer, on how many rows of each row group survive pruning, and on the
// conditions on the column itself. Upper bounds hold for the rows that match;
// rows that only may match need not, so that lower bounds are low.
func (p *Plan) NDV(columns ...string) ([]ndv.Answer, error) {
	var out []ndv.Answer
	for _, name := range columns {
		col, perr := predicate.Resolve(p.file.meta.Schema, name)
		if perr != nil {
			return nil, p.file.named(perr)
		}
		all, err := ndv.FromParquet(p.file.meta, col)
		if err != nil {
			return nil, p.file.named(err)
		}
		kept := all
		kept.Chunks = nil
		whole, next := p.where.Root == predicate.Const(true), 0
		for _, g := range p.groups { // both ascend
			for next < len(all.Chunks) && all.Chunks[next].RowGroup < g.RowGroup.Index {
				next++
			}
			if g.May.Empty() || next == len(all.Chunks) || all.Chunks[next].RowGroup != g.RowGroup.Index {
				continue
			}
			c := all.Chunks[next]
			if n := g.May.Len(); n < g.RowGroup.NumRows {
				// Which rows is not told, so no bound needs to be a value of theirs.
				c.Zone.LowerExact, c.Zone.UpperExact, whole = false, false, false
				if col.MaxRep == 0 {
					c.Kept = n
				}
			}
			p.confine(&c.Zone, col)
			kept.Chunks = append(kept.Chunks, c)
		}
		a := ndv.Estimate(kept)
		if !whole {
			a.Lo, a.LoOn = 0, ndv.Counts
		}
		out = append(out, a)
	}
	return out, nil
}

// confine narrows a zone's bounds to what a condition on the column lets pass.
func (p *Plan) confine(z *metadata.Zone, col *metadata.Column) {
	kids := []predicate.Node{p.where.Root}
	if and, ok := p.where.Root.(*predicate.AndNode); ok {
		kids = and.Kids
	}
	for _, k := range kids {
		l, ok := k.(*predicate.SetLeaf)
		if !ok || l.Column() != col || len(l.Set.Intervals) == 0 {
			continue
		}
		first, last := l.Set.Intervals[0], l.Set.Intervals[len(l.Set.Intervals)-1]
		if first.HasLo && (!z.HasLower || first.Lo.Value.Compare(z.Lower) > 0) {
			z.Lower, z.HasLower, z.LowerExact = first.Lo.Value, true, false
		}
		if last.HasHi && (!z.HasUpper || last.Hi.Value.Compare(z.Upper) < 0) {
			z.Upper, z.HasUpper, z.UpperExact = last.Hi.Value, true, false
		}
	}
}
