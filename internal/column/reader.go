package column

import (
	"errors"
	"fmt"
	"sort"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
)

// Page is a data page in hand: its rows and its bytes, header included.
type Page struct {
	From, To int64 // rows, counted from the row group's first
	Offset   int64 // in the file, for messages
	Bytes    []byte

	header metadata.PageHeader
	parsed bool
}

// Options limit what a Reader does.
type Options struct {
	MaxPageBytes int              // largest decompressed page that is accepted
	KeepPages    bool             // keep decompressed pages for a second pass over the rows
	Aligned      bool             // every located page of a repeated column is believed to begin with a row
	Check        func() error     // asked now and then while many levels are gone over; an error ends it
	Dictionary   *page.Dictionary // the chunk's, if it has been read already
}

// Reader reads rows of one column chunk from the pages in hand. It moves
// forward cheaply and backward by opening a page again. Not safe for
// concurrent use.
type Reader struct {
	chunk *metadata.Chunk
	pages []Page
	end   error // why there are no rows after the last page, if a fault ended them
	dec   page.Decoder
	dict  *page.Dictionary

	cur  int // page that is open, -1 if none
	pos  int64
	data page.Data
	vals values
	kept map[int]page.Data
	opts Options
	seen []bool // pages that were opened

	stream *stream  // nil if all pages are in hand
	rec    *records // nil if the column is not repeated

	between *Vector // rows that were decoded with what lies between them
}

func newReader(c *metadata.Chunk, opts Options) *Reader {
	r := &Reader{chunk: c, cur: -1, opts: opts, dict: opts.Dictionary, kept: map[int]page.Data{},
		dec: page.Decoder{Column: c.Column, Codec: c.Codec, MaxBytes: opts.MaxPageBytes, Keep: opts.KeepPages, Force: c.AlwaysCompressed}}
	if c.Column.Repeated() {
		r.rec = &records{}
	}
	return r
}

// NewReader reads from pages that an offset index located. dict is what lies
// before the chunk's first data page; nil if there is nothing, if no page
// needs it, or if the options bring the dictionary.
func NewReader(c *metadata.Chunk, pages []Page, dict []byte, opts Options) (*Reader, error) {
	r := newReader(c, opts)
	r.pages = pages
	if r.rec != nil {
		r.rec.located = true
	}
	if len(dict) > 0 && r.dict == nil {
		h, err := metadata.ParsePageHeader(dict, false)
		if err != nil {
			return nil, r.fault(c.Pages.Offset, "dictionary page", err)
		}
		if h.Type == metadata.DictionaryPage {
			return r, r.openDictionary(h, dict, c.Pages.Offset)
		}
	}
	return r, nil
}

// Walk reads from the bytes of a whole chunk, or of what follows its
// dictionary: it walks over the page headers to find the pages of its rows. A
// fault between pages is reported when a row behind it is read.
func Walk(c *metadata.Chunk, rows int64, b []byte, opts Options) (*Reader, error) {
	r := newReader(c, opts)
	row, last := int64(0), rows
	if r.rec != nil { // pages are counted by their values, rows later
		r.rec.rows, last = rows, c.NumValues
	}
	start := c.Pages.End() - int64(len(b))
	for off := 0; row < last && off < len(b); {
		at := start + int64(off)
		h, err := metadata.ParsePageHeader(b[off:], false)
		if err != nil {
			r.end = r.fault(at, "page header", err)
			break
		}
		size := h.Length + int(h.CompressedSize)
		if size > len(b)-off {
			r.end = r.fault(at, h.Type.String(), overrun(size, len(b)-off))
			break
		}
		body := b[off : off+size]
		switch h.Type {
		case metadata.DictionaryPage:
			if err := r.takeDictionary(h, body, at); err != nil {
				return nil, err
			}
		case metadata.DataPage, metadata.DataPageV2:
			r.pages = append(r.pages, Page{From: row, To: row + int64(h.NumValues), Offset: at, Bytes: body, header: h, parsed: true})
			row += int64(h.NumValues)
		}
		off += size
	}
	if r.rec != nil && r.end == nil {
		r.end = r.counted(b, row, last)
	}
	if r.rec == nil && row > rows {
		return nil, r.fault(c.Pages.Offset, "", tooManyRows(row, rows))
	}
	return r, nil
}

