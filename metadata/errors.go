package metadata

import (
	"fmt"
	"strings"
	"unicode"
)

// FormatError says that the bytes of a file contradict the Parquet format.
type FormatError struct {
	Piece  string // which piece of the file, for example "footer" or "column chunk 3 of row group 0 (order_date), data page"
	Offset int64  // where in the file (or, for a piece in hand, in the piece); negative if unknown
	Msg    string // what is wrong
	Err    error  // cause, may be nil
}

func (e *FormatError) Error() string { return errorText(e.Piece, e.Offset, e.Msg, e.Err) }

// Unwrap returns the cause, if there is one.
func (e *FormatError) Unwrap() error { return e.Err }

// UnsupportedError says that a file may be right, but holds something that
// this package cannot read.
type UnsupportedError struct {
	Piece string
	Msg   string
}

func (e *UnsupportedError) Error() string { return errorText(e.Piece, -1, e.Msg, nil) }

func errorText(piece string, off int64, msg string, err error) string {
	s := piece
	if off >= 0 {
		s = fmt.Sprintf("%s at %d", piece, off)
	}
	switch {
	case s == "":
		s = msg
	case msg != "":
		s += ": " + msg
	}
	if err != nil {
		s += ": " + err.Error()
	}
	return oneLine(s)
}

// oneLine replaces what would break a line: names come from files.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func formatErr(piece string, off int64, format string, args ...any) error {
	return &FormatError{Piece: piece, Offset: off, Msg: fmt.Sprintf(format, args...)}
}
