package plan_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// checkGroup asserts what holds of every row group of a plan.
func checkGroup(t *testing.T, g *plan.Group) {
	t.Helper()
	all := rowrange.All(g.RowGroup.NumRows)
	if !g.Must.Subtract(g.May).Empty() || !g.May.Subtract(all).Empty() {
		t.Errorf("may %v, must %v of %d rows", g.May, g.Must, g.RowGroup.NumRows)
	}
	if g.May.Empty() != (g.PrunedBy != "" || g.PastLimit) && g.RowGroup.NumRows > 0 {
		t.Errorf("may %v, pruned by %q, past the limit: %v", g.May, g.PrunedBy, g.PastLimit)
	}
	for i, s := range g.Steps {
		if s.RowsAfter > s.RowsBefore || s.PagesAfter > s.PagesBefore || s.Reason == "" {
			t.Errorf("step %+v", s)
		}
		if i > 0 && s.RowsBefore != g.Steps[i-1].RowsAfter {
			t.Errorf("step %s starts with %d rows, the one before ended with %d", s.Stage, s.RowsBefore, g.Steps[i-1].RowsAfter)
		}
		if !s.Asked && s.RowsAfter < s.RowsBefore && s.Reason != "the condition can never be true" {
			t.Errorf("a stage that was not asked dropped rows: %+v", s)
		}
		checkUnits(t, g, s)
	}
	if n := len(g.Steps); n == 0 || g.Steps[n-1].RowsAfter != g.May.Len() {
		t.Errorf("%d steps end with other than %d rows", n, g.May.Len())
	}
}

// checkUnits: the runs of pages of a column follow each other.
func checkUnits(t *testing.T, g *plan.Group, s plan.Step) {
	t.Helper()
	last := map[string]int{}
	for _, u := range s.Units {
		c := chunkOf(t, g, u.Column)
		if u.First > u.Last || u.Last >= len(c.Index.Pages) || u.Why == "" {
			t.Errorf("unit %+v of %d pages", u, len(c.Index.Pages))
		}
		if end, again := last[u.Column]; again && u.First <= end && u.First != 0 {
			t.Errorf("unit %+v after page %d", u, end)
		}
		last[u.Column] = u.Last
	}
}

// wheres lists predicates on a file: every comparison with values that occur
// and random combinations of them.
func (f *file) wheres(t testing.TB, r *rand.Rand) (leaves, trees []string) {
	for _, col := range f.meta.Schema.Columns {
		if !col.Flat() || col.Problem != "" {
			continue
		}
		name := `"` + strings.ReplaceAll(col.Name, `"`, `""`) + `"`
		leaves = append(leaves, name+" IS NULL", name+" IS NOT NULL")
		texts := f.sample(t, col)
		if len(texts) == 0 {
			continue
		}
		pick := func() string { return texts[r.IntN(len(texts))] }
		for _, op := range []string{"=", "<>", "<", "<=", ">", ">="} {
			leaves = append(leaves, fmt.Sprintf("%s %s %s", name, op, pick()))
		}
		leaves = append(leaves, fmt.Sprintf("%s BETWEEN %s AND %s", name, pick(), pick()), fmt.Sprintf("%s IN (%s, %s, NULL)", name, pick(), pick()),
			fmt.Sprintf("%s NOT IN (%s, %s)", name, pick(), pick()))
	}
	leaf := func() string {
		x := leaves[r.IntN(len(leaves))]
		if r.IntN(4) == 0 {
			x = "NOT (" + x + ")"
		}
		return x
	}
	for range 40 {
		op := []string{" AND ", " OR "}
		trees = append(trees, "("+leaf()+op[r.IntN(2)]+leaf()+")"+op[r.IntN(2)]+leaf())
	}
	return leaves, trees
}

// TestMayAndMust: the rows that match are among those that may, and those that
// must are among them, at every set of stages.
func TestMayAndMust(t *testing.T) {
	for i, name := range fixtures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f := openFile(t, name)
			leaves, trees := f.wheres(t, rand.New(rand.NewPCG(uint64(i), 3)))
			pruned := 0
			for _, where := range append(append([]string{""}, leaves...), trees...) {
				x, err := predicate.Parse(where)
				if where == "" {
					x, err = predicate.True(), nil
				}
				if err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				truth := f.matching(t, x)
				for _, skip := range []plan.Stages{0, plan.Statistics, plan.PageIndex, plan.AllStages} {
					q := f.query(t, where)
					q.Skip = skip
					for _, g := range f.plan(t, q) {
						checkGroup(t, g)
						match := truth.Slice(g.RowGroup.FirstRow, g.RowGroup.FirstRow+g.RowGroup.NumRows).Shift(-g.RowGroup.FirstRow)
						if lost := match.Subtract(g.May); !lost.Empty() {
							t.Errorf("WHERE %s, skip %d, row group %d: rows %v match and were pruned", where, skip, g.RowGroup.Index, lost)
						}
						if wrong := g.Must.Subtract(match); !wrong.Empty() {
							t.Errorf("WHERE %s, skip %d, row group %d: rows %v must match and do not", where, skip, g.RowGroup.Index, wrong)
						}
						if g.PrunedBy != "" {
							pruned++
						}
						if skip == plan.AllStages && !g.May.Equal(rowrange.All(g.RowGroup.NumRows)) && q.Where.Root != predicate.Const(false) {
							t.Errorf("WHERE %s: rows were pruned though all stages are off", where)
						}
					}
				}
			}
			t.Logf("%d predicates, %d row groups pruned", len(leaves)+len(trees), pruned)
		})
	}
}

