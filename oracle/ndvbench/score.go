package ndvbench

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Score is a method's record on a set of columns.
type Score struct {
	Columns, Unknown int
	errors           []float64 // q-errors of the known
	covered          int       // intervals that hold the truth
	widths           []float64 // of the intervals, hi over lo
	Bytes, Requests  int64
}

// QError is how many times an estimate is off.
func QError(estimate float64, truth int64) float64 {
	e, t := max(1, estimate), max(1, float64(truth))
	return max(e/t, t/e)
}

func (s *Score) add(g Guess, truth int64) {
	s.Columns++
	s.Bytes += g.Bytes
	s.Requests += int64(g.Requests)
	if g.Lo <= truth && truth <= g.Hi {
		s.covered++
	}
	s.widths = append(s.widths, float64(max(1, g.Hi))/float64(max(1, g.Lo)))
	if !g.Known {
		s.Unknown++
		return
	}
	s.errors = append(s.errors, QError(g.Estimate, truth))
}

// At is a quantile of the q-errors.
func (s *Score) At(p float64) float64 { return quantile(s.errors, p) }

func quantile(v []float64, p float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return v[min(len(v)-1, int(p*float64(len(v))))]
}

func (s *Score) within(q float64) float64 {
	n := 0
	for _, e := range s.errors {
		if e <= q {
			n++
		}
	}
	return 100 * float64(n) / float64(max(1, len(s.errors)))
}

// Board keeps the scores of all methods for each group of columns.
type Board struct {
	groups  []string
	methods []string
	scores  map[[2]string]*Score
	Misses  []string // intervals that do not hold the truth
	Worst   []Case
}

// Case is one column's answer.
type Case struct {
	Q                    float64
	Group, Column, Route string
	Truth                int64
	Estimate             float64
	Method               string
}

// NewBoard makes an empty board.
func NewBoard() *Board { return &Board{scores: map[[2]string]*Score{}} }

// Add takes all guesses about one column into groups.
func (b *Board) Add(guesses []Guess, truth int64, column string, groups ...string) {
	for _, g := range guesses {
		if !slices.Contains(b.methods, g.Method) {
			b.methods = append(b.methods, g.Method)
		}
		for _, group := range groups {
			if !slices.Contains(b.groups, group) {
				b.groups = append(b.groups, group)
			}
			key := [2]string{group, g.Method}
			if b.scores[key] == nil {
				b.scores[key] = &Score{}
			}
			b.scores[key].add(g, truth)
		}
		if strings.HasPrefix(g.Method, "pare") && (truth < g.Lo || truth > g.Hi) {
			b.Misses = append(b.Misses, fmt.Sprintf("%s, %s: %d distinct values are not in %d…%d (%s)", column, g.Method, truth, g.Lo, g.Hi, g.Route))
		}
		if g.Known {
			b.Worst = append(b.Worst, Case{QError(g.Estimate, truth), groups[0], column, g.Route, truth, g.Estimate, g.Method})
		}
	}
}

// Score returns a method's record in a group, nil if there is none.
func (b *Board) Score(group, method string) *Score { return b.scores[[2]string{group, method}] }

// Write prints a table for each group.
func (b *Board) Write(w io.Writer) {
	for _, group := range b.groups {
		fmt.Fprintf(w, "\n## %s\n\n", group)
		fmt.Fprintln(w, "| method | columns | without evidence | p50 | p75 | p90 | p95 | p99 | max | ≤ 1.1 | ≤ 2 | interval holds | hi/lo p50 | bytes | requests |")
		fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
		for _, m := range b.methods {
			s := b.Score(group, m)
			if s == nil {
				continue
			}
			fmt.Fprintf(w, "| %s | %d | %d | %.3f | %.3f | %.2f | %.2f | %.2f | %.1f | %.0f %% | %.0f %% |", m, s.Columns, s.Unknown,
				s.At(.5), s.At(.75), s.At(.9), s.At(.95), s.At(.99), s.At(1), s.within(1.1), s.within(2))
			if strings.HasPrefix(m, "pare") {
				fmt.Fprintf(w, " %d of %d | %.2f | %d | %d |\n", s.covered, s.Columns, quantile(s.widths, .5), s.Bytes/int64(s.Columns), s.Requests/int64(s.Columns))
			} else {
				fmt.Fprintln(w, " | | | |")
			}
		}
	}
}

// heldOut is the suite that is only measured.
const heldOut = "held-out"

// Run writes a suite in every layout and scores it.
func (b *Board) Run(ctx context.Context, suite string, kinds []Kind, rows int, progress io.Writer) error {
	t := Make(kinds, rows, 1)
	for _, c := range Configs() {
		data, err := t.Write(c)
		if err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		all, err := Guesses(ctx, data)
		if err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		for k, guesses := range all {
			usage, err := usageOf(data, k)
			if err != nil {
				return err
			}
			groups := []string{suite}
			if usage == inBudget {
				groups, usage = append(groups, suite+": "+inBudget), "dictionary"
			}
			if filtered(data, k) {
				groups = append(groups, suite+": Bloom filters, less than 95 % full")
			}
			column := fmt.Sprintf("%s (%v)", kinds[k].Name, c)
			groups = append(groups, suite+": "+usage, fmt.Sprintf("%s: %d row groups", suite, c.Groups), suite+": "+c.Writer)
			if suite == heldOut && usage == "dictionary" {
				groups = append(groups, "dictionary columns, real and held-out")
			}
			b.Add(guesses, t.Truth[k], column, groups...)
		}
		fmt.Fprintf(progress, "%s: %v: %d bytes\n", suite, c, len(data))
	}
	return nil
}
