package predicate

import (
	"fmt"
	"strings"
)

// maxDepth bounds the nesting of parentheses and NOTs.
const maxDepth = 500

// Parse reads the text of a WHERE clause (without the word). Errors are *Error.
func Parse(text string) (Expr, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	x, err := p.or()
	if err == nil && p.tok().kind != tokEnd {
		err = p.expected("AND, OR or the end")
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// parser is a recursive-descent parser:
//
//	or        = and { OR and }
//	and       = not { AND not }
//	not       = NOT not | test
//	test      = operand [ "=" operand | [NOT] IN … | [NOT] BETWEEN … | [NOT] LIKE … | IS … ]
//	operand   = column | literal | "(" or ")"
//	literal   = [ "+" | "-" ] number | string | TRUE | FALSE | NULL | type string | CAST "(" literal AS type ")" , { "::" type }
//	column    = name { "." name }
type parser struct {
	text  string
	toks  []token
	next  int
	depth int
}

func newParser(text string) (*parser, error) {
	toks, err := lex(text)
	if err != nil {
		return nil, err
	}
	return &parser{text: text, toks: toks}, nil
}

func (p *parser) tok() token { return p.toks[p.next] }

// peek returns the token after the current one.
func (p *parser) peek() token { return p.toks[min(p.next+1, len(p.toks)-1)] }

func (p *parser) advance() token {
	t := p.toks[p.next]
	if t.kind != tokEnd {
		p.next++
	}
	return t
}

// accept takes the given words, one after the other, or none of them.
func (p *parser) accept(words ...string) bool {
	for i, w := range words {
		if p.next+i >= len(p.toks) || !p.toks[p.next+i].is(w) {
			return false
		}
	}
	p.next += len(words)
	return true
}

func (p *parser) errorAt(pos int, hint, format string, args ...any) *Error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint, Text: p.text, Pos: pos}
}

func (p *parser) expected(what string) *Error {
	t := p.tok()
	return p.errorAt(t.pos, hintFor(t), "expected %s, found %s", what, t.describe())
}

// hintFor knows what people write that lies outside the dialect.
func hintFor(t token) string {
	switch strings.ToUpper(t.text) {
	case "GROUP", "JOIN", "ORDER", "HAVING", "DISTINCT", "UNION", "WITH", "OFFSET", "OVER", "INNER", "LEFT", "CROSS":
		return "pare reads; give its Arrow output to an engine for the rest"
	case "+", "-", "*", "/", "%", "||":
		return "arithmetic is not part of the dialect: compare a column with a literal"
	case "ILIKE", "~":
		return "LIKE is the only pattern test"
	}
	return ""
}

func (p *parser) enter() *Error {
	if p.depth++; p.depth > maxDepth {
		return p.errorAt(p.tok().pos, "", "nested more than %d deep", maxDepth)
	}
	return nil
}

// or reads a predicate.
func (p *parser) or() (Expr, error) {
	o, err := p.orOperand()
	if err != nil {
		return nil, err
	}
	return p.predicate(o)
}

// orOperand reads a predicate, or an operand on its own, which may turn out to
// be one side of a comparison: (x) > (5). Reading each text once keeps deep
// nesting linear.
func (p *parser) orOperand() (operand, error) {
	return p.junction("OR", p.andOperand, func(xs []Expr) Expr { return or{xs} })
}

func (p *parser) andOperand() (operand, error) {
	return p.junction("AND", p.notOperand, func(xs []Expr) Expr { return and{xs} })
}

// junction reads one or more operands joined by a word.
func (p *parser) junction(word string, next func() (operand, error), join func([]Expr) Expr) (operand, error) {
	first, err := next()
	if err != nil || !p.tok().is(word) {
		return first, err
	}
	x, err := p.predicate(first)
	if err != nil {
		return first, err
	}
	xs := []Expr{x}
	for p.accept(word) {
		o, err := next()
		if err == nil {
			x, err = p.predicate(o)
		}
		if err != nil {
			return o, err
		}
		xs = append(xs, x)
	}
	return operand{expr: join(xs), pos: first.pos}, nil
}

func (p *parser) notOperand() (operand, error) {
	if err := p.enter(); err != nil {
		return operand{}, err
	}
	defer func() { p.depth-- }()
	t := p.tok()
	if !p.accept("NOT") {
		return p.test()
	}
	o, err := p.notOperand()
	if err != nil {
		return o, err
	}
	x, err := p.predicate(o)
	return operand{expr: not{x}, pos: t.pos}, err
}

// operand is a column, a literal, or a predicate in parentheses; one is set.
type operand struct {
	col  *Column
	lit  *Literal
	expr Expr
	pos  int
}
