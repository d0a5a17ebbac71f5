package pare_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

// kindQuery is a condition and the rows of the file that it is true of.
type kindQuery struct {
	where  string
	expr   predicate.Expr // instead of where
	want   []int64
	groups int // row groups read by default; -1 is not asked
}

func rowsWhere(where string, want ...int64) kindQuery {
	return kindQuery{where: where, want: want, groups: -1}
}

func rowsOf(expr predicate.Expr, want ...int64) kindQuery {
	return kindQuery{where: fmt.Sprint(expr), expr: expr, want: want, groups: -1}
}

// reads says how many row groups are read.
func (q kindQuery) reads(groups int) kindQuery {
	q.groups = groups
	return q
}

// upTo lists the numbers below n from from.
func upTo(from, n int64) (out []int64) {
	for i := from; i < n; i++ {
		out = append(out, i)
	}
	return out
}

// check runs the queries at every set of rungs; the rows are always the same.
func (f kindFile) check(t *testing.T, queries ...kindQuery) {
	t.Helper()
	checkKind(t, f.bytes(), queries...)
}

func checkKind(t *testing.T, data []byte, queries ...kindQuery) {
	t.Helper()
	for _, q := range queries {
		expr := q.expr
		if expr == nil {
			var err error
			if expr, err = predicate.Parse(q.where); err != nil {
				t.Errorf("%s: %v", q.where, err)
				continue
			}
		}
		for skip := range plan.AllStages + 1 {
			for _, opt := range []pare.Options{{}, exact} {
				rows, r, err := rowNumbers(t, data, opt, pare.Query{Where: expr, Skip: skip})
				if err != nil {
					t.Errorf("WHERE %s, skip %d: %v", q.where, skip, err)
					continue
				}
				if !slices.Equal(rows, q.want) {
					t.Errorf("WHERE %s, skip %d: rows %s, right are %s%s", q.where, skip, few(rows), few(q.want), prunedBy(r))
				}
				if skip == 0 && q.groups >= 0 && r.RowGroups.Read != q.groups {
					t.Errorf("WHERE %s: %d row groups read, want %d%s", q.where, r.RowGroups.Read, q.groups, prunedBy(r))
				}
			}
		}
	}
}

func few(rows []int64) string {
	if len(rows) > 20 {
		return fmt.Sprintf("%v… (%d)", rows[:20], len(rows))
	}
	return fmt.Sprint(rows)
}

// prunedBy tells the steps that dropped rows, or that nothing did.
func prunedBy(r report.Receipt) string {
	var b strings.Builder
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "\n    row group %d, %s, asked %v: %d → %d rows: %s", s.RowGroup, s.Stage, s.Asked, s.RowsBefore, s.RowsAfter, s.Reason)
	}
	for _, d := range r.Doubts {
		fmt.Fprintf(&b, "\n    doubt %+v", d)
	}
	if b.Len() > 1500 {
		return b.String()[:1500] + "…"
	}
	return b.String()
}

// rowNumbers runs a query and returns the numbers of its rows.
func rowNumbers(t *testing.T, data []byte, opt pare.Options, q pare.Query) (rows []int64, r report.Receipt, err error) {
	t.Helper()
	f, src := openBytes(t, "crafted", data, opt)
	q.RowNumbers = "number of the row"
	p, err := f.Plan(t.Context(), q)
	if err != nil {
		return nil, r, err
	}
	planned := p.Receipt()
	s := p.Scan(t.Context())
	for batch, err := range s.Batches() {
		if err != nil {
			return nil, s.Receipt(), err
		}
		col := batch.Column(int(batch.NumCols()) - 1)
		for i := range int(batch.NumRows()) {
			n, err := strconv.ParseInt(col.ValueStr(i), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, n)
		}
		batch.Release()
	}
	r = s.Receipt()
	checkLaws(t, r, planned, src)
	return rows, r, nil
}

// corpusFile reads a file of the corpus that PARE_CORPUS names.
func corpusFile(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("PARE_CORPUS")
	if dir == "" {
		t.Skip("PARE_CORPUS does not name the corpus")
	}
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
