package predicate

import (
	"fmt"

	"github.com/parequet/pare/metadata"
)

// Bind resolves a predicate against a schema. A nil Expr holds for every row.
// Errors are *Error: an unknown or ambiguous column, a column that cannot be
// tested, or a literal that cannot be compared with its column.
func Bind(x Expr, schema *metadata.Schema) (*Bound, error) { return bindText(x, schema, "") }

// BindText is Bind with the text that the predicate was parsed from, so that
// errors can show the place.
func BindText(x Expr, schema *metadata.Schema, text string) (*Bound, error) {
	return bindText(x, schema, text)
}

func bindText(x Expr, schema *metadata.Schema, text string) (*Bound, error) {
	if x == nil {
		return newBound(Const(true)), nil
	}
	b := binder{schema: schema, text: text}
	root, err := b.bind(x, false)
	if err != nil {
		return nil, err
	}
	return newBound(root), nil
}

type binder struct {
	schema *metadata.Schema
	text   string
	any    bool // the schema's one column is meant, whatever it is called
}

func (b *binder) errorAt(pos int, hint, format string, args ...any) *Error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint, Text: b.text, Pos: pos}
}

// bind translates x, negated or not. Negation is pushed down to the leaves;
// there it keeps NULL outside unless the leaf asks about NULL itself.
func (b *binder) bind(x Expr, negated bool) (Node, error) {
	switch x := x.(type) {
	case and:
		return b.junction(x.xs, negated, !negated)
	case or:
		return b.junction(x.xs, negated, negated)
	case not:
		return b.bind(x.x, !negated)
	case constant:
		// NOT NULL is NULL, which keeps no row either.
		return Const(x.value != nil && *x.value != negated), nil
	case invalid:
		return nil, b.errorAt(-1, "", "%v", x.err)
	case isNull:
		return b.isNull(x, negated)
	case function:
		return b.function(x, negated)
	case like:
		return b.like(x, negated)
	case inList:
		return b.in(x, negated)
	case comparison:
		return b.comparison(x, negated)
	}
	panic(fmt.Sprintf("predicate: unknown expression %T", x)) // Expr is sealed
}

func (b *binder) junction(xs []Expr, negated, conj bool) (Node, error) {
	kids := make([]Node, len(xs))
	for i, x := range xs {
		var err error
		if kids[i], err = b.bind(x, negated); err != nil {
			return nil, err
		}
	}
	if conj {
		return makeAnd(kids), nil
	}
	return makeOr(kids), nil
}

func (b *binder) isNull(x isNull, negated bool) (Node, error) {
	if n, _ := b.schema.LookupNode(x.col.name); !b.any && n != nil && (n.Column == nil || n.Rep > 0) {
		return b.group(x, n, negated)
	}
	col, err := b.resolve(x.col)
	if err != nil {
		return nil, err
	}
	if negated {
		return simplify(&SetLeaf{col, notNull(col)}), nil
	}
	return simplify(&SetLeaf{col, Set{Null: true}}), nil
}

// notNull holds every value.
func notNull(col *metadata.Column) Set {
	return Set{Intervals: []Interval{all}, NaN: col.Order == metadata.OrderFloat}
}

func (b *binder) function(x function, negated bool) (Node, error) {
	col, err := b.resolve(x.col)
	if err != nil {
		return nil, err
	}
	if col.Logical.Kind == metadata.Null {
		return Const(false), nil
	}
	l := &TestLeaf{col: col, name: x.String(), test: x.test}
	if negated {
		l.name = "NOT " + l.name
		l.test = func(v metadata.Value) bool { return !x.test(v) }
	}
	return l, nil
}

