package pare_test

import (
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/parequet/pare/metadata"
)

// A small writer of Parquet files that say what no library would make them
// say: wrong bounds, wrong counts, missing pieces. Pages are V1 and not
// compressed; a dictionary has at most 256 values.

// kindFile is a file to be crafted.
type kindFile struct {
	createdBy string // "" leaves it out
	noOrders  bool   // leave column_orders out
	columns   []kindColumn
	numRows   func(group int, rows int64) int64
	rowGroup  func(w *thriftWriter) // more fields of each row group, ids above 3
}

// kindPage is a data page: its values, without length prefixes, nil for NULL.
type kindPage struct {
	values [][]byte
	dict   bool
}

type kindColumn struct {
	name     string
	typ      metadata.Type
	length   int32
	optional bool
	element  func(w *thriftWriter) // more fields of the schema element, ids above 5
	groups   [][]kindPage
	unused   [][]byte // values that stand in the dictionary and in no page

	compare       func(a, b []byte) int // makes statistics and column index; nil leaves bounds out
	legacy        bool                  // bounds go into the deprecated fields
	stats         func(group int, s *metadata.Statistics)
	noIndex       bool
	inHeaders     bool                                     // page headers hold statistics
	columnIndex   func(group int, x *metadata.ColumnIndex) // Order -2 leaves it out
	offsetIndex   func(group int, x *metadata.OffsetIndex)
	encodings     []metadata.Encoding
	encodingStats func(group int, s []metadata.PageEncodingStats) []metadata.PageEncodingStats

	bloom  int // bytes of the filter's bitset, 0 for no filter
	filter func(group int, b []byte) (filter []byte, length int32)
	place  func(group int, p *kindPlace)

	chunks []kindChunk
}

// kindPlace is where the footer says that a chunk lies.
type kindPlace struct{ dictionary, data, size, values int64 }

type kindChunk struct {
	kindPlace
	stats         metadata.Statistics
	encodingStats []metadata.PageEncodingStats
	filter        []byte
	bloomAt       int64
	bloomLength   int32
	offsets       *metadata.OffsetIndex
	bounds        *metadata.ColumnIndex
	oi, ci        [2]int64
	rows          int64
}

// bytes writes the file.
func (f kindFile) bytes() []byte {
	out := []byte("PAR1")
	f.columns = slices.Clone(f.columns)
	for i := range f.columns {
		f.columns[i].chunks = nil
	}
	groups := len(f.columns[0].groups)
	for g := range groups {
		for i := range f.columns {
			out = f.columns[i].write(out, g)
		}
	}
	for i := range f.columns {
		for g := range f.columns[i].chunks {
			if c := &f.columns[i].chunks[g]; len(c.filter) > 0 {
				c.bloomAt = int64(len(out))
				out = append(out, c.filter...)
			}
		}
	}
	add := func(b []byte) (at [2]int64) {
		at = [2]int64{int64(len(out)), int64(len(b))}
		out = append(out, b...)
		return at
	}
	for i := range f.columns {
		for g := range f.columns[i].chunks {
			c := &f.columns[i].chunks[g]
			if c.bounds != nil {
				c.ci = add(columnIndexBytes(c.bounds))
			}
			if c.offsets != nil {
				c.oi = add(offsetIndexBytes(c.offsets))
			}
		}
	}
	footer := f.footer(groups)
	out = append(out, footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...)
}

// write appends a chunk's pages and notes what the footer will say of them.
func (c *kindColumn) write(out []byte, g int) []byte {
	start := int64(len(out))
	var k kindChunk
	dict := map[string]int{}
	var entries [][]byte
	for _, p := range c.groups[g] {
		for _, v := range p.values {
			if _, ok := dict[string(v)]; p.dict && v != nil && !ok {
				dict[string(v)] = len(entries)
				entries = append(entries, v)
			}
		}
	}
	if entries = append(entries, c.unused...); len(entries) > 0 {
		k.dictionary = start
		out = appendPage(out, metadata.DictionaryPage, metadata.Plain, len(entries), c.plain(entries), nil)
		k.encodingStats = append(k.encodingStats, metadata.PageEncodingStats{PageType: metadata.DictionaryPage, Encoding: metadata.Plain, Count: 1})
	}
	k.data = int64(len(out))
	k.offsets = &metadata.OffsetIndex{}
	k.bounds = &metadata.ColumnIndex{NullCounts: []int64{}}
	var all [][]byte
	for _, p := range c.groups[g] {
		body, encoding := c.body(p, dict)
		at := int64(len(out))
		out = appendPage(out, metadata.DataPage, encoding, len(p.values), body, c.pageStatistics(p))
		k.offsets.Pages = append(k.offsets.Pages, metadata.PageLocation{Offset: at, Length: int64(len(out)) - at, FirstRow: k.rows})
		k.rows += int64(len(p.values))
		k.encodingStats = append(k.encodingStats, metadata.PageEncodingStats{PageType: metadata.DataPage, Encoding: encoding, Count: 1})
		lo, hi, nulls := c.bounds(p.values)
		k.bounds.Min, k.bounds.Max = append(k.bounds.Min, lo), append(k.bounds.Max, hi)
		k.bounds.NullPages = append(k.bounds.NullPages, nulls == int64(len(p.values)))
		k.bounds.NullCounts = append(k.bounds.NullCounts, nulls)
		all = append(all, p.values...)
	}
	k.size, k.values = int64(len(out))-start, k.rows
	lo, hi, nulls := c.bounds(all)
	k.stats.NullCount = &nulls
	if c.legacy {
		k.stats.Min, k.stats.Max = lo, hi
	} else {
		k.stats.MinValue, k.stats.MaxValue = lo, hi
	}
	c.adjust(g, &k, all)
	c.chunks = append(c.chunks, k)
	return out
}

