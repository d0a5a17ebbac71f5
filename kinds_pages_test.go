package pare_test

import (
	"slices"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// The kinds of faults around pages, their indexes and row numbers. Each test
// is named after its kind in docs/KINDS.md.

// numbers is a column of 32-bit numbers with bounds and indexes.
func numbers(name string, pages ...kindPage) kindColumn {
	return kindColumn{name: name, typ: metadata.Int32, compare: byInt32, groups: [][]kindPage{pages}}
}

func file(columns ...kindColumn) kindFile { return kindFile{columns: columns} }

// TestKindCINullPages: null_pages that contradict null counts or bounds.
func TestKindCINullPages(t *testing.T) {
	for name, change := range map[string]func(_ int, x *metadata.ColumnIndex){
		"a count of 0": func(_ int, x *metadata.ColumnIndex) { x.NullPages[1], x.Min[1], x.Max[1] = true, nil, nil },
		"bounds": func(_ int, x *metadata.ColumnIndex) {
			x.NullPages[1], x.NullCounts = true, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := numbers("c", span(i32, 0, 9), span(i32, 50, 59), span(i32, 20, 29))
			c.optional, c.columnIndex = true, change
			file(c).check(t, rowsWhere("c = 55", 15), rowsWhere("c IS NULL"), rowsWhere("c >= 20 AND c < 22", 20, 21), rowsWhere("c IS NOT NULL", upTo(0, 30)...))
		})
	}
}

// TestKindCIAllNull: an index of nothing but null pages.
func TestKindCIAllNull(t *testing.T) {
	c := numbers("c", kindPage{}.nulls(2))
	c.optional = true
	file(c).check(t, rowsWhere("c < 2 OR c IS NULL", 0, 1), rowsWhere("c < 2").reads(0), rowsWhere("c IS NOT NULL").reads(0), rowsWhere("NOT (c < 2)").reads(0))
}

// TestKindCIPartial: one column has an index, one row group has none.
func TestKindCIPartial(t *testing.T) {
	a := numbers("a", span(i32, 0, 9), span(i32, 10, 19))
	a.groups = append(a.groups, []kindPage{span(i32, 20, 29), span(i32, 30, 39)})
	b, c := a, a
	b.name, b.noIndex = "b", true
	c.name, c.columnIndex = "c", func(g int, x *metadata.ColumnIndex) {
		if g == 0 {
			x.Order = -2 // no column index in the first row group
		}
	}
	file(a, b, c).check(t, rowsWhere("a = 5 AND b = 5 AND c = 5", 5).reads(1), rowsWhere("b = 25", 25).reads(1), rowsWhere("c IN (5, 15, 35)", 5, 15, 35), rowsWhere("a < 3 OR c > 37", 0, 1, 2, 38, 39))
}

// TestKindCITruncatedOverlap: bounds cut to four bytes overlap; the page
// before the one that a search would find is kept.
func TestKindCITruncatedOverlap(t *testing.T) {
	c := kindColumn{name: "c", typ: metadata.ByteArray, element: asString, compare: slices.Compare[[]byte],
		groups: [][]kindPage{{each(txt, "AAAAA", "AAABA", "AAACA"), each(txt, "AAACB", "AAACZ", "AAADA")}},
		columnIndex: func(_ int, x *metadata.ColumnIndex) {
			x.Order = 1
			for i := range x.Min {
				x.Min[i] = x.Min[i][:4]
				x.Max[i] = append(slices.Clone(x.Max[i][:3]), x.Max[i][3]+1)
			}
		}}
	file(c).check(t, rowsWhere("c = 'AAACA'", 2), rowsWhere("c >= 'AAACA'", 2, 3, 4, 5), rowsWhere("c LIKE 'AAAC%'", 2, 3, 4), rowsWhere("c = 'AAADA'", 5))
}

// TestKindBoundaryOrder: a value ends a page and starts the next; pages that
// descend; an order that lies.
func TestKindBoundaryOrder(t *testing.T) {
	file(numbers("c", each(i32, 1, 2, 3), each(i32, 3, 4, 5))).check(t, rowsWhere("c = 3", 2, 3))
	for _, order := range []metadata.BoundaryOrder{0, 1, 2} {
		c := numbers("c", each(i32, 37, 30, 25), each(i32, 24, 20, 12), each(i32, 11, 5, 2))
		c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Order = order }
		file(c).check(t, rowsWhere("c = 20", 4), rowsWhere("c > 24", 0, 1, 2), rowsWhere("c <= 11", 6, 7, 8), rowsWhere("c BETWEEN 12 AND 25", 2, 3, 4, 5))
	}
}

