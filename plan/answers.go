package plan

import (
	"bytes"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// Aggregates says which aggregates of a column a query asks for.
type Aggregates struct{ Count, Min, Max bool }

// answer works out which rows' share of the aggregates metadata gives: row
// groups and pages all of whose rows must match, and whose bounds are values,
// not just bounds. Such rows need not be read for the column.
func (g *Group) answer(q *Query) {
	rows := g.RowGroup.NumRows
	for _, c := range g.Output {
		want, ok := q.Aggregates[c.Column]
		if !ok || g.Must.Empty() || c.NumValues != rows {
			continue
		}
		if z, _ := q.File.ChunkZone(c.Chunk); q.Skip&Statistics == 0 && g.Must.Equal(rowrange.All(rows)) && want.exact(z) {
			c.Answered, c.Answers = g.Must, []metadata.Zone{z} // it views the footer, which stays
			continue
		}
		for i, z := range c.Zones {
			if from, to := c.Index.Rows(i, rows); from < to && g.Must.Covers(from, to) && want.exact(z) {
				c.Answered = c.Answered.Append(from, to)
				// The bounds view the index, which goes when the plan is made.
				z.Lower.Bytes, z.Upper.Bytes = bytes.Clone(z.Lower.Bytes), bytes.Clone(z.Upper.Bytes)
				c.Answers = append(c.Answers, z)
			}
		}
	}
}

// exact reports whether a zone gives the aggregates of its rows exactly. NaN
// is above all numbers, so it matters to the maximum alone.
func (a Aggregates) exact(z metadata.Zone) bool {
	switch {
	case z.AllNull():
		return true
	case a.Count && z.Nulls < 0:
		return false
	case a.Min && !(z.HasLower && z.LowerExact):
		return false
	}
	return !a.Max || z.HasUpper && z.UpperExact && z.NoNaN
}
