package predicate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokWord             // a bare name or keyword
	tokQuoted           // a "quoted name"
	tokString           // a 'string'
	tokNumber
	tokSymbol // an operator or punctuation
)

// token is one word of the text. text is what it means: quotes are taken off.
type token struct {
	kind tokenKind
	text string
	pos  int // byte offset of its start
	end  int // byte offset after it
}

// is reports whether the token is the given keyword, in any case, or symbol.
func (t token) is(word string) bool {
	switch t.kind {
	case tokWord:
		return strings.EqualFold(t.text, word)
	case tokSymbol:
		return t.text == word
	}
	return false
}

// describe renders a token for "expected …, found …".
func (t token) describe() string {
	switch t.kind {
	case tokEnd:
		return "the end"
	case tokString:
		return quoteString(t.text)
	case tokQuoted:
		return `"` + t.text + `"`
	}
	return t.text
}

// symbols, longest first.
var symbols = []string{"<=", ">=", "<>", "!=", "==", "::", "||", "(", ")", ",", "=", "<", ">", ".", "*", "+", "-", "/", "%", ";", "[", "]", "~"}

// lex splits a text into tokens, the last of which is tokEnd.
func lex(text string) ([]token, *Error) {
	var out []token
	for p := 0; ; {
		p += len(text[p:]) - len(strings.TrimLeftFunc(text[p:], unicode.IsSpace))
		if strings.HasPrefix(text[p:], "--") {
			if i := strings.IndexByte(text[p:], '\n'); i >= 0 {
				p += i
				continue
			}
			p = len(text)
		}
		if strings.HasPrefix(text[p:], "/*") {
			i := strings.Index(text[p:], "*/")
			if i < 0 {
				return nil, &Error{Msg: "a comment is not closed", Text: text, Pos: p}
			}
			p += i + 2
			continue
		}
		if p == len(text) {
			return append(out, token{kind: tokEnd, pos: p, end: p}), nil
		}
		t, err := lexOne(text, p)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
		p = t.end
	}
}

func lexOne(text string, p int) (token, *Error) {
	rest := text[p:]
	switch c := rest[0]; {
	case c == '\'':
		return lexQuoted(text, p, '\'', tokString, "a string is not closed")
	case c == '"':
		return lexQuoted(text, p, '"', tokQuoted, "a quoted name is not closed")
	case c >= '0' && c <= '9', c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		n := numberLength(rest)
		if n < len(rest) && isNameRune(rest[n:]) {
			return token{}, &Error{Msg: "a number runs into a name", Text: text, Pos: p + n}
		}
		return token{tokNumber, strings.ReplaceAll(rest[:n], "_", ""), p, p + n}, nil
	case isNameRune(rest):
		n := 0
		for n < len(rest) && (isNameRune(rest[n:]) || rest[n] >= '0' && rest[n] <= '9' || rest[n] == '$') {
			_, size := utf8.DecodeRuneInString(rest[n:])
			n += size
		}
		return token{tokWord, rest[:n], p, p + n}, nil
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			return token{tokSymbol, s, p, p + len(s)}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return token{}, &Error{Msg: "unexpected character " + quoteString(string(r)), Text: text, Pos: p}
}

// lexQuoted reads up to the closing quote; a doubled quote stands for itself.
func lexQuoted(text string, p int, quote byte, kind tokenKind, unclosed string) (token, *Error) {
	var b strings.Builder
	for i := p + 1; i < len(text); i++ {
		if text[i] != quote {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return token{kind, b.String(), p, i + 1}, nil
	}
	return token{}, &Error{Msg: unclosed, Text: text, Pos: p}
}

// isNameRune reports whether a name can start with, or go on with, the first
// character of s.
func isNameRune(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || r == utf8.RuneError && size == 1
}

func numberLength(s string) int {
	n := 0
	digits := func() {
		digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
		for digit(n) || n < len(s) && s[n] == '_' && digit(n-1) && digit(n+1) {
			n++
		}
	}
	digits()
	if n < len(s) && s[n] == '.' {
		n++
		digits()
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if m < len(s) && s[m] >= '0' && s[m] <= '9' {
			n = m
			digits()
		}
	}
	return n
}

// reserved words cannot be column names without quotes: they would make a
// text ambiguous. All other keywords are soft.
var reserved = map[string]bool{
	"AND": true, "OR": true, "NOT": true, "IN": true, "IS": true, "LIKE": true, "ILIKE": true, "BETWEEN": true,
	"NULL": true, "TRUE": true, "FALSE": true, "SELECT": true, "FROM": true, "WHERE": true, "LIMIT": true,
	"CASE": true, "EXISTS": true, "GROUP": true, "ORDER": true, "HAVING": true, "UNION": true, "JOIN": true,
	"DISTINCT": true, "AS": true, "WITH": true, "OFFSET": true,
}

// plainName reports whether a name can be written without quotes.
func plainName(s string) bool {
	if s == "" || !isNameRune(s) || reserved[strings.ToUpper(s)] {
		return false
	}
	t, err := lexOne(s, 0)
	return err == nil && t.kind == tokWord && t.end == len(s) && utf8.ValidString(s)
}
