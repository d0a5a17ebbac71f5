package pare

import (
	"context"

	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
)

// ChunkIndex is the page index of one column chunk, as far as it could be read.
type ChunkIndex struct {
	Chunk   *metadata.Chunk
	Columns *metadata.ColumnIndex // nil if absent or unreadable
	Offsets *metadata.OffsetIndex // nil if absent or unreadable
	Zones   []metadata.Zone       // what is believed of each page; nil if nothing
	Problem string                // why something present is not used
}

// Indexes reads the page index of some columns in every row group: one round
// of requests. Columns that are not repeated have zones; the pages of others do
// not hold a known number of values.
func (f *File) Indexes(ctx context.Context, cols []*metadata.Column) ([]ChunkIndex, error) {
	var out []ChunkIndex
	var need []metadata.Extent
	for _, g := range f.meta.RowGroups {
		for _, col := range cols {
			c, err := g.Chunk(col)
			if err != nil {
				return nil, f.named(err)
			}
			out = append(out, ChunkIndex{Chunk: c})
			if f.meta.HasColumnIndex(c) {
				need = append(need, c.ColumnIndex)
			}
			if f.meta.HasOffsetIndex(c) {
				need = append(need, c.OffsetIndex)
			}
		}
	}
	blocks, err := f.fetch.Fetch(ctx, &fetch.Ledger{}, 0, need)
	if err != nil {
		return nil, f.named(err)
	}
	// The blocks are not released: bounds are views of them.
	for i := range out {
		f.parseIndex(&out[i], blocks)
	}
	return out, nil
}

func (f *File) parseIndex(x *ChunkIndex, have metadata.Bytes) {
	c := x.Chunk
	rows := f.meta.RowGroups[c.RowGroup].NumRows
	if b, ok := have.Get(c.OffsetIndex); ok && f.meta.HasOffsetIndex(c) {
		offsets, err := metadata.ParseOffsetIndex(b)
		switch {
		case err != nil:
			x.Problem = err.Error()
		default:
			if x.Problem = offsets.Settle(c, rows); x.Problem == "" {
				x.Offsets = offsets
			} else {
				x.Problem = "offset index: " + x.Problem
			}
		}
	}
	b, ok := have.Get(c.ColumnIndex)
	if !ok || !f.meta.HasColumnIndex(c) {
		return
	}
	columns, err := metadata.ParseColumnIndex(b)
	if err != nil {
		x.Problem = err.Error()
		return
	}
	x.Columns = columns
	if x.Offsets == nil || c.Column.Repeated() {
		return
	}
	counts := make([]int64, len(x.Offsets.Pages))
	for i := range counts {
		from, to := x.Offsets.Rows(i, rows)
		counts[i] = to - from
	}
	var belief metadata.Belief
	if x.Zones, belief = f.meta.PageZones(c, columns, counts); belief.Doubt {
		x.Problem = "column index: " + belief.Why
	}
}

// PageInfo is a page of a column chunk as its header describes it.
type PageInfo struct {
	Offset int64
	metadata.PageHeader
}

// PageHeaders reads a whole column chunk and walks over its page headers.
// Pages that were found before a fault are returned beside the error.
func (f *File) PageHeaders(ctx context.Context, c *metadata.Chunk) ([]PageInfo, error) {
	blocks, err := f.fetch.Fetch(ctx, &fetch.Ledger{}, 0, []metadata.Extent{c.Pages})
	if err != nil {
		return nil, f.named(err)
	}
	defer blocks.Release()
	b, _ := blocks.Get(c.Pages)
	var out []PageInfo
	values := int64(0)
	for off := 0; off < len(b) && values < c.NumValues; {
		h, err := metadata.ParsePageHeader(b[off:], false)
		if err != nil {
			return out, f.named(err)
		}
		out = append(out, PageInfo{c.Pages.Offset + int64(off), h})
		if h.Type == metadata.DataPage || h.Type == metadata.DataPageV2 {
			values += int64(h.NumValues)
		}
		off += h.Length + int(h.CompressedSize)
	}
	return out, nil
}

// BloomHeader reads the header of a chunk's Bloom filter. ok is false if the
// chunk has none.
func (f *File) BloomHeader(ctx context.Context, c *metadata.Chunk) (h metadata.BloomHeader, ok bool, err error) {
	if c.BloomOffset <= 0 || c.BloomOffset >= f.meta.Footer.Offset {
		return h, false, nil
	}
	const enough = 64
	e := metadata.Extent{Offset: c.BloomOffset, Length: min(enough, f.meta.Footer.Offset-c.BloomOffset),
		Piece: metadata.Piece{Kind: metadata.PieceBloom, RowGroup: c.RowGroup, Column: c.Column.Index}}
	blocks, err := f.fetch.Fetch(ctx, &fetch.Ledger{}, 0, []metadata.Extent{e})
	if err != nil {
		return h, false, f.named(err)
	}
	defer blocks.Release()
	b, _ := blocks.Get(e)
	h, err = metadata.ParseBloomHeader(b)
	return h, true, f.named(err)
}
