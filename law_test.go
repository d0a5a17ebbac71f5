package pare_test

import (
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

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
	if col.Type == metadata.Int96 { // its values count microseconds
		return time.UnixMicro(v.Int)
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
func (w *whole) drawQuery(t *rapid.T) (pare.Options, source.Hints, pare.Query) {
	rows := int64(len(w.rows))
	opt := pare.Options{
		Gap:         rapid.SampledFrom([]int64{0, -1, 100, 1 << 30}).Draw(t, "gap"),
		Tail:        rapid.SampledFrom([]int64{0, 8, 1000, 1 << 20}).Draw(t, "tail"),
		Concurrency: rapid.IntRange(0, 3).Draw(t, "concurrency"),
	}
	q := pare.Query{
		Select:     []string{},
		Skip:       plan.Stages(rapid.IntRange(0, int(plan.AllStages)).Draw(t, "skip")),
		Limit:      rapid.SampledFrom([]int64{0, 0, 0, 1, 3, rows / 2}).Draw(t, "limit"),
		BatchRows:  rapid.SampledFrom([]int{0, 1, 7, 1000}).Draw(t, "batch rows"),
		BatchBytes: rapid.SampledFrom([]int{0, 1, 200}).Draw(t, "batch bytes"),
		ReadBytes:  rapid.SampledFrom([]int64{0, 1, 2000, 20_000, 100_000}).Draw(t, "read bytes"),
		Threads:    rapid.IntRange(0, 3).Draw(t, "threads"),
		RowNumbers: "row number",
	}
	if rows > 2000 { // one row a batch would be slow
		q.BatchRows = max(q.BatchRows, 100)
		q.BatchBytes = 0
	}
	if q.Select = w.names(); rapid.IntRange(0, 3).Draw(t, "all columns") > 0 {
		q.Select = rapid.SliceOfN(rapid.SampledFrom(w.names()), 0, 3).Draw(t, "select")
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
	// Where little is allowed, chunks without located pages are streamed from afar, too.
	q.Memory = rapid.SampledFrom([]int64{0, 0, 4 << 10, 64 << 10}).Draw(t, "memory")
	hints := rapid.SampledFrom([]source.Hints{{}, source.LocalHints(), source.RemoteHints(), {Latency: 1, Bandwidth: 1e6}}).Draw(t, "hints")
	return opt, hints, q
}

var (
	lawFiles   = flag.Int("law-files", 40, "files of the corpus on which TestSelectiveScansEqualFilteredFullReads draws predicates")
	lawOptions = flag.Int("law-options", 2, "options and restrictions that it tries of each predicate")
)

// TestSelectiveScansEqualFilteredFullReads: random predicates, options and
// restrictions on every fixture, and on files of the corpus, return the rows of
// a full read filtered in memory, with their true row numbers.
func TestSelectiveScansEqualFilteredFullReads(t *testing.T) {
	var scans, returned atomic.Int64
	t.Run("files", func(t *testing.T) {
		own := fixtures(t)
		for i, name := range append(slices.Clone(own), lawCorpus(t)...) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, err := loadWhole(t.Context(), name)
				if err != nil && i < len(own) {
					t.Fatal(err)
				}
				if err != nil {
					t.Skip(err) // many files of the corpus are damaged on purpose
				}
				if len(w.columns) == 0 {
					t.Skip("all its columns are in lists")
				}
				rapid.Check(t, func(rt *rapid.T) {
					where := w.drawTree(rt, rapid.IntRange(0, 3).Draw(rt, "depth"))
					bound, err := predicate.Bind(where, w.schema)
					if err != nil {
						rt.Fatalf("%v: %v", where, err)
					}
					matching := w.matching(bound)
					for range *lawOptions {
						opt, hints, q := w.drawQuery(rt)
						q.Where = where
						want := restricted(matching, q)
						f, src := w.open(t, opt, hints)
						p, err := f.Plan(t.Context(), q)
						if err != nil {
							rt.Fatalf("%v: %v", where, err)
						}
						got, _ := collect(t, p, src)
						if t.Failed() {
							rt.Fatalf("WHERE %v\n%+v, %+v: a law is broken", where, opt, q)
						}
						scans.Add(1)
						returned.Add(int64(len(got)))
						if difference := w.compare(got, want, q); difference != "" {
							rt.Fatalf("WHERE %v\ntested as %v\n%+v, %+v\n%d rows came, %d match\n%s", where, p.Where(), opt, q, len(got), len(want), difference)
						}
					}
				})
			})
		}
	})
	t.Logf("%d scans returned %d rows", scans.Load(), returned.Load())
}

// lying are files of the corpus whose metadata contradicts their rows, by
// parts of their paths: [pare.File.Verify] names the lies.
var lying = []string{"lying_stats", "h2oai_group_small", "corrupt_stats", "invalid_utf8"}

// lawCorpus samples the files of the corpus that are small enough to be read
// as a whole again and again.
func lawCorpus(t testing.TB) []string {
	corpus := os.Getenv("PARE_CORPUS")
	if corpus == "" {
		t.Log("PARE_CORPUS does not name a corpus: only the fixtures are read")
		return nil
	}
	const mostCells = 200_000
	files := slices.DeleteFunc(corpusFiles(t, corpus), func(name string) bool {
		if slices.ContainsFunc(lying, func(part string) bool { return strings.Contains(name, part) }) {
			return true
		}
		f, err := pare.OpenFile(t.Context(), name, pare.Options{})
		if err != nil {
			return true
		}
		defer f.Close()
		return f.NumRows() > mostCells/int64(max(1, len(f.Metadata().Schema.Columns)))
	})
	rng := rand.New(rand.NewPCG(11, 13))
	rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files[:min(*lawFiles, len(files))]
}

// open opens the file behind a counting source with other costs.
func (w *whole) open(t testing.TB, opt pare.Options, hints source.Hints) (*pare.File, *countingSource) {
	t.Helper()
	src := &countingSource{Source: source.Memory(w.data), hints: hints}
	f, err := pare.Open(t.Context(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f, src
}

// compare names the first difference of a result to the rows that are right.
// Of a limited scan any of them are right, in their order.
func (w *whole) compare(got table, want []int64, q pare.Query) string {
	rows := len(want)
	if q.Limit > 0 {
		rows = min(rows, int(q.Limit))
	}
	if len(got) != rows {
		return fmt.Sprintf("%d rows are right; row numbers %v, of %v", rows, lastCells(got), want)
	}
	next := 0
	for i, row := range got {
		number := row[len(row)-1]
		for q.Limit > 0 && next < len(want) && number != fmt.Sprintf("%d|", want[next]) {
			next++
		}
		if next >= len(want) || number != fmt.Sprintf("%d|", want[next]) {
			return fmt.Sprintf("row %d of the result is row %s of the file; right are %v", i, number, want)
		}
		for k, name := range q.Select {
			if right := w.rows[want[next]][w.place[name]]; row[k] != right {
				return fmt.Sprintf("row %d of the file, column %s: %s, right is %s", want[next], name, row[k], right)
			}
		}
		next++
	}
	return ""
}

func lastCells(rows table) (out []string) {
	for _, row := range rows {
		out = append(out, row[len(row)-1])
	}
	return out
}