func (b *binder) like(x like, negated bool) (Node, error) {
	col, err := b.resolve(x.col)
	if err != nil {
		return nil, err
	}
	if x.pattern.kind == litNull {
		return Const(false), nil
	}
	if col.Order != metadata.OrderBytes || col.Logical.Kind == metadata.UUID {
		return nil, b.errorAt(x.col.pos, "", "LIKE needs a string column, %s is %s", col.Name, col.TypeName())
	}
	if why := checkPattern(x.pattern.text, x.escape); why != "" {
		return nil, b.errorAt(x.pattern.pos, "", "%s", why)
	}
	p := parsePattern(x.pattern.text, x.escape)
	prefix, whole := p.prefix()
	set := newSet([]Interval{prefixInterval(prefix)}, false, false)
	if p.exact {
		set, whole = newSet([]Interval{point(bytesValue(p.text))}, false, false), true
	}
	switch {
	case whole && negated:
		return simplify(&SetLeaf{col, set.complement(false)}), nil
	case whole:
		return simplify(&SetLeaf{col, set}), nil
	}
	l := &TestLeaf{col: col, name: x.String(), test: func(v metadata.Value) bool { return p.match(v.Bytes) }}
	if negated {
		l.name = x.text(" NOT LIKE ")
		l.test = func(v metadata.Value) bool { return !p.match(v.Bytes) }
	} else if prefix != "" {
		l.within = &set
	}
	return l, nil
}

func (b *binder) in(x inList, negated bool) (Node, error) {
	col, err := b.resolve(x.col)
	if err != nil {
		return nil, err
	}
	out := Set{}
	intervals := make([]Interval, 0, len(x.list))
	hasNull := false
	for _, l := range x.list {
		if l.kind == litNull {
			hasNull = true
			continue
		}
		s, err := b.compareSet(col, opEq, l)
		if err != nil {
			return nil, err
		}
		intervals = append(intervals, s.Intervals...)
		out.NaN = out.NaN || s.NaN
	}
	if negated && hasNull {
		return Const(false), nil // c NOT IN (…, NULL) is never TRUE
	}
	out = newSet(intervals, false, out.NaN)
	if negated {
		out = out.complement(false)
	}
	return simplify(&SetLeaf{col, out}), nil
}

func (b *binder) comparison(x comparison, negated bool) (Node, error) {
	col, err := b.resolve(x.col)
	if err != nil {
		return nil, err
	}
	o := x.op
	if negated {
		o = negation[o]
	}
	if x.lit.kind == litNull {
		switch o {
		case opDistinct:
			return simplify(&SetLeaf{col, notNull(col)}), nil
		case opNotDistinct:
			return simplify(&SetLeaf{col, Set{Null: true}}), nil
		}
		return Const(false), nil
	}
	set, err := b.compareSet(col, o, x.lit)
	if err != nil {
		return nil, err
	}
	return simplify(&SetLeaf{col, set}), nil
}

var negation = [...]op{opEq: opNe, opNe: opEq, opLt: opGe, opLe: opGt, opGt: opLe, opGe: opLt, opDistinct: opNotDistinct, opNotDistinct: opDistinct}

// compareSet returns the values of a column for which "column op literal" is
// TRUE, for a literal that is not NULL.
func (b *binder) compareSet(col *metadata.Column, o op, l Literal) (Set, error) {
	c, err := b.cut(col, l)
	if err != nil {
		return Set{}, err
	}
	switch o {
	case opEq, opNotDistinct:
		return c.equal(), nil
	case opNe, opDistinct:
		return c.equal().complement(o == opDistinct), nil
	case opLt, opLe:
		return c.less(o == opLe), nil
	}
	// Everything that is not below: NaN is above all numbers.
	return c.less(o == opGt).complement(false), nil
}

// cut is where a literal lies among the values of a column: those that equal
// it are from lo to hi, which is empty where none does. The values below lo
// are less. An open lo stands just above its value.
type cut struct {
	lo, hi End
	under  bool // the literal is below every value
	over   bool // the literal is above every value but NaN
	isNaN  bool // the literal is NaN
}

func (c cut) equal() Set {
	switch {
	case c.isNaN:
		return Set{NaN: true}
	case c.under || c.over:
		return Set{}
	}
	return newSet([]Interval{{Lo: c.lo, Hi: c.hi, HasLo: true, HasHi: true}}, false, false)
}

// less returns the values below the literal and, if orEqual, those equal to it.
func (c cut) less(orEqual bool) Set {
	switch {
	case c.isNaN:
		return Set{Intervals: []Interval{all}, NaN: orEqual}
	case c.over:
		return Set{Intervals: []Interval{all}}
	case c.under:
		return Set{}
	}
	if orEqual {
		return newSet([]Interval{{Hi: c.hi, HasHi: true}}, false, false)
	}
	return newSet([]Interval{below(c.lo.Value, !c.lo.Open)}, false, false)
}
