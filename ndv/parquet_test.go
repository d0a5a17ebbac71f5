package ndv

import (
	"math"
	"strings"
	"testing"

	"github.com/parequet/pare/metadata"
)

func ptr[T any](v T) *T { return &v }

// summary is what is made of a chunk of 1,000 int64 values.
func summary(createdBy string, change func(c *metadata.Chunk)) Chunk {
	c := &metadata.Chunk{Column: &metadata.Column{Type: metadata.Int64, Order: metadata.OrderInt}, NumValues: 1000, UncompressedSize: 3000, CompressedSize: 2000,
		Codec: 1, DictionaryOffset: 4, DataPageOffset: 804, Encodings: []metadata.Encoding{metadata.Plain, metadata.RLE, metadata.RLEDictionary},
		EncodingStats: []metadata.PageEncodingStats{{PageType: metadata.DictionaryPage, Encoding: metadata.Plain, Count: 1}, {PageType: metadata.DataPage, Encoding: metadata.RLEDictionary, Count: 2}},
		TextBytes:     -1, Statistics: &metadata.Statistics{}, Pages: metadata.Extent{Offset: 4, Length: 2000}}
	if change != nil {
		change(c)
	}
	f := &metadata.File{CreatedBy: createdBy, Writer: metadata.ParseWriter(createdBy)}
	x := NewChunk(metadata.Zone{})
	x.take(f, c)
	x.takeCount(c.Statistics, c.Column, strings.HasPrefix(f.Writer.App, "DuckDB"))
	return x
}

const arrow = "parquet-cpp-arrow version 20.0.0"

// TestUsageOfDictionaries: what encodings, their counts and the dictionary's
// place prove.
func TestUsageOfDictionaries(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *metadata.Chunk)
		want   Usage
		span   int64
	}{
		"every page": {nil, All, 800},
		"a page that does not": {func(c *metadata.Chunk) {
			c.EncodingStats = append(c.EncodingStats, metadata.PageEncodingStats{PageType: metadata.DataPage, Encoding: metadata.Plain, Count: 3})
		}, Fallback, 800},
		"a dictionary that no page uses": {func(c *metadata.Chunk) {
			c.EncodingStats[1] = metadata.PageEncodingStats{PageType: metadata.DataPage, Encoding: metadata.Plain, Count: 3}
		}, None, -1},
		"no encoding_stats, PLAIN may be the dictionary's": {func(c *metadata.Chunk) { c.EncodingStats = nil }, Unknown, 800},
		"no encoding_stats, only PLAIN_DICTIONARY": {func(c *metadata.Chunk) {
			c.EncodingStats, c.Encodings = nil, []metadata.Encoding{metadata.PlainDictionary, metadata.RLE}
		}, All, 800},
		"a dictionary without an offset": {func(c *metadata.Chunk) { c.DictionaryOffset, c.DataPageOffset = 0, 4 }, All, -1},
		"an offset behind the data":      {func(c *metadata.Chunk) { c.DictionaryOffset = 900 }, All, -1},
		"no dictionary": {func(c *metadata.Chunk) {
			c.EncodingStats, c.DictionaryOffset, c.Encodings = nil, 0, []metadata.Encoding{metadata.Plain, metadata.RLE}
		}, None, -1},
	} {
		if got := summary(arrow, c.change); got.Usage != c.want || got.Dictionary != c.span {
			t.Errorf("%s: usage %d, dictionary of %d bytes; want %d, %d", name, got.Usage, got.Dictionary, c.want, c.span)
		}
	}
}

