package pare_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// whole is a file read once without any predicate: the truth that selective
// scans are held against. That its values are right is the oracle module's to
// check.
type whole struct {
	data    []byte
	schema  *metadata.Schema
	columns []*metadata.Column                    // those in no list, each of a name of its own
	place   map[string]int                        // of a name in columns
	rows    table                                 // by row, then by place
	cells   [][]*metadata.Value                   // by place, then by row; nil is NULL
	samples map[*metadata.Column][]metadata.Value // the values of cells that are not null
}

var wholes sync.Map // file name → *whole

func readWhole(t testing.TB, name string) *whole {
	t.Helper()
	if w, ok := wholes.Load(name); ok {
		return w.(*whole)
	}
	w, err := loadWhole(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	wholes.Store(name, w)
	return w
}

func loadWhole(ctx context.Context, name string) (*whole, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := pare.Open(ctx, source.Memory(data), pare.Options{})
	if err != nil {
		return nil, err
	}
	w := &whole{data: data, schema: f.Metadata().Schema, place: map[string]int{}, samples: map[*metadata.Column][]metadata.Value{}}
	for _, col := range w.schema.Columns {
		if found, _ := w.schema.Lookup(col.Name); found == col && !col.Repeated() {
			w.place[col.Name] = len(w.columns)
			w.columns = append(w.columns, col)
		}
	}
	if err := w.read(ctx, f); err != nil {
		return nil, err
	}
	return w, w.decode(f.Metadata())
}

// read keeps the text of every cell, unless there is much of it: some small
// files hold gigabytes.
func (w *whole) read(ctx context.Context, f *pare.File) error {
	const most = 64 << 20
	s, err := f.Scan(ctx, pare.Query{Select: w.names(), BatchBytes: 1 << 20, Threads: 1})
	if err != nil {
		return err
	}
	text := 0
	for batch, err := range s.Batches() {
		if err != nil {
			return err
		}
		from := len(w.rows)
		w.rows = appendBatch(w.rows, batch)
		batch.Release()
		for _, row := range w.rows[from:] {
			for _, cell := range row {
				text += len(cell)
			}
		}
		if text > most {
			return fmt.Errorf("more than %d bytes of text", most)
		}
	}
	return nil
}

func (w *whole) names() []string {
	out := make([]string, len(w.columns))
	for i, col := range w.columns {
		out[i] = col.Name
	}
	return out
}

// decode keeps the values of every column. The full read must have found null
// what is null here.
func (w *whole) decode(meta *metadata.File) error {
	w.cells = make([][]*metadata.Value, len(w.columns))
	for place, col := range w.columns {
		for _, g := range meta.RowGroups {
			c, err := g.Chunk(col)
			if err != nil {
				return err
			}
			r, err := column.Walk(c, g.NumRows, w.data[c.Pages.Offset:c.Pages.End()], column.Options{MaxPageBytes: 1 << 30})
			if err != nil {
				return err
			}
			v := column.NewVector(col)
			if err := r.Append(v, 0, g.NumRows); err != nil {
				return err
			}
			for i := range v.Rows {
				var cell *metadata.Value
				if v.IsValid(i) {
					value := v.Value(i)
					cell = &value
					w.samples[col] = append(w.samples[col], value)
				}
				row := len(w.cells[place])
				if row >= len(w.rows) || (w.rows[row][place] == "NULL") != (cell == nil) {
					return fmt.Errorf("column %s, row %d: the full read and its decoder disagree about NULL", col.Name, row)
				}
				w.cells[place] = append(w.cells[place], cell)
			}
		}
	}
	return nil
}

// matching lists the rows for which a predicate is true, of all in the file.
func (w *whole) matching(where *predicate.Bound) (out []int64) {
	for i := range w.rows {
		if w.holds(where.Root, i) {
			out = append(out, int64(i))
		}
	}
	return out
}

// holds evaluates a bound predicate on one row by the leaves' own tests.
func (w *whole) holds(n predicate.Node, row int) bool {
	switch n := n.(type) {
	case predicate.Const:
		return bool(n)
	case *predicate.AndNode:
		for _, k := range n.Kids {
			if !w.holds(k, row) {
				return false
			}
		}
		return true
	case *predicate.OrNode:
		for _, k := range n.Kids {
			if w.holds(k, row) {
				return true
			}
		}
		return false
	}
	leaf := n.(predicate.Leaf)
	v := w.cells[w.place[leaf.Column().Name]][row]
	if v == nil {
		return leaf.TestNull()
	}
	return leaf.Test(*v)
}

// restricted keeps the rows that a query does not leave out by their numbers.
func restricted(rows []int64, q pare.Query) (out []int64) {
	for _, n := range rows {
		if (q.Rows == nil || q.Rows.Contains(n)) && !q.Exclude.Contains(n) {
			out = append(out, n)
		}
	}
	return out
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
