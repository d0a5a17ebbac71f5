package property

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/oracle/property/engines"
	"github.com/parequet/pare/plan"
)

// drawOptions draws options that must not change the answer.
func (s *subject) drawOptions(t *rapid.T) (pare.Options, pare.Query) {
	opt := pare.Options{
		Gap:         rapid.SampledFrom([]int64{0, -1, 100, 1 << 30}).Draw(t, "gap"),
		Tail:        rapid.SampledFrom([]int64{0, 8, 1000, 1 << 20}).Draw(t, "tail"),
		Concurrency: rapid.IntRange(0, 3).Draw(t, "concurrency"),
	}
	q := pare.Query{
		Skip:      plan.Stages(rapid.IntRange(0, int(plan.AllStages)).Draw(t, "skip")),
		BatchRows: rapid.SampledFrom([]int{0, 1, 7, 1000}).Draw(t, "batch rows"),
		ReadBytes: rapid.SampledFrom([]int64{0, 1, 5000, 50_000}).Draw(t, "read bytes"),
		Threads:   rapid.IntRange(0, 3).Draw(t, "threads"),
		Select:    []string{},
	}
	if s.rows > 5000 && q.BatchRows == 1 {
		q.BatchRows = 100 // that would be slow
	}
	for range rapid.IntRange(0, 2).Draw(t, "columns") {
		q.Select = append(q.Select, rapid.SampledFrom(s.columns).Draw(t, "selected").name)
	}
	return opt, q
}

// forEachFile runs a test for each file that DuckDB reads.
func forEachFile(t *testing.T, check func(rt *rapid.T, s *subject)) {
	for _, path := range subjectFiles(t) {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			if why := unreadable[name]; why != "" {
				t.Skip(why)
			}
			s := openSubject(t, path)
			rapid.Check(t, func(rt *rapid.T) { check(rt, s) })
		})
	}
}

// TestRowsEqualDuckDBs: the same text selects the same rows, whatever pare is
// told to skip or to read at once.
func TestRowsEqualDuckDBs(t *testing.T) {
	forEachFile(t, func(rt *rapid.T, s *subject) {
		where := s.tree(rt, rapid.IntRange(0, 3).Draw(rt, "depth"))
		opt, q := s.drawOptions(rt)
		want, wantErr := s.db.Rows(where)
		got, err := engines.PareRows(s.data, where, opt, q)
		if wantErr != nil || err != nil {
			sameRefusal(rt, where, err, wantErr)
			return
		}
		if !slices.IsSorted(got) {
			rt.Fatalf("WHERE %s: the rows are out of order", where)
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("WHERE %s\n%s", where, difference(got, want))
		}
	})
}

// TestCountsEqualDuckDBs: so do the row counts of a scan without columns, and
// of one that ends early.
func TestCountsEqualDuckDBs(t *testing.T) {
	forEachFile(t, func(rt *rapid.T, s *subject) {
		where := s.tree(rt, rapid.IntRange(0, 2).Draw(rt, "depth"))
		limit := rapid.SampledFrom([]int64{-1, -1, 1, 2, 10, s.rows / 2, s.rows, s.rows + 1}).Draw(rt, "limit")
		opt, q := s.drawOptions(rt)
		q.Limit = max(limit, 0)
		want, wantErr := s.db.Count(where, limit)
		got, err := engines.PareCount(s.data, where, opt, q)
		if wantErr != nil || err != nil {
			sameRefusal(rt, where, err, wantErr)
			return
		}
		if got != want {
			rt.Fatalf("WHERE %s LIMIT %d: %d rows, DuckDB has %d", where, limit, got, want)
		}
	})
}

// sameRefusal fails unless both engines refuse a text.
func sameRefusal(rt *rapid.T, where string, pare, duck error) {
	if pare == nil || duck == nil {
		rt.Fatalf("WHERE %s\npare:   %v\nDuckDB: %v", where, pare, duck)
	}
}

// difference names rows that are in one answer only.
func difference(got, want []int64) string {
	var out []int64
	only := func(a, b []int64) []int64 {
		out = nil
		for _, n := range a {
			if _, found := slices.BinarySearch(b, n); !found && len(out) < 10 {
				out = append(out, n)
			}
		}
		return out
	}
	return fmt.Sprintf("pare finds %d rows, DuckDB %d\nonly pare: %v\nonly DuckDB: %v", len(got), len(want), only(got, want), only(want, got))
}
