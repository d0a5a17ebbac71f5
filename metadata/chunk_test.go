package metadata

import (
	"errors"
	"strings"
	"testing"
)

func craftChunk(t testing.TB, c columnSpec, rows int64, createdBy string) (*File, *Chunk, error) {
	t.Helper()
	c.name = "c"
	f := parseCrafted(t, fileSpec{columns: []columnSpec{c}, rows: rows, createdBy: createdBy, orders: 1})
	chunk, err := f.RowGroups[0].Chunk(f.Schema.Columns[0])
	return f, chunk, err
}

func TestChunkFields(t *testing.T) {
	f, c, err := craftChunk(t, columnSpec{typ: Int64, rep: Optional, meta: func(w *crafter) {
		w.i64(11, 4)
		stats(Statistics{Min: []byte{1}, Max: []byte{}, NullCount: ptr(int64(0)), MinExact: ptr(false), MaxExact: ptr(true)})(w)
		w.list(13, tStruct, 2)
		for i := range 2 {
			w.elem(func(w *crafter) {
				w.i32(1, int32(DictionaryPage))
				w.i32(2, int32(RLEDictionary))
				w.i32(3, int32(i+5))
			})
		}
		w.i64(14, 3000)
		w.i32(15, 64)
	}, chunk: func(w *crafter) { w.i64(4, 4000); w.i32(5, 40); w.i64(6, 5000); w.i32(7, 50) }}, 9, "")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Statistics
	if s.Max == nil || len(s.Max) != 0 || s.MinValue != nil || *s.NullCount != 0 || s.NaNCount != nil || s.DistinctCount != nil || *s.MinExact || !*s.MaxExact {
		t.Errorf("statistics %+v", s)
	}
	if c.BloomOffset != 3000 || c.BloomLength != 64 || len(c.EncodingStats) != 2 || c.EncodingStats[1] != (PageEncodingStats{DictionaryPage, RLEDictionary, 6}) {
		t.Errorf("%+v", c)
	}
	if c.OffsetIndex.Offset != 4000 || c.OffsetIndex.Length != 40 || c.ColumnIndex.End() != 5050 || !f.HasColumnIndex(c) || !f.HasOffsetIndex(c) {
		t.Errorf("%v, %v", c.ColumnIndex, c.OffsetIndex)
	}
}

func TestChunkAbsentFields(t *testing.T) {
	f, c, err := craftChunk(t, columnSpec{typ: Int64}, 9, "")
	if err != nil {
		t.Fatal(err)
	}
	if c.Statistics != nil || c.EncodingStats != nil || c.BloomOffset != 0 || c.BloomLength != 0 || c.DictionaryOffset != 0 || f.HasColumnIndex(c) || f.HasOffsetIndex(c) {
		t.Errorf("%+v", c)
	}
}

func TestChunkIndexesOutsideTheFile(t *testing.T) {
	for name, e := range map[string][2]int64{
		"beyond the footer": {craftedSize, 10}, "into the footer": {craftedSize - 20, 19}, "of no bytes": {5000, 0},
		"of negative length": {5000, -5}, "before the file": {-5, 10}, "over the magic": {2, 10}, "at the end of numbers": {1<<63 - 1, 1<<31 - 1},
	} {
		f, c, err := craftChunk(t, columnSpec{chunk: func(w *crafter) { w.i64(4, e[0]); w.i32(5, int32(e[1])); w.i64(6, e[0]); w.i32(7, int32(e[1])) }}, 9, "")
		if err != nil {
			t.Fatal(err)
		}
		if f.HasColumnIndex(c) || f.HasOffsetIndex(c) {
			t.Errorf("an index %s is taken for one", name)
		}
	}
}

// rewrite crafts a chunk whose metadata is all given.
func rewrite(typ Type, rows, values, size, data, dict int64, createdBy string) (*Chunk, error) {
	raw := fields(func(w *crafter) {
		w.list(2, tStruct, 2)
		w.elem(func(w *crafter) { w.str(4, "root"); w.i32(5, 1) })
		w.elem(columnSpec{name: "c", typ: Int32}.schema)
		w.list(4, tStruct, 1)
		w.elem(func(w *crafter) {
			w.list(1, tStruct, 1)
			w.elem(func(w *crafter) {
				w.sub(3, func(w *crafter) {
					w.i32(1, int32(typ))
					w.i32(4, int32(Zstd))
					w.i64(5, values)
					w.i64(7, size)
					w.i64(9, data)
					if dict != -99 {
						w.i64(11, dict)
					}
				})
			})
			w.i64(3, rows)
		})
		w.str(6, createdBy)
	})
	f, err := ParseFooter(raw, craftedSize)
	if err != nil {
		return nil, err
	}
	return f.RowGroups[0].Chunk(f.Schema.Columns[0])
}

const noDict = -99

func TestChunkDictionaryOffsetQuirks(t *testing.T) {
	for name, c := range map[string]struct{ data, dict, want int64 }{
		"before the data page":                  {500, 100, 100},
		"absent":                                {100, noDict, 100},
		"zero":                                  {100, 0, 100},
		"negative":                              {100, -1, 100},
		"equal to the data page's":              {100, 100, 100},
		"after the data page":                   {100, 500, 100},
		"absent, data page 0 at the dictionary": {4, noDict, 4},
	} {
		chunk, err := rewrite(Int32, 9, 9, 1000, c.data, c.dict, "")
		if err != nil || chunk.Pages.Offset != c.want || chunk.Pages.Length != 1000 {
			t.Errorf("a dictionary offset %s: %+v, %v", name, chunk, err)
		}
	}
}