// TestLimits: the first rows that match are still planned, and row groups
// behind them are past the limit, not pruned.
func TestLimits(t *testing.T) {
	for _, layout := range []string{"sorted", "shuffled", "paged"} {
		f := openFile(t, orders+layout+".parquet")
		for _, where := range []string{"", "order_date >= DATE '2024-03-01'", "quantity = 3", "order_id <= 5000", "note IS NOT NULL"} {
			x := predicate.True()
			if where != "" {
				var err error
				if x, err = predicate.Parse(where); err != nil {
					t.Fatal(err)
				}
			}
			truth := f.matching(t, x)
			for _, limit := range []int64{0, 1, 2, 1999, 2000, 2001, 5000, 19_999, 20_000, 1 << 40} {
				q := f.query(t, where)
				q.Limit = limit
				groups := f.plan(t, q)
				may, must := allMay(groups), int64(0)
				if lost := truth.Head(limit).Subtract(may); !lost.Empty() {
					t.Errorf("%s WHERE %s LIMIT %d: rows %v are lost", layout, where, limit, lost)
				}
				for _, g := range groups {
					checkGroup(t, g)
					if g.PastLimit && (must < limit || g.PrunedBy != "") {
						t.Errorf("%s WHERE %s LIMIT %d: row group %d is past the limit after %d rows, pruned by %q", layout, where, limit, g.RowGroup.Index, must, g.PrunedBy)
					}
					must += g.Must.Len()
				}
				if where == "" && may.Len() != min(limit, 20_000) {
					t.Errorf("%s LIMIT %d plans %d rows", layout, limit, may.Len())
				}
			}
		}
	}
}

// TestRestrictions to rows and to row groups.
func TestRestrictions(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, layout := range []string{"sorted", "paged"} {
		f := openFile(t, orders+layout+".parquet")
		for _, where := range []string{"", "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-06-01'"} {
			x := predicate.True()
			if where != "" {
				x, _ = predicate.Parse(where)
			}
			truth := f.matching(t, x)
			for range 20 {
				q := f.query(t, where)
				from := r.Int64N(20_000)
				q.Rows = rowrange.New(rowrange.Range{From: from, To: from + r.Int64N(6000)}, rowrange.Range{From: 19_990, To: 1 << 40})
				if r.IntN(5) == 0 {
					q.Rows = rowrange.Set{}
				}
				q.Groups = []int{0}
				if n := len(f.meta.RowGroups); n > 1 {
					q.Groups = []int{n - 1, r.IntN(n), 0, 0}
				}
				groups := f.plan(t, q)
				var inGroups rowrange.Set
				for _, g := range groups {
					checkGroup(t, g)
					inGroups = inGroups.Union(inFile(g, rowrange.All(g.RowGroup.NumRows)))
				}
				may := allMay(groups)
				if !may.Subtract(q.Rows).Empty() {
					t.Errorf("%s: rows %v were not asked for", layout, may.Subtract(q.Rows))
				}
				if lost := truth.Intersect(q.Rows).Intersect(inGroups).Subtract(may); !lost.Empty() {
					t.Errorf("%s WHERE %s, rows %v, row groups %v: rows %v are lost", layout, where, q.Rows, q.Groups, lost)
				}
				seen := map[int]bool{}
				for _, g := range groups {
					if seen[g.RowGroup.Index] {
						t.Errorf("row group %d is planned twice", g.RowGroup.Index)
					}
					seen[g.RowGroup.Index] = true
				}
			}
		}
	}
}

// TestUnknownRowGroups are an error, none at all are not.
func TestUnknownRowGroups(t *testing.T) {
	f := openFile(t, orders+"sorted.parquet")
	for _, groups := range [][]int{{10}, {-1}, {0, 99}} {
		q := f.query(t, "")
		q.Groups = groups
		if _, err := plan.New(q); err == nil {
			t.Errorf("row groups %v were accepted", groups)
		}
	}
	q := f.query(t, "")
	q.Groups = []int{}
	if groups := f.plan(t, q); len(groups) != 0 {
		t.Errorf("%d row groups", len(groups))
	}
}
