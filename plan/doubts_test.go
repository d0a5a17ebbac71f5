package plan_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

func list(b []byte, id, typ byte, n int) []byte {
	b = append(b, id<<4|9, 0xf0|typ)
	return binary.AppendUvarint(b, uint64(n))
}

// offsetIndex writes an offset index in the Thrift compact protocol.
func offsetIndex(x *metadata.OffsetIndex) []byte {
	b := list(nil, 1, 12, len(x.Pages))
	for _, p := range x.Pages {
		b = binary.AppendVarint(append(b, 0x16), p.Offset)
		b = binary.AppendVarint(append(b, 0x15), p.Length)
		b = append(binary.AppendVarint(append(b, 0x16), p.FirstRow), 0)
	}
	return append(b, 0)
}

// columnIndex writes a column index.
func columnIndex(x *metadata.ColumnIndex) []byte {
	b := list(nil, 1, 1, len(x.NullPages))
	for _, n := range x.NullPages {
		if n {
			b = append(b, 1)
		} else {
			b = append(b, 2)
		}
	}
	for _, vs := range [][][]byte{x.Min, x.Max} {
		b = list(b, 1, 8, len(vs))
		for _, v := range vs {
			b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
		}
	}
	b = binary.AppendVarint(append(b, 0x15), int64(x.Order))
	if x.NullCounts != nil {
		b = list(b, 1, 6, len(x.NullCounts))
		for _, n := range x.NullCounts {
			b = binary.AppendVarint(b, n)
		}
	}
	return append(b, 0)
}

// indexes returns the indexes of a column of the first row group.
func (f *file) indexes(t testing.TB, name string) (*metadata.Chunk, *metadata.OffsetIndex, *metadata.ColumnIndex) {
	t.Helper()
	col, _ := f.meta.Schema.Lookup(name)
	c, err := f.meta.RowGroups[0].Chunk(col)
	if err != nil {
		t.Fatal(err)
	}
	ox, err := metadata.ParseOffsetIndex(f.data[c.OffsetIndex.Offset:c.OffsetIndex.End()])
	if err != nil {
		t.Fatal(err)
	}
	cx, err := metadata.ParseColumnIndex(f.data[c.ColumnIndex.Offset:c.ColumnIndex.End()])
	if err != nil {
		t.Fatal(err)
	}
	return c, ox, cx
}

// fault is a change of a column's indexes.
type fault struct {
	what   string // the doubt's subject; "" if there is none
	change func(c *metadata.Chunk, o *metadata.OffsetIndex, x *metadata.ColumnIndex)
}

var faults = map[string]fault{
	"the first row is not 0": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[0].FirstRow = 1 }},
	"negative rows":          {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[0].FirstRow = -5 }},
	"rows that decrease":     {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[4].FirstRow = 1 }},
	"rows beyond the row group": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) {
		o.Pages[len(o.Pages)-1].FirstRow = 20_001
	}},
	"pages that overlap": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[3].Length++ }},
	"pages in another order": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) {
		o.Pages[3].Offset, o.Pages[4].Offset = o.Pages[4].Offset, o.Pages[3].Offset
	}},
	"a page before the chunk": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[0].Offset = 3 }},
	"a page behind the chunk": {"offset index", func(c *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) {
		o.Pages[len(o.Pages)-1].Length = c.Pages.Length + 1
	}},
	"an offset near 2⁶³": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) {
		o.Pages[len(o.Pages)-1].Offset = 1<<63 - 10
	}},
	"a page of no bytes":    {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[2].Length = 0 }},
	"a page of minus bytes": {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages[2].Length = -7 }},
	"no page":               {"offset index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) { o.Pages = nil }},
	"a page fewer": {"column index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) {
		o.Pages = o.Pages[:len(o.Pages)-1]
	}},
	"minima too few": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) { x.Min = x.Min[1:] }},
	"maxima too many": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.Max = append(x.Max, x.Max[0])
	}},
	"null pages too few": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.NullPages = x.NullPages[1:]
	}},
	"null counts too few": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.NullCounts = make([]int64, len(x.Min)-1)
	}},
	"null pages against null counts": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.NullCounts = make([]int64, len(x.Min))
		x.NullPages[3] = true
	}},
}

// nullFaults are faults of an optional column: nobody asks for the null counts
// of a required one.
var nullFaults = map[string]fault{
	"null counts against bounds": {"column index", func(_ *metadata.Chunk, o *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.NullCounts = make([]int64, len(x.Min))
		x.NullCounts[3] = o.Pages[4].FirstRow - o.Pages[3].FirstRow
	}},
	"more nulls than rows": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.NullCounts = slices.Repeat([]int64{1 << 40}, len(x.Min))
	}},
	"negative nulls": {"column index", func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
		x.NullCounts = slices.Repeat([]int64{-1}, len(x.Min))
	}},
}

