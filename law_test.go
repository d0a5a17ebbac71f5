package pare_test

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// whole is a fixture read once without any predicate: the truth that selective
// scans are held against. That its values are right is the oracle module's to
// check.
type whole struct {
	schema  *metadata.Schema
	columns []*metadata.Column
	rows    table
	samples map[*metadata.Column][]metadata.Value
}

var wholes sync.Map // file name → *whole

func readWhole(t testing.TB, name string) *whole {
	t.Helper()
	if w, ok := wholes.Load(name); ok {
		return w.(*whole)
	}
	f, src := openCounted(t, name, pare.Options{})
	p, err := f.Plan(t.Context(), pare.Query{})
	if err != nil {
		t.Fatal(err)
	}
	w := &whole{schema: f.Metadata().Schema, columns: f.Metadata().Schema.Columns}
	w.rows, _ = collect(t, p, src)
	w.sample(t, name, f.Metadata())
	wholes.Store(name, w)
	return w
}

// sample keeps the values of every column, row by row, nulls left out.
func (w *whole) sample(t testing.TB, name string, meta *metadata.File) {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	w.samples = map[*metadata.Column][]metadata.Value{}
	for _, g := range meta.RowGroups {
		for _, col := range w.columns {
			c, err := g.Chunk(col)
			if err != nil {
				t.Fatal(err)
			}
			r, err := column.Walk(c, g.NumRows, b[c.Pages.Offset:c.Pages.End()], column.Options{MaxPageBytes: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			v := column.NewVector(col)
			if err := r.Append(v, 0, g.NumRows); err != nil {
				t.Fatal(err)
			}
			for i := range v.Rows {
				if v.IsValid(i) {
					w.samples[col] = append(w.samples[col], v.Value(i))
				}
			}
		}
	}
}

// drawLeaf draws a condition on a column, with literals at and beside values
// that occur.
func (w *whole) drawLeaf(t *rapid.T) predicate.Expr {
	col := rapid.SampledFrom(w.columns).Draw(t, "column")
	c := predicate.Col(col.Name)
	vs := w.samples[col]
	if len(vs) == 0 || col.Order == metadata.OrderNone {
		if rapid.Bool().Draw(t, "not") {
			return c.IsNotNull()
		}
		return c.IsNull()
	}
	value := func(name string) any {
		return goValue(col, vs[rapid.IntRange(0, len(vs)-1).Draw(t, name)], rapid.IntRange(-1, 1).Draw(t, "beside"))
	}
	switch rapid.IntRange(0, 10).Draw(t, "kind") {
	case 0:
		return c.Eq(value("v"))
	case 1:
		return c.Ne(value("v"))
	case 2:
		return c.Lt(value("v"))
	case 3:
		return c.Le(value("v"))
	case 4:
		return c.Gt(value("v"))
	case 5:
		return c.Ge(value("v"))
	case 6:
		return c.Between(value("lo"), value("hi"))
	case 7:
		return c.In(value("a"), value("b"), value("c"), nil)
	case 8:
		return c.IsNull()
	case 9:
		if col.Order == metadata.OrderBytes && col.Logical.Kind != metadata.UUID {
			v := vs[rapid.IntRange(0, len(vs)-1).Draw(t, "v")].Bytes
			n := rapid.IntRange(0, min(3, len(v))).Draw(t, "prefix")
			return c.Like(string(v[:n]) + "%" + string(v[len(v)-min(len(v)-n, 1):]))
		}
		return c.IsNotNull()
	}
	want := vs[rapid.IntRange(0, len(vs)-1).Draw(t, "v")]
	return c.Func("is", func(v metadata.Value) bool { return v.Compare(want) == 0 })
}

// goValue turns a stored value, moved by a step, into what the builders take.
func goValue(col *metadata.Column, v metadata.Value, step int) any {
	v = shifted(col, v, step)
	switch {
	case v.Order == metadata.OrderFloat:
		return v.Float
	case v.Order == metadata.OrderBytes:
		return v.Bytes
	}
	l := col.Logical
	switch l.Kind {
	case metadata.Date:
		return time.Unix(v.Int*86400, 0)
	case metadata.Timestamp:
		per := l.Unit.PerSecond()
		s := v.Int / per
		return time.Unix(s, (v.Int-s*per)*(1e9/per))
	case metadata.Time:
		return time.Unix(0, v.Int*(1e9/l.Unit.PerSecond())).UTC().Format("15:04:05.999999999")
	case metadata.Decimal:
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(l.Scale)), nil)
		return new(big.Rat).SetFrac(v.BigInt(), scale)
	}
	if col.Type == metadata.Boolean {
		return v.Bool()
	}
	return v.BigInt()
}

func shifted(col *metadata.Column, v metadata.Value, step int) metadata.Value {
	switch v.Order {
	case metadata.OrderInt:
		if s := v.Int + int64(step); col.Type != metadata.Boolean && (s < v.Int) == (step < 0) && col.Int32(int32(s)) == s {
			return metadata.IntValue(s)
		}
	case metadata.OrderFloat:
		return metadata.FloatValue(v.Float + float64(step))
	}
	return v
}

func (w *whole) drawTree(t *rapid.T, depth int) predicate.Expr {
	if depth == 0 {
		return w.drawLeaf(t)
	}
	switch rapid.IntRange(0, 4).Draw(t, "node") {
	case 0:
		return predicate.And(w.drawTree(t, depth-1), w.drawTree(t, depth-1))
	case 1:
		return predicate.Or(w.drawTree(t, depth-1), w.drawTree(t, depth-1))
	case 2:
		return predicate.Not(w.drawTree(t, depth-1))
	}
	return w.drawLeaf(t)
}