// TestKindCIMalformed: an index of zeros, a short one, one without a list.
func TestKindCIMalformed(t *testing.T) {
	for _, change := range []func(_ int, x *metadata.ColumnIndex){
		func(_ int, x *metadata.ColumnIndex) { x.NullPages = nil },
		func(_ int, x *metadata.ColumnIndex) { x.Min = nil },
		func(_ int, x *metadata.ColumnIndex) { x.Max = x.Max[:1] },
		func(_ int, x *metadata.ColumnIndex) { *x = metadata.ColumnIndex{} },
	} {
		c := numbers("c", span(i32, 0, 9), span(i32, 50, 59))
		c.columnIndex = change
		file(c).check(t, rowsWhere("c = 55", 15), rowsWhere("c < 2", 0, 1))
	}
}

// TestKindCINullCountsMissing: without them no page is known to have a NULL,
// or none.
func TestKindCINullCountsMissing(t *testing.T) {
	c := numbers("c", span(i32, 0, 8).nulls(1), span(i32, 50, 59))
	c.optional = true
	c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.NullCounts = nil }
	c.stats = func(_ int, s *metadata.Statistics) { s.NullCount = nil }
	file(c).check(t, rowsWhere("c IS NULL", 9), rowsWhere("c IS NOT NULL AND c < 60", slices.Concat(upTo(0, 9), upTo(10, 20))...), rowsWhere("NOT (c >= 1)", 0))
}

// TestKindOIMalformed: a first page that does not start at row 0, and pages
// that all start there, make the index unusable; a page that is moved is found out when it is decoded.
func TestKindOIMalformed(t *testing.T) {
	id := func() kindColumn {
		return numbers("id", span(i32, 0, 131), span(i32, 132, 241), span(i32, 242, 351), span(i32, 352, 399))
	}
	other := id()
	other.name, other.offsetIndex = "other", func(_ int, x *metadata.OffsetIndex) { x.Pages[0].FirstRow = 3 }
	file(id(), other).check(t, rowsWhere("id = 10 AND other = 10", 10), rowsWhere("other = 200", 200))

	// parquet.js: every page starts at row 0.
	other.offsetIndex = func(_ int, x *metadata.OffsetIndex) {
		for i := range x.Pages {
			x.Pages[i].FirstRow = 0
		}
	}
	file(id(), other).check(t, rowsWhere("id = 10 AND other = 10", 10), rowsWhere("other = 200", 200))

	other.offsetIndex = func(_ int, x *metadata.OffsetIndex) { x.Pages[1].FirstRow = 200 }
	data := file(id(), other).bytes()
	for where, want := range map[string]int64{"id = 200": 200, "id = 150": 150, "id = 250": 250, "other = 200": 200, "other = 131": 131, "id = 10": 10} {
		x, _ := predicate.Parse(where)
		if rows, _, err := rowNumbers(t, data, exact, pare.Query{Where: x}); err == nil && !slices.Equal(rows, []int64{want}) {
			t.Errorf("%s: rows %v without an error", where, rows)
		}
	}
}

func predicateText(n int64) string {
	return predicate.FormatValue(&metadata.Column{Type: metadata.Int64}, metadata.IntValue(n))
}

// TestKindOISize: sizes that leave the page headers out.
func TestKindOISize(t *testing.T) {
	c := numbers("c", span(i32, 0, 9), span(i32, 50, 59), span(i32, 20, 29))
	c.offsetIndex = func(_ int, x *metadata.OffsetIndex) {
		for i := range x.Pages {
			x.Pages[i].Length -= 12
		}
	}
	file(c).check(t, rowsWhere("c = 55", 15), rowsWhere("c = 29", 29), rowsWhere("c = 0", 0))
}

// TestKindPageRangeIntersection: conditions whose kept rows do not overlap, or
// leave fragments, over pages that end at different rows.
func TestKindPageRangeIntersection(t *testing.T) {
	a := numbers("a", each(i32, 1, 1, 1, 1), each(i32, 9, 9, 9, 9), each(i32, 5, 5))
	b := numbers("b", each(i32, 2, 2, 2), each(i32, 3, 3, 3), each(i32, 1, 1, 1, 7))
	c := numbers("c", each(i32, 0, 1), each(i32, 2, 3, 4, 5, 6), each(i32, 7, 8, 9))
	for _, k := range []*kindColumn{&a, &b, &c} {
		k.groups = append(k.groups, []kindPage{each(i32, 1, 7)})
	}
	file(a, b, c).check(t, rowsWhere("a = 1 AND b = 7").reads(1), rowsWhere("a = 1 AND b IN (1, 7)", 10), rowsWhere("a = 9 AND b = 3 AND c > 3", 4, 5), rowsWhere("a = 7 AND b = 7", 11),
		rowsWhere("(a = 1 OR b = 1) AND c >= 1 AND c <= 7", 1, 2, 3, 6, 7, 10))
}

// TestKindFirstPageSkipped: no column needs its first page; the dictionary is
// still there.
func TestKindFirstPageSkipped(t *testing.T) {
	c := numbers("c", span(i32, 0, 9).coded(), span(i32, 50, 59).coded())
	d := numbers("d", span(i32, 0, 9), span(i32, 10, 19))
	file(c, d).check(t, rowsWhere("c = 55", 15), rowsWhere("d >= 18", 18, 19))
}

