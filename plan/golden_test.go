package plan_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare/plan"
)

var update = flag.Bool("update", false, "rewrite the golden texts in testdata")

// TestGoldenPlans holds the whole story of some plans against reviewed text.
func TestGoldenPlans(t *testing.T) {
	for _, layout := range []string{"sorted", "shuffled", "paged"} {
		f := openFile(t, orders+layout+".parquet")
		var b strings.Builder
		for _, q := range []struct {
			where string
			limit int64
			skip  plan.Stages
		}{
			{"", -1, 0},
			{"", 3000, 0},
			{"order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'", -1, 0},
			{"order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'", -1, plan.Statistics},
			{"order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'", -1, plan.PageIndex},
			{"order_date >= DATE '2024-12-01'", 100, 0},
			{"order_id BETWEEN 5000 AND 6000 OR order_id = 12345", -1, 0},
			{"order_date < DATE '2024-02-01' AND quantity IN (3, 4) AND note IS NOT NULL", -1, 0},
			{"status = 'nosuch'", -1, 0},
			{"quantity > 3 AND quantity < 4", -1, 0},
			{"quantity BETWEEN 1 AND 10", -1, 0},
			{"note IS NULL AND note IS NOT NULL", -1, 0},
		} {
			pq := f.query(t, q.where)
			pq.Limit, pq.Skip = q.limit, q.skip
			fmt.Fprintf(&b, "WHERE %s LIMIT %d SKIP %d\ntested %s\n", q.where, q.limit, q.skip, pq.Where)
			for _, g := range f.plan(t, pq) {
				writeGroup(&b, g)
			}
			b.WriteByte('\n')
		}
		name := filepath.Join("testdata", "orders-"+layout+".txt")
		if *update {
			if err := os.MkdirAll("testdata", 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(b.String(), "\n"); b.String() != string(want) {
			for i, line := range strings.Split(string(want), "\n") {
				if i >= len(got) || got[i] != line {
					t.Errorf("%s differs at line %d, want %q; run with -update and review", name, i+1, line)
					break
				}
			}
		}
	}
}

func writeGroup(b *strings.Builder, g *plan.Group) {
	fmt.Fprintf(b, "  row group %d: may %v must %v", g.RowGroup.Index, g.May, g.Must)
	if g.PrunedBy != "" {
		fmt.Fprintf(b, ", pruned by %s", g.PrunedBy)
	}
	if g.PastLimit {
		b.WriteString(", past the limit")
	}
	b.WriteByte('\n')
	for _, s := range g.Steps {
		fmt.Fprintf(b, "    %s asked %v, rows %d → %d, pages %d → %d: %s\n", s.Stage, s.Asked, s.RowsBefore, s.RowsAfter, s.PagesBefore, s.PagesAfter, s.Reason)
		for _, u := range s.Units {
			fmt.Fprintf(b, "      %s %d–%d %v: %s\n", u.Column, u.First, u.Last, u.Decision, u.Why)
		}
	}
	for _, d := range g.Doubts {
		fmt.Fprintf(b, "    doubt: %+v\n", d)
	}
}