// drawQuery draws options that must not change the answer, and restrictions
// that change it in a known way.
func drawQuery(t *rapid.T, rows int64) (pare.Options, pare.Query) {
	opt := pare.Options{
		Gap:         rapid.SampledFrom([]int64{0, -1, 100, 1 << 30}).Draw(t, "gap"),
		Tail:        rapid.SampledFrom([]int64{0, 8, 1000, 1 << 20}).Draw(t, "tail"),
		Concurrency: rapid.IntRange(0, 3).Draw(t, "concurrency"),
	}
	q := pare.Query{
		Skip:       plan.Stages(rapid.IntRange(0, int(plan.AllStages)).Draw(t, "skip")),
		BatchRows:  rapid.SampledFrom([]int{0, 1, 7, 1000}).Draw(t, "batch rows"),
		BatchBytes: rapid.SampledFrom([]int{0, 1, 200}).Draw(t, "batch bytes"),
		Threads:    rapid.IntRange(0, 3).Draw(t, "threads"),
		RowNumbers: "row number",
	}
	if rapid.Bool().Draw(t, "restricted") {
		from := rapid.Int64Range(0, rows).Draw(t, "from")
		q.Rows = rowrange.Of(from, from+rapid.Int64Range(0, rows).Draw(t, "rows"))
		if q.Rows == nil {
			q.Rows = rowrange.Set{}
		}
	}
	if rapid.Bool().Draw(t, "deletes") {
		from := rapid.Int64Range(0, rows).Draw(t, "deleted")
		q.Exclude = rowrange.New(rowrange.Range{From: from, To: from + 3}, rowrange.Range{From: 0, To: 1})
	}
	return opt, q
}

// TestSelectiveScansEqualFilteredFullReads: random predicates, options and
// restrictions on every fixture return the rows of a full read filtered in
// memory, with their true row numbers.
func TestSelectiveScansEqualFilteredFullReads(t *testing.T) {
	for _, name := range fixtures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			w := readWhole(t, name)
			rapid.Check(t, func(rt *rapid.T) {
				where := w.drawTree(rt, rapid.IntRange(0, 3).Draw(rt, "depth"))
				opt, q := drawQuery(rt, int64(len(w.rows)))
				q.Where = where
				f, src := openCounted(t, name, opt)
				p, err := f.Plan(t.Context(), q)
				if err != nil {
					rt.Fatalf("%v: %v", where, err)
				}
				got, _ := collect(t, p, src)
				want := w.filter(p.Where(), q)
				if !reflect.DeepEqual(got, want) {
					rt.Fatalf("WHERE %v\ntested as %v\n%d rows came, %d are right\n%s", where, p.Where(), len(got), len(want), difference(got, want))
				}
				if t.Failed() {
					rt.Fatalf("WHERE %v: a law is broken", where)
				}
			})
		})
	}
}

func difference(got, want table) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !slices.Equal(got[i], want[i]) {
			at := func(t table) any {
				if i < len(t) {
					return t[i]
				}
				return "nothing"
			}
			return fmt.Sprintf("first difference at row %d of the result: %v, right is %v", i, at(got), at(want))
		}
	}
	return ""
}

// filter evaluates a predicate on the rows of the whole file, one by one.
func (w *whole) filter(where *predicate.Bound, q pare.Query) table {
	var out table
	w.eachMatch(where, q, func(i int, _ map[string]*metadata.Value) {
		out = append(out, append(slices.Clone(w.rows[i]), fmt.Sprintf("%d|", i)))
	})
	return out
}

// filterRows is filter, but for the values of the rows.
func (w *whole) filterRows(where *predicate.Bound, q pare.Query) (out []map[string]*metadata.Value) {
	w.eachMatch(where, q, func(_ int, values map[string]*metadata.Value) { out = append(out, values) })
	return out
}

func (w *whole) eachMatch(where *predicate.Bound, q pare.Query, f func(i int, values map[string]*metadata.Value)) {
	nulls := w.nulls()
	next := map[string]int{} // values of each column that rows have used up
	for i := range w.rows {
		values := map[string]*metadata.Value{}
		for _, col := range w.columns {
			if nulls[col.Name][i] {
				continue
			}
			values[col.Name] = &w.samples[w.column(col.Name)][next[col.Name]]
			next[col.Name]++
		}
		n := int64(i)
		if (q.Rows == nil || q.Rows.Contains(n)) && !q.Exclude.Contains(n) && holds(where.Root, values) {
			f(i, values)
		}
	}
}

func (w *whole) column(name string) *metadata.Column {
	col, _ := w.schema.Lookup(name)
	return col
}

// nulls tells from the full read which values are null.
func (w *whole) nulls() map[string][]bool {
	out := map[string][]bool{}
	for k, col := range w.columns {
		out[col.Name] = make([]bool, len(w.rows))
		for i, row := range w.rows {
			out[col.Name][i] = row[k] == "NULL"
		}
	}
	return out
}

// holds evaluates a bound predicate on one row by the leaves' own tests.
func holds(n predicate.Node, values map[string]*metadata.Value) bool {
	switch n := n.(type) {
	case predicate.Const:
		return bool(n)
	case *predicate.AndNode:
		for _, k := range n.Kids {
			if !holds(k, values) {
				return false
			}
		}
		return true
	case *predicate.OrNode:
		for _, k := range n.Kids {
			if holds(k, values) {
				return true
			}
		}
		return false
	}
	leaf := n.(predicate.Leaf)
	v := values[leaf.Column().Name]
	if v == nil {
		return leaf.TestNull()
	}
	return leaf.Test(*v)
}
