package pare_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// The kinds of faults of writers, of places in the file, and of files that
// are large or hostile.

// bySigned compares bytes as signed numbers, as old writers did.
func bySigned(a, b []byte) int {
	return slices.CompareFunc(a, b, func(x, y byte) int { return int(int8(x)) - int(int8(y)) })
}

// TestKindSignedByteOrder: deprecated bounds of strings prune nothing.
func TestKindSignedByteOrder(t *testing.T) {
	for _, element := range []func(w *thriftWriter){asString, nil} {
		for _, writer := range []string{"", "parquet-mr version 1.9.0", "some writer 1.0"} {
			c := typed(metadata.ByteArray, element, bySigned, each(txt, "aé", "az", "b"), each(txt, "\x7f", "\x80"))
			c.legacy, c.noIndex = true, true
			f := file(c)
			f.createdBy, f.noOrders = writer, true
			f.check(t, rowsWhere("c = 'az'", 1), rowsWhere("c >= 'aé'", 0, 2, 3, 4), rowsOf(predicate.Col("c").Eq([]byte{0x80}), 4), rowsOf(predicate.Col("c").Gt([]byte{0x7f}), 4))
		}
	}
}

// TestKindCorruptWriterStats: bounds of writers that are known, or are seen,
// to be wrong.
func TestKindCorruptWriterStats(t *testing.T) {
	for _, writer := range []string{"parquet-mr version 1.8.1 (build 4aba4dae7bb0d4edbcf7923ae1339f28fd3f7fcf)", "parquet-mr"} { // PARQUET-251
		c := typed(metadata.ByteArray, asString, bytewise, each(txt, "a", "m", "z"))
		c.noIndex, c.bloom = true, 0
		c.stats = func(_ int, s *metadata.Statistics) {
			s.MinValue, s.MaxValue, s.Min, s.Max = txt("m"), txt("m"), txt("m"), txt("m")
		}
		f := file(c)
		f.createdBy = writer
		f.check(t, rowsWhere("c = 'a'", 0), rowsWhere("c > 'm'", 2), rowsWhere("c <> 'm'", 0, 2))
	}
	// The minimum is above the maximum.
	c := typed(metadata.Int64, asTimestamp(true, 2), byInt64, each(i64, 10, 20))
	c.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = i64(99), i64(5) }
	c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = i64(99), i64(5) }
	file(c).check(t, rowsWhere("c = TIMESTAMP '1970-01-01 00:00:00.00001'", 0), rowsWhere("c > TIMESTAMP '1970-01-01'", 0, 1))
	// A length before the bytes of a bound, by an unknown writer, without a
	// logical type.
	prefixed := func(v string) []byte { return append(i32(int32(len(v))), v...) }
	for _, bounds := range [][2]string{{"abc", "abc"}, {"abc", "abd"}} {
		for _, legacy := range []bool{true, false} {
			c := typed(metadata.ByteArray, nil, bytewise, each(txt, bounds[0], bounds[1]))
			c.bloom, c.legacy, c.noIndex = 0, legacy, true
			c.stats = func(_ int, s *metadata.Statistics) {
				s.MinValue, s.MaxValue = prefixed(bounds[0]), prefixed(bounds[1])
				if legacy {
					s.Min, s.Max, s.MinValue, s.MaxValue = s.MinValue, s.MaxValue, nil, nil
				}
			}
			f := file(c)
			f.createdBy, f.noOrders = "Bolt", true
			f.check(t, rowsOf(predicate.Col("c").Eq(txt("abc")), upTo(0, 1+int64(strings.Count(bounds[1], "abc")))...))
		}
	}
}

