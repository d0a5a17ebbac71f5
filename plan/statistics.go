package plan

import (
	"strings"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// statistics decides a whole row group from the footer. It is the one rung
// that needs no bytes.
func statistics(q *Query, g *Group) {
	before := g.May
	st := Step{Stage: "statistics"}
	all, isConst := q.Where.Root.(predicate.Const)
	switch {
	case g.May.Empty():
		st.Reason = "no row of it is asked for"
		if g.RowGroup.NumRows == 0 {
			st.Reason = "it has no rows"
		}
	case isConst && bool(all):
		g.Must = g.May
		st.Reason = "there is no condition"
	case isConst:
		g.May = nil
		st.Reason = "the condition can never be true"
	case q.Skip&Statistics != 0:
		st.Reason = "switched off"
	default:
		st.Asked = true
		g.believe(q.File)
		st.Reason = g.settle(q.Where.Root)
	}
	g.step(st, before)
}

// settle decides the whole row group from what is known of each leaf, and
// says why.
func (g *Group) settle(root predicate.Node) string {
	d, why := g.explain(root)
	switch d {
	case predicate.Never:
		g.May = nil
	case predicate.Always:
		g.Must = g.May
	default:
		if g.indexed { // what was decided of a leaf may decide rows
			g.nodes = nil
			g.takeRows(root)
		}
	}
	return why
}

// takeRows narrows the rows to what is known of the condition's nodes.
func (g *Group) takeRows(root predicate.Node) {
	r := g.rows(root)
	g.May, g.Must = g.May.Intersect(r.may), g.May.Intersect(r.must).Union(g.Must)
}

// decided is what evidence beyond the statistics says of a leaf in a row group.
type decided struct {
	decision predicate.Decision
	why      string
}

// decide records what evidence says of a leaf.
func (g *Group) decide(l predicate.Leaf, d predicate.Decision, why string) {
	if g.decided == nil {
		g.decided = map[predicate.Leaf]decided{}
	}
	g.decided[l] = decided{d, why}
}

// leaf decides one leaf for the row group.
func (g *Group) leaf(l predicate.Leaf) (predicate.Decision, string) {
	if d, ok := g.decided[l]; ok {
		return d.decision, d.why
	}
	c := g.chunk(l.Column())
	if group, ok := l.(*predicate.GroupLeaf); ok {
		d := l.Decide(c.Zone)
		return d, describeGroup(group, d)
	}
	if c.Zone.Rows == 0 { // statistics were switched off
		return predicate.Maybe, c.Column.Name + ": statistics were not asked"
	}
	return l.Decide(c.Zone), describeZone(c.Column, c.Zone, c.Belief)
}

// describeGroup says what is known of a group's NULLs.
func describeGroup(l *predicate.GroupLeaf, d predicate.Decision) string {
	if d == predicate.Maybe {
		return "no count of NULLs tells of " + l.Name
	}
	return l.Name + " has no NULLs"
}

// undecided calls f for each leaf below n whose answer is still open.
func (g *Group) undecided(n predicate.Node, f func(predicate.Leaf)) {
	switch n := n.(type) {
	case *predicate.AndNode:
		for _, k := range n.Kids {
			g.undecided(k, f)
		}
	case *predicate.OrNode:
		for _, k := range n.Kids {
			g.undecided(k, f)
		}
	case predicate.Leaf:
		if d, _ := g.leaf(n); d == predicate.Maybe {
			f(n)
		}
	}
}

// believe judges the statistics of the filter columns.
func (g *Group) believe(f *metadata.File) {
	for _, c := range g.Filter {
		if c.Column.Repeated() {
			continue // only whether its list is NULL is asked, which no bound tells
		}
		c.Zone, c.Belief = f.ChunkZone(c.Chunk)
		if c.Belief.Doubt {
			g.doubt(c, "statistics", c.Belief.Why)
		}
		// A flat chunk whose count is not the row group's is damaged; its
		// statistics then speak of other rows.
		if c.NumValues != g.RowGroup.NumRows {
			c.Belief = metadata.Belief{Why: "the chunk's value count is not the row group's row count", Doubt: true}
			c.Zone = metadata.Zone{Rows: g.RowGroup.NumRows, Nulls: -1}
			g.doubt(c, "value count", c.Belief.Why)
		}
	}
}

// FilterChunk returns the chunk of a column that the predicate tests.
func (g *Group) FilterChunk(col *metadata.Column) *Chunk { return g.chunk(col) }

// chunk returns the filter chunk of a column.
func (g *Group) chunk(col *metadata.Column) *Chunk {
	for _, c := range g.Filter {
		if c.Column == col {
			return c
		}
	}
	panic("plan: a column of the predicate has no chunk") // Bound.Columns lists them all
}

// explain decides a predicate from the chunks' zones and says why, naming
// only the conditions that settled it.
func (g *Group) explain(n predicate.Node) (predicate.Decision, string) {
	switch n := n.(type) {
	case *predicate.AndNode:
		return g.explainAll(n.Kids, predicate.Never)
	case *predicate.OrNode:
		return g.explainAll(n.Kids, predicate.Always)
	}
	return g.leaf(n.(predicate.Leaf))
}

// explainAll decides AND (settled by a Never) or OR (settled by an Always).
func (g *Group) explainAll(kids []predicate.Node, settles predicate.Decision) (predicate.Decision, string) {
	var undecided, rest []string
	for _, k := range kids {
		d, why := g.explain(k)
		switch d {
		case settles:
			return d, why
		case predicate.Maybe:
			undecided = append(undecided, why)
		default:
			rest = append(rest, why)
		}
	}
	if len(undecided) > 0 {
		return predicate.Maybe, strings.Join(undecided, "; ")
	}
	other := predicate.Always
	if settles == predicate.Always {
		other = predicate.Never
	}
	return other, strings.Join(rest, "; ")
}

// describeZone renders what is known of a unit's values.
func describeZone(col *metadata.Column, z metadata.Zone, b metadata.Belief) string {
	var parts []string
	switch {
	case z.AllNull() && z.Rows > 0:
		return col.Name + " is always NULL"
	case z.HasLower && z.HasUpper && z.Lower.Compare(z.Upper) == 0 && z.LowerExact:
		parts = append(parts, col.Name+" is "+predicate.FormatValue(col, z.Lower))
	case z.HasLower && z.HasUpper:
		parts = append(parts, col.Name+" is "+predicate.FormatValue(col, z.Lower)+" … "+predicate.FormatValue(col, z.Upper))
	case z.HasLower:
		parts = append(parts, col.Name+" is at least "+predicate.FormatValue(col, z.Lower))
	case z.HasUpper:
		parts = append(parts, col.Name+" is at most "+predicate.FormatValue(col, z.Upper))
	case b.Why != "":
		parts = append(parts, col.Name+": "+b.Why)
	default:
		parts = append(parts, col.Name+": no bounds are known")
	}
	switch {
	case z.Nulls < 0:
		parts = append(parts, "NULLs unknown")
	case z.Nulls > 0:
		parts = append(parts, "with NULLs")
	}
	if !z.NoNaN && (z.HasLower || z.HasUpper) {
		parts = append(parts, "NaN possible")
	}
	return strings.Join(parts, ", ")
}

// rowsOf spreads a decision over rows.
func rowsOf(d predicate.Decision, rows rowrange.Set) (may, must rowrange.Set) {
	switch d {
	case predicate.Never:
		return nil, nil
	case predicate.Always:
		return rows, rows
	}
	return rows, nil
}
