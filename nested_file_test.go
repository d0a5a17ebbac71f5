package pare_test

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// nestFile is a random nested file and what it holds.
type nestFile struct {
	root   *nest // a struct of the columns
	leaves []*nest
	rows   [][]any // by row, then by column
	data   []byte
	layout nestLayout
}

// drawNestFile draws a schema and as many rows, and writes them.
func drawNestFile(t *rapid.T, most int) *nestFile {
	f := &nestFile{root: &nest{kind: nestStruct}}
	for i := range rapid.IntRange(1, 3).Draw(t, "columns") {
		f.root.kids = append(f.root.kids, drawNest(t, string(rune('p'+i)), rapid.IntRange(0, 3).Draw(t, "depth")))
	}
	f.layout = nestLayout{
		v2: rapid.Bool().Draw(t, "V2"), index: rapid.IntRange(0, 2).Draw(t, "index") > 0, aligned: rapid.Bool().Draw(t, "aligned"),
		dict: rapid.Bool().Draw(t, "dictionary"), legacy: rapid.IntRange(0, 4).Draw(t, "BIT_PACKED") == 0,
		codec: rapid.SampledFrom([]metadata.Codec{metadata.Uncompressed, metadata.Snappy, metadata.Gzip, metadata.Zstd, metadata.LZ4Raw, metadata.Brotli}).Draw(t, "codec"),
		most:  rapid.SampledFrom([]int{1, 3, 8, 40, 1000}).Draw(t, "levels of a page"),
	}
	var sizes []int64
	for left := rapid.IntRange(0, most).Draw(t, "rows"); left > 0; {
		n := rapid.IntRange(1, left).Draw(t, "rows of a group")
		left -= n
		sizes = append(sizes, int64(n))
	}
	f.write(t, sizes)
	return f
}

// write draws the rows of row groups of these sizes, and writes the file.
func (f *nestFile) write(t *rapid.T, sizes []int64) {
	for _, k := range f.root.kids {
		k.levels(nil, 0, 0, &f.leaves)
	}
	f.data = []byte("PAR1")
	var groups [][]nestChunk
	for _, n := range sizes {
		for range n {
			row := make([]any, len(f.root.kids))
			for i, k := range f.root.kids {
				row[i] = k.draw(t)
				k.shred(row[i], 0, 0)
			}
			f.rows = append(f.rows, row)
		}
		groups = append(groups, f.writeGroup(t))
	}
	f.writeFooter(t, groups, sizes)
}

// nestChunk is where a column chunk lies.
type nestChunk struct {
	dictionary, data, end int64
	index                 *metadata.OffsetIndex
	at, length            int64 // of the index
	values                int64
}

func (f *nestFile) writeGroup(t *rapid.T) (out []nestChunk) {
	for _, n := range f.leaves {
		c := nestChunk{values: int64(len(n.rows)), index: &metadata.OffsetIndex{}}
		dict := map[string]int{}
		var entries []byte
		if f.layout.dict && n.typ != metadata.Boolean {
			for _, e := range n.rows {
				if key := fmt.Sprint(e.value); e.value != nil {
					if _, ok := dict[key]; !ok {
						dict[key] = len(dict)
						entries = n.plainValue(entries, e.value)
					}
				}
			}
			c.dictionary = int64(len(f.data))
			f.page(metadata.DictionaryPage, metadata.Plain, len(dict), nestCounts{}, nil, entries)
		}
		c.data = int64(len(f.data))
		for _, p := range n.pages(t, f.layout) {
			at := int64(len(f.data))
			f.dataPage(t, n, p, dict, c.dictionary > 0)
			c.index.Pages = append(c.index.Pages, metadata.PageLocation{Offset: at, Length: int64(len(f.data)) - at, FirstRow: p.firstRow})
		}
		c.end = int64(len(f.data))
		n.rows = nil
		if f.layout.offsets != nil {
			f.layout.offsets(n, c.index)
		}
		out = append(out, c)
	}
	return out
}

// nestCounts is what a V2 header says of its page.
type nestCounts struct{ nulls, rows, rep, def int }

func (f *nestFile) dataPage(t *rapid.T, n *nest, p nestPage, dict map[string]int, indices bool) {
	var reps, defs []int
	var values []byte
	var count nestCounts
	var found []int
	bools := 0
	for _, e := range p.entries {
		reps, defs = append(reps, e.rep), append(defs, e.def)
		if e.rep == 0 {
			count.rows++
		}
		switch {
		case e.value == nil:
			count.nulls++
		case indices:
			found = append(found, dict[fmt.Sprint(e.value)])
		case n.typ == metadata.Boolean:
			if bools%8 == 0 {
				values = append(values, 0)
			}
			if e.value.(bool) {
				values[bools/8] |= 1 << (bools % 8)
			}
			bools++
		default:
			values = n.plainValue(values, e.value)
		}
	}
	encoding := metadata.Plain
	if indices {
		encoding = metadata.RLEDictionary
		values = append([]byte{8}, hybrid(found, 255, rapid.Bool().Draw(t, "packed indices"))...)
	}
	var levels []byte
	add := func(vs []int, most int) (size int) {
		if most == 0 {
			return 0
		}
		before := len(levels)
		encoded := hybrid(vs, most, rapid.Bool().Draw(t, "packed levels"))
		switch {
		case f.layout.v2:
		case f.layout.legacy:
			width := bitsOf(most)
			encoded = packLevels(vs, width, (len(vs)*width+7)/8, true)
		default:
			levels = binary.LittleEndian.AppendUint32(levels, uint32(len(encoded)))
		}
		levels = append(levels, encoded...)
		return len(levels) - before
	}
	count.rep, count.def = add(reps, n.maxRep()), add(defs, n.maxDef())
	typ := metadata.DataPage
	if f.layout.v2 {
		typ = metadata.DataPageV2
	} else {
		levels, values = nil, append(levels, values...)
	}
	f.page(typ, encoding, len(p.entries), count, levels, values)
}