// TestKindTruncatedAsExact: a bound that was cut is no value; rows that need
// not match are tested.
func TestKindTruncatedAsExact(t *testing.T) {
	c := typed(metadata.ByteArray, asString, bytewise, each(txt, "A123456789", "A123456788"))
	cut := func(lo, hi *[]byte) { *lo, *hi = txt("A1234567"), txt("A1234568") }
	c.stats = func(_ int, s *metadata.Statistics) { cut(&s.MinValue, &s.MaxValue) }
	c.columnIndex = func(_ int, x *metadata.ColumnIndex) { cut(&x.Min[0], &x.Max[0]) }
	c.checkCoded(t, rowsWhere("c = 'A123456789'", 0), rowsWhere("c = 'A1234567'"), rowsWhere("c >= 'A1234567' AND c <> 'A123456789'", 1), rowsWhere("c > 'A1234567'", 0, 1), rowsWhere("c < 'A1234568'", 0, 1))
	open := c // no upper bound at all
	open.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = txt("A"), nil }
	open.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = txt("A"), nil }
	open.checkCoded(t, rowsWhere("c > 'A12345678'", 0, 1), rowsWhere("c > 'B'"), rowsWhere("c < 'A'").reads(0))
}

// TestKindOffsetMetadata: pages are found although the footer places the
// chunk, the row group or the dictionary elsewhere.
func TestKindOffsetMetadata(t *testing.T) {
	for name, place := range map[string]func(_ int, p *kindPlace){
		"both at the dictionary":        func(_ int, p *kindPlace) { p.data = p.dictionary },
		"data into the dictionary page": func(_ int, p *kindPlace) { p.data -= 5 },
		"no dictionary offset":          func(_ int, p *kindPlace) { p.data, p.dictionary = p.dictionary, 0 },
		"a size too large":              func(_ int, p *kindPlace) { p.size += 1000 },
	} {
		t.Run(name, func(t *testing.T) {
			c := numbers("c", each(i32, 1, 5, 9, 1).coded(), each(i32, 1, 5, 5).coded())
			c.noIndex, c.place = true, place
			f := file(c)
			f.rowGroup = func(w *thriftWriter) { w.i64(5, 1<<40) } // file_offset
			f.check(t, rowsWhere("c = 5", 1, 5, 6), rowsWhere("c = 7"), rowsWhere("c IN (1, 7)", 0, 3, 4))
		})
	}
}

