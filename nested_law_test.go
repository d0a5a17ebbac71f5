package pare_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

// text renders a value of the node, as arrayText does; only the leaves in keep,
// nil for all.
func (n *nest) text(v any, keep map[*nest]bool) string {
	if v == nil {
		return "NULL"
	}
	fields := func(v any) string {
		var parts []string
		for i, k := range n.kids {
			if k.has(keep) {
				parts = append(parts, k.name+":"+k.text(v.([]any)[i], keep))
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	switch n.kind {
	case nestLeaf:
		if s, ok := v.(string); ok {
			return fmt.Sprintf("%q", s)
		}
		return fmt.Sprint(v)
	case nestStruct:
		return fields(v)
	}
	var parts []string
	for _, e := range v.([]any) {
		if n.kind == nestMap {
			parts = append(parts, fields(e))
		} else {
			parts = append(parts, n.kids[0].text(e, keep))
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// has reports whether one of the leaves is at or below the node.
func (n *nest) has(keep map[*nest]bool) bool {
	if keep == nil || keep[n] {
		return true
	}
	for _, k := range n.kids {
		if k.has(keep) {
			return true
		}
	}
	return false
}

// nestPart is a node that is in no list, and how to find its value in a row;
// nil where the node, or one that it is in, is null.
type nestPart struct {
	*nest
	path string
	get  func(row []any) any
}

// parts lists the nodes of a file that are in no list.
func (f *nestFile) parts() (out []nestPart) {
	var add func(n *nest, path string, get func(row []any) any)
	add = func(n *nest, path string, get func(row []any) any) {
		out = append(out, nestPart{n, path, get})
		for i, k := range n.kids {
			if n.kind == nestStruct {
				add(k, path+"."+k.name, func(row []any) any {
					if v := get(row); v != nil {
						return v.([]any)[i]
					}
					return nil
				})
			}
		}
	}
	for i, k := range f.root.kids {
		add(k, k.name, func(row []any) any { return row[i] })
	}
	return out
}

// nestColumn is a column of a result: what selects it, and the text of a row.
type nestColumn struct {
	name string
	text func(row []any) string
}

// drawColumn draws a node to select: one in no list, or a leaf anywhere.
func (f *nestFile) drawColumn(t *rapid.T) nestColumn {
	parts := f.parts()
	p := rapid.SampledFrom(parts).Draw(t, "selected")
	var keep map[*nest]bool
	if leaf := rapid.SampledFrom(f.leaves).Draw(t, "leaf"); rapid.Bool().Draw(t, "a leaf") {
		for _, c := range parts { // the innermost that it is in
			if c.has(map[*nest]bool{leaf: true}) {
				p, keep = c, map[*nest]bool{leaf: true}
			}
		}
		p.path = strings.Join(leaf.path, ".")
	}
	return nestColumn{p.path, func(row []any) string { return p.text(p.get(row), keep) }}
}

// drawWhere draws a condition, and which rows it is true of.
func (f *nestFile) drawWhere(t *rapid.T) (predicate.Expr, func(row []any) bool) {
	p := rapid.SampledFrom(f.parts()).Draw(t, "tested")
	c := predicate.Col(p.path)
	least := rapid.Int64Range(-5, 5).Draw(t, "literal")
	switch way := rapid.IntRange(0, 5).Draw(t, "condition"); {
	case way == 0:
		return nil, func([]any) bool { return true }
	case way == 1 && p.kind == nestLeaf && (p.typ == metadata.Int64 || p.typ == metadata.Int32):
		return c.Ge(least), func(row []any) bool { v := p.get(row); return v != nil && v.(int64) >= least }
	case way < 4:
		return c.IsNull(), func(row []any) bool { return p.get(row) == nil }
	}
	return c.IsNotNull(), func(row []any) bool { return p.get(row) != nil }
}

// arrayText renders value i of an array.
func arrayText(a arrow.Array, i int) string {
	if a.IsNull(i) {
		return "NULL"
	}
	switch a := a.(type) {
	case *array.Int64:
		return fmt.Sprint(a.Value(i))
	case *array.Int32:
		return fmt.Sprint(a.Value(i))
	case *array.Float64:
		return fmt.Sprint(a.Value(i))
	case *array.Boolean:
		return fmt.Sprint(a.Value(i))
	case *array.Dictionary:
		return arrayText(a.Dictionary(), a.GetValueIndex(i))
	case *array.String:
		return fmt.Sprintf("%q", a.Value(i))
	case *array.Struct:
		parts := make([]string, a.NumField())
		for k := range parts {
			parts[k] = a.DataType().(*arrow.StructType).Field(k).Name + ":" + arrayText(a.Field(k), i)
		}
		return "{" + strings.Join(parts, " ") + "}"
	case array.ListLike:
		from, to := a.ValueOffsets(i)
		var parts []string
		for k := from; k < to; k++ {
			parts = append(parts, arrayText(a.ListValues(), int(k)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprintf("%s|", a.ValueStr(i)) // of types that random files do not have
}

func rowText(batch arrow.RecordBatch, i int) string {
	parts := make([]string, batch.NumCols())
	for c := range parts {
		parts[c] = arrayText(batch.Column(c), i)
	}
	return strings.Join(parts, " ")
}

// nestScan reads rows of a file's columns and returns their texts.
func nestScan(t testing.TB, data []byte, opt pare.Options, q pare.Query) (out []string) {
	t.Helper()
	f, src := openBytes(t, "nested", data, opt)
	p, err := f.Plan(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	planned := p.Receipt()
	s := p.Scan(t.Context())
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(batch.NumRows()) {
			out = append(out, rowText(batch, i))
		}
		batch.Release()
	}
	checkLaws(t, s.Receipt(), planned, src)
	return out
}

// nestedLaw holds random selections of a random file against what was written.
func nestedLaw(t *testing.T, rt *rapid.T, most int) {
	f := drawNestFile(rt, most)
	rows := int64(len(f.rows))
	var everything []nestColumn
	for i, k := range f.root.kids {
		everything = append(everything, nestColumn{"", func(row []any) string { return k.text(row[i], nil) }})
	}
	check := func(rows rowrange.Set, columns []nestColumn, holds func(row []any) bool, q pare.Query) {
		q.Rows, q.RowNumbers = rows, "row number"
		var want []string
		for _, r := range rows {
			for i := r.From; i < r.To; i++ {
				if holds != nil && !holds(f.rows[i]) {
					continue
				}
				var parts []string
				for _, c := range columns {
					parts = append(parts, c.text(f.rows[i]))
				}
				want = append(want, strings.Join(append(parts, fmt.Sprint(i)), " "))
			}
		}
		got := nestScan(t, f.data, exact, q)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				rt.Fatalf("%+v, rows %v, %+v: row %d of %d is %s, right is %s", f.layout, rows, q, i, len(want), at(got, i), at(want, i))
			}
		}
		if t.Failed() {
			rt.Fatalf("%+v, rows %v, %+v: a law is broken", f.layout, rows, q)
		}
	}
	check(rowrange.All(rows), everything, nil, pare.Query{})
	for i := range min(rows, 40) {
		check(rowrange.Of(i, i+1), everything, nil, pare.Query{})
	}
	for range 20 {
		var ranges []rowrange.Range
		for range rapid.IntRange(1, 4).Draw(rt, "ranges") {
			from := rapid.Int64Range(0, rows).Draw(rt, "from")
			ranges = append(ranges, rowrange.Range{From: from, To: rapid.Int64Range(from, rows).Draw(rt, "to")})
		}
		q := pare.Query{BatchRows: rapid.SampledFrom([]int{0, 1, 5}).Draw(rt, "batch rows"), Threads: rapid.IntRange(0, 2).Draw(rt, "threads"),
			BatchBytes: rapid.SampledFrom([]int{0, 1, 100}).Draw(rt, "batch bytes"), ReadBytes: rapid.SampledFrom([]int64{0, 1, 300}).Draw(rt, "read bytes"),
			DictionaryStrings: rapid.Bool().Draw(rt, "dictionary strings")}
		columns := everything
		if rapid.Bool().Draw(rt, "some columns") {
			columns = nil
			for range rapid.IntRange(0, 3).Draw(rt, "columns") {
				c := f.drawColumn(rt)
				columns, q.Select = append(columns, c), append(q.Select, c.name)
			}
			if q.Select == nil {
				q.Select = []string{}
			}
		}
		var holds func(row []any) bool
		q.Where, holds = f.drawWhere(rt)
		set := rowrange.New(ranges...)
		if set == nil {
			set = rowrange.Set{}
		}
		check(set, columns, holds, q)
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// TestNestedRowsEqualTheWritten: every row and random rows of random nested
// files, of any page layout, are what was written.
func TestNestedRowsEqualTheWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { nestedLaw(t, rt, 30) })
}

func FuzzNested(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { nestedLaw(t, rt, 60) })(t, b)
	})
}

// TestNestedMutants: whatever is changed in a nested file, a scan ends, with an
// error or without.
func TestNestedMutants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawNestFile(rt, 20)
		where, _ := f.drawWhere(rt)
		for range 20 {
			data := bytes.Clone(f.data)
			for range rapid.IntRange(1, 3).Draw(rt, "changes") {
				i := rapid.IntRange(4, len(data)-1).Draw(rt, "place")
				data[i] ^= byte(rapid.IntRange(1, 255).Draw(rt, "bits"))
			}
			for _, q := range []pare.Query{{}, {Where: where, Rows: rowrange.Of(3, 7), Threads: 1}} {
				nestMutant(t, data, q)
			}
		}
	})
}

func nestMutant(t *testing.T, data []byte, q pare.Query) {
	file, err := pare.Open(t.Context(), source.Memory(data), pare.Options{MaxPage: 1 << 24})
	if err != nil {
		return
	}
	scan, err := file.Scan(t.Context(), q)
	if err != nil {
		return
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			return
		}
		for i := range int(min(batch.NumRows(), 100)) {
			for _, c := range batch.Columns() {
				arrayText(c, i)
			}
		}
		batch.Release()
	}
}