// adjust lets the case say something else than the truth.
func (c *kindColumn) adjust(g int, k *kindChunk, all [][]byte) {
	if c.bloom > 0 {
		bits := make([]byte, c.bloom)
		for _, v := range all {
			if v != nil {
				bloomInsert(bits, xxhash.Sum64(v))
			}
		}
		k.filter = append(bloomHeader(len(bits)), bits...)
		k.bloomLength = int32(len(k.filter))
		if c.filter != nil {
			k.filter, k.bloomLength = c.filter(g, k.filter)
		}
	}
	if c.stats != nil {
		c.stats(g, &k.stats)
	}
	if c.noIndex {
		k.offsets, k.bounds = nil, nil
	}
	if k.bounds != nil && c.columnIndex != nil {
		if c.columnIndex(g, k.bounds); k.bounds.Order == -2 {
			k.bounds = nil
		}
	}
	if c.compare == nil {
		k.bounds = nil
	}
	if k.offsets != nil && c.offsetIndex != nil {
		c.offsetIndex(g, k.offsets)
	}
	if c.encodingStats != nil {
		k.encodingStats = c.encodingStats(g, k.encodingStats)
	}
	if c.place != nil {
		c.place(g, &k.kindPlace)
	}
}

func (c *kindColumn) bounds(values [][]byte) (lo, hi []byte, nulls int64) {
	for _, v := range values {
		switch {
		case v == nil:
			nulls++
		case c.compare == nil:
		case lo == nil:
			lo, hi = v, v
		default:
			if c.compare(v, lo) < 0 {
				lo = v
			}
			if c.compare(v, hi) > 0 {
				hi = v
			}
		}
	}
	return lo, hi, nulls
}

func (c *kindColumn) plain(values [][]byte) (out []byte) {
	for _, v := range values {
		if c.typ == metadata.ByteArray && v != nil {
			out = binary.LittleEndian.AppendUint32(out, uint32(len(v)))
		}
		out = append(out, v...)
	}
	return out
}

// body encodes a page: definition levels, then values or dictionary indexes.
func (c *kindColumn) body(p kindPage, dict map[string]int) (body []byte, e metadata.Encoding) {
	var present [][]byte
	levels := make([]byte, (len(p.values)+7)/8)
	for i, v := range p.values {
		if v != nil {
			levels[i/8] |= 1 << (i % 8)
			present = append(present, v)
		}
	}
	if c.optional {
		run := append(binary.AppendUvarint(nil, uint64(len(levels))<<1|1), levels...)
		body = append(binary.LittleEndian.AppendUint32(nil, uint32(len(run))), run...)
	}
	if !p.dict {
		return append(body, c.plain(present)...), metadata.Plain
	}
	indexes := make([]byte, (len(present)+7)/8*8)
	for i, v := range present {
		indexes[i] = byte(dict[string(v)])
	}
	body = binary.AppendUvarint(append(body, 8), uint64(len(indexes)/8)<<1|1)
	return append(body, indexes...), metadata.RLEDictionary
}

// pageStatistics are those of the header of a page, if it has any.
func (c *kindColumn) pageStatistics(p kindPage) *metadata.Statistics {
	if !c.inHeaders {
		return nil
	}
	lo, hi, nulls := c.bounds(p.values)
	return &metadata.Statistics{MinValue: lo, MaxValue: hi, NullCount: &nulls}
}

func appendPage(out []byte, typ metadata.PageType, e metadata.Encoding, values int, body []byte, stats *metadata.Statistics) []byte {
	header := thriftStruct(func(w *thriftWriter) {
		w.i32(1, int32(typ))
		w.i32(2, int32(len(body)))
		w.i32(3, int32(len(body)))
		id := int16(5)
		if typ == metadata.DictionaryPage {
			id = 7
		}
		w.sub(id, func(w *thriftWriter) {
			w.i32(1, int32(values))
			w.i32(2, int32(e))
			if id == 5 {
				w.i32(3, int32(metadata.RLE))
				w.i32(4, int32(metadata.RLE))
			}
			if stats != nil {
				w.sub(5, func(w *thriftWriter) { writeStatistics(w, stats) })
			}
		})
	})
	return append(append(out, header...), body...)
}
