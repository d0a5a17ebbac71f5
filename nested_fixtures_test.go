package pare_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/rowrange"
)

var nestedPairs = flag.Int("nested-pairs", 60, "TestNestedFixtures reads one in so many pairs of ranges of a file of at most 30 rows; 1 reads all")

// nestedFixtures are the files of testdata/nested, written by arrow-go and
// parquet-go; package oracle/corpus holds them against arrow-go and DuckDB.
func nestedFixtures(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/nested/*.parquet")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return names
}

// TestNestedFixtures: every single row, every pair of ranges of small files and
// random sets of rows are read as slices of a full read.
func TestNestedFixtures(t *testing.T) {
	for _, name := range nestedFixtures(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".parquet"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all := nestScan(t, data, exact, pare.Query{})
			rows := int64(len(all))
			f, _ := openBytes(t, name, data, exact)
			check := func(set rowrange.Set, q pare.Query) {
				q.Rows = set
				got, err := nestRows(t, f, q)
				if err != nil {
					t.Fatalf("rows %v: %v", set, err)
				}
				for _, r := range set {
					for i := r.From; i < r.To; i++ {
						if len(got) == 0 || got[0] != all[i] {
							t.Fatalf("rows %v, %+v: row %d is %s, of all rows it is %s", set, q, i, at(got, 0), all[i])
						}
						got = got[1:]
					}
				}
				if len(got) > 0 {
					t.Fatalf("rows %v, %+v: %d rows too many", set, q, len(got))
				}
			}
			for i := range rows {
				check(rowrange.Of(i, i+1), pare.Query{Threads: 1})
			}
			if rows <= 30 {
				eachPair(rows, *nestedPairs, func(a, b rowrange.Range) { check(rowrange.New(a, b), pare.Query{Threads: 1}) })
			}
			rapid.Check(t, func(rt *rapid.T) {
				set := rowrange.Set{}
				for at := rapid.Int64Range(0, 9).Draw(rt, "first"); at < rows; at += rapid.Int64Range(1, max(rows/8, 2)).Draw(rt, "gap") {
					to := min(rows, at+rapid.Int64Range(1, max(rows/10, 2)).Draw(rt, "rows"))
					set = set.Append(at, to)
					at = to
				}
				check(set, pare.Query{BatchRows: rapid.SampledFrom([]int{0, 1, 7}).Draw(rt, "batch rows"), ReadBytes: rapid.SampledFrom([]int64{0, 1, 2000}).Draw(rt, "read bytes")})
			})
		})
	}
}

// eachPair calls f with every pair of ranges of so many rows, the first before
// the second; with one in n of them.
func eachPair(rows int64, n int, f func(a, b rowrange.Range)) {
	k := 0
	for a := range rows {
		for b := a + 1; b <= rows; b++ {
			for c := b + 1; c < rows; c++ {
				for d := c + 1; d <= rows; d++ {
					if k++; k%n == 0 {
						f(rowrange.Range{From: a, To: b}, rowrange.Range{From: c, To: d})
					}
				}
			}
		}
	}
}

// nestRows is nestScan of an open file, without a look at what was read.
func nestRows(t testing.TB, f *pare.File, q pare.Query) (out []string, err error) {
	s, err := f.Scan(t.Context(), q)
	if err != nil {
		return nil, err
	}
	for batch, err := range s.Batches() {
		if err != nil {
			return nil, err
		}
		for i := range int(batch.NumRows()) {
			out = append(out, rowText(batch, i))
		}
		batch.Release()
	}
	return out, nil
}
