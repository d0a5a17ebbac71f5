package predicate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a fault in the text of a predicate or a SELECT, or in its match
// with a schema. Its text is one line; [Error.Excerpt] shows the place.
type Error struct {
	Msg  string // what is wrong, and what was expected
	Hint string // what to do, may be empty
	Text string // the whole text; empty for predicates that builders made
	Pos  int    // byte offset in Text, negative if there is no place
}

func (e *Error) Error() string {
	s := e.Msg
	if e.Text != "" && e.Pos >= 0 {
		line, col, _ := e.place()
		s += fmt.Sprintf(" (line %d, column %d)", line, col)
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' ' // a literal may hold a line break, a message may not
		}
		return r
	}, s)
}

// place returns the line and column, from 1 and in characters, and the line.
func (e *Error) place() (line, col int, text string) {
	pos := min(e.Pos, len(e.Text))
	before := e.Text[:pos]
	start := strings.LastIndexByte(before, '\n') + 1
	text = e.Text[start:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(e.Text[start:pos]) + 1, text
}

// Excerpt returns the faulty line and, below it, a caret at the fault; ""
// if there is no place to show.
func (e *Error) Excerpt() string {
	if e.Text == "" || e.Pos < 0 {
		return ""
	}
	_, col, text := e.place()
	const width = 100
	// Keep the caret on the screen in long lines.
	runes := []rune(strings.ReplaceAll(text, "\t", " "))
	if from := col - 1 - width*3/4; from > 0 && len(runes) > width {
		runes = append([]rune("…"), runes[from+1:]...)
		col -= from
	}
	if len(runes) > width {
		runes = append(runes[:width-1], '…')
	}
	return string(runes) + "\n" + strings.Repeat(" ", col-1) + "^"
}
