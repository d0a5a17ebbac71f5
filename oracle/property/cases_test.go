package property

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"

	"github.com/parequet/pare/oracle/property/engines"
)

// liars are files whose statistics are wrong, which no reader can see in them,
// by a part of the path. Without statistics the answers are right.
var liars = []string{"lying_stats", "h2oai_group_small", "corrupt_stats"}

// nulls is a file with a column of both the logical type UNKNOWN and the
// converted type INTERVAL. DuckDB reads nulls for its three values.
const nulls = "interval_dictionary.parquet"

// TestCases counts, with pare, the rows of predicates whose right answers are
// known: PARE_CASES names a table with the columns path, created_by, type,
// predicate and right answer, PARE_CORPUS the folder that has the files. Rows
// about aggregates are left out.
func TestCases(t *testing.T) {
	table, root := os.Getenv("PARE_CASES"), os.Getenv("PARE_CORPUS")
	if table == "" || root == "" {
		t.Skip("PARE_CASES or PARE_CORPUS is not set")
	}
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) < 5 {
			t.Fatalf("%q has too few columns", line)
		}
		path, where, right := fields[0], fields[3], fields[4]
		if !strings.HasPrefix(where, `"`) {
			continue // an aggregate
		}
		data, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		asked++
		skips := []plan.Stages{0, plan.AllStages}
		if slices.ContainsFunc(liars, func(s string) bool { return strings.Contains(path, s) }) {
			skips = skips[1:]
		}
		if strings.HasSuffix(path, nulls) {
			right = map[string]string{"0": "3", "3": "0"}[right]
		}
		for _, skip := range skips {
			rows, err := engines.PareRows(data, where, pare.Options{}, pare.Query{Select: []string{}, Skip: skip})
			if got := count(rows, err); got != right {
				t.Errorf("%s (%s) WHERE %s, skipping stages %04b: %s rows (%v), right are %s", path, fields[1], where, skip, got, err, right)
			}
		}
	}
	if asked == 0 {
		t.Error("no predicate in the table")
	}
}