// TestKindPageFetchPlan: every other row, every other page, a filter column
// that is not returned.
func TestKindPageFetchPlan(t *testing.T) {
	var pages, alternating []kindPage
	var want, odd []int64
	for p := range int32(30) {
		pages = append(pages, span(i32, p*10, p*10+9))
		alternating = append(alternating, each(i32, p%2, p%2, 7, p%2, 7, 7, p%2, 7, 7, p%2))
		for _, k := range []int64{0, 1, 3, 6, 9} {
			if n := int64(p)*10 + k; p%2 == 1 {
				want = append(want, n)
			} else {
				odd = append(odd, n)
			}
		}
	}
	f := file(numbers("tag", pages...), numbers("time", alternating...))
	f.check(t, rowsWhere("time = 1", want...), rowsWhere("time = 0 AND tag >= 0", odd...))
	x, _ := predicate.Parse("time = 1 AND tag < 60")
	rows, r, err := rowNumbers(t, f.bytes(), exact, pare.Query{Where: x, Select: []string{}})
	if err != nil || len(rows) != 15 || r.Pages.Read > 12 {
		t.Errorf("%d rows, %d pages, %v", len(rows), r.Pages.Read, err)
	}
}

// TestKindRowSelection: skip 10, take 1, skip 1, take 1, skip 7, take 1.
func TestKindRowSelection(t *testing.T) {
	c := kindColumn{name: "c", typ: metadata.ByteArray, element: asString, compare: slices.Compare[[]byte], groups: [][]kindPage{{
		each(txt, "0", "1", "2", "3", "4"), each(txt, "5", "6", "7", "8", "9", "10", "11"), each(txt, "12", "13", "14", "15", "16", "17", "18", "19", "20")}}}
	rows := rowrange.New(rowrange.Range{From: 10, To: 11}, rowrange.Range{From: 12, To: 13}, rowrange.Range{From: 20, To: 21})
	got, r, err := rowNumbers(t, file(c).bytes(), exact, pare.Query{Rows: rows})
	if err != nil || !slices.Equal(got, []int64{10, 12, 20}) || r.Pages.Read != 2 {
		t.Errorf("rows %v, %d pages, %v", got, r.Pages.Read, err)
	}
}

// TestKindRowPosition: numbers count pruned pages and row groups, and so do
// the positions that are excluded.
func TestKindRowPosition(t *testing.T) {
	c := numbers("c", span(i32, 0, 4), span(i32, 5, 9))
	c.groups = append(c.groups, []kindPage{span(i32, 10, 14), span(i32, 15, 19)}, []kindPage{span(i32, 20, 24), span(i32, 25, 29)})
	f := file(c)
	f.check(t, rowsWhere("c >= 10 AND c < 20", upTo(10, 20)...).reads(1), rowsWhere("c < 2 OR c >= 28", 0, 1, 28, 29).reads(2))
	data := f.bytes()
	for deleted, want := range map[int64][]int64{27: {1, 26, 28}, 12: {1, 26, 27, 28}, 1: {26, 27, 28}} {
		x, _ := predicate.Parse("c = 1 OR c BETWEEN 26 AND 28")
		rows, _, err := rowNumbers(t, data, exact, pare.Query{Where: x, Exclude: rowrange.Of(deleted, deleted+1)})
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("without row %d: rows %v, %v", deleted, rows, err)
		}
	}
	x, _ := predicate.Parse("c >= 0")
	if rows, _, err := rowNumbers(t, data, exact, pare.Query{Where: x, RowGroups: []int{1}}); err != nil || !slices.Equal(rows, upTo(10, 20)) {
		t.Errorf("row group 1 has rows %v, %v", rows, err)
	}
}

// TestKindStatsMisaligned: each row group has its own statistics.
func TestKindStatsMisaligned(t *testing.T) {
	c := numbers("c")
	c.groups = nil
	for g := range int32(9) {
		c.groups = append(c.groups, []kindPage{each(i32, g*10, g*10+1)})
	}
	for g := range int64(9) {
		file(c).check(t, rowsWhere("c = "+predicateText(g*10+1), g*2+1).reads(1))
	}
}

// TestKindEmptyRowGroup: row groups and files without a row.
func TestKindEmptyRowGroup(t *testing.T) {
	c := kindColumn{name: "c", typ: metadata.ByteArray, element: asString, compare: slices.Compare[[]byte], groups: [][]kindPage{{}}}
	file(c).check(t, rowsWhere("c = 'x'"), rowsWhere("c IS NULL"), rowsWhere("c IS NOT NULL"))
	c.groups = [][]kindPage{{each(txt, "x")}, {}, {each(txt, "y", "x")}}
	file(c).check(t, rowsWhere("c = 'x'", 0, 2), rowsWhere("c > 'x'", 1))
	c.groups = [][]kindPage{{each(txt, "x"), kindPage{}, each(txt, "y", "x")}} // a page without a row
	file(c).check(t, rowsWhere("c = 'x'", 0, 2), rowsWhere("c > 'x'", 1))
}
