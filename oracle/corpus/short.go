package corpus

import (
	"regexp"
	"strings"
	"unicode"
)

// Short renders an error in one short line that is the same on every machine.
func Short(err error) string { return clean(err.Error(), 160) }

// noise is what differs between machines and runs.
var noise = []struct {
	match *regexp.Regexp
	put   string
}{
	{regexp.MustCompile(`(?s)\n.*`), ""},           // DuckDB quotes the statement
	{regexp.MustCompile(` \([^()]* used\).*`), ""}, // memory
	{regexp.MustCompile(`0x[0-9a-f]{6,}`), "0x…"},  // addresses
}

// clean makes one printable line of at most n runes.
func clean(s string, n int) string {
	for _, x := range noise {
		s = x.match.ReplaceAllString(s, x.put)
	}
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '·'
		}
		return r
	}, s)
	if r := []rune(s); len(r) > n {
		s = string(r[:n]) + "…"
	}
	return s
}
