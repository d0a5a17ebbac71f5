package predicate

import (
	"fmt"
	"strings"

	"github.com/parequet/pare/metadata"
)

// GroupLeaf asks whether a struct, a list or a map is NULL, or is not. One of
// the columns inside it tells: where its definition level, of a list the first
// one of a row, reaches Def, the group is there. It has no values to test, so
// that neither dictionaries nor Bloom filters can settle it.
type GroupLeaf struct {
	Name string
	Null bool // IS NULL; else IS NOT NULL
	Def  int
	col  *metadata.Column
}

// Column returns the column that tells.
func (l *GroupLeaf) Column() *metadata.Column { return l.col }

// Decide knows of a zone without nulls that the group is there: those of the
// column are its own and the group's. The counts of repeated columns mean
// different things to different writers.
func (l *GroupLeaf) Decide(z metadata.Zone) Decision {
	switch {
	case z.Rows == 0 || l.col.Repeated() || !z.NoNulls():
		return Maybe
	case l.Null:
		return Never
	}
	return Always
}

// Test reports whether a row passes in which the column has a value.
func (l *GroupLeaf) Test(metadata.Value) bool { return !l.Null }

// TestNull is false, and means nothing: a column may be NULL in a group that is not.
func (l *GroupLeaf) TestNull() bool { return false }

// Points knows of none.
func (l *GroupLeaf) Points() ([]metadata.Value, bool) { return nil, false }

func (l *GroupLeaf) String() string {
	if l.Null {
		return l.Name + " IS NULL"
	}
	return l.Name + " IS NOT NULL"
}

// group binds IS [NOT] NULL of a group, or of a repeated column.
func (b *binder) group(x isNull, n *metadata.Node, negated bool) (Node, error) {
	var col *metadata.Column
	n.Leaves(func(c *metadata.Column) {
		switch {
		case col == nil, c.Problem == "" && col.Problem != "":
			col = c
		case c.Problem != "" && col.Problem == "":
		case c.MaxRep < col.MaxRep || c.MaxRep == col.MaxRep && narrower(c, col):
			col = c
		}
	})
	rep, def := n.Rep, n.Def
	if n.Repetition == metadata.Repeated { // a list that is there wherever what it is in is
		rep, def = rep-1, def-1
	}
	switch {
	case rep > 0:
		return nil, b.errorAt(x.col.pos, "", "%s lies in a list: a row may have many of it, and predicates test one value a row", x.col.name)
	case col == nil:
		return nil, b.errorAt(x.col.pos, "", "%s has no columns", x.col.name)
	case col.Problem != "":
		return nil, b.errorAt(x.col.pos, "", "column %s cannot be read: %s", col.Name, col.Problem)
	case def == 0:
		return Const(negated), nil
	}
	return &GroupLeaf{Name: x.col.name, Null: !negated, Def: def, col: col}, nil
}

// narrower reports whether values of a take fewer bytes than those of b.
func narrower(a, b *metadata.Column) bool {
	size := func(c *metadata.Column) uint { return uint(c.Width()) } // byte arrays last
	return size(a) < size(b)
}

// noColumn says that a node is no column, and names some in it.
func noColumn(n *metadata.Node, name string) *Error {
	what := "struct"
	if isList(n) {
		what = "list"
	}
	e := &Error{Pos: -1, Msg: fmt.Sprintf("column %s is a %s", name, what)}
	var in, repeated []string
	n.Leaves(func(c *metadata.Column) {
		if c.MaxRep == n.Rep {
			in = append(in, c.Name)
		} else {
			repeated = append(repeated, c.Name)
		}
	})
	if in == nil {
		in = repeated
	}
	if e.Hint = "name a column in it: " + strings.Join(in[:min(3, len(in))], ", "); len(in) > 3 {
		e.Hint += ", …"
	}
	return e
}

// notTested says why a node's values cannot be tested.
func notTested(n *metadata.Node, name string) *Error {
	if n.Rep == 0 && !isList(n) {
		return noColumn(n, name)
	}
	const many = "a row may have many values of it, and predicates test one value a row"
	if n.Rep > 0 && (n.Rep > 1 || n.Parent.Parent != nil) {
		return &Error{Pos: -1, Msg: fmt.Sprintf("column %s is repeated: %s", name, many), Hint: "IS [NOT] NULL can be asked of the list that it is in"}
	}
	return &Error{Pos: -1, Msg: fmt.Sprintf("column %s is a list: %s", name, many), Hint: "IS [NOT] NULL can be asked of it"}
}

// isList reports whether a group is a list or a map: all there is in it is
// repeated.
func isList(n *metadata.Node) bool {
	return len(n.Children) == 1 && n.Children[0].Repetition == metadata.Repeated
}
