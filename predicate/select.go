package predicate

import (
	"math"
	"strconv"
	"strings"
)

// Select is a parsed SELECT statement.
type Select struct {
	Items []Item
	From  string
	Where Expr   // nil without a WHERE
	Limit int64  // -1 without a LIMIT
	Text  string // the whole statement, for error messages
}

// Item is one entry of the SELECT list.
type Item struct {
	Star      bool   // *, or with Aggregate count(*)
	Column    string // a column's dotted name, or the argument of an aggregate
	Aggregate string // "", or "count", "min", "max"
	Alias     string // the name of the result column
	Pos       int    // where it stands in the text
}

// ParseSelect reads a SELECT of the dialect: columns, * and aggregates FROM
// one file or pattern, with an optional WHERE and LIMIT. Errors are *Error.
func ParseSelect(text string) (*Select, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	s := &Select{Limit: -1, Text: text}
	if !p.accept("SELECT") {
		return nil, p.expected("SELECT")
	}
	for {
		item, err := p.item()
		if err != nil {
			return nil, err
		}
		s.Items = append(s.Items, item)
		if !p.accept(",") {
			break
		}
	}
	if !p.accept("FROM") {
		return nil, p.expected(", or FROM")
	}
	from := p.tok()
	if from.kind != tokString && from.kind != tokQuoted && (from.kind != tokWord || reserved[strings.ToUpper(from.text)]) {
		return nil, p.expected("a file after FROM, in quotes")
	}
	p.advance()
	s.From = from.text
	if from.kind == tokWord {
		// A bare name may go on: orders.parquet.
		for p.tok().pos == p.toks[p.next-1].end && (p.tok().is(".") || p.tok().kind == tokWord) {
			s.From += p.advance().text
		}
	}
	if p.accept("WHERE") {
		var err error
		if s.Where, err = p.or(); err != nil {
			return nil, err
		}
	}
	if p.accept("LIMIT") {
		t := p.tok()
		n, err := strconv.ParseInt(t.text, 10, 64)
		if t.kind != tokNumber || err != nil || n == math.MaxInt64 {
			return nil, p.expected("a number of rows after LIMIT")
		}
		p.advance()
		s.Limit = n
	}
	p.accept(";")
	if p.tok().kind != tokEnd {
		return nil, p.expected("WHERE, LIMIT or the end")
	}
	return s, nil
}

func (p *parser) item() (Item, error) {
	t := p.tok()
	item := Item{Pos: t.pos}
	switch {
	case p.accept("*"):
		item.Star = true
		return item, nil
	case t.kind == tokWord && p.peek().is("("):
		item.Aggregate = strings.ToLower(t.text)
		switch item.Aggregate {
		case "count", "min", "max":
		default:
			return item, p.errorAt(t.pos, hintFor(token{text: "GROUP"}), "the function %s is not part of the dialect", t.text)
		}
		p.advance()
		p.advance()
		item.Star = item.Aggregate == "count" && p.accept("*")
		if !item.Star {
			if p.tok().is("DISTINCT") {
				return item, p.errorAt(p.tok().pos, "pare ndv estimates distinct counts", "count(DISTINCT …) is not part of the dialect")
			}
			if !p.startsColumn() {
				return item, p.expected("a column")
			}
			col, err := p.columnName()
			if err != nil {
				return item, err
			}
			item.Column = col.name
		}
		if !p.accept(")") {
			return item, p.expected(")")
		}
		item.Alias = item.Aggregate + "(" + item.Column + ")"
		if item.Star {
			item.Alias = "count(*)"
		}
	case p.startsColumn():
		col, err := p.columnName()
		if err != nil {
			return item, err
		}
		item.Column, item.Alias = col.name, ""
	default:
		return item, p.expected("a column, * or an aggregate")
	}
	if p.accept("AS") {
		a := p.tok()
		if a.kind != tokWord && a.kind != tokQuoted {
			return item, p.expected("a name after AS")
		}
		p.advance()
		item.Alias = a.text
	}
	return item, nil
}