// TestFaultyIndexes: an index that contradicts itself prunes nothing by its
// column, is named, loses no row, and is an error under Strict.
func TestFaultyIndexes(t *testing.T) {
	for _, where := range []string{"order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'", "order_date < DATE '2024-01-03'", "order_date > DATE '2024-12-30'"} {
		for name, k := range faults {
			f := openFile(t, orders+"paged.parquet")
			c, o, x := f.indexes(t, "order_date")
			k.change(c, o, x)
			other := map[metadata.Extent][]byte{c.OffsetIndex: offsetIndex(o), c.ColumnIndex: columnIndex(x)}
			checkDoubt(t, f, name, "order_date", where, k.what, other)
		}
	}
	for _, where := range []string{"note IS NULL", "note IS NOT NULL", "note < 'h'"} {
		for name, k := range nullFaults {
			f := openFile(t, orders+"paged.parquet")
			c, o, x := f.indexes(t, "note")
			k.change(c, o, x)
			checkDoubt(t, f, name, "note", where, k.what, map[metadata.Extent][]byte{c.ColumnIndex: columnIndex(x)})
		}
	}
}

// TestUnreadableIndexes: bytes that are no index at all, and every beginning
// of one.
func TestUnreadableIndexes(t *testing.T) {
	where := "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"
	f := openFile(t, orders+"paged.parquet")
	c, o, x := f.indexes(t, "order_date")
	for name, b := range map[string][]byte{"zeros": make([]byte, 40), "ones": bytes.Repeat([]byte{0xff}, 40), "cut": offsetIndex(o)[:50]} {
		checkDoubt(t, f, name, "order_date", where, "offset index", map[metadata.Extent][]byte{c.OffsetIndex: b})
	}
	whole := columnIndex(x)
	for n := 1; n < len(whole); n += 7 {
		checkDoubt(t, f, "cut", "order_date", where, "column index", map[metadata.Extent][]byte{c.ColumnIndex: whole[:n]})
	}
}

// checkDoubt plans over changed indexes of a column.
func checkDoubt(t *testing.T, f *file, name, column, where, what string, other map[metadata.Extent][]byte) {
	t.Helper()
	x, err := predicate.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.climb(t, f.query(t, where), nil, other)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	g := p.Groups()[0]
	checkGroup(t, g)
	if !g.May.Equal(rowrange.All(20_000)) || !g.Must.Empty() {
		t.Errorf("%s: may %v, must %v", name, g.May, g.Must)
	}
	if lost := f.matching(t, x).Subtract(g.May); !lost.Empty() {
		t.Errorf("%s: rows %v are lost", name, lost)
	}
	if len(g.Doubts) != 1 || g.Doubts[0].What != what || g.Doubts[0].Column != column || g.Doubts[0].Why == "" || strings.Contains(g.Doubts[0].Why, "\n") {
		t.Errorf("%s: doubts %+v", name, g.Doubts)
	}
	q := f.query(t, where)
	q.Strict = true
	var fe *metadata.FormatError
	if _, err := f.climb(t, q, nil, other); !errors.As(err, &fe) || !strings.Contains(err.Error(), what+" of column "+column+" in row group 0") {
		t.Errorf("%s, strict: %v", name, err)
	}
}

// TestIndexesOfOutputColumns: a faulty offset index of a column that is only
// returned costs bytes, and the filter column still prunes.
func TestIndexesOfOutputColumns(t *testing.T) {
	where := "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"
	f := openFile(t, orders+"paged.parquet")
	c, o, _ := f.indexes(t, "order_id")
	o.Pages[2].FirstRow = 0
	p, err := f.climb(t, f.query(t, where), nil, map[metadata.Extent][]byte{c.OffsetIndex: offsetIndex(o)})
	if err != nil {
		t.Fatal(err)
	}
	g := p.Groups()[0]
	if id := chunkOf(t, g, "order_id"); g.May.Len() != 1024 || id.Index != nil || len(id.Extents(20_000, g.May)) != 1 || id.Extents(20_000, g.May)[0] != id.Pages {
		t.Errorf("may %v, index %v", g.May, id.Index)
	}
	if len(g.Doubts) != 1 || g.Doubts[0].Column != "order_id" {
		t.Errorf("doubts %+v", g.Doubts)
	}
}

