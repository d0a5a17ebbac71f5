package plan

import (
	"cmp"
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// nodeRows are the rows of a row group that may, and those that must, satisfy
// a node of the predicate, by metadata.
type nodeRows struct{ may, must rowrange.Set }

// rows works out and keeps the rows of a node and of all nodes below it.
func (g *Group) rows(n predicate.Node) nodeRows {
	if r, ok := g.nodes[n]; ok {
		return r
	}
	var r nodeRows
	switch n := n.(type) {
	case *predicate.AndNode:
		r.may = rowrange.All(g.RowGroup.NumRows)
		r.must = r.may
		for _, k := range n.Kids {
			x := g.rows(k)
			r.may, r.must = r.may.Intersect(x.may), r.must.Intersect(x.must)
		}
	case *predicate.OrNode:
		for _, k := range n.Kids {
			x := g.rows(k)
			r.may, r.must = r.may.Union(x.may), r.must.Union(x.must)
		}
	case predicate.Const:
		r.may, r.must = rowsOf(predicate.Decide(n, nil), rowrange.All(g.RowGroup.NumRows))
	case predicate.Leaf:
		r = g.leafRows(n)
	}
	if g.nodes == nil {
		g.nodes = map[predicate.Node]nodeRows{}
	}
	g.nodes[n] = r
	return r
}

// leafRows asks the pages of the leaf's column, if their bounds are known.
func (g *Group) leafRows(l predicate.Leaf) (r nodeRows) {
	c := g.chunk(l.Column())
	if d, _ := g.leaf(l); c.Zones == nil || d != predicate.Maybe {
		r.may, r.must = rowsOf(d, rowrange.All(g.RowGroup.NumRows))
		return r
	}
	verdicts := make([]predicate.Decision, len(c.Zones))
	for i := range c.Zones {
		from, to := c.Index.Rows(i, g.RowGroup.NumRows)
		d := l.Decide(c.Zones[i])
		verdicts[i] = d
		if d != predicate.Never {
			r.may = r.may.Append(from, to)
		}
		if d == predicate.Always {
			r.must = r.must.Append(from, to)
		}
	}
	if g.verdicts == nil {
		g.verdicts = map[predicate.Leaf][]predicate.Decision{}
	}
	g.verdicts[l] = verdicts
	return r
}

// NodeRows returns the rows that may, and those that must, satisfy a node of
// the predicate.
func (g *Group) NodeRows(n predicate.Node) (may, must rowrange.Set) {
	r, ok := g.nodes[n]
	if !ok { // never a node less: nothing is known of it
		return rowrange.All(g.RowGroup.NumRows), nil
	}
	return r.may, r.must
}

// need works out which rows each filter column has to be read for, of the rows
// that the whole predicate leaves open: where its own leaf is open, and where
// the answer still hangs on it. Under AND it does not where another kid is
// never true, under OR not where another always is.
func (g *Group) need(n predicate.Node, open rowrange.Set) {
	var kids []predicate.Node
	var narrow func(open rowrange.Set, kid nodeRows) rowrange.Set
	switch n := n.(type) {
	case *predicate.AndNode:
		kids = n.Kids
		narrow = func(open rowrange.Set, kid nodeRows) rowrange.Set { return open.Intersect(kid.may) }
	case *predicate.OrNode:
		kids = n.Kids
		narrow = func(open rowrange.Set, kid nodeRows) rowrange.Set { return open.Subtract(kid.must) }
	case predicate.Leaf:
		c, r := g.chunk(n.Column()), g.rows(n)
		c.Need = c.Need.Union(open.Intersect(r.may).Subtract(r.must))
		return
	default:
		return
	}
	// after[i] is what the kids behind i leave open, before what those in
	// front of it do.
	after := make([]rowrange.Set, len(kids)+1)
	after[len(kids)] = open
	for i := len(kids) - 1; i > 0; i-- {
		after[i] = narrow(after[i+1], g.rows(kids[i]))
	}
	before := open
	for i, k := range kids {
		g.need(k, before.Intersect(after[i+1]))
		before = narrow(before, g.rows(k))
	}
}

// Ordered returns the kids of an AND in the order in which to test them: the
// most rows ruled out for the fewest bytes first.
func (g *Group) Ordered(n *predicate.AndNode) []predicate.Node {
	if kids, ok := g.ordered[n]; ok {
		return kids
	}
	return n.Kids
}

// order works out and keeps the order of every AND at or below a node.
func (g *Group) order(n predicate.Node) {
	switch n := n.(type) {
	case *predicate.AndNode:
		rank := map[predicate.Node]float64{}
		for _, k := range n.Kids {
			g.order(k)
			bytes := int64(0)
			for _, c := range g.Tested(k) {
				bytes += total(c.Extents(g.RowGroup.NumRows, c.Need))
			}
			rank[k] = float64(bytes) / (1.01 - g.passShare(k))
		}
		if g.ordered == nil {
			g.ordered = map[*predicate.AndNode][]predicate.Node{}
		}
		g.ordered[n] = slices.SortedStableFunc(slices.Values(n.Kids), func(a, b predicate.Node) int { return cmp.Compare(rank[a], rank[b]) })
	case *predicate.OrNode:
		for _, k := range n.Kids {
			g.order(k)
		}
	}
}

// Tested returns the chunks that a node tests, each once.
func (g *Group) Tested(n predicate.Node) (out []*Chunk) {
	g.leaves(n, func(l predicate.Leaf) {
		if c := g.chunk(l.Column()); !slices.Contains(out, c) {
			out = append(out, c)
		}
	})
	return out
}

// passShare guesses which share of the rows that the predicate leaves open
// passes a node.
func (g *Group) passShare(n predicate.Node) float64 {
	open := g.May.Subtract(g.Must)
	may, must := g.NodeRows(n)
	sure := open.Intersect(must)
	undecided := open.Intersect(may).Subtract(must)
	if open.Empty() {
		return 0.5
	}
	guess := 0.5
	if l, ok := n.(predicate.Leaf); ok && !undecided.Empty() {
		c := g.chunk(l.Column())
		if len(c.Zones) == 0 {
			guess = leafShare(l, c.Zone)
		} else {
			rows, passed := 0.0, 0.0
			c.EachPage(g.RowGroup.NumRows, undecided, func(i int, from, to int64) {
				rows += float64(to - from)
				passed += float64(to-from) * leafShare(l, c.Zones[i])
			})
			guess = passed / rows
		}
	}
	return (float64(sure.Len()) + guess*float64(undecided.Len())) / float64(open.Len())
}

// leafShare guesses which share of a zone's rows passes a leaf.
func leafShare(l predicate.Leaf, z metadata.Zone) float64 {
	if set, ok := l.(*predicate.SetLeaf); ok {
		share, ok := set.Set.Share(z)
		if len(set.Set.Intervals) == 0 && !set.Set.NaN { // IS NULL
			share, ok = 0, true
		}
		if ok {
			nulls := 0.0
			if z.Nulls > 0 && z.Rows > 0 {
				nulls = float64(z.Nulls) / float64(z.Rows)
			}
			share *= 1 - nulls
			if set.Set.Null {
				share += nulls
			}
			return share
		}
	}
	if points, ok := l.Points(); ok && len(points) < 100 {
		return 0.1
	}
	return 0.5
}

// leaves calls f for each leaf below n.
func (g *Group) leaves(n predicate.Node, f func(predicate.Leaf)) {
	switch n := n.(type) {
	case *predicate.AndNode:
		for _, k := range n.Kids {
			g.leaves(k, f)
		}
	case *predicate.OrNode:
		for _, k := range n.Kids {
			g.leaves(k, f)
		}
	case predicate.Leaf:
		f(n)
	}
}
