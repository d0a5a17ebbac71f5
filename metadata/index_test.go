package metadata

import (
	"strings"
	"testing"
)

// crafted column index of two pages.
func craftColumnIndex(more func(w *crafter)) []byte {
	return fields(func(w *crafter) {
		w.bools(1, 2, true, false)
		w.binaries(2, nil, []byte("a"))
		w.binaries(3, []byte{}, []byte("b"))
		w.i32(4, int32(Descending))
		if more != nil {
			more(w)
		}
	})
}

func TestColumnIndexFields(t *testing.T) {
	b := craftColumnIndex(func(w *crafter) {
		w.i64s(5, 3, 0)
		w.i64s(6, 1, 2, 3, 4) // histograms
		w.i64s(7, 1, 2, 3, 4)
		w.i64s(8, 0, 1)
		w.junk()
	})
	x, err := ParseColumnIndex(b)
	if err != nil || len(x.NullPages) != 2 || !x.NullPages[0] || x.NullPages[1] || string(x.Min[1]) != "a" || string(x.Max[1]) != "b" ||
		x.Order != Descending || len(x.NullCounts) != 2 || x.NullCounts[0] != 3 || len(x.NaNCounts) != 2 || x.NaNCounts[1] != 1 {
		t.Fatalf("%+v, %v", x, err)
	}
	x, err = ParseColumnIndex(craftColumnIndex(nil))
	if err != nil || x.NullCounts != nil || x.NaNCounts != nil {
		t.Fatalf("absent counts: %+v, %v", x, err)
	}
	for n := range b {
		if _, err := ParseColumnIndex(b[:n]); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(b))
		}
	}
}

func TestColumnIndexFaults(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing":                    {},
		"null pages as strings":      fields(func(w *crafter) { w.binaries(1, nil) }),
		"minima as integers":         fields(func(w *crafter) { w.i64s(2, 1) }),
		"null counts as strings":     fields(func(w *crafter) { w.binaries(5, nil) }),
		"null counts as doubles":     fields(func(w *crafter) { w.list(5, tDouble, 1); w.b = append(w.b, make([]byte, 8)...) }),
		"more booleans than bytes":   {0x19, 0xf1, 0xff, 0xff, 0x03, 1, 1, 0},
		"a minimum beyond the bytes": {0x29, 0x18, 0x7f, 'a', 0},
	} {
		if x, err := ParseColumnIndex(b); err == nil {
			t.Errorf("%s: %+v", name, x)
		} else if !strings.Contains(err.Error(), "column index") {
			t.Errorf("%s: the error does not name the piece: %v", name, err)
		}
	}
}

