package ndv

import (
	"strings"

	"github.com/parequet/pare/metadata"
)

// FromParquet summarises the footer's word on one column. Chunks whose
// metadata cannot be read are an error.
func FromParquet(f *metadata.File, col *metadata.Column) (Column, error) {
	out := Column{Name: col.Name, Order: col.Order, Width: col.Width(), Boolean: col.Type == metadata.Boolean,
		Nullable: col.MaxDef > 0, Repeated: col.MaxRep > 0}
	for _, g := range f.RowGroups {
		if g.NumRows == 0 {
			continue
		}
		c, err := g.Chunk(col)
		if err != nil {
			return out, err
		}
		x := fromChunk(f, c)
		if col.MaxRep == 0 && c.NumValues != g.NumRows {
			// Where the counts of values and rows differ, neither is believed.
			x.Zone = metadata.Zone{Rows: max(c.NumValues, g.NumRows), Nulls: -1}
		}
		x.RowGroup = g.Index
		out.Chunks = append(out.Chunks, x)
	}
	return out, nil
}

func fromChunk(f *metadata.File, c *metadata.Chunk) Chunk {
	z, _ := f.ChunkZone(c)
	out := NewChunk(z)
	out.Size, out.Stored, out.Compressed = c.UncompressedSize, c.Pages.Length, c.Codec != metadata.Uncompressed
	if n, ok := f.DataPages(c); ok {
		out.Pages = n
	}
	out.Usage = usageOf(f, c)
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
	app := f.Writer.App
	if s := c.Statistics; s != nil && s.DistinctCount != nil && strings.HasPrefix(app, "DuckDB") {
		out.Written = *s.DistinctCount
	}
	switch {
	case strings.HasPrefix(app, "DuckDB"):
		out.Rule = DropsAtFifth
	case strings.HasPrefix(app, "parquet-"):
		out.Rule = FallsBack
	}
	return out
}

// usageOf tells how far a chunk uses its dictionary, as far as that is proven.
func usageOf(f *metadata.File, c *metadata.Chunk) Usage {
	if f.NotAllDictionary(c) == "" {
		return All
	}
	named, dictionary := false, c.DictionaryOffset > 0
	for _, e := range c.Encodings {
		named = true
		dictionary = dictionary || e.IsDictionary()
	}
	switch _, counted := f.DataPages(c); {
	case !dictionary && named:
		return None
	case !counted:
		return Unknown
	}
	for _, s := range c.EncodingStats {
		if s.PageType != metadata.DictionaryPage && s.Encoding.IsDictionary() && s.Count > 0 {
			return Fallback
		}
	}
	return None // a dictionary that no page uses
}
