package plan_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

const orders = "../cmd/pare/orders/orders-"

// file is a Parquet file in memory.
type file struct {
	name string
	data []byte
	meta *metadata.File
	open *pare.File
}

func openFile(t testing.TB, name string) *file {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := pare.Open(t.Context(), source.Memory(b), pare.Options{Name: filepath.Base(name)})
	if err != nil {
		t.Fatal(err)
	}
	return &file{name, b, f.Metadata(), f}
}

// fixtures lists the files that laws are checked on.
func fixtures(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("../testdata/fixtures/*.parquet")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	more, err := filepath.Glob(orders + "*.parquet")
	if err != nil || len(more) == 0 {
		t.Fatalf("no orders: %v", err)
	}
	return append(names, more...)
}

// bind parses and binds a predicate; "" holds always.
func (f *file) bind(t testing.TB, where string) *predicate.Bound {
	t.Helper()
	var x predicate.Expr
	if where != "" {
		var err error
		if x, err = predicate.Parse(where); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
	}
	b, err := predicate.Bind(x, f.meta.Schema)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	return b
}

// query asks for the first flat column besides what the predicate tests.
func (f *file) query(t testing.TB, where string) *plan.Query {
	q := &plan.Query{File: f.meta, Where: f.bind(t, where), Limit: -1}
	for _, c := range f.meta.Schema.Columns {
		if c.Flat() && c.Problem == "" {
			q.Output = []*metadata.Column{c}
			break
		}
	}
	return q
}

// blocks answers for what was asked for, and for nothing else. Some extents
// may be answered with other bytes than the file's.
type blocks struct {
	data  []byte
	asked map[metadata.Extent]bool
	other map[metadata.Extent][]byte
}

func (b blocks) Get(e metadata.Extent) ([]byte, bool) {
	if !b.asked[e] {
		return nil, false
	}
	if p, ok := b.other[e]; ok {
		return p, true
	}
	return b.data[e.Offset:e.End()], true
}

// climb plans a query as a scan does, at most one round of requests for each
// stage that needs bytes.
func (f *file) climb(t testing.TB, q *plan.Query, change func(groups []*plan.Group), other map[metadata.Extent][]byte) (*plan.Planner, error) {
	t.Helper()
	p, err := plan.New(q)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(p.Groups())
	}
	var have metadata.Bytes
	for round := 0; ; round++ {
		need, err := p.Next(have)
		if err != nil || len(need) == 0 {
			return p, err
		}
		if round > 4 {
			t.Fatal("the ladder does not end")
		}
		asked := map[metadata.Extent]bool{}
		for _, e := range need {
			if k := e.Piece.Kind; k == metadata.PiecePage || k == metadata.PieceChunk || k == metadata.PieceFooter {
				t.Errorf("a plan asks for %v", e)
			}
			if e.Offset < 0 || e.Length <= 0 || e.End() > f.meta.Size {
				t.Errorf("a plan asks for %v in a file of %d bytes", e, f.meta.Size)
			}
			asked[e] = true
		}
		have = blocks{f.data, asked, other}
	}
}

func (f *file) plan(t testing.TB, q *plan.Query) []*plan.Group {
	t.Helper()
	p, err := f.climb(t, q, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.Groups()
}

// inFile counts a row group's rows from the file's first.
func inFile(g *plan.Group, rows rowrange.Set) rowrange.Set { return rows.Shift(g.RowGroup.FirstRow) }

// allMay is the rows of the file that may match.
func allMay(groups []*plan.Group) (may rowrange.Set) {
	for _, g := range groups {
		may = may.Union(inFile(g, g.May))
	}
	return may
}

// matching is the truth: the rows of the file that match, found by reading
// all of them.
func (f *file) matching(t testing.TB, where predicate.Expr) (rows rowrange.Set) {
	t.Helper()
	s, err := f.open.Scan(t.Context(), pare.Query{Select: []string{}, Where: where, RowNumbers: "row", Skip: plan.AllStages})
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range int64s(batch.Column(0)) {
			rows = rows.Append(n, n+1)
		}
		batch.Release()
	}
	return rows
}

func int64s(a arrow.Array) []int64 { return a.(*array.Int64).Int64Values() }

// sample returns some values of a column, as text of the dialect.
func (f *file) sample(t testing.TB, col *metadata.Column) (texts []string) {
	t.Helper()
	if col.Order == metadata.OrderNone {
		return nil
	}
	seen := map[string]bool{}
	n := 0
	keep := func(v metadata.Value) bool {
		if n++; n%97 == 1 && len(texts) < 12 {
			if s := predicate.FormatValue(col, v); !seen[s] {
				seen[s] = true
				texts = append(texts, s)
			}
		}
		return false
	}
	s, err := f.open.Scan(t.Context(), pare.Query{Select: []string{}, Where: predicate.Col(col.Name).Func("keep", keep), Threads: 1, Skip: plan.AllStages})
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	return texts
}

// chunkOf returns the chunk of a column that a plan reads.
func chunkOf(t testing.TB, g *plan.Group, name string) *plan.Chunk {
	t.Helper()
	i := slices.IndexFunc(g.Chunks(), func(c *plan.Chunk) bool { return c.Column.Name == name })
	if i < 0 {
		t.Fatalf("no chunk of %s", name)
	}
	return g.Chunks()[i]
}