func TestOffsetIndexFields(t *testing.T) {
	b := fields(func(w *crafter) {
		w.list(1, tStruct, 2)
		for i := range int64(2) {
			w.elem(func(w *crafter) { w.i64(1, 100+50*i); w.i32(2, 50); w.i64(3, 10*i); w.junk() })
		}
		w.i64s(2, 7, 8)
		w.junk()
	})
	x, err := ParseOffsetIndex(b)
	if err != nil || len(x.Pages) != 2 || x.Pages[1] != (PageLocation{150, 50, 10}) || len(x.UnencodedBytes) != 2 || x.UnencodedBytes[1] != 8 {
		t.Fatalf("%+v, %v", x, err)
	}
	if from, to := x.Rows(0, 25); from != 0 || to != 10 {
		t.Errorf("page 0 holds rows [%d, %d)", from, to)
	}
	if from, to := x.Rows(1, 25); from != 10 || to != 25 {
		t.Errorf("page 1 holds rows [%d, %d)", from, to)
	}
	for n := range b {
		if _, err := ParseOffsetIndex(b[:n]); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(b))
		}
	}
	for name, b := range map[string][]byte{
		"pages as integers": fields(func(w *crafter) { w.i64s(1, 1) }),
		"a size of 2^40":    fields(func(w *crafter) { w.list(1, tStruct, 1); w.elem(func(w *crafter) { w.i64(2, 1<<40) }) }),
	} {
		if _, err := ParseOffsetIndex(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// settle runs Settle on pages of a chunk at [100, 400) of 30 rows.
func settle(pages ...PageLocation) (*OffsetIndex, string) {
	x := &OffsetIndex{Pages: pages}
	return x, x.Settle(&Chunk{Pages: Extent{Offset: 100, Length: 300}}, 30)
}

func TestSettleAcceptsWholePages(t *testing.T) {
	x, why := settle(PageLocation{100, 100, 0}, PageLocation{200, 150, 10}, PageLocation{350, 50, 20})
	if why != "" || x.Pages[0].Length != 100 || x.Pages[1].Length != 150 || x.Pages[2].Length != 50 {
		t.Errorf("%v, %q", x.Pages, why)
	}
	// A dictionary page before the first page; a chunk that goes on after the
	// last page.
	x, why = settle(PageLocation{150, 50, 0}, PageLocation{200, 20, 1}, PageLocation{220, 50, 29})
	if why != "" || x.Pages[2].Length != 50 {
		t.Errorf("%v, %q", x.Pages, why)
	}
}

func TestSettleWidensSizesWithoutHeaders(t *testing.T) {
	x, why := settle(PageLocation{100, 80, 0}, PageLocation{200, 130, 10}, PageLocation{350, 30, 20})
	if why != "" || x.Pages[0].Length != 100 || x.Pages[1].Length != 150 || x.Pages[2].Length != 50 {
		t.Errorf("%v, %q", x.Pages, why)
	}
	// A single page has no next one to tell by; its chunk's end is safe.
	x, why = settle(PageLocation{120, 200, 0})
	if why != "" || x.Pages[0].Length != 280 {
		t.Errorf("%v, %q", x.Pages, why)
	}
}

func TestSettleMalformed(t *testing.T) {
	const top = 1<<63 - 1
	for name, pages := range map[string][]PageLocation{
		"no page":                            {},
		"a first row of one":                 {{100, 100, 1}, {200, 100, 10}},
		"a negative first row":               {{100, 100, -1}, {200, 100, 10}},
		"rows that decrease":                 {{100, 50, 0}, {150, 50, 20}, {200, 50, 10}},
		"a negative row":                     {{100, 50, 0}, {150, 50, -10}},
		"a row beyond the group":             {{100, 50, 0}, {150, 50, 31}},
		"a page without rows":                {{100, 50, 0}, {150, 50, 0}, {200, 50, 10}},
		"a last page without rows":           {{100, 50, 0}, {150, 50, 30}},
		"a page before the chunk":            {{99, 50, 0}, {150, 50, 10}},
		"a page at a negative offset":        {{-100, 50, 0}, {150, 50, 10}},
		"a page beyond the chunk":            {{100, 50, 0}, {350, 51, 10}},
		"a page far beyond the chunk":        {{100, 50, 0}, {5000, 51, 10}},
		"a page at the end of all numbers":   {{100, 50, 0}, {top, 50, 10}},
		"a page of all numbers":              {{100, top, 0}, {150, 50, 10}},
		"a page of no bytes":                 {{100, 0, 0}, {150, 50, 10}},
		"a page of negative length":          {{100, -50, 0}, {150, 50, 10}},
		"pages that overlap":                 {{100, 51, 0}, {150, 50, 10}},
		"pages at one place":                 {{100, 50, 0}, {100, 50, 10}},
		"pages not in the file's order":      {{200, 50, 0}, {100, 50, 10}},
		"a single page outside":              {{401, 1, 0}},
		"a next page at a negative offset":   {{100, 50, 0}, {-1 << 63, 50, 10}},
		"a last page without its first byte": {{100, 50, 0}, {400, 1, 10}},
	} {
		before := append([]PageLocation(nil), pages...)
		x, why := settle(pages...)
		if why == "" {
			t.Errorf("%s is accepted: %v", name, x.Pages)
		}
		for i := range before {
			if x.Pages[i] != before[i] {
				t.Errorf("%s: page %d was changed", name, i)
			}
		}
	}
	x := &OffsetIndex{Pages: []PageLocation{{100, 10, 0}}}
	if why := x.Settle(&Chunk{Pages: Extent{Offset: 100}}, 0); why == "" {
		t.Error("a page of an empty chunk is accepted")
	}
}