// TestWrittenCounts: a distinct count is taken from DuckDB alone, and bent by
// what is proven.
func TestWrittenCounts(t *testing.T) {
	const duckDB = "DuckDB version v1.5.6 (build 0000000000)"
	ask := func(createdBy string, count *int64) Answer {
		return Estimate(Column{Order: metadata.OrderInt, Width: 8, Chunks: []Chunk{summary(createdBy, func(c *metadata.Chunk) { c.Statistics.DistinctCount = count })}})
	}
	if a := ask(duckDB, ptr(int64(150))); a.Lo != 150 || a.Estimate != 150 || a.Hi != 150 || a.LoOn&Written == 0 || a.LoOn.Proven() {
		t.Errorf("DuckDB's 150: %+v", a)
	}
	for name, a := range map[string]Answer{"another writer": ask(arrow, ptr(int64(150))), "absent": ask(duckDB, nil), "zero": ask(duckDB, ptr(int64(0))), "negative": ask(duckDB, ptr(int64(-5)))} {
		if a.LoOn&Written != 0 || a.Lo == a.Hi {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if a := ask(duckDB, ptr(int64(5000))); a.Hi > 1000 || a.Estimate > a.Hi || a.Lo > a.Hi {
		t.Errorf("more than there are values: %+v", a)
	}
}

// one makes a column of one chunk with a zone.
func one(order metadata.Order, z metadata.Zone) Answer {
	width := 8
	if order == metadata.OrderBytes {
		width = -1
	}
	return Estimate(Column{Order: order, Width: width, Nullable: true, Chunks: []Chunk{NewChunk(z)}})
}

// TestZonesAlone: what counts and bounds tell by themselves.
func TestZonesAlone(t *testing.T) {
	float := func(lo, hi float64, noNaN bool) metadata.Zone {
		return metadata.Zone{Rows: 10, Lower: metadata.FloatValue(lo), Upper: metadata.FloatValue(hi), HasLower: true, HasUpper: true, LowerExact: true, UpperExact: true, NoNaN: noNaN}
	}
	text := func(lo, hi string, exact bool) metadata.Zone {
		return metadata.Zone{Rows: 10, Lower: metadata.BytesValue([]byte(lo)), Upper: metadata.BytesValue([]byte(hi)), HasLower: true, HasUpper: true, LowerExact: exact, UpperExact: exact, NoNaN: true}
	}
	integer := metadata.Zone{Rows: 1000, Lower: metadata.IntValue(3), Upper: metadata.IntValue(7), HasLower: true, HasUpper: true, LowerExact: true, UpperExact: true, NoNaN: true}
	for _, c := range []struct {
		name   string
		order  metadata.Order
		z      metadata.Zone
		lo, hi int64
	}{
		{"no rows", metadata.OrderInt, metadata.Zone{NoNaN: true}, 0, 0},
		{"all NULL", metadata.OrderInt, metadata.Zone{Rows: 10, Nulls: 10, NoNaN: true}, 0, 0},
		{"nothing known", metadata.OrderInt, metadata.Zone{Rows: 10, Nulls: -1, NoNaN: true}, 0, 10},
		{"a value for certain", metadata.OrderInt, metadata.Zone{Rows: 10, Nulls: 3, NoNaN: true}, 1, 7},
		{"a range of five integers", metadata.OrderInt, integer, 2, 5},
		{"one float, no NaN", metadata.OrderFloat, float(4, 4, true), 1, 1},
		{"one float, NaN possible", metadata.OrderFloat, float(4, 4, false), 1, 2},
		{"-0 and +0", metadata.OrderFloat, float(math.Copysign(0, -1), 0, true), 1, 1},
		{"two floats, NaN possible", metadata.OrderFloat, float(1, 2, false), 2, 10},
		{"two texts", metadata.OrderBytes, text("a", "b", true), 2, 10},
		{"texts that are cut short", metadata.OrderBytes, text("a", "b", false), 1, 10},
		{"one text, cut short or not", metadata.OrderBytes, text("a", "a", false), 1, 1},
	} {
		a := one(c.order, c.z)
		if a.Lo != c.lo || a.Hi != c.hi || a.Estimate < a.Lo || a.Estimate > a.Hi {
			t.Errorf("%s: %d in %d…%d, want %d…%d", c.name, a.Estimate, a.Lo, a.Hi, c.lo, c.hi)
		}
		if known := c.lo == c.hi; known && !a.Known || !a.Known && a.Route != NoEvidence {
			t.Errorf("%s: known %v, by %s", c.name, a.Known, a.Route)
		}
	}
	if a := Estimate(Column{}); a.Lo != 0 || a.Hi != 0 || !a.Known {
		t.Errorf("no row groups: %+v", a)
	}
}

// TestFloatDictionaries: entries are bits, and several may be one value; the
// values themselves are counted as SQL does.
func TestFloatDictionaries(t *testing.T) {
	c := NewChunk(metadata.Zone{Rows: 100})
	c.Usage, c.Entries = All, 5
	col := Column{Order: metadata.OrderFloat, Width: 8, Chunks: []Chunk{c}}
	if a := Estimate(col); a.Lo > 1 || a.Hi != 5 || a.Estimate != 5 {
		t.Errorf("5 entries: %+v", a)
	}
	var keys []uint64
	for _, v := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0x7ff8000000000001), 3} {
		keys = append(keys, Key(metadata.FloatValue(v)))
	}
	col.Chunks[0].Values = NewSet(keys)
	if a := Estimate(col); a.Lo != 3 || a.Hi != 3 || !strings.Contains(a.HiOn.String(), "dictionaries") {
		t.Errorf("-0, +0, two NaNs and 3: %+v", a)
	}
}

// TestUnionOfFilters: a filter of twice the blocks folds onto the smaller one.
func TestUnionOfFilters(t *testing.T) {
	small, large := &Filter{make([]byte, 32)}, &Filter{make([]byte, 64)}
	small.Bits[3], large.Bits[3], large.Bits[32+5] = 1, 2, 4
	u, ok := unionFilters([]*Filter{large, small})
	if !ok || len(u.Bits) != 32 || u.Bits[3] != 3 || u.Bits[5] != 4 {
		t.Errorf("%v %v", u, ok)
	}
	if _, ok := unionFilters([]*Filter{{make([]byte, 64)}, {make([]byte, 96)}}); ok {
		t.Error("filters of 2 and 3 blocks cannot be united")
	}
	if n, fill := (&Filter{make([]byte, 320)}).distinct(); n != 0 || fill != 0 {
		t.Errorf("an empty filter: %v, %v", n, fill)
	}
}

// TestPartsOfChunks: of the rows that a plan keeps, no more values than rows.
func TestPartsOfChunks(t *testing.T) {
	c := exactly([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	c.Kept = 4
	if a := Estimate(Column{Order: metadata.OrderInt, Width: 8, Chunks: []Chunk{c}}); a.Lo != 0 || a.Hi != 4 || a.Estimate < 2 {
		t.Errorf("4 of 10 different values: %+v", a)
	}
}
