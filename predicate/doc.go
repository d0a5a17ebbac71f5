// Package predicate holds what a row must satisfy: the text of a WHERE clause
// or of a whole SELECT, the tree it becomes, and the questions that the rest
// of pare asks of it.
//
//	text ──Parse──► Expr ──Bind(schema)──► Bound
//	                 ▲                      │  And / Or / Leaf
//	Go builders ─────┘                      └─ Decide(zone), Test(value)
//
// Binding resolves names against a file's schema, converts every literal to
// the column's exact type, pushes NOT down to the leaves (SQL keeps a row only
// where the predicate is TRUE, and comparisons reject NULL, so each leaf
// becomes a plain question: is this row's value in a set?) and merges leaves
// of the same column, so that a unit of rows is kept only if one single value
// inside its bounds could pass them all.
//
// Test defines a leaf. Decide must agree with it: a unit is Never only if no
// value in its bounds passes Test, Always only if each does.
//
// The package is pure: it reads nothing and knows no clock.
package predicate

// Decision is the answer of a predicate about a unit of rows, given only its
// metadata.
type Decision uint8

const (
	Maybe  Decision = iota // some rows may match; the zero value, and what doubt yields
	Never                  // no row matches
	Always                 // every row matches
)

func (d Decision) String() string { return [...]string{"maybe", "never", "always"}[d] }
