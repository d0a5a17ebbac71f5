package pare_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
		var wrong []plan.Stages // sets of rungs with other rows
		first := ""
		for skip := range plan.AllStages + 1 {
			for _, opt := range []pare.Options{{}, exact} {
				rows, r, err := rowNumbers(t, data, opt, pare.Query{Where: expr, Skip: skip})
				if err != nil || !slices.Equal(rows, q.want) {
					wrong = append(wrong, skip)
					if first == "" {
						first = fmt.Sprintf("rows %s, right are %s, error %v%s", few(rows), few(q.want), err, prunedBy(r))
					}
				} else if skip == 0 && q.groups >= 0 && r.RowGroups.Read != q.groups {
					t.Errorf("WHERE %s: %d row groups read, want %d%s", q.where, r.RowGroups.Read, q.groups, prunedBy(r))
				}
			}
		}
		if first != "" {
			t.Errorf("WHERE %s, skip %v: %s", q.where, slices.Compact(wrong), first)
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

// TestKindsNamesWhatExists: every test and file that docs/KINDS.md names is there.
func TestKindsNamesWhatExists(t *testing.T) {
	doc, err := os.ReadFile("docs/KINDS.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(b, -1) {
			declared[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllSubmatch(doc, -1) {
		name := string(m[1])
		named[name] = true
		if _, err := os.Stat(name); err != nil && !declared[name] && name != "TestKind…" {
			t.Errorf("there is no %s", name)
		}
	}
	for name := range declared {
		if strings.HasPrefix(name, "TestKind") && !named[name] && name != "TestKindsNamesWhatExists" {
			t.Errorf("%s is not in docs/KINDS.md", name)
		}
	}
}