// TestKindRequestCount: small columns are read together, a small file whole.
func TestKindRequestCount(t *testing.T) {
	var columns []kindColumn
	for i := range 200 {
		c := numbers("c"+strconv.Itoa(i), span(i32, 0, 2000))
		c.groups = append(c.groups, []kindPage{span(i32, 3000, 5000)})
		columns = append(columns, c)
	}
	data := file(columns...).bytes()
	src := &countingSource{Source: hinted{source.Memory(data), source.RemoteHints()}}
	f, err := pare.Open(t.Context(), hinted{src, source.RemoteHints()}, pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := predicate.Parse("c7 >= 3000")
	p, err := f.Plan(t.Context(), pare.Query{Where: x})
	if err != nil {
		t.Fatal(err)
	}
	rows, r := collect(t, p, src)
	if len(rows) != 2001 || r.Requests.Total > 4 {
		t.Errorf("%d rows, %d requests for %d bytes of %d", len(rows), r.Requests.Total, r.Bytes.Total, len(data))
	}
	small := file(columns[:5]...).bytes()
	src = &countingSource{Source: source.Memory(small)}
	if f, err = pare.Open(t.Context(), hinted{src, source.RemoteHints()}, pare.Options{}); err != nil {
		t.Fatal(err)
	}
	x, _ = predicate.Parse("c3 = 1999")
	if p, err = f.Plan(t.Context(), pare.Query{Where: x}); err != nil {
		t.Fatal(err)
	}
	if rows, r = collect(t, p, src); len(rows) != 1 || r.Requests.Total != 1 {
		t.Errorf("%d rows, %d requests for a file of %d bytes", len(rows), r.Requests.Total, len(small))
	}
}

// hinted is a source that says what it costs.
type hinted struct {
	source.Source
	hints source.Hints
}

func (h hinted) Hints() source.Hints { return h.hints }

// TestKindHugeFooter: a footer above the limit is refused before it is read.
func TestKindHugeFooter(t *testing.T) {
	data := file(numbers("c", each(i32, 1))).bytes()
	if _, err := pare.Open(t.Context(), source.Memory(data), pare.Options{MaxFooter: 16}); err == nil || !strings.Contains(err.Error(), "the limit is 16") {
		t.Errorf("%v", err)
	}
	n := len(data)
	copy(data[n-8:], i32(math.MaxInt32))
	if _, err := pare.Open(t.Context(), source.Memory(data), pare.Options{}); err == nil {
		t.Error("a footer of 2 GiB in a small file was opened")
	}
}

// TestKindMalicious: counts and sizes that the bytes do not hold are one error.
func TestKindMalicious(t *testing.T) {
	base := func() kindFile {
		return file(numbers("c", span(i32, 0, 9), span(i32, 50, 59)), numbers("d", each(i32, slices.Repeat([]int32{7}, 20)...).coded()))
	}
	for name, f := range map[string]func() kindFile{
		"a row more": func() kindFile {
			f := base()
			f.numRows = func(_ int, n int64) int64 { return n + 1 }
			return f
		},
		"negative rows": func() kindFile {
			f := base()
			f.numRows = func(int, int64) int64 { return -1 }
			return f
		},
		"values in no page": func() kindFile {
			f := base()
			f.columns[0].place = func(_ int, p *kindPlace) { p.values += 1000 }
			return f
		},
		"a negative size": func() kindFile {
			f := base()
			f.columns[0].place = func(_ int, p *kindPlace) { p.size = -5 }
			return f
		},
	} {
		data := f().bytes()
		for _, where := range []string{"c >= 0", "c = 55", "d = 7 OR c = 3"} {
			x, _ := predicate.Parse(where)
			for _, q := range []pare.Query{{Where: x}, {}} {
				if err := scanHostile(data, q); err != nil {
					t.Errorf("%s, %s: %v", name, where, err)
				}
			}
		}
	}
	// Bounds of the wrong width are left out.
	c := numbers("c", each(i32, 1, 2))
	c.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = []byte{1, 2, 3}, []byte{} }
	c.columnIndex = func(_ int, x *metadata.ColumnIndex) { x.Min[0], x.Max[0] = []byte{9}, make([]byte, 5) }
	file(c).check(t, rowsWhere("c = 2", 1), rowsWhere("c > 1", 1))
}

// TestKindHugePages: a page that claims 100 MB in a small file takes little
// memory, and a negative size is an error.
func TestKindHugePages(t *testing.T) {
	data := file(numbers("c", each(i32, 1, 2, 3))).bytes()
	sizes := thriftStruct(func(w *thriftWriter) { w.i32(1, 0); w.i32(2, 12); w.i32(3, 12) })
	at := bytes.Index(data, sizes[:len(sizes)-1])
	if at != 4 {
		t.Fatalf("the page's header is at %d", at)
	}
	for _, size := range []int32{100e6, -5, math.MaxInt32, math.MinInt32} {
		for _, both := range []bool{true, false} {
			header := thriftStruct(func(w *thriftWriter) {
				w.i32(1, 0)
				w.i32(2, size)
				if both {
					w.i32(3, size)
				} else {
					w.i32(3, 12)
				}
			})
			header = header[:len(header)-1]
			// The page starts a few bytes before its place, over the magic.
			m := slices.Concat(data[:4], header, data[4+len(sizes)-1:])
			if err := scanHostile(m, pare.Query{}); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestKindI32Overflow: more pages than an int16 counts.
func TestKindI32Overflow(t *testing.T) {
	started := time.Now()
	var pages []kindPage
	for i := range int32(33_000) {
		pages = append(pages, each(i32, i))
	}
	data := file(numbers("c", pages...)).bytes()
	for _, where := range []string{"c = 32999"} {
		x, _ := predicate.Parse(where)
		rows, r, err := rowNumbers(t, data, exact, pare.Query{Where: x})
		if err != nil || len(rows) != 1 || r.Pages.Read != 1 {
			t.Errorf("%s: rows %v, %d pages, %v", where, rows, r.Pages.Read, err)
		}
	}
	if rows, _, err := rowNumbers(t, data, pare.Options{}, pare.Query{}); err != nil || len(rows) != 33_000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if d := time.Since(started); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
