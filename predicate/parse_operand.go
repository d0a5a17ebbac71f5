package predicate

import (
	"strconv"
	"strings"
)

// operand reads a column, a literal, or something in parentheses.
func (p *parser) operand() (operand, error) {
	t := p.tok()
	if t.is("(") {
		if err := p.enter(); err != nil {
			return operand{}, err
		}
		defer func() { p.depth-- }()
		p.advance()
		o, err := p.orOperand()
		if err != nil {
			return operand{}, err
		}
		if !p.accept(")") {
			return operand{}, p.expected("AND, OR or )")
		}
		o.pos = t.pos
		if o.lit != nil {
			o.lit.pos = t.pos
			err = p.casts(o.lit)
		}
		return o, err
	}
	if p.startsColumn() {
		col, err := p.columnName()
		if err != nil {
			return operand{}, err
		}
		if n := p.tok(); n.is("::") {
			return operand{}, p.errorAt(n.pos, "cast the literal instead", "a column cannot be cast")
		}
		return operand{col: &col, pos: t.pos}, nil
	}
	lit, err := p.literal()
	if err != nil {
		return operand{}, err
	}
	return operand{lit: &lit, pos: t.pos}, nil
}

// startsColumn tells a column from a literal and from a word that is out of
// place. Type names and CAST are soft: only what follows makes them literals.
func (p *parser) startsColumn() bool {
	t, n := p.tok(), p.peek()
	switch t.kind {
	case tokQuoted:
		return true
	case tokWord:
		if reserved[strings.ToUpper(t.text)] {
			return false
		}
		if n.kind == tokString || t.is("CAST") && n.is("(") {
			return false
		}
		if t.is("TIMESTAMP") || t.is("TIME") { // TIMESTAMP WITH TIME ZONE '…'
			return !n.is("WITH") && !n.is("WITHOUT")
		}
		return true
	}
	return false
}

func (p *parser) columnName() (Column, error) {
	t := p.advance()
	col := Column{name: t.text, pos: t.pos}
	for p.accept(".") {
		part := p.tok()
		if part.kind != tokWord && part.kind != tokQuoted {
			return col, p.expected("a field name after the dot")
		}
		p.advance()
		col.name += "." + part.text
	}
	if n := p.tok(); n.is("(") {
		return col, p.errorAt(t.pos, "compare the column itself, or filter in Go with a function", "the function %s is not part of the dialect", t.text)
	}
	return col, nil
}

// literalOperand reads an operand that must be a literal.
func (p *parser) literalOperand() (Literal, error) {
	o, err := p.operand()
	if err != nil {
		return Literal{}, err
	}
	if o.lit == nil {
		return Literal{}, p.errorAt(o.pos, "", "expected a literal")
	}
	return *o.lit, nil
}

// literal reads a literal with its casts.
func (p *parser) literal() (Literal, error) {
	l, err := p.bareLiteral()
	if err != nil {
		return l, err
	}
	err = p.casts(&l)
	return l, err
}

// casts applies any number of ::type.
func (p *parser) casts(l *Literal) error {
	for p.tok().is("::") {
		p.advance()
		t, err := p.typeName()
		if err != nil {
			return err
		}
		if err := p.castTo(l, t, l.pos); err != nil {
			return err
		}
	}
	return nil
}

// castTo casts in place and keeps the text as written.
func (p *parser) castTo(l *Literal, t sqlType, start int) error {
	out, ok := l.cast(t)
	if !ok {
		return p.errorAt(l.pos, "", "%v cannot be cast to %s", l, t.name)
	}
	out.pos = start
	out.source = strings.TrimSpace(p.text[start:p.toks[p.next-1].end])
	*l = out
	return nil
}

