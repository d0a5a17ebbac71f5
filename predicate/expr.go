package predicate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parequet/pare/metadata"
)

// Expr is a predicate before it is bound to a schema: from [Parse] or from the
// builders. It is immutable. Its String is text of the dialect, except for
// functions, which have no text.
type Expr interface {
	fmt.Stringer
	expr()
}

// op is a comparison operator.
type op uint8

const (
	opEq op = iota
	opNe
	opLt
	opLe
	opGt
	opGe
	opDistinct    // IS DISTINCT FROM
	opNotDistinct // IS NOT DISTINCT FROM
)

var opNames = [...]string{"=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"}

// mirrored is the operator with its operands exchanged.
func (o op) mirrored() op {
	switch o {
	case opLt:
		return opGt
	case opLe:
		return opGe
	case opGt:
		return opLt
	case opGe:
		return opLe
	}
	return o
}

type (
	// Column names a column; its methods build predicates on it.
	//
	// They take booleans, integers, floats, strings, []byte, *big.Int, *big.Rat,
	// [Literal] and anything like a time.Time (see [Instant]); nil is NULL. A
	// value of another Go type makes the predicate fail to bind.
	Column struct {
		name string
		pos  int
	}

	comparison struct {
		col Column
		op  op
		lit Literal
	}
	inList struct {
		col  Column
		list []Literal
	}
	like struct {
		col     Column
		pattern Literal
		escape  string
	}
	isNull   struct{ col Column }
	function struct {
		col  Column
		name string
		test func(metadata.Value) bool
	}
	constant struct{ value *bool } // nil is NULL
	not      struct{ x Expr }
	and      struct{ xs []Expr }
	or       struct{ xs []Expr }
	invalid  struct{ err error } // a builder was given something impossible
)

func (comparison) expr() {}
func (inList) expr()     {}
func (like) expr()       {}
func (isNull) expr()     {}
func (function) expr()   {}
func (constant) expr()   {}
func (not) expr()        {}
func (and) expr()        {}
func (or) expr()         {}
func (invalid) expr()    {}

// Col names a column: its dotted path, matched exactly or, if that is
// unambiguous, without regard to case.
func Col(name string) Column { return Column{name: name, pos: -1} }

func (c Column) compare(o op, v any) Expr {
	l, err := newLiteral(v)
	if err != nil {
		return invalid{err}
	}
	l.pos = -1
	return comparison{c, o, l}
}

// Eq is c = v.
func (c Column) Eq(v any) Expr { return c.compare(opEq, v) }

// Ne is c <> v.
func (c Column) Ne(v any) Expr { return c.compare(opNe, v) }

// Lt is c < v.
func (c Column) Lt(v any) Expr { return c.compare(opLt, v) }

// Le is c <= v.
func (c Column) Le(v any) Expr { return c.compare(opLe, v) }

// Gt is c > v.
func (c Column) Gt(v any) Expr { return c.compare(opGt, v) }

// Ge is c >= v.
func (c Column) Ge(v any) Expr { return c.compare(opGe, v) }

// Between is c BETWEEN lo AND hi; both ends are inside.
func (c Column) Between(lo, hi any) Expr { return And(c.Ge(lo), c.Le(hi)) }

// In is c IN (vs…). It is never true for NULL.
func (c Column) In(vs ...any) Expr {
	list := make([]Literal, len(vs))
	for i, v := range vs {
		l, err := newLiteral(v)
		if err != nil {
			return invalid{err}
		}
		l.pos = -1
		list[i] = l
	}
	return inList{c, list}
}

// Like is c LIKE pattern: % stands for any characters, _ for one.
func (c Column) Like(pattern string) Expr {
	return like{col: c, pattern: Literal{kind: litString, text: pattern, pos: -1}}
}

// IsNull is c IS NULL.
func (c Column) IsNull() Expr { return isNull{c} }

// IsNotNull is c IS NOT NULL.
func (c Column) IsNotNull() Expr { return Not(isNull{c}) }

// Func keeps the rows whose value, not null, passes test. NULL never passes,
// and neither does it under Not. test must be pure and safe for concurrent
// use, and must not keep the value's Bytes. name is how plans call it.
func (c Column) Func(name string, test func(metadata.Value) bool) Expr {
	return function{c, name, test}
}

// And holds where all of xs do; without operands it always holds.
func And(xs ...Expr) Expr { return and{slices.Clone(xs)} }

// Or holds where one of xs does; without operands it never holds.
func Or(xs ...Expr) Expr { return or{slices.Clone(xs)} }

// Not negates in SQL's three-valued logic: NULL stays NULL.
func Not(x Expr) Expr { return not{x} }

// True holds for every row.
func True() Expr { return And() }

func (c Column) String() string {
	parts := strings.Split(c.name, ".")
	for i, p := range parts {
		if !plainName(p) {
			parts[i] = `"` + strings.ReplaceAll(p, `"`, `""`) + `"`
		}
	}
	return strings.Join(parts, ".")
}

func (e comparison) String() string { return fmt.Sprintf("%v %s %v", e.col, opNames[e.op], e.lit) }
func (e isNull) String() string     { return e.col.String() + " IS NULL" }
func (e function) String() string   { return fmt.Sprintf("%s(%v)", e.name, e.col) }
func (e not) String() string        { return "NOT (" + e.x.String() + ")" }
func (e and) String() string        { return joinExprs(e.xs, " AND ", "TRUE") }
func (e or) String() string         { return joinExprs(e.xs, " OR ", "FALSE") }
func (e invalid) String() string    { return "<" + e.err.Error() + ">" }

func (e like) String() string { return e.text(" LIKE ") }

func (e like) text(op string) string {
	s := e.col.String() + op + e.pattern.String()
	if e.escape != "" {
		s += " ESCAPE " + quoteString(e.escape)
	}
	return s
}

func (e constant) String() string {
	switch {
	case e.value == nil:
		return "NULL"
	case *e.value:
		return "TRUE"
	}
	return "FALSE"
}

func (e inList) String() string {
	parts := make([]string, len(e.list))
	for i, l := range e.list {
		parts[i] = l.String()
	}
	return fmt.Sprintf("%v IN (%s)", e.col, strings.Join(parts, ", "))
}

func joinExprs(xs []Expr, sep, none string) string {
	if len(xs) == 0 {
		return none
	}
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.String()
		switch x.(type) {
		case and, or:
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, sep)
}
