package predicate

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

var operators = []string{"=", "==", "<>", "!=", "<", "<=", ">", ">="}

var patternPool = []string{"%", "a%", "%a", "a_", "_", "a%a", "%b%", "é%", "_a", "aba", "", "%_%", "a%%", "ab%"}

// drawTest draws a test of one column.
func drawTest(t *rapid.T, c *metadata.Column) model {
	kinds := 6
	if c.Order == metadata.OrderNone {
		kinds = 1
	} else if isText(c) {
		kinds = 7
	}
	not := rapid.Bool().Draw(t, "not")
	switch rapid.IntRange(0, kinds-1).Draw(t, "test") {
	case 0:
		return mNull{c.Index, c.Name, not}
	case 1:
		return mBetween{c.Index, c.Name, drawLiteral(t, c), drawLiteral(t, c), not}
	case 2:
		m := mIn{col: c.Index, name: c.Name, not: not}
		for range rapid.IntRange(1, 4).Draw(t, "list") {
			m.list = append(m.list, drawLiteral(t, c))
		}
		return m
	case 3:
		return mDistinct{c.Index, c.Name, drawLiteral(t, c), not}
	case 6:
		return mLike{c.Index, c.Name, rapid.SampledFrom(patternPool).Draw(t, "pattern"), not}
	}
	return mCompare{c.Index, c.Name, rapid.SampledFrom(operators).Draw(t, "op"), drawLiteral(t, c), rapid.Bool().Draw(t, "mirrored")}
}

// drawTree draws a predicate over a few columns.
func drawTree(t *rapid.T, cols []*metadata.Column, depth int) model {
	switch kind := rapid.IntRange(0, 9).Draw(t, "node"); {
	case depth > 0 && kind < 4:
		m := mList{and: rapid.Bool().Draw(t, "and")}
		for range rapid.IntRange(2, 4).Draw(t, "kids") {
			m.xs = append(m.xs, drawTree(t, cols, depth-1))
		}
		return m
	case depth > 0 && kind < 6:
		return mNot{drawTree(t, cols, depth-1)}
	case kind == 9 && rapid.IntRange(0, 2).Draw(t, "const") == 0:
		return mConst{truth(rapid.IntRange(-1, 1).Draw(t, "truth"))}
	}
	return drawTest(t, rapid.SampledFrom(cols).Draw(t, "column"))
}

func drawColumns(t *rapid.T, schema *metadata.Schema) []*metadata.Column {
	return rapid.SliceOfN(rapid.SampledFrom(schema.Columns), 1, 3).Draw(t, "columns")
}

// row is one cell a column of the schema; columns outside the test are NULL.
type row []cell

func (r row) value(c *metadata.Column) *metadata.Value { return r[c.Index].value }

func (r row) meanings() []datum {
	out := make([]datum, len(r))
	for i, c := range r {
		out[i] = c.meaning
	}
	return out
}

func drawRow(t *rapid.T, schema *metadata.Schema, cols []*metadata.Column) row {
	r := make(row, len(schema.Columns))
	for _, c := range cols {
		r[c.Index] = drawCell(t, c)
	}
	return r
}

// render shows a row's cells for messages.
func (r row) render(cols []*metadata.Column) string {
	s := ""
	for _, c := range cols {
		v := "NULL"
		if x := r.value(c); x != nil {
			v = FormatValue(c, *x)
		}
		s += c.Name + " is " + v + "; "
	}
	return s
}

// TestBoundTreeAgreesWithThreeValuedLogic: a row passes what was bound exactly
// if the predicate is TRUE of it.
func TestBoundTreeAgreesWithThreeValuedLogic(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	rapid.Check(t, func(t *rapid.T) {
		cols := drawColumns(t, schema)
		m := drawTree(t, cols, 3)
		b := mustBind(t, m.text(), schema)
		for range 12 {
			r := drawRow(t, schema, cols)
			want := m.eval(r.meanings()) == yes
			if got := passes(b.Root, r.value); got != want {
				t.Fatalf("%s\nbound to %v\npasses: %v, want %v, where %s", m.text(), b, got, want, r.render(cols))
			}
		}
	})
}

// TestBoundColumnsAreThoseTested: Columns lists each column of the tree once,
// in file order.
func TestBoundColumnsAreThoseTested(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	rapid.Check(t, func(t *rapid.T) {
		b := mustBind(t, drawTree(t, drawColumns(t, schema), 3).text(), schema)
		used := map[*metadata.Column]bool{}
		for _, l := range leavesOf(b.Root) {
			used[l.Column()] = true
		}
		last := -1
		for _, c := range b.Columns {
			if !used[c] || c.Index <= last {
				t.Fatalf("%v: columns %v", b, b.Columns)
			}
			last = c.Index
		}
		if len(used) != len(b.Columns) {
			t.Fatalf("%v tests %d columns, %d are listed", b, len(used), len(b.Columns))
		}
	})
}

func leavesOf(n Node) []Leaf {
	switch n := n.(type) {
	case Const:
		return nil
	case *AndNode:
		return leavesOfAll(n.Kids)
	case *OrNode:
		return leavesOfAll(n.Kids)
	}
	return []Leaf{n.(Leaf)}
}

func leavesOfAll(ns []Node) (out []Leaf) {
	for _, n := range ns {
		out = append(out, leavesOf(n)...)
	}
	return out
}

// TestLeafTextMeansTheLeaf: what a plan shows of a set is a predicate of the
// dialect that keeps the same values.
func TestLeafTextMeansTheLeaf(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	rapid.Check(t, func(t *rapid.T) {
		cols := drawColumns(t, schema)
		for _, l := range leavesOf(mustBind(t, drawTree(t, cols, 2).text(), schema).Root) {
			set, ok := l.(*SetLeaf)
			if c := l.Column(); !ok || set.Set.NaN || c.Order == metadata.OrderFloat || c.Type == metadata.Boolean {
				continue // "is NaN" is not text of the dialect; booleans are in TestLiteralsBeyondTheColumn
			}
			again := mustBind(t, l.String(), schema)
			for range 8 {
				r := drawRow(t, schema, []*metadata.Column{l.Column()})
				if got, want := passes(again.Root, r.value), passes(l, r.value); got != want {
					t.Fatalf("%s: %v by its text, %v in truth, where %s", l, got, want, r.render([]*metadata.Column{l.Column()}))
				}
			}
		}
	})
}
