package ndv

import (
	"slices"
	"strings"

	"github.com/parequet/pare/metadata"
)

// FromParquet summarises the footer's word on one column. Chunks whose
// metadata cannot be read are an error.
func FromParquet(f *metadata.File, col *metadata.Column) (Column, error) {
	out := make([]Column, 1)
	err := AppendParquet(out, f, []*metadata.Column{col})
	return out[0], err
}

// AppendParquet adds what the footer of a file says of columns to what is known
// of them, in the order in which it lies there. It uses the memory of chunks
// that were cut off: a wide table has millions.
func AppendParquet(out []Column, f *metadata.File, cols []*metadata.Column) error {
	categorical := arrowDictionaries(f)
	for k, c := range cols {
		col := &out[k]
		col.Name, col.Order, col.Width, col.Boolean = c.Name, c.Order, c.Width(), c.Type == metadata.Boolean
		col.Nullable, col.Repeated = col.Nullable || c.MaxDef > 0, col.Repeated || c.MaxRep > 0
		col.Chunks = slices.Grow(col.Chunks, len(f.RowGroups))
		col.categorical = categorical(c)
	}
	counts := strings.HasPrefix(f.Writer.App, "DuckDB")
	for _, g := range f.RowGroups {
		if g.NumRows == 0 {
			continue
		}
		for k, c := range cols {
			m, err := g.Chunk(c)
			if err != nil {
				return err
			}
			col := &out[k]
			col.Chunks = append(col.Chunks, NewChunk(metadata.Zone{}))
			x := &col.Chunks[len(col.Chunks)-1]
			x.RowGroup, x.Unused = g.Index, col.categorical
			x.take(f, m)
			x.takeCount(m.Statistics, c, counts)
			if c.MaxRep == 0 && m.NumValues != g.NumRows {
				// Where the counts of values and rows differ, neither is believed.
				x.Zone = metadata.Zone{Rows: max(m.NumValues, g.NumRows), Nulls: -1}
			}
		}
	}
	return nil
}

// takeCount takes a distinct count that was written. DuckDB's count of an ENUM
// is that of its labels, and so are its bounds, which it does not call exact.
func (out *Chunk) takeCount(s *metadata.Statistics, c *metadata.Column, trusted bool) {
	if !trusted || s == nil || s.DistinctCount == nil {
		return
	}
	out.Written = *s.DistinctCount
	if c.Type == metadata.ByteArray && !out.Zone.LowerExact && !out.Zone.UpperExact {
		out.Unused = true
	}
}

// take summarises a chunk.
func (out *Chunk) take(f *metadata.File, c *metadata.Chunk) {
	out.Zone, _ = f.ChunkZone(c)
	out.Size, out.Stored, out.Compressed = c.UncompressedSize, c.Pages.Length, c.Codec != metadata.Uncompressed
	if n, ok := f.DataPages(c); ok {
		out.Pages = n
	}
	out.Usage = usageOf(f, c, out.Pages >= 0)
	if c.DictionaryOffset > 0 && c.DataPageOffset > c.DictionaryOffset && out.Usage != None {
		out.Dictionary = c.DataPageOffset - c.DictionaryOffset
	}
	out.Text = c.TextBytes
}

// usageOf tells how far a chunk uses its dictionary, as far as that is proven.
func usageOf(f *metadata.File, c *metadata.Chunk, counted bool) Usage {
	used, plain := false, false
	for _, s := range c.EncodingStats {
		if s.PageType != metadata.DictionaryPage && s.Count > 0 {
			used = used || s.Encoding.IsDictionary()
			plain = plain || !s.Encoding.IsDictionary()
		}
	}
	switch {
	case counted && used && plain:
		return Fallback
	case counted && used:
		return All
	case counted:
		return None // a dictionary that no page uses, if any
	case f.NotAllDictionary(c) == "":
		return All
	}
	named, dictionary := false, c.DictionaryOffset > 0
	for _, e := range c.Encodings {
		named = true
		dictionary = dictionary || e.IsDictionary()
	}
	if !dictionary && named {
		return None
	}
	return Unknown
}
