package metadata

import (
	"fmt"
	"path"
	"slices"
)

// Chunk is the metadata of one column in one row group.
type Chunk struct {
	Column           *Column
	RowGroup         int
	Encodings        []Encoding
	Codec            Codec
	NumValues        int64 // nulls included
	UncompressedSize int64 // page headers included
	CompressedSize   int64 // page headers included
	DataPageOffset   int64
	DictionaryOffset int64 // 0 if absent
	Statistics       *Statistics
	EncodingStats    []PageEncodingStats // nil if absent
	TextBytes        int64               // of all byte arrays, without their lengths; -1 if absent
	BloomOffset      int64               // 0 if absent
	BloomLength      int64               // 0 if absent; older writers give an offset only
	ColumnIndex      Extent              // Length 0 if absent
	OffsetIndex      Extent              // Length 0 if absent

	// AlwaysCompressed says that is_compressed of V2 pages is not to be believed.
	AlwaysCompressed bool

	// Pages covers the chunk's dictionary and data pages.
	Pages Extent
}

// PageEncodingStats counts a chunk's pages of one type and encoding.
type PageEncodingStats struct {
	PageType PageType
	Encoding Encoding
	Count    int32
}

// Chunk decodes the metadata of a column. The column must belong to the
// file's own schema. It costs some hundred nanoseconds and is not cached.
func (g *RowGroup) Chunk(col *Column) (*Chunk, error) {
	f := g.file
	name := func() string { return f.piece(g.Index, col, "") } // for errors alone
	if col.Problem != "" {
		return nil, &UnsupportedError{Piece: name(), Msg: col.Problem}
	}
	if len(g.chunkAt) != len(f.Schema.Columns) {
		return nil, formatErr(name(), -1, "the row group lists %d column chunks, the schema %d columns", len(g.chunkAt), len(f.Schema.Columns))
	}
	p := chunkParser{Chunk: Chunk{Column: col, RowGroup: g.Index, Codec: -1, NumValues: -1, CompressedSize: -1, TextBytes: -1}, typ: int32(noType)}
	r := &thriftReader{b: f.raw, p: int(g.chunkAt[col.Index])}
	p.chunk(r)
	if r.err != nil {
		at := f.Footer.Offset + int64(r.p)
		if f.path != "" {
			at = -1 // it is in another file
		}
		return nil, &FormatError{Piece: name(), Offset: at, Err: r.err}
	}
	c := &p.Chunk
	c.AlwaysCompressed = f.Writer.compressesAlways()
	switch {
	case p.encrypted:
		return nil, &UnsupportedError{Piece: name(), Msg: "the column is encrypted"}
	case !p.hasMeta:
		return nil, formatErr(name(), -1, "has no metadata")
	case p.filePath != f.path && (f.path == "" || path.Clean(p.filePath) != f.path):
		return nil, &UnsupportedError{Piece: name(), Msg: "its pages lie in another file, " + p.filePath}
	case Type(p.typ) != col.Type:
		return nil, formatErr(name(), -1, "is %v, the schema says %v", Type(p.typ), col.Type)
	case c.NumValues < 0:
		return nil, formatErr(name(), -1, "has %d values", c.NumValues)
	}
	if err := f.place(g, c, name); err != nil {
		return nil, err
	}
	return c, nil
}

// chunkParser collects what decides whether a Chunk can be used at all.
type chunkParser struct {
	Chunk
	typ       int32
	filePath  string
	hasMeta   bool
	encrypted bool
}

func (p *chunkParser) chunk(r *thriftReader) {
	var ciOff, oiOff int64
	var ciLen, oiLen int32
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.string(typ, &p.filePath)
		case 3:
			if typ != tStruct {
				return false
			}
			p.hasMeta = true
			p.meta(r)
			return true
		case 4:
			return r.i64(typ, &oiOff)
		case 5:
			return r.i32(typ, &oiLen)
		case 6:
			return r.i64(typ, &ciOff)
		case 7:
			return r.i32(typ, &ciLen)
		case 8, 9:
			p.encrypted = true
		}
		return false
	})
	at := Piece{RowGroup: p.RowGroup, Column: p.Column.Index}
	at.Kind = PieceColumnIndex
	p.ColumnIndex = Extent{ciOff, int64(ciLen), at}
	at.Kind = PieceOffsetIndex
	p.OffsetIndex = Extent{oiOff, int64(oiLen), at}
}