func TestChunkOutsideTheFile(t *testing.T) {
	for name, c := range map[string]struct{ size, data int64 }{
		"beyond the end": {10, craftedSize}, "of negative size": {-1, 4},
		"before the start": {10, -1}, "at the end of numbers": {4, 1<<63 - 1}, "of all numbers": {1<<63 - 1, 1<<63 - 1},
	} {
		_, err := rewrite(Int32, 9, 9, c.size, c.data, noDict, "")
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), "column chunk 0 of row group 0 (c)") {
			t.Errorf("a chunk %s: %v", name, err)
		}
	}
	// A size that is too large ends before the footer.
	for _, size := range []int64{craftedSize, 1<<63 - 1} {
		if c, err := rewrite(Int32, 9, 9, size, 4, noDict, ""); err != nil || c.Pages.End() > craftedSize {
			t.Errorf("a chunk of %d bytes: %+v, %v", size, c, err)
		}
	}
	// An empty row group needs no bytes, whatever its offsets say.
	for _, data := range []int64{-1, 0, 1 << 40} {
		if c, err := rewrite(Int32, 0, 0, 77, data, noDict, ""); err != nil || c.Pages.Length != 0 {
			t.Errorf("an empty chunk at %d: %+v, %v", data, c, err)
		}
	}
}

// PARQUET-816: the size of the chunk leaves out the dictionary's header.
func TestChunkOfParquet816(t *testing.T) {
	const old = "parquet-mr version 1.2.8 (build abc)"
	if c, err := rewrite(Int32, 9, 9, 1000, 100, 50, old); err != nil || c.Pages != (Extent{50, 1100, Piece{Kind: PieceChunk}}) {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := rewrite(Int32, 9, 9, 1000, 100, 50, "parquet-mr version 1.2.9"); err != nil || c.Pages.Length != 1000 {
		t.Errorf("a newer version: %+v, %v", c, err)
	}
	// Not beyond the data.
	c, err := rewrite(Int32, 9, 9, 1000, craftedSize-1200, noDict, old)
	if err != nil || c.Pages.End() > craftedSize-8 || c.Pages.Length < 1000 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestChunkRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		spec columnSpec
		want string
	}{
		"an encrypted column":       {columnSpec{chunk: func(w *crafter) { w.sub(8, func(w *crafter) { w.sub(1, nil) }) }}, "encrypted"},
		"encrypted column metadata": {columnSpec{chunk: func(w *crafter) { w.str(9, "secret") }}, "encrypted"},
	} {
		_, _, err := craftChunk(t, c.spec, 9, "")
		var unsupported *UnsupportedError
		if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := rewrite(Int64, 9, 9, 100, 4, noDict, ""); err == nil || !strings.Contains(err.Error(), "INT64") {
		t.Errorf("another type than the schema's: %v", err)
	}
	if _, err := rewrite(Int32, 9, -1, 100, 4, noDict, ""); err == nil {
		t.Error("negative values are no error")
	}
}

func TestChunkInAnotherFile(t *testing.T) {
	raw := fields(func(w *crafter) {
		w.list(2, tStruct, 2)
		w.elem(func(w *crafter) { w.str(4, "root"); w.i32(5, 1) })
		w.elem(columnSpec{name: "c", typ: Int32}.schema)
		w.list(4, tStruct, 4)
		for _, f := range []func(w *crafter){
			func(w *crafter) { w.str(1, "part-0.parquet"); w.sub(3, func(w *crafter) { w.i32(1, 1); w.i64(5, 0) }) },
			nil,
			func(w *crafter) { w.str(3, "metadata as a string") },
		} {
			w.elem(func(w *crafter) { w.list(1, tStruct, 1); w.elem(f); w.i64(3, 0) })
		}
		w.elem(func(w *crafter) { w.list(1, tStruct, 2); w.elem(nil); w.elem(nil); w.i64(3, 0) })
	})
	f, err := ParseFooter(raw, craftedSize)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"part-0.parquet", "no metadata", "no metadata", "2 column chunks"} {
		if _, err := f.RowGroups[i].Chunk(f.Schema.Columns[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("row group %d: %v, want %q", i, err, want)
		}
	}
}

// The codec is a required field. Without it nothing is known of the pages;
// least of all that they are not compressed.
func TestChunkWithoutCodec(t *testing.T) {
	for name, f := range map[string]func(w *crafter){"absent": func(*crafter) {}, "a string": func(w *crafter) { w.str(4, "snappy") }} {
		raw := fields(func(w *crafter) {
			w.list(2, tStruct, 2)
			w.elem(func(w *crafter) { w.str(4, "root"); w.i32(5, 1) })
			w.elem(columnSpec{name: "c", typ: Int32}.schema)
			w.list(4, tStruct, 1)
			w.elem(func(w *crafter) {
				w.list(1, tStruct, 1)
				w.elem(func(w *crafter) {
					w.sub(3, func(w *crafter) { w.i32(1, 1); f(w); w.i64(5, 9); w.i64(7, 100); w.i64(9, 4) })
				})
				w.i64(3, 9)
			})
		})
		file, err := ParseFooter(raw, craftedSize)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := file.RowGroups[0].Chunk(file.Schema.Columns[0]); err == nil && c.Codec == Uncompressed {
			t.Errorf("codec %s: the chunk is taken for uncompressed", name)
		}
	}
}
