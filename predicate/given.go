package predicate

import "github.com/parequet/pare/metadata"

// Known is what is known of a column of a file: a value that it has in all rows, a
// partition's, or the NULL of a column that the file lacks; or that it is a DOUBLE in
// the table that the file is a part of.
type Known struct {
	Column *metadata.Column
	Value  *metadata.Value // nil is NULL
	Double bool            // nothing else is known: numbers are compared as with a DOUBLE
}

// Given puts TRUE, FALSE or NULL where x tests columns of which known says that
// they have one value. Errors are as of [BindText], of which text is the same.
func Given(x Expr, text string, known func(name string) (Known, bool)) (Expr, error) {
	all := func(xs []Expr) ([]Expr, error) {
		out := make([]Expr, len(xs))
		for i, k := range xs {
			var err error
			if out[i], err = Given(k, text, known); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	switch x := x.(type) {
	case nil:
		return nil, nil
	case and:
		xs, err := all(x.xs)
		return and{xs}, err
	case or:
		xs, err := all(x.xs)
		return or{xs}, err
	case not:
		inner, err := Given(x.x, text, known)
		return not{inner}, err
	}
	name, ok := columnOf(x)
	if !ok {
		return x, nil
	}
	k, ok := known(name)
	if !ok {
		return x, nil
	}
	if k.Double {
		return asDouble(x), nil
	}
	return k.decide(x, text)
}

// asDouble makes the numbers that a condition compares with DOUBLEs: a FLOAT column
// would take them for FLOATs.
func asDouble(x Expr) Expr {
	double := func(l Literal) Literal {
		l.double = l.double || l.kind == litNumber
		return l
	}
	switch x := x.(type) {
	case comparison:
		x.lit = double(x.lit)
		return x
	case inList:
		lits := make([]Literal, len(x.list))
		for i, l := range x.list {
			lits[i] = double(l)
		}
		x.list = lits
		return x
	}
	return x
}

// decide evaluates a condition on the column.
func (k Known) decide(x Expr, text string) (Expr, error) {
	n := &metadata.Node{Name: k.Column.Name, Repetition: metadata.Optional, Column: k.Column}
	root := &metadata.Node{Children: []*metadata.Node{n}}
	n.Parent = root
	b := binder{schema: &metadata.Schema{Root: root, Columns: []*metadata.Column{k.Column}}, text: text}
	b.any = true
	for _, negated := range []bool{false, true} {
		bound, err := b.bind(x, negated)
		if err != nil {
			return nil, err
		}
		if holds(bound, k.Value) {
			is := !negated
			return constant{&is}, nil
		}
	}
	return constant{nil}, nil
}

// holds evaluates a bound condition on one column on its value.
func holds(n Node, v *metadata.Value) bool {
	switch n := n.(type) {
	case Const:
		return bool(n)
	case Leaf:
		if v == nil {
			return n.TestNull()
		}
		return n.Test(*v)
	}
	return false // conditions on one column are no junctions
}

// Impossible reports whether x is true of no row, whatever its columns hold.
func Impossible(x Expr) bool { return never(x, false) }

// never is Impossible of x, negated or not.
func never(x Expr, negated bool) bool {
	one := func(xs []Expr) bool {
		for _, k := range xs {
			if never(k, negated) {
				return true
			}
		}
		return false
	}
	every := func(xs []Expr) bool {
		for _, k := range xs {
			if !never(k, negated) {
				return false
			}
		}
		return true
	}
	switch x := x.(type) {
	case and:
		if negated {
			return every(x.xs)
		}
		return one(x.xs)
	case or:
		if negated {
			return one(x.xs)
		}
		return every(x.xs)
	case not:
		return never(x.x, !negated)
	case constant:
		return x.value == nil || *x.value == negated
	}
	return false
}

// columnOf names the column that a condition tests.
func columnOf(x Expr) (string, bool) {
	switch x := x.(type) {
	case isNull:
		return x.col.name, true
	case function:
		return x.col.name, true
	case like:
		return x.col.name, true
	case inList:
		return x.col.name, true
	case comparison:
		return x.col.name, true
	}
	return "", false
}

// Columns calls f with the name of each column that x tests, once for each condition.
func Columns(x Expr, f func(name string)) {
	switch x := x.(type) {
	case and:
		for _, k := range x.xs {
			Columns(k, f)
		}
	case or:
		for _, k := range x.xs {
			Columns(k, f)
		}
	case not:
		Columns(x.x, f)
	}
	if name, ok := columnOf(x); ok {
		f(name)
	}
}