func (p *parser) bareLiteral() (Literal, error) {
	t := p.tok()
	sign := ""
	if (t.is("-") || t.is("+")) && (p.peek().kind == tokNumber || p.peek().kind == tokWord) {
		sign = t.text
		p.advance()
	}
	v := p.tok()
	switch {
	case v.kind == tokNumber, sign != "" && (v.is("inf") || v.is("infinity") || v.is("nan")):
		p.advance()
		l, ok := parseNumber(sign + v.text)
		if !ok {
			return l, p.errorAt(t.pos, "", "the number %s is out of range", v.text)
		}
		return p.done(l, t.pos), nil
	case sign != "":
		return Literal{}, p.expected("a number after " + sign)
	case v.kind == tokString:
		p.advance()
		return p.done(Literal{kind: litString, text: v.text}, t.pos), nil
	case p.accept("NULL"):
		return p.done(Literal{}, t.pos), nil
	case v.is("TRUE"), v.is("FALSE"):
		p.advance()
		return p.done(boolLiteral(v.is("TRUE")), t.pos), nil
	case v.is("CAST") && p.peek().is("("):
		return p.castCall(t.pos)
	case v.is("CASE"), v.is("SELECT"), v.is("EXISTS"):
		return Literal{}, p.errorAt(v.pos, "", "%s is not part of the dialect", strings.ToUpper(v.text))
	case v.kind == tokWord && !reserved[strings.ToUpper(v.text)]:
		return p.typedLiteral(t.pos)
	}
	return Literal{}, p.expected("a column or a literal")
}

// done notes where a literal stands and how it was written.
func (p *parser) done(l Literal, start int) Literal {
	l.pos = start
	l.source = p.text[start:p.toks[p.next-1].end]
	return l
}

func (p *parser) castCall(start int) (Literal, error) {
	if err := p.enter(); err != nil {
		return Literal{}, err
	}
	defer func() { p.depth-- }()
	p.advance()
	p.advance()
	l, err := p.literalOperand()
	if err != nil {
		return l, err
	}
	if !p.accept("AS") {
		return l, p.expected("AS")
	}
	t, err := p.typeName()
	if err != nil {
		return l, err
	}
	if !p.accept(")") {
		return l, p.expected(")")
	}
	err = p.castTo(&l, t, start)
	return l, err
}

// typedLiteral reads DATE '…', TIMESTAMP WITH TIME ZONE '…' and the like.
func (p *parser) typedLiteral(start int) (Literal, error) {
	t, err := p.typeName()
	if err != nil {
		return Literal{}, err
	}
	v := p.tok()
	if v.kind != tokString {
		return Literal{}, p.expected("a string after " + t.name)
	}
	p.advance()
	l := Literal{kind: litString, text: v.text, pos: v.pos}
	if err := p.castTo(&l, t, start); err != nil {
		return l, p.errorAt(v.pos, "", "%s is not a %s", quoteString(v.text), t.name)
	}
	return l, nil
}

// typeName reads the name of a type with its parameters.
func (p *parser) typeName() (sqlType, error) {
	t := p.tok()
	if t.kind != tokWord {
		return sqlType{}, p.expected("a type")
	}
	name, ok := typeNames[strings.ToUpper(t.text)]
	if !ok {
		return sqlType{}, p.errorAt(t.pos, "", "unknown type %s", t.text)
	}
	p.advance()
	out := sqlType{name: name, precision: 18, scale: 3}
	if name == "DOUBLE" {
		p.accept("PRECISION")
	}
	if name == "TIMESTAMP" || name == "TIME" {
		out.zoned = p.accept("WITH", "TIME", "ZONE") || strings.EqualFold(t.text, "TIMESTAMPTZ")
		p.accept("WITHOUT", "TIME", "ZONE")
	}
	if !p.accept("(") {
		return out, nil
	}
	var params []int
	for {
		n := p.tok()
		v, err := strconv.Atoi(n.text)
		if n.kind != tokNumber || err != nil || v > 76 {
			return out, p.expected("a number of digits, at most 76")
		}
		p.advance()
		params = append(params, v)
		if p.accept(")") {
			break
		}
		if !p.accept(",") {
			return out, p.expected(", or )")
		}
	}
	if name == "DECIMAL" {
		out.precision, out.scale = params[0], 0
		if len(params) > 1 {
			out.scale = params[1]
		}
		if len(params) > 2 || out.precision < 1 || out.scale > out.precision {
			return out, p.errorAt(t.pos, "", "there is no such DECIMAL")
		}
	}
	return out, nil
}
