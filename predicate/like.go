package predicate

import (
	"strings"
	"unicode/utf8"
)

// pattern is a LIKE pattern, taken apart: literal pieces with the number of
// single characters (_) before each, and where % stands.
type pattern struct {
	elems []patternElem
	exact bool // no % and no _: the only match is elems' text
	text  string
}

type patternElem struct {
	any   bool   // %
	one   bool   // _
	bytes string // otherwise
}

// checkPattern says what is wrong with a pattern, or "".
func checkPattern(s, escape string) string {
	if escape != "" && strings.HasSuffix(strings.ReplaceAll(s, escape+escape, ""), escape) {
		return "the pattern ends with its escape character"
	}
	return ""
}

func parsePattern(s, escape string) pattern {
	p := pattern{exact: true}
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			p.elems = append(p.elems, patternElem{bytes: lit.String()})
			lit.Reset()
		}
	}
	for s != "" {
		_, size := utf8.DecodeRuneInString(s)
		c := s[:size]
		s = s[size:]
		switch {
		case escape != "" && c == escape && s != "":
			_, size = utf8.DecodeRuneInString(s)
			lit.WriteString(s[:size])
			s = s[size:]
		case c == "%":
			flush()
			p.exact = false
			if n := len(p.elems); n == 0 || !p.elems[n-1].any {
				p.elems = append(p.elems, patternElem{any: true})
			}
		case c == "_":
			flush()
			p.exact = false
			p.elems = append(p.elems, patternElem{one: true})
		default:
			lit.WriteString(c)
		}
	}
	flush()
	if p.exact && len(p.elems) == 1 {
		p.text = p.elems[0].bytes
	}
	return p
}

// prefix returns the text that every match starts with, and whether every
// text with that prefix is a match.
func (p pattern) prefix() (s string, all bool) {
	if len(p.elems) > 0 && p.elems[0].bytes != "" {
		return p.elems[0].bytes, len(p.elems) == 2 && p.elems[1].any
	}
	return "", len(p.elems) == 1 && p.elems[0].any
}

// match reports whether the whole of b matches. It backtracks to the last %
// only, so it takes O(len(b)·len(pattern)) at worst.
func (p pattern) match(b []byte) bool {
	e, star, starAt := 0, -1, 0
	i := 0
	for {
		if e < len(p.elems) {
			el := p.elems[e]
			switch {
			case el.any:
				if e == len(p.elems)-1 {
					return true
				}
				star, starAt = e, i
				e++
				continue
			case el.one && i < len(b):
				_, size := utf8.DecodeRune(b[i:])
				i += size
				e++
				continue
			case !el.one && len(b)-i >= len(el.bytes) && string(b[i:i+len(el.bytes)]) == el.bytes:
				i += len(el.bytes)
				e++
				continue
			}
		} else if i == len(b) {
			return true
		}
		// Let the last % take one character more.
		if star < 0 || starAt >= len(b) {
			return false
		}
		_, size := utf8.DecodeRune(b[starAt:])
		starAt += size
		i, e = starAt, star+1
	}
}

// prefixInterval holds exactly the texts that start with a prefix, as bytes.
func prefixInterval(prefix string) Interval {
	i := Interval{Lo: End{Value: bytesValue(prefix)}, HasLo: true}
	b := []byte(prefix)
	for n := len(b); n > 0; n-- {
		if b[n-1] != 0xff {
			b[n-1]++
			i.Hi, i.HasHi = End{Value: bytesValue(string(b[:n])), Open: true}, true
			break
		}
	}
	return i
}