// counted says why the pages that Walk found do not hold as many values as the
// footer says; nil if they do. rest is the chunk's bytes.
func (r *Reader) counted(b []byte, values, want int64) error {
	c := r.chunk
	if values < want {
		return r.fault(c.Pages.Offset, "", fmt.Errorf("its pages hold %d values, the footer says %d", values, want))
	}
	if n := len(r.pages); n > 0 {
		start := c.Pages.End() - int64(len(b))
		at := r.pages[n-1].Offset + int64(len(r.pages[n-1].Bytes))
		h, err := metadata.ParsePageHeader(b[at-start:], false)
		if err == nil && (h.Type == metadata.DataPage || h.Type == metadata.DataPageV2) && h.NumValues > 0 && int64(h.Length)+int64(h.CompressedSize) <= c.Pages.End()-at {
			return r.fault(at, "data page", fmt.Errorf("it lies behind the %d values that the footer counts", want))
		}
	}
	return nil
}

// Close gives the reader's memory back. It must not be used any more.
func (r *Reader) Close() {
	r.dec.Close()
	if r.stream != nil {
		r.stream.close()
	}
	r.kept, r.cur, r.data, r.vals = nil, -1, page.Data{}, values{}
	if r.between != nil {
		r.between.Free()
	}
}

// Dictionary returns the chunk's dictionary, nil if it has none or it was not
// among the pages.
func (r *Reader) Dictionary() *page.Dictionary { return r.dict }

// Opened is how many data pages were opened, each counted once.
func (r *Reader) Opened() (n int) {
	for _, s := range r.seen {
		if s {
			n++
		}
	}
	return n
}

// Bytes is the size of the data pages in hand, of a stream that of its chunk.
func (r *Reader) Bytes() (n int) {
	if r.stream != nil {
		return int(r.chunk.Pages.Length)
	}
	for i := range r.pages {
		n += len(r.pages[i].Bytes)
	}
	return n
}

// NumPages is how many data pages are in hand.
func (r *Reader) NumPages() int { return len(r.pages) }

func (r *Reader) see(k int) {
	for len(r.seen) < len(r.pages) {
		r.seen = append(r.seen, false)
	}
	r.seen[k] = true
}

func (r *Reader) openDictionary(h metadata.PageHeader, b []byte, at int64) error {
	dec := page.Decoder{Column: r.dec.Column, Codec: r.dec.Codec, MaxBytes: r.dec.MaxBytes, Force: r.dec.Force}
	defer dec.Close()
	src, err := dec.Dictionary(h, b)
	if err == nil {
		r.dict, err = page.NewDictionary(r.chunk.Column, int(h.NumValues), src)
	}
	if err != nil {
		return r.fault(at, "dictionary page", err)
	}
	return nil
}

// fault names the place of an error.
func (r *Reader) fault(at int64, what string, err error) error {
	if errors.Is(err, encoding.ErrFull) || errors.Is(err, ErrNotDictionary) {
		return err
	}
	piece := fmt.Sprintf("column chunk %d of row group %d (%s)", r.chunk.Column.Index, r.chunk.RowGroup, r.chunk.Column.Name)
	if what != "" {
		piece += ", " + what
	}
	var u *metadata.UnsupportedError
	if errors.As(err, &u) {
		return &metadata.UnsupportedError{Piece: fmt.Sprintf("%s at %d", piece, at), Msg: u.Msg}
	}
	var f *metadata.FormatError
	if errors.As(err, &f) && f.Piece == "" {
		return &metadata.FormatError{Piece: piece, Offset: at, Msg: f.Msg, Err: f.Err}
	}
	return &metadata.FormatError{Piece: piece, Offset: at, Err: err}
}

