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
