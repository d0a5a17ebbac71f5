package predicate

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// An independent model of the dialect's meaning: SQL's three-valued logic over
// exact rationals, floats and byte strings. It knows nothing of sets, units
// or bounds.

// truth is a value of three-valued logic.
type truth int8

const (
	no truth = iota - 1
	unknown
	yes
)

// datum is a value's meaning: nil is NULL, a *big.Rat a number, a date, a time
// or a timestamp (in nanoseconds), a float64 a value of a FLOAT column or a
// number beyond all numbers, a string text or bytes.
type datum any

// modelLiteral is a literal as written and what it means to a column.
type modelLiteral struct {
	text  string
	value datum
}

// model is a predicate of the model.
type model interface {
	text() string
	eval(row []datum) truth
}

type (
	mCompare struct {
		col      int
		name, op string
		lit      modelLiteral
		mirrored bool
	}
	mIn struct {
		col  int
		name string
		list []modelLiteral
		not  bool
	}
	mBetween struct {
		col    int
		name   string
		lo, hi modelLiteral
		not    bool
	}
	mNull struct {
		col  int
		name string
		not  bool
	}
	mDistinct struct {
		col  int
		name string
		lit  modelLiteral
		not  bool
	}
	mLike struct {
		col           int
		name, pattern string
		not           bool
	}
	mConst struct{ t truth }
	mNot   struct{ x model }
	mList  struct {
		xs  []model
		and bool
	}
)

// compareDatum orders two data that are not NULL. NaN is above all numbers.
func compareDatum(a, b datum) int {
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string))
	case *big.Rat:
		if b, isRat := b.(*big.Rat); isRat {
			return a.Cmp(b)
		}
	}
	x, y := toFloat(a), toFloat(b)
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x):
		return 1
	case math.IsNaN(y):
		return -1
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return toRat(a).Cmp(toRat(b))
}

func toFloat(d datum) float64 {
	if r, ok := d.(*big.Rat); ok {
		f, _ := r.Float64()
		return max(-math.MaxFloat64, min(math.MaxFloat64, f))
	}
	return d.(float64)
}

func toRat(d datum) *big.Rat {
	if r, ok := d.(*big.Rat); ok {
		return r
	}
	return new(big.Rat).SetFloat64(d.(float64))
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func compareTruth(a datum, op string, b datum) truth {
	if a == nil || b == nil {
		return unknown
	}
	c := compareDatum(a, b)
	switch op {
	case "=", "==":
		return truthOf(c == 0)
	case "<>", "!=":
		return truthOf(c != 0)
	case "<":
		return truthOf(c < 0)
	case "<=":
		return truthOf(c <= 0)
	case ">":
		return truthOf(c > 0)
	}
	return truthOf(c >= 0)
}

func negateIf(not bool, t truth) truth {
	if not {
		return -t
	}
	return t
}

func (m mCompare) eval(row []datum) truth { return compareTruth(row[m.col], m.op, m.lit.value) }

func (m mIn) eval(row []datum) truth {
	out := no
	for _, l := range m.list {
		out = max(out, compareTruth(row[m.col], "=", l.value))
	}
	return negateIf(m.not, out)
}

func (m mBetween) eval(row []datum) truth {
	return negateIf(m.not, min(compareTruth(row[m.col], ">=", m.lo.value), compareTruth(row[m.col], "<=", m.hi.value)))
}

func (m mNull) eval(row []datum) truth { return truthOf((row[m.col] == nil) != m.not) }

func (m mDistinct) eval(row []datum) truth {
	a, b := row[m.col], m.lit.value
	same := a == nil && b == nil || a != nil && b != nil && compareDatum(a, b) == 0
	return truthOf(same == m.not)
}

func (m mLike) eval(row []datum) truth {
	if row[m.col] == nil {
		return unknown
	}
	return negateIf(m.not, truthOf(naiveLike([]rune(row[m.col].(string)), []rune(m.pattern), 0)))
}

func (m mConst) eval([]datum) truth   { return m.t }
func (m mNot) eval(row []datum) truth { return -m.x.eval(row) }

func (m mList) eval(row []datum) truth {
	out := truthOf(m.and)
	for _, x := range m.xs {
		if m.and {
			out = min(out, x.eval(row))
		} else {
			out = max(out, x.eval(row))
		}
	}
	return out
}

// naiveLike is LIKE by its definition; escape 0 is none.
func naiveLike(s, pattern []rune, escape rune) bool {
	if len(pattern) == 0 {
		return len(s) == 0
	}
	switch c := pattern[0]; {
	case escape != 0 && c == escape && len(pattern) > 1:
		return len(s) > 0 && s[0] == pattern[1] && naiveLike(s[1:], pattern[2:], escape)
	case c == '%':
		return naiveLike(s, pattern[1:], escape) || len(s) > 0 && naiveLike(s[1:], pattern, escape)
	default:
		return len(s) > 0 && (c == '_' || s[0] == c) && naiveLike(s[1:], pattern[1:], escape)
	}
}

var mirror = map[string]string{"=": "=", "==": "==", "<>": "<>", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func notText(not bool) string {
	if not {
		return "NOT "
	}
	return ""
}

func (m mCompare) text() string {
	if m.mirrored {
		return m.lit.text + " " + mirror[m.op] + " " + m.name
	}
	return m.name + " " + m.op + " " + m.lit.text
}

func (m mIn) text() string {
	var list []string
	for _, l := range m.list {
		list = append(list, l.text)
	}
	return fmt.Sprintf("%s %sIN (%s)", m.name, notText(m.not), strings.Join(list, ", "))
}

func (m mBetween) text() string {
	return fmt.Sprintf("%s %sBETWEEN %s AND %s", m.name, notText(m.not), m.lo.text, m.hi.text)
}

func (m mNull) text() string { return m.name + " IS " + notText(m.not) + "NULL" }

func (m mDistinct) text() string {
	return m.name + " IS " + notText(m.not) + "DISTINCT FROM " + m.lit.text
}

func (m mLike) text() string {
	return m.name + " " + notText(m.not) + "LIKE " + quoteString(m.pattern)
}

func (m mConst) text() string { return [...]string{"FALSE", "NULL", "TRUE"}[m.t+1] }
func (m mNot) text() string   { return "NOT (" + m.x.text() + ")" }

func (m mList) text() string {
	sep := " OR "
	if m.and {
		sep = " AND "
	}
	var parts []string
	for _, x := range m.xs {
		s := x.text()
		if _, isList := x.(mList); isList {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, sep)
}
