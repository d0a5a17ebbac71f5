package predicate

import (
	"strings"
)

// predicate reads the operand as a predicate of its own.
func (p *parser) predicate(o operand) (Expr, error) {
	switch {
	case o.expr != nil:
		return o.expr, nil
	case o.col != nil:
		return comparison{*o.col, opEq, Literal{kind: litBool, rat: boolLiteral(true).rat, source: "TRUE", pos: o.col.pos}}, nil
	case o.lit.kind == litNull:
		return constant{nil}, nil
	case o.lit.kind == litBool:
		b := o.lit.rat.Sign() != 0
		return constant{&b}, nil
	}
	return nil, p.errorAt(p.tok().pos, hintFor(p.tok()), "expected a comparison after %v, found %s", o.lit, p.tok().describe())
}

var comparisons = map[string]op{"=": opEq, "==": opEq, "<>": opNe, "!=": opNe, "<": opLt, "<=": opLe, ">": opGt, ">=": opGe}

// test reads an operand and, if there is one, the test that it stands in.
func (p *parser) test() (operand, error) {
	left, err := p.operand()
	if err != nil || !p.startsTest() {
		return left, err
	}
	x, err := p.testOf(left)
	return operand{expr: x, pos: left.pos}, err
}

// startsTest reports whether an operand is followed by a test, or by what
// looks like one to people.
func (p *parser) startsTest() bool {
	t := p.tok()
	if t.kind == tokSymbol {
		_, ok := comparisons[t.text]
		return ok || strings.Contains("+-*/%||~[", t.text)
	}
	return t.is("NOT") || t.is("IS") || t.is("IN") || t.is("LIKE") || t.is("ILIKE") || t.is("BETWEEN")
}

func (p *parser) testOf(left operand) (Expr, error) {
	var err error
	t := p.tok()
	if o, ok := comparisons[t.text]; ok && t.kind == tokSymbol {
		p.advance()
		right, err := p.operand()
		if err != nil {
			return nil, err
		}
		return p.compare(left, o, right, t.pos)
	}
	negated := t.is("NOT")
	if negated {
		switch n := p.peek(); {
		case n.is("IN"), n.is("LIKE"), n.is("BETWEEN"):
			p.advance()
			t = n
		default:
			p.advance()
			return nil, p.expected("IN, LIKE or BETWEEN after NOT")
		}
	}
	var x Expr
	switch {
	case t.is("IS"):
		return p.is(left)
	case t.is("IN"):
		x, err = p.in(left)
	case t.is("LIKE"):
		x, err = p.like(left)
	case t.is("BETWEEN"):
		x, err = p.between(left)
	default:
		return nil, p.errorAt(t.pos, hintFor(t), "%s is not part of the dialect", t.text)
	}
	if err != nil {
		return nil, err
	}
	if negated {
		x = not{x}
	}
	return x, nil
}

// column insists that an operand is a column.
func (p *parser) column(o operand, before string) (Column, *Error) {
	if o.col == nil {
		return Column{}, p.errorAt(o.pos, "", "expected a column before %s", before)
	}
	return *o.col, nil
}

func (p *parser) compare(left operand, o op, right operand, pos int) (Expr, error) {
	if left.lit != nil && right.col != nil {
		left, right, o = right, left, o.mirrored()
	}
	switch {
	case left.col != nil && right.lit != nil:
		return comparison{*left.col, o, *right.lit}, nil
	case left.col != nil && right.col != nil:
		return nil, p.errorAt(right.pos, "", "expected a literal, found column %v: two columns cannot be compared", right.col)
	case left.lit != nil && right.lit != nil:
		return nil, p.errorAt(left.pos, "", "expected a column on one side of %s", opNames[o])
	}
	return nil, p.errorAt(pos, "", "expected a column and a literal around %s", opNames[o])
}

func (p *parser) is(left operand) (Expr, error) {
	col, err := p.column(left, "IS")
	if err != nil {
		return nil, err
	}
	p.advance()
	negated := p.accept("NOT")
	var x Expr
	switch {
	case p.accept("NULL"):
		x = isNull{col}
	case p.accept("DISTINCT", "FROM"):
		lit, err := p.literalOperand()
		if err != nil {
			return nil, err
		}
		if negated {
			return comparison{col, opNotDistinct, lit}, nil
		}
		return comparison{col, opDistinct, lit}, nil
	case p.tok().is("TRUE"), p.tok().is("FALSE"):
		t := p.advance()
		lit := boolLiteral(t.is("TRUE"))
		lit.pos, lit.source = t.pos, strings.ToUpper(t.text)
		if negated {
			return comparison{col, opDistinct, lit}, nil
		}
		return comparison{col, opNotDistinct, lit}, nil
	default:
		return nil, p.expected("NULL, TRUE, FALSE or DISTINCT FROM")
	}
	if negated {
		x = not{x}
	}
	return x, nil
}

func (p *parser) in(left operand) (Expr, error) {
	col, err := p.column(left, "IN")
	if err != nil {
		return nil, err
	}
	p.advance()
	if !p.accept("(") {
		return nil, p.expected("( after IN")
	}
	if p.tok().is("SELECT") {
		return nil, p.errorAt(p.tok().pos, "run the inner query first and list its values", "subqueries are not part of the dialect")
	}
	x := inList{col: col}
	for {
		lit, err := p.literalOperand()
		if err != nil {
			return nil, err
		}
		x.list = append(x.list, lit)
		if p.accept(")") {
			return x, nil
		}
		if !p.accept(",") {
			return nil, p.expected(", or ) in the list")
		}
	}
}

func (p *parser) between(left operand) (Expr, error) {
	col, err := p.column(left, "BETWEEN")
	if err != nil {
		return nil, err
	}
	p.advance()
	lo, e := p.literalOperand()
	if e != nil {
		return nil, e
	}
	if !p.accept("AND") {
		return nil, p.expected("AND between the ends of BETWEEN")
	}
	hi, e := p.literalOperand()
	if e != nil {
		return nil, e
	}
	return and{[]Expr{comparison{col, opGe, lo}, comparison{col, opLe, hi}}}, nil
}

func (p *parser) like(left operand) (Expr, error) {
	col, err := p.column(left, "LIKE")
	if err != nil {
		return nil, err
	}
	p.advance()
	lit, e := p.literalOperand()
	if e != nil {
		return nil, e
	}
	if lit.kind != litString && lit.kind != litNull {
		return nil, p.errorAt(lit.pos, "", "expected a pattern in quotes after LIKE, found %v", lit)
	}
	x := like{col: col, pattern: lit}
	if p.accept("ESCAPE") {
		t := p.advance()
		if t.kind != tokString || len([]rune(t.text)) != 1 {
			return nil, p.errorAt(t.pos, "", "expected one character in quotes after ESCAPE, found %s", t.describe())
		}
		x.escape = t.text
	}
	if err := checkPattern(x.pattern.text, x.escape); err != "" {
		return nil, p.errorAt(lit.pos, "", "%s", err)
	}
	return x, nil
}
