// Package evidence gathers what a Parquet file says of its columns' distinct
// values beyond the footer: page indexes, dictionaries and Bloom filters. Like
// the planner it asks for extents, looks at them, and never reads.
package evidence

import (
	"bytes"
	"fmt"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
)

// Options say how much may be read.
type Options struct {
	Tier ndv.Tier // the last rung that is climbed
	// ChunkBudget and ColumnBudget bound the bytes of dictionaries, of a chunk
	// and of all chunks of a column.
	ChunkBudget, ColumnBudget int64
	MaxPage                   int // largest decompressed dictionary
}

// headerBytes are read of a dictionary page, to see its header.
const headerBytes = 64

// The largest Bloom filter that is read, and all that are read at a time.
const (
	maxFilter  = 128 << 20
	maxFilters = 256 << 20
)

// File is the evidence of one file.
type File struct {
	Columns []ndv.Column
	Doubts  []string // evidence that was found wrong and is not used

	meta    *metadata.File
	opt     Options
	asks    []ask
	filters int64 // bytes of Bloom filters that are asked for
}

// ask is a piece of evidence about a chunk that is being looked for.
type ask struct {
	meta  *metadata.Chunk
	chunk *ndv.Chunk
	need  []metadata.Extent
	look  func(f *File, a *ask, have metadata.Bytes) (more []metadata.Extent, err error)
}

// New takes what the footer says.
func New(meta *metadata.File, cols []*metadata.Column, opt Options) (*File, error) {
	f := &File{meta: meta, opt: opt, Columns: make([]ndv.Column, len(cols))}
	if err := ndv.AppendParquet(f.Columns, meta, cols); err != nil {
		return nil, err
	}
	if opt.Tier == ndv.T0 {
		return f, nil
	}
	for i, col := range cols {
		left, next, known := opt.ColumnBudget, 0, true
		var filters []ask
		for _, g := range meta.RowGroups {
			if g.NumRows == 0 {
				continue
			}
			c, err := g.Chunk(col)
			if err != nil {
				return nil, err
			}
			x := &f.Columns[i].Chunks[next]
			known = f.ask(c, x, &left) && known
			if a, ok := f.askFilter(c, x); ok {
				filters = append(filters, a)
			}
			next++
		}
		for _, a := range filters {
			if f.filters += a.need[0].Length; !known && f.filters <= maxFilters {
				f.asks = append(f.asks, a)
			}
		}
	}
	return f, nil
}

// ask plans what to look at of a chunk. It reports whether all of its values
// will be known.
func (f *File) ask(c *metadata.Chunk, out *ndv.Chunk, left *int64) (known bool) {
	add := func(look func(*File, *ask, metadata.Bytes) ([]metadata.Extent, error), need ...metadata.Extent) {
		f.asks = append(f.asks, ask{c, out, need, look})
	}
	if out.Zone.AllNull() {
		return true
	}
	if f.opt.Tier >= ndv.T2 && out.Usage != ndv.None && c.Pages.Length > 0 {
		e := c.Pages
		e.Piece.Kind = metadata.PieceDictionary
		if span := out.Dictionary; f.opt.Tier >= ndv.T3 && span > 0 && span <= min(f.opt.ChunkBudget, *left) && span < e.Length {
			*left -= span
			e.Length = span
			add((*File).dictionary, e)
			known = out.Usage == ndv.All
		} else {
			e.Length = min(headerBytes, e.Length)
			add((*File).header, e)
		}
	}
	if f.meta.HasColumnIndex(c) && f.meta.HasOffsetIndex(c) && c.Column.MaxRep == 0 {
		add((*File).index, c.ColumnIndex, c.OffsetIndex)
	}
	return known
}

// askFilter plans to look at the Bloom filter of a chunk.
func (f *File) askFilter(c *metadata.Chunk, out *ndv.Chunk) (a ask, ok bool) {
	if f.opt.Tier < ndv.T4 || c.BloomOffset <= 0 || c.BloomOffset >= f.meta.Footer.Offset || out.Zone.AllNull() || f.meta.Writer.BadBloomFilters() {
		return a, false
	}
	e := metadata.Extent{Offset: c.BloomOffset, Length: c.BloomLength, Piece: c.Pages.Piece}
	e.Piece.Kind = metadata.PieceBloom
	if e.Length <= 0 {
		e.Length = headerBytes
	}
	e.Length = min(e.Length, f.meta.Footer.Offset-e.Offset)
	return ask{c, out, []metadata.Extent{e}, (*File).filter}, e.Length <= maxFilter
}

// Next returns what has to be fetched next; nothing means that all has been
// looked at. have holds all that earlier calls asked for, nil at first.
func (f *File) Next(have metadata.Bytes) (need []metadata.Extent) {
	left := f.asks[:0]
	for _, a := range f.asks {
		if have != nil {
			more, err := a.look(f, &a, have)
			if err != nil {
				f.Doubts = append(f.Doubts, fmt.Sprintf("%s, row group %d: %v", a.meta.Column.Name, a.meta.RowGroup, err))
			}
			if a.need = more; err != nil || len(more) == 0 {
				continue
			}
		}
		left = append(left, a)
		need = append(need, a.need...)
	}
	f.asks = left
	return need
}