func bitsOf(n int) (width int) {
	for ; n > 0; n >>= 1 {
		width++
	}
	return width
}

// maxRep and maxDef are the greatest levels of a leaf.
func (n *nest) maxRep() int { return n.rep }
func (n *nest) maxDef() int { return n.def }

// page appends a page: levels as they are, then the compressed body.
func (f *nestFile) page(typ metadata.PageType, e metadata.Encoding, values int, count nestCounts, levels, body []byte) {
	packed := compressed(f.layout.codec, body)
	header := thriftStruct(func(w *thriftWriter) {
		w.i32(1, int32(typ))
		w.i32(2, int32(len(levels)+len(body)))
		w.i32(3, int32(len(levels)+len(packed)))
		switch typ {
		case metadata.DictionaryPage:
			w.sub(7, func(w *thriftWriter) { w.i32(1, int32(values)); w.i32(2, int32(e)) })
		case metadata.DataPage:
			as := metadata.RLE
			if f.layout.legacy {
				as = metadata.BitPacked
			}
			w.sub(5, func(w *thriftWriter) {
				w.i32(1, int32(values))
				w.i32(2, int32(e))
				w.i32(3, int32(as))
				w.i32(4, int32(as))
			})
		default:
			w.sub(8, func(w *thriftWriter) {
				w.i32(1, int32(values))
				w.i32(2, int32(count.nulls))
				w.i32(3, int32(count.rows))
				w.i32(4, int32(e))
				w.i32(5, int32(count.def))
				w.i32(6, int32(count.rep))
			})
		}
	})
	f.data = append(append(append(f.data, header...), levels...), packed...)
}

func compressed(c metadata.Codec, b []byte) []byte {
	var buf bytes.Buffer
	switch c {
	case metadata.Snappy:
		return snappy.Encode(nil, b)
	case metadata.Gzip:
		w := gzip.NewWriter(&buf)
		w.Write(b)
		w.Close()
	case metadata.Zstd:
		w, _ := zstd.NewWriter(nil)
		return w.EncodeAll(b, nil)
	case metadata.LZ4Raw:
		out := make([]byte, lz4.CompressBlockBound(len(b))+16)
		n, err := lz4.CompressBlock(b, out, nil)
		if err == nil && n > 0 {
			return out[:n]
		}
		return lz4Stored(b)
	case metadata.Brotli:
		w := brotli.NewWriter(&buf)
		w.Write(b)
		w.Close()
	default:
		return b
	}
	return buf.Bytes()
}

// lz4Stored is an LZ4 block of one literal.
func lz4Stored(b []byte) []byte {
	if len(b) < 15 {
		return append([]byte{byte(len(b)) << 4}, b...)
	}
	out := []byte{15 << 4}
	n := len(b) - 15
	for ; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), b...)
}

func (f *nestFile) writeFooter(t *rapid.T, groups [][]nestChunk, sizes []int64) {
	for g := range groups {
		for i := range groups[g] {
			c := &groups[g][i]
			if f.layout.index {
				b := offsetIndexBytes(c.index)
				c.at, c.length = int64(len(f.data)), int64(len(b))
				f.data = append(f.data, b...)
			}
		}
	}
	createdBy := ""
	if f.layout.aligned {
		createdBy = rapid.SampledFrom([]string{"", "parquet-mr version 1.13.1", "parquet-cpp-arrow version 14.0.0"}).Draw(t, "created by")
	}
	footer := thriftStruct(func(w *thriftWriter) {
		w.i32(1, 2)
		elements := &thriftWriter{last: []int16{0}}
		count := 1
		elements.elem(func(w *thriftWriter) { w.bytes(4, txt("schema")); w.i32(5, int32(len(f.root.kids))) })
		for _, k := range f.root.kids {
			k.schema(elements, &count, false)
		}
		w.list(2, thriftSub, count)
		w.b = append(w.b, elements.b...)
		w.i64(3, int64(len(f.rows)))
		w.list(4, thriftSub, len(groups))
		for g, chunks := range groups {
			w.elem(func(w *thriftWriter) {
				w.list(1, thriftSub, len(chunks))
				for i, c := range chunks {
					w.elem(func(w *thriftWriter) { f.leaves[i].chunkFooter(w, c, f.layout) })
				}
				w.i64(2, 1)
				w.i64(3, sizes[g])
			})
		}
		if createdBy != "" {
			w.bytes(6, txt(createdBy))
		}
	})
	f.data = append(f.data, footer...)
	f.data = append(binary.LittleEndian.AppendUint32(f.data, uint32(len(footer))), "PAR1"...)
}

func (n *nest) chunkFooter(w *thriftWriter, c nestChunk, l nestLayout) {
	start := c.data
	if c.dictionary > 0 {
		start = c.dictionary
	}
	w.i64(2, 0)
	w.sub(3, func(w *thriftWriter) {
		w.i32(1, int32(n.typ))
		w.list(2, thriftI32, 1)
		w.varint(0)
		w.list(3, thriftBinary, len(n.path))
		for _, p := range n.path {
			w.binary(txt(p))
		}
		w.i32(4, int32(l.codec))
		w.i64(5, c.values)
		w.i64(6, c.end-start)
		w.i64(7, c.end-start)
		w.i64(9, c.data)
		if c.dictionary > 0 {
			w.i64(11, c.dictionary)
		}
	})
	if c.length > 0 {
		w.i64(4, c.at)
		w.i32(5, int32(c.length))
	}
}
