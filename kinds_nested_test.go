package pare_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// The kinds of faults of rows that hold any number of values. Every test draws
// files of one shape, of pages V1 and V2 and with any values.

func nestID() *nest { return &nest{name: "id", typ: metadata.Int64} }

func nestStrings(name string) *nest {
	return &nest{kind: nestList, name: name, nullable: true, kids: []*nest{{name: "element", typ: metadata.ByteArray, nullable: true}}}
}

// kindNested draws a file of one row group. Its id column numbers the rows.
func kindNested(t *rapid.T, rows int64, layout nestLayout, columns ...*nest) *nestFile {
	f := &nestFile{root: &nest{kind: nestStruct, kids: columns}, layout: layout}
	f.layout.v2 = rapid.Bool().Draw(t, "V2")
	next := int64(0)
	for _, c := range columns {
		if c.name == "id" {
			c.next = &next
		}
	}
	f.write(t, []int64{rows})
	return f
}

// texts renders all rows of the file.
func (f *nestFile) texts() []string {
	out := make([]string, len(f.rows))
	for i, row := range f.rows {
		parts := make([]string, len(row))
		for c, k := range f.root.kids {
			parts[c] = k.text(row[c], nil)
		}
		out[i] = strings.Join(parts, " ")
	}
	return out
}

// reads scans with a query and expects these rows.
func (f *nestFile) reads(t *testing.T, rt *rapid.T, q pare.Query, want ...int64) {
	got := nestScan(t, f.data, exact, q)
	all := f.texts()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != all[want[i]] {
			rt.Fatalf("%+v: row %d of the result is %s; right are rows %v", q, i, at(got, i), want)
		}
	}
}

// TestKindOINested: rows are skipped, not values.
func TestKindOINested(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := kindNested(rt, 21, nestLayout{index: true, aligned: true, most: rapid.IntRange(1, 9).Draw(rt, "levels of a page")}, nestStrings("words"))
		f.reads(t, rt, pare.Query{Rows: rowrange.New(rowrange.Range{From: 10, To: 11}, rowrange.Range{From: 12, To: 13}, rowrange.Range{From: 20, To: 21})}, 10, 12, 20)
		for i := range int64(19) { // what is between them is a page or more, or less
			f.reads(t, rt, pare.Query{Rows: rowrange.New(rowrange.Range{From: 0, To: 1}, rowrange.Range{From: i + 2, To: i + 3})}, 0, i+2)
		}
	})
}

// TestKindRowsSpanPages: a record that goes on on the next page, or on the next
// few, is read whole, and pages on which no record begins are passed over.
func TestKindRowsSpanPages(t *testing.T) {
	for _, index := range []bool{false, true} {
		rapid.Check(t, func(rt *rapid.T) {
			f := kindNested(rt, 12, nestLayout{index: index, most: rapid.IntRange(1, 5).Draw(rt, "levels of a page")}, nestID(), nestStrings("words"))
			for i := range int64(12) {
				f.reads(t, rt, pare.Query{Rows: rowrange.Of(i, i+1)}, i)
				f.reads(t, rt, pare.Query{Where: predicate.Col("id").Eq(i)}, i)
			}
			f.reads(t, rt, pare.Query{Rows: rowrange.New(rowrange.Range{From: 2, To: 4}, rowrange.Range{From: 7, To: 9})}, 2, 3, 7, 8)
		})
	}
}

// TestKindPageMisalignment: columns whose pages end at different rows stay
// aligned where pages are skipped.
func TestKindPageMisalignment(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pair := &nest{kind: nestStruct, name: "pair", nullable: true, kids: []*nest{nestStrings("a"), {name: "b", typ: metadata.Int32, nullable: true}}}
		f := kindNested(rt, 40, nestLayout{index: true, aligned: true, most: 6}, nestID(), nestStrings("words"), pair)
		var in []any
		var want []int64
		for i := rapid.Int64Range(0, 5).Draw(rt, "first"); i < 40; i += rapid.Int64Range(1, 12).Draw(rt, "step") {
			in, want = append(in, i), append(want, i)
		}
		f.reads(t, rt, pare.Query{Where: predicate.Col("id").In(in...)}, want...)
	})
}

// TestKindOIRowIndex: an offset index that counts rows wrongly never gives the
// values of other rows; counting those of the page tells.
func TestKindOIRowIndex(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		by := rapid.SampledFrom([]int64{-2, -1, 1, 2}).Draw(rt, "shifted by")
		group := &nest{kind: nestStruct, name: "group", nullable: true, kids: []*nest{{name: "x", typ: metadata.Int64, nullable: true}}}
		shifted := rapid.SampledFrom([]string{"x", "element"}).Draw(rt, "column")
		layout := nestLayout{index: true, aligned: true, most: 8, offsets: func(leaf *nest, x *metadata.OffsetIndex) {
			if leaf.name == shifted && len(x.Pages) > 2 {
				x.Pages[1].FirstRow += by
			}
		}}
		f := kindNested(rt, 40, layout, nestID(), group, nestStrings("words"))
		file, _ := openBytes(t, "crafted", f.data, exact)
		all := f.texts()
		for i := range int64(40) {
			got, err := nestRows(t, file, pare.Query{Where: predicate.Col("id").Eq(i)})
			if err == nil && (len(got) != 1 || got[0] != all[i]) {
				rt.Fatalf("shifted by %d: row %d is %v, right is %s", by, i, got, all[i])
			}
		}
	})
}

// TestKindRepeatedStats: bounds of a list's elements say nothing of rows.
func TestKindRepeatedStats(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := kindNested(rt, 5, nestLayout{index: true, most: 8}, nestStrings("words"))
		file, _ := openBytes(t, "crafted", f.data, exact)
		for _, x := range []predicate.Expr{predicate.Col("words.list.element").Ge("k"), predicate.Col("words").Eq("k"), predicate.Col("words.list.element").IsNull()} {
			if _, err := file.Plan(t.Context(), pare.Query{Where: x}); err == nil || !strings.Contains(err.Error(), "a row may have many") {
				rt.Fatalf("%v: %v", x, err)
			}
		}
		var want []int64
		for i, row := range f.rows {
			if row[0] != nil {
				want = append(want, int64(i))
			}
		}
		f.reads(t, rt, pare.Query{Where: predicate.Col("words").IsNotNull()}, want...)
	})
}