// header takes the number of entries from a dictionary page's header.
func (f *File) header(a *ask, have metadata.Bytes) ([]metadata.Extent, error) {
	b, _ := have.Get(a.need[0])
	h, err := metadata.ParsePageHeader(b, false)
	if err != nil {
		return nil, err
	}
	return nil, a.takeHeader(h)
}

func (a *ask) takeHeader(h metadata.PageHeader) error {
	switch {
	case h.Type != metadata.DictionaryPage:
		if a.chunk.Usage == ndv.All {
			return fmt.Errorf("there is a %v where its dictionary should be", h.Type)
		}
		a.chunk.Usage = ndv.None
		return nil
	case h.NumValues < 0:
		return fmt.Errorf("a dictionary of %d values", h.NumValues)
	}
	a.chunk.Entries = int64(h.NumValues)
	a.chunk.Unused = a.chunk.Unused || a.chunk.Entries > a.chunk.Zone.Rows
	if a.chunk.Dictionary < 0 {
		a.chunk.Dictionary = int64(h.Length) + int64(h.CompressedSize)
	}
	return nil
}

// dictionary takes the values themselves.
func (f *File) dictionary(a *ask, have metadata.Bytes) ([]metadata.Extent, error) {
	b, _ := have.Get(a.need[0])
	h, err := metadata.ParsePageHeader(b, false)
	if err != nil {
		return nil, err
	}
	if err := a.takeHeader(h); err != nil || h.Type != metadata.DictionaryPage {
		return nil, err
	}
	if int64(h.Length)+int64(h.CompressedSize) != int64(len(b)) || a.meta.Column.Width() == 0 {
		return nil, nil // the header stands by itself; values of no bytes may be any number
	}
	dec := page.Decoder{Column: a.meta.Column, Codec: a.meta.Codec, MaxBytes: f.opt.MaxPage}
	defer dec.Close()
	src, err := dec.Dictionary(h, b)
	if err != nil {
		return nil, err
	}
	d, err := page.NewDictionary(a.meta.Column, int(h.NumValues), src)
	if err != nil {
		return nil, err
	}
	keys := make([]uint64, 0, d.N)
	for i := range d.N {
		v := d.Value(i)
		if z := &a.chunk.Zone; !v.IsNaN() && (z.HasLower && v.Compare(z.Lower) < 0 || z.HasUpper && v.Compare(z.Upper) > 0) {
			a.chunk.Unused = true // no row has it; others may be so, too
			continue
		}
		keys = append(keys, ndv.Key(v))
	}
	a.chunk.Values = ndv.NewSet(keys)
	return nil, nil
}

// filter takes the bits of a Bloom filter. Older writers do not say its length,
// so that its header has to be seen first.
func (f *File) filter(a *ask, have metadata.Bytes) ([]metadata.Extent, error) {
	e := a.need[0]
	b, _ := have.Get(e)
	h, err := metadata.ParseBloomHeader(b)
	if err != nil {
		return nil, err
	}
	total := int64(h.Length) + int64(h.NumBytes)
	switch {
	case h.NumBytes <= 0 || total > maxFilter || total > f.meta.Footer.Offset-e.Offset:
		return nil, fmt.Errorf("a Bloom filter of %d bytes", h.NumBytes)
	case total > e.Length:
		if f.filters += total; f.filters > maxFilters {
			return nil, nil // enough is being read
		}
		e.Length = total
		return []metadata.Extent{e}, nil
	}
	a.chunk.Filter = &ndv.Filter{Bits: bytes.Clone(b[h.Length:total])}
	return nil, nil
}

// index takes the bounds of pages.
func (f *File) index(a *ask, have metadata.Bytes) ([]metadata.Extent, error) {
	cb, _ := have.Get(a.need[0])
	ob, _ := have.Get(a.need[1])
	x, err := metadata.ParseColumnIndex(cb)
	if err != nil {
		return nil, err
	}
	o, err := metadata.ParseOffsetIndex(ob)
	if err != nil {
		return nil, err
	}
	rows := f.meta.RowGroups[a.meta.RowGroup].NumRows
	if why := o.Settle(a.meta, rows); why != "" {
		return nil, fmt.Errorf("offset index: %s", why)
	}
	counts := make([]int64, len(o.Pages))
	for i := range counts {
		from, to := o.Rows(i, rows)
		counts[i] = to - from
	}
	zones, belief := f.meta.PageZones(a.meta, x, counts)
	if zones == nil {
		return nil, fmt.Errorf("column index: %s", belief.Why)
	}
	for i := range zones { // the bounds are views of what was fetched
		zones[i].Lower.Bytes, zones[i].Upper.Bytes = bytes.Clone(zones[i].Lower.Bytes), bytes.Clone(zones[i].Upper.Bytes)
	}
	a.chunk.PageZones = zones
	return nil, nil
}