// Append appends the rows [from, to) to v. After [encoding.ErrFull] v must be
// reset; any other error is final.
func (r *Reader) Append(v *Vector, from, to int64) error {
	if r.rec != nil {
		return r.appendRecords(v, from, to)
	}
	return r.rows(from, to, func(p *Page, n int) error {
		if err := r.wide(v); err != nil {
			return err
		}
		return v.take(n, &r.data.Def, &r.vals)
	})
}

// wide fails if the open page cannot hold values of the width that the footer
// claims.
func (r *Reader) wide(v *Vector) error {
	if w := v.Width; w > wideValue && w > len(r.data.Values) && w > len(r.dictBytes()) {
		return fmt.Errorf("no value of %d bytes lies in a page of %d", w, len(r.data.Values))
	}
	return nil
}

// rows opens the pages of the rows [from, to), one after the other, and lets
// take have the rows of each.
func (r *Reader) rows(from, to int64, take func(p *Page, n int) error) error {
	for from < to {
		if err := r.seek(from); err != nil {
			return err
		}
		p := &r.pages[r.cur]
		n := min(to, p.To) - from
		if err := take(p, int(n)); err != nil {
			r.cur = -1
			return r.fault(p.Offset, "data page", err)
		}
		from += n
		r.pos = from
	}
	return nil
}

// dictBytes are the values of the dictionary, if they have a fixed width.
func (r *Reader) dictBytes() []byte {
	if r.dict == nil {
		return nil
	}
	return r.dict.Fixed
}

// seek opens the page that holds a row and moves to the row.
func (r *Reader) seek(row int64) error {
	if r.cur < 0 || row < r.pos || row >= r.pages[r.cur].To {
		k := sort.Search(len(r.pages), func(i int) bool { return r.pages[i].To > row })
		for k == len(r.pages) && r.stream != nil && r.end == nil {
			if err := r.more(); err != nil {
				return err
			}
			for k < len(r.pages) && r.pages[k].To <= row {
				k++
			}
		}
		if k == len(r.pages) {
			if r.end != nil {
				return r.end
			}
			return r.fault(r.chunk.Pages.Offset, "", fmt.Errorf("its pages end before row %d", row))
		}
		if r.stream != nil && k < r.stream.gone {
			return fmt.Errorf("pare: internal error: row %d of row group %d, column %s, has been let go", row, r.chunk.RowGroup, r.chunk.Column.Name)
		}
		if r.pages[k].From > row {
			return fmt.Errorf("pare: row %d of row group %d, column %s, was not planned to be read", row, r.chunk.RowGroup, r.chunk.Column.Name)
		}
		if err := r.open(k); err != nil {
			r.cur = -1
			return r.fault(r.pages[k].Offset, "data page", err)
		}
	}
	if n := row - r.pos; n > 0 {
		count, err := r.data.Def.Skip(int(n))
		if err == nil {
			err = r.vals.skip(count)
		}
		if err != nil {
			return r.fault(r.pages[r.cur].Offset, "data page", err)
		}
		r.pos = row
	}
	return nil
}

// parse parses the header of a located page.
func (p *Page) parse() error {
	if p.parsed {
		return nil
	}
	h, err := metadata.ParsePageHeader(p.Bytes, false)
	if err != nil {
		return err
	}
	if h.Type != metadata.DataPage && h.Type != metadata.DataPageV2 {
		return fmt.Errorf("the offset index points at a %v", h.Type)
	}
	p.header, p.parsed = h, true
	return nil
}

// open opens page k at its first row.
func (r *Reader) open(k int) error {
	p := &r.pages[k]
	if err := p.parse(); err != nil {
		return err
	}
	if rows := p.To - p.From; int64(p.header.NumValues) != rows {
		return fmt.Errorf("the page holds %d rows, the offset index says %d", p.header.NumValues, rows)
	}
	data, kept := r.kept[k]
	if !kept {
		var err error
		if data, err = r.dec.Data(p.header, p.Bytes); err != nil {
			return err
		}
		r.see(k)
		if r.opts.KeepPages {
			r.kept[k] = data
		}
	}
	r.cur, r.pos, r.data = k, p.From, data
	return r.vals.open(r.chunk.Column, data.Encoding, data.Values, r.dict)
}
