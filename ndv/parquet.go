package ndv

import (
	"strings"

	"github.com/parequet/pare/metadata"
)

// FromParquet summarises the footer's word on one column. Chunks whose
// metadata cannot be read are an error.
func FromParquet(f *metadata.File, col *metadata.Column) (Column, error) {
	return FromParquetInto(nil, f, col)
}

// FromParquetInto is FromParquet with memory for the chunks that is not needed
// any more, that of a column before: a wide table has millions of them.
func FromParquetInto(memory []Chunk, f *metadata.File, col *metadata.Column) (Column, error) {
	out := Column{Name: col.Name, Order: col.Order, Width: col.Width(), Boolean: col.Type == metadata.Boolean,
		Nullable: col.MaxDef > 0, Repeated: col.MaxRep > 0, Chunks: memory[:0]}
	if cap(out.Chunks) < len(f.RowGroups) {
		out.Chunks = make([]Chunk, 0, len(f.RowGroups))
	}
	rule, counts := rulesOf(f.Writer.App)
	for _, g := range f.RowGroups {
		if g.NumRows == 0 {
			continue
		}
		c, err := g.Chunk(col)
		if err != nil {
			return out, err
		}
		out.Chunks = append(out.Chunks, NewChunk(metadata.Zone{}))
		x := &out.Chunks[len(out.Chunks)-1]
		x.RowGroup, x.Rule = g.Index, rule
		x.take(f, c)
		if s := c.Statistics; counts && s != nil && s.DistinctCount != nil {
			x.Written = *s.DistinctCount
		}
		if col.MaxRep == 0 && c.NumValues != g.NumRows {
			// Where the counts of values and rows differ, neither is believed.
			x.Zone = metadata.Zone{Rows: max(c.NumValues, g.NumRows), Nulls: -1}
		}
	}
	return out, nil
}

// rulesOf is what is known of a writer: how it chooses dictionaries, and
// whether its distinct counts are taken.
func rulesOf(app string) (r Rule, counts bool) {
	switch {
	case strings.HasPrefix(app, "DuckDB"):
		return DropsAtFifth, true
	case strings.HasPrefix(app, "parquet-"):
		return FallsBack, false
	}
	return NoRule, false
}

// take summarises a chunk.
func (out *Chunk) take(f *metadata.File, c *metadata.Chunk) {
	out.Zone, _ = f.ChunkZone(c)
	out.Size, out.Stored, out.Compressed = c.UncompressedSize, c.Pages.Length, c.Codec != metadata.Uncompressed
	if n, ok := f.DataPages(c); ok {
		out.Pages = n
	}
	out.Usage = usageOf(f, c, out.Pages >= 0)
	if out.Usage == Fallback {
		out.PlainPages = 0
		for _, s := range c.EncodingStats {
			if s.PageType != metadata.DictionaryPage && !s.Encoding.IsDictionary() {
				out.PlainPages += int64(s.Count)
			}
		}
	}
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
