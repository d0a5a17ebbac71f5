package pare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// statistics holds the statistics of a page or chunk against the truth.
func (v *verifier) statistics(page int, offset int64, what string, s *metadata.Statistics, t truth) {
	if s == nil {
		return
	}
	if s.NullCount != nil && !t.hasNulls(*s.NullCount) {
		v.find(page, offset, what, "null_count is %d, there are %d", *s.NullCount, t.nulls)
	}
	if s.NaNCount != nil && *s.NaNCount != t.nans {
		v.find(page, offset, what, "nan_count is %d, there are %d", *s.NaNCount, t.nans)
	}
	if v.comparable(true, s.MinValue, s.MaxValue) {
		v.bounds(page, offset, what, "min_value", "max_value", s.MinValue, s.MaxValue, t)
		v.exact(page, offset, what, s, t)
	}
	if v.comparable(false, s.Min, s.Max) {
		v.bounds(page, offset, what, "min", "max", s.Min, s.Max, t)
	}
}

// comparable reports whether a pair of bounds says something: its order is
// known, or does not matter, since both are the same value.
func (v *verifier) comparable(current bool, lower, upper []byte) bool {
	same := lower != nil && upper != nil && string(lower) == string(upper) && v.col.Order != metadata.OrderNone && v.col.Type != metadata.Int96
	return same || v.f.meta.OrderKnown(v.col, current)
}

// bounds checks that the values lie within a pair of bounds; nil is absent.
func (v *verifier) bounds(page int, offset int64, what, minName, maxName string, lower, upper []byte, t truth) {
	for _, b := range []struct {
		name  string
		raw   []byte
		truth *metadata.Value
		sign  int // the bound must not be on this side of the truth
		word  string
	}{{minName, lower, t.lo, +1, "below"}, {maxName, upper, t.hi, -1, "above"}} {
		if b.raw == nil {
			continue
		}
		val, ok := v.col.Value(b.raw)
		switch {
		case !ok:
			v.find(page, offset, what, "%s of %d bytes cannot be a %s", b.name, len(b.raw), v.col.TypeName())
		case val.IsNaN() && t.lo == nil && v.f.meta.NaNBounds(v.col):
			// All values are NaN, and the column's order has a place for it.
		case val.IsNaN():
			v.find(page, offset, what, "%s is NaN", b.name)
		case b.truth != nil && val.Compare(*b.truth) == b.sign:
			v.find(page, offset, what, "%s is %s, a value of %s lies %s", b.name, predicate.FormatValue(v.col, val),
				predicate.FormatValue(v.col, *b.truth), b.word)
		}
	}
}

// exact checks bounds that claim to be values.
func (v *verifier) exact(page int, offset int64, what string, s *metadata.Statistics, t truth) {
	check := func(name string, flag *bool, raw []byte, truth *metadata.Value) {
		if flag == nil || !*flag || raw == nil || truth == nil {
			return
		}
		if val, ok := v.col.Value(raw); ok && val.Compare(*truth) != 0 {
			v.find(page, offset, what, "%s is %s and claims to be exact, the value is %s", name,
				predicate.FormatValue(v.col, val), predicate.FormatValue(v.col, *truth))
		}
	}
	check("min_value", s.MinExact, s.MinValue, t.lo)
	check("max_value", s.MaxExact, s.MaxValue, t.hi)
}

// encodings holds encoding_stats against the data pages that are there. Their
// version is not looked at: arrow-go counts V2 pages as V1. Nor is the name of
// the dictionary encoding.
func (v *verifier) encodings(r *column.Reader) {
	if v.c.EncodingStats == nil {
		return
	}
	counts := map[metadata.Encoding]int64{}
	count := func(e metadata.Encoding, n int64) {
		if e.IsDictionary() {
			e = metadata.RLEDictionary
		}
		counts[e] += n
	}
	for k := range r.NumPages() {
		if h, err := metadata.ParsePageHeader(r.Page(k).Bytes, false); err == nil {
			count(h.Encoding, 1)
		}
	}
	for _, s := range v.c.EncodingStats {
		if s.PageType == metadata.DataPage || s.PageType == metadata.DataPageV2 {
			count(s.Encoding, -int64(s.Count))
		}
	}
	for _, e := range slices.Sorted(maps.Keys(counts)) {
		switch n := counts[e]; {
		case n > 0:
			v.find(-1, v.c.Pages.Offset, "encoding_stats", "%d data pages in %v are not counted", n, e)
		case n < 0:
			v.find(-1, v.c.Pages.Offset, "encoding_stats", "%d data pages in %v are counted that are not there", -n, e)
		}
	}
}