func (p *chunkParser) meta(r *thriftReader) {
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, &p.typ)
		case 2:
			var list []int64
			if !r.i64List(typ, &list) {
				return false
			}
			p.Encodings = make([]Encoding, 0, len(list))
			for _, e := range list {
				p.Encodings = append(p.Encodings, Encoding(e))
			}
			return true
		case 4:
			return r.i32(typ, (*int32)(&p.Codec))
		case 5:
			return r.i64(typ, &p.NumValues)
		case 6:
			return r.i64(typ, &p.UncompressedSize)
		case 7:
			return r.i64(typ, &p.CompressedSize)
		case 9:
			return r.i64(typ, &p.DataPageOffset)
		case 11:
			return r.i64(typ, &p.DictionaryOffset)
		case 12:
			if typ != tStruct {
				return false
			}
			p.Statistics = parseStatistics(r)
			return true
		case 13:
			p.EncodingStats = nil
			return r.structList(typ, func(i, n int) {
				if i == 0 {
					p.EncodingStats = make([]PageEncodingStats, 0, n) // each is a byte of the footer at least
				}
				p.EncodingStats = append(p.EncodingStats, parseEncodingStats(r))
			})
		case 14:
			return r.i64(typ, &p.BloomOffset)
		case 15:
			var n int32
			ok := r.i32(typ, &n)
			p.BloomLength = int64(n)
			return ok
		case 16: // size_statistics
			if typ != tStruct {
				return false
			}
			r.eachField(func(id int16, typ byte) bool { return id == 1 && r.i64(typ, &p.TextBytes) })
			return true
		}
		return false
	})
}

// DataPages is the number of the chunk's data pages as encoding_stats tells it;
// ok is false if that is absent or known to be written wrongly.
func (f *File) DataPages(c *Chunk) (n int64, ok bool) {
	for _, s := range c.EncodingStats {
		if s.Count < 0 {
			return 0, false
		}
		if s.PageType == DataPage || s.PageType == DataPageV2 {
			n += int64(s.Count)
		}
	}
	return n, n > 0 && !f.Writer.BadEncodingStats()
}

// hasDictionary reports whether pages of the chunk may use a dictionary.
func (c *Chunk) hasDictionary() bool {
	return c.DictionaryOffset > 0 || slices.ContainsFunc(c.Encodings, Encoding.IsDictionary)
}

// NotAllDictionary says why it is not certain that all data pages of a chunk
// are dictionary-encoded, or "".
func (f *File) NotAllDictionary(c *Chunk) string {
	if n, ok := f.DataPages(c); ok {
		for _, s := range c.EncodingStats {
			if s.PageType != DictionaryPage && s.Count > 0 && !s.Encoding.IsDictionary() {
				return fmt.Sprintf("%d of %d pages are %v", s.Count, n, s.Encoding)
			}
		}
		return ""
	}
	// Without usable encoding_stats only an old list of encodings proves it:
	// newer writers name PLAIN for the dictionary page itself.
	dictionary := false
	for _, e := range c.Encodings {
		switch e {
		case PlainDictionary:
			dictionary = true
		case RLE, BitPacked: // levels
		default:
			return "nothing proves that all its pages use the dictionary"
		}
	}
	if !dictionary || c.Column.Type == Boolean {
		return "it has no dictionary"
	}
	return ""
}

func parseEncodingStats(r *thriftReader) (s PageEncodingStats) {
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, (*int32)(&s.PageType))
		case 2:
			return r.i32(typ, (*int32)(&s.Encoding))
		case 3:
			return r.i32(typ, &s.Count)
		}
		return false
	})
	return s
}

// place derives where the chunk's pages lie and checks that it can be.
//
// The chunk starts at the smaller of the two page offsets: writers exist that
// leave the dictionary's out, set it to zero or to the data page's, or point
// the data page's into the dictionary page.
func (f *File) place(g *RowGroup, c *Chunk, name func() string) error {
	start := c.DataPageOffset
	if d := c.DictionaryOffset; d > 0 && d < start {
		start = d
	}
	length := c.CompressedSize
	if c.NumValues == 0 && g.NumRows == 0 {
		start, length = min(max(start, 0), f.Footer.Offset), 0 // an empty chunk needs no bytes, whatever its offsets say
	} else if start < 0 || length < 0 || start > f.Footer.Offset {
		return formatErr(name(), -1, "its pages [%d, +%d) lie outside the file's data", start, length)
	}
	// A size that is too large costs bytes; the pages say where they end.
	length = min(length, f.Footer.Offset-start)
	if f.Writer.ShortChunkSizes() {
		// The size left out the dictionary page's header (PARQUET-816).
		length = min(length+maxDictionaryHeader, f.Footer.Offset-start)
	}
	c.Pages = Extent{start, length, Piece{Kind: PieceChunk, RowGroup: g.Index, Column: c.Column.Index}}
	return nil
}

// maxDictionaryHeader is the most that writers with PARQUET-816 left out.
const maxDictionaryHeader = 100

// indexInFile reports whether an index extent lies inside the file and before
// the footer's end.
func (f *File) indexInFile(e Extent) bool {
	return e.Length > 0 && e.Offset >= magicLength && e.Offset <= f.Footer.Offset && e.Length <= f.Footer.Offset-e.Offset
}

// HasColumnIndex reports whether the chunk names a column index that lies
// inside the file.
func (f *File) HasColumnIndex(c *Chunk) bool { return f.indexInFile(c.ColumnIndex) }

// HasOffsetIndex reports the same for the offset index.
func (f *File) HasOffsetIndex(c *Chunk) bool { return f.indexInFile(c.OffsetIndex) }