// TestHarmlessIndexes: what is unusual but not wrong still prunes, without a
// doubt.
func TestHarmlessIndexes(t *testing.T) {
	where := "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"
	for name, change := range map[string]func(c *metadata.Chunk, o *metadata.OffsetIndex, x *metadata.ColumnIndex){
		"nothing": func(*metadata.Chunk, *metadata.OffsetIndex, *metadata.ColumnIndex) {},
		"sizes without the page headers": func(_ *metadata.Chunk, o *metadata.OffsetIndex, _ *metadata.ColumnIndex) {
			for i := range o.Pages {
				o.Pages[i].Length -= 20
			}
		},
		"no null counts": func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) { x.NullCounts = nil },
		"a boundary order that lies": func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) {
			x.Order = metadata.Descending
		},
		"an unknown boundary order": func(_ *metadata.Chunk, _ *metadata.OffsetIndex, x *metadata.ColumnIndex) { x.Order = 77 },
	} {
		f := openFile(t, orders+"paged.parquet")
		c, o, x := f.indexes(t, "order_date")
		change(c, o, x)
		p, err := f.climb(t, f.query(t, where), nil, map[metadata.Extent][]byte{c.OffsetIndex: offsetIndex(o), c.ColumnIndex: columnIndex(x)})
		if err != nil {
			t.Fatal(err)
		}
		g := p.Groups()[0]
		checkGroup(t, g)
		if !g.May.Equal(rowrange.Of(3072, 4096)) || len(g.Doubts) != 0 {
			t.Errorf("%s: may %v, doubts %+v", name, g.May, g.Doubts)
		}
		d := chunkOf(t, g, "order_date")
		for i := range d.Index.Pages {
			if i > 0 && d.Index.Pages[i-1].Offset+d.Index.Pages[i-1].Length != d.Index.Pages[i].Offset || d.PageExtent(i).End() > d.Pages.End() {
				t.Errorf("%s: page %d is %+v", name, i, d.Index.Pages[i])
			}
		}
	}
}

// TestUnknownNullCounts: without null counts no page is known to hold a null,
// or to hold none.
func TestUnknownNullCounts(t *testing.T) {
	for _, where := range []string{"note IS NULL", "note IS NOT NULL", "note >= ''"} {
		f := openFile(t, orders+"paged.parquet")
		c, o, x := f.indexes(t, "note")
		x.NullCounts = nil
		p, err := f.climb(t, f.query(t, where), nil, map[metadata.Extent][]byte{c.OffsetIndex: offsetIndex(o), c.ColumnIndex: columnIndex(x)})
		if err != nil {
			t.Fatal(err)
		}
		if g := p.Groups()[0]; !g.May.Equal(rowrange.All(20_000)) || !g.Must.Empty() {
			t.Errorf("%s: may %v, must %v", where, g.May, g.Must)
		}
	}
}

// TestIndexesOutsideTheFile are doubted and not asked for.
func TestIndexesOutsideTheFile(t *testing.T) {
	where := "order_date < DATE '2024-01-03'"
	for name, change := range map[string]func(e *metadata.Extent){
		"behind the end":  func(e *metadata.Extent) { e.Offset = 1 << 50 },
		"before the file": func(e *metadata.Extent) { e.Offset = -e.Length },
		"too long":        func(e *metadata.Extent) { e.Length = 1 << 30 },
		"in the magic":    func(e *metadata.Extent) { e.Offset = 0 },
		"near 2⁶³":        func(e *metadata.Extent) { e.Offset = 1<<63 - 1 },
	} {
		for _, which := range []string{"column index", "offset index"} {
			f := openFile(t, orders+"paged.parquet")
			p, err := f.climb(t, f.query(t, where), func(gs []*plan.Group) {
				c := chunkOf(t, gs[0], "order_date")
				if which == "column index" {
					change(&c.ColumnIndex)
				} else {
					change(&c.OffsetIndex)
				}
			}, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			g := p.Groups()[0]
			if !g.May.Equal(rowrange.All(20_000)) || len(g.Doubts) != 1 || g.Doubts[0].What != which {
				t.Errorf("%s %s: may %v, doubts %+v", which, name, g.May, g.Doubts)
			}
		}
	}
	// A negative length is nobody's: it must not be looked up either.
	for _, length := range []int64{-1, -1 << 31} {
		f := openFile(t, orders+"paged.parquet")
		p, err := f.climb(t, f.query(t, where), func(gs []*plan.Group) {
			c := chunkOf(t, gs[0], "order_date")
			c.OffsetIndex.Length, c.ColumnIndex.Length = length, length
		}, nil)
		if err != nil || !p.Groups()[0].May.Equal(rowrange.All(20_000)) {
			t.Errorf("a length of %d: %v", length, err)
		}
	}
}