// indexes holds the offset index and the column index against the pages.
func (v *verifier) indexes(have metadata.Bytes, r *column.Reader, truths []truth) {
	if b, ok := have.Get(v.c.OffsetIndex); ok && v.f.meta.HasOffsetIndex(v.c) {
		x, err := metadata.ParseOffsetIndex(b)
		if err != nil {
			v.find(-1, v.c.OffsetIndex.Offset, "offset index", "%v", err)
		} else {
			v.offsets(x, r)
		}
	}
	b, ok := have.Get(v.c.ColumnIndex)
	if !ok || !v.f.meta.HasColumnIndex(v.c) {
		return
	}
	x, err := metadata.ParseColumnIndex(b)
	if err != nil {
		v.find(-1, v.c.ColumnIndex.Offset, "column index", "%v", err)
		return
	}
	if why := x.Misshapen(len(truths)); why != "" {
		v.find(-1, v.c.ColumnIndex.Offset, "column index", "%s", why)
		return
	}
	for k, t := range truths {
		v.indexEntry(x, k, r.Page(k).Offset, t)
	}
}

func (v *verifier) offsets(x *metadata.OffsetIndex, r *column.Reader) {
	if len(x.Pages) != r.NumPages() {
		v.find(-1, v.c.OffsetIndex.Offset, "offset index", "it lists %d pages, there are %d", len(x.Pages), r.NumPages())
		return
	}
	for k, p := range x.Pages {
		truth := r.Page(k)
		for _, c := range []struct {
			what        string
			says, truly int64
		}{{"offset", p.Offset, truth.Offset}, {"compressed_page_size", p.Length, int64(len(truth.Bytes))}, {"first_row_index", p.FirstRow, truth.From}} {
			if c.says != c.truly {
				v.find(k, truth.Offset, "offset index", "%s is %d, it should be %d", c.what, c.says, c.truly)
			}
		}
	}
}

// indexEntry checks what the column index says of page k.
func (v *verifier) indexEntry(x *metadata.ColumnIndex, k int, offset int64, t truth) {
	const what = "column index"
	allNull := t.nulls == t.rows && t.rows > 0
	if x.NullPages[k] != allNull && t.rows > 0 && !(t.empty == t.rows && !x.NullPages[k]) {
		v.find(k, offset, what, "null_pages says %v, %d of %d values are null", x.NullPages[k], t.nulls, t.rows)
	}
	if x.NullCounts != nil && !t.hasNulls(x.NullCounts[k]) {
		v.find(k, offset, what, "null_counts says %d, there are %d", x.NullCounts[k], t.nulls)
	}
	if x.NaNCounts != nil && x.NaNCounts[k] != t.nans {
		v.find(k, offset, what, "nan_counts says %d, there are %d", x.NaNCounts[k], t.nans)
	}
	if !x.NullPages[k] && t.lo != nil && v.comparable(true, x.Min[k], x.Max[k]) {
		v.bounds(k, offset, what, "min_values", "max_values", x.Min[k], x.Max[k], t)
	}
}

// Summary renders a verification for people.
func (s Verification) Summary(findings int) string {
	verdict := "every statement holds"
	if findings > 0 {
		verdict = fmt.Sprintf("%d statements do not hold", findings)
	}
	return fmt.Sprintf("%d row groups, %d column chunks, %d pages, %d rows: %s", s.RowGroups, s.Chunks, s.Pages, s.Rows, verdict)
}
