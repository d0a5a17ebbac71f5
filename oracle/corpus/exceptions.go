package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// Exception is a finding that was judged by the file's bytes and the words of
// the format, and is not a fault of pare.
type Exception struct {
	Path   string
	Column string // "*" for any column of the file
	Oracle Oracle
	Right  string // who is: pare, the oracle, or nobody where the format is silent
	Why    string

	used bool
}

// ParseExceptions reads a tab-separated list with a head line.
func ParseExceptions(text string) ([]*Exception, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var out []*Exception
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 5 || slices.Contains(f, "") {
			return nil, fmt.Errorf("exception in line %d: five fields are due", i+2)
		}
		out = append(out, &Exception{Path: f[0], Column: f[1], Oracle: Oracle(f[2]), Right: f[3], Why: f[4]})
	}
	return out, nil
}

// Unexcused returns the findings that no exception covers, and the exceptions
// that cover no finding.
func Unexcused(findings []Finding, exceptions []*Exception) (left []Finding, idle []*Exception) {
	for _, f := range findings {
		covered := false
		for _, e := range exceptions {
			if e.Path == f.Path && e.Oracle == f.Oracle && (e.Column == f.Column || e.Column == "*") {
				e.used, covered = true, true
			}
		}
		if !covered {
			left = append(left, f)
		}
	}
	for _, e := range exceptions {
		if !e.used {
			idle = append(idle, e)
		}
	}
	return left, idle
}
