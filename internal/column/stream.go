package column

import (
	"errors"
	"fmt"

	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// Pieces say how a stream gets the bytes of its chunk.
type Pieces struct {
	From, Size int64 // where the first piece starts in the file; how long each but the last is
	// Fetch fills dst with the bytes of one piece.
	Fetch func(off int64, dst []byte) error
	// Ahead has the next piece fetched while the one before it is decoded.
	Ahead bool
}

// stream is the part of a Reader that walks over a chunk whose pages are not
// located, as its bytes come. No more of them are in memory than pages that have
// not been let go, and a piece.
type stream struct {
	Pieces
	rows int64 // of the row group
	next int64 // where the next piece starts in the file
	end  int64 // of the chunk
	row  int64 // first row of the next page

	buf  []byte // bytes that have come; pages have been made of the first used
	used int
	at   int64 // of buf in the file
	held []heldBuffer
	gone int   // pages that have been let go
	from int64 // rows before it will not be read

	coming chan comingPiece // the next piece; nil if it has not been asked for
}

type comingPiece struct {
	buf []byte
	err error
}

// heldBuffer has the bytes of pages that end before row to.
type heldBuffer struct {
	buf []byte
	to  int64
}

// NewStream reads a chunk of so many rows piece by piece. Its rows are read in
// portions that ascend; see [Reader.LetGo].
func NewStream(c *metadata.Chunk, rows int64, p Pieces, opts Options) *Reader {
	opts.KeepPages = false
	r := newReader(c, opts)
	r.stream = &stream{Pieces: p, rows: rows, next: p.From, at: p.From, end: c.Pages.End()}
	return r
}

// LetGo says that rows before row will not be read any more.
func (r *Reader) LetGo(row int64) {
	s := r.stream
	if s == nil {
		return
	}
	s.from = max(s.from, row)
	n := 0
	for n < len(s.held) && s.held[n].to <= row {
		membuf.Put(s.held[n].buf)
		n++
	}
	if n == 0 {
		return
	}
	to := s.held[n-1].to
	s.held = s.held[n:]
	for ; s.gone < len(r.pages) && r.pages[s.gone].To <= to; s.gone++ {
		r.pages[s.gone].Bytes = nil
	}
	if r.cur >= 0 && r.cur < s.gone {
		r.cur = -1
	}
}

func (s *stream) close() {
	if s.coming != nil {
		membuf.Put((<-s.coming).buf)
		s.coming = nil
	}
	for _, h := range s.held {
		membuf.Put(h.buf)
	}
	membuf.Put(s.buf)
	s.held, s.buf = nil, nil
}

// more makes the next data page, or notes in r.end why there is none.
func (r *Reader) more() error {
	s := r.stream
	for n := len(r.pages); len(r.pages) == n && r.end == nil; {
		short, err := r.take()
		if err != nil {
			return err
		}
		if len(r.pages) > n || r.end != nil {
			return nil
		}
		if s.row >= s.rows || s.next == s.end {
			r.end = r.fault(r.chunk.Pages.Offset, "", fmt.Errorf("its pages end before row %d", s.row))
			return nil
		}
		if err := s.fetch(short); err != nil {
			return err
		}
		r.LetGo(s.from) // what was passed over on the way to it
	}
	return nil
}

// take makes a page of the bytes that have come. short is how many bytes more it
// takes at least.
func (r *Reader) take() (short int, err error) {
	s := r.stream
	for s.row < s.rows && s.used < len(s.buf) {
		b, at := s.buf[s.used:], s.at+int64(s.used)
		h, err := metadata.ParsePageHeader(b, false)
		if err != nil {
			if s.next < s.end {
				return len(b), nil // the header may go on: as much again
			}
			r.end = r.fault(at, "page header", err)
			return 0, nil
		}
		size := int64(h.Length) + int64(h.CompressedSize)
		switch {
		case size > s.end-at:
			r.end = r.fault(at, h.Type.String(), overrun(int(size), int(s.end-at)))
			return 0, nil
		case size > int64(len(b)):
			return int(size) - len(b), nil
		}
		s.used += int(size)
		switch h.Type {
		case metadata.DictionaryPage:
			if err := r.takeDictionary(h, b[:size], at); err != nil {
				return 0, err
			}
		case metadata.DataPage, metadata.DataPageV2:
			to := s.row + int64(h.NumValues)
			if to > s.rows {
				r.end = r.fault(r.chunk.Pages.Offset, "", tooManyRows(to, s.rows))
				return 0, nil
			}
			r.pages = append(r.pages, Page{From: s.row, To: to, Offset: at, Bytes: b[:size], header: h, parsed: true})
			if s.row = to; h.NumValues > 0 {
				return 0, nil
			}
		}
	}
	return 1, nil
}

// fetch brings pieces that hold at least short more bytes, behind what is left of
// those before.
func (s *stream) fetch(short int) error {
	rest := s.buf[s.used:]
	n := min((int64(short)+s.Size-1)/s.Size*s.Size, s.end-s.next)
	buf := membuf.Get(len(rest) + int(n))
	copy(buf, rest)
	done := int64(0)
	if s.coming != nil {
		c := <-s.coming
		s.coming = nil
		done = int64(copy(buf[len(rest):], c.buf))
		membuf.Put(c.buf)
		if c.err != nil {
			membuf.Put(buf)
			return c.err
		}
	}
	for ; done < n; done += s.Size {
		piece := buf[len(rest)+int(done):][:min(s.Size, n-done)]
		if err := s.Fetch(s.next+done, piece); err != nil {
			return err
		}
	}
	s.next += n
	if s.Ahead && s.next < s.end {
		s.ask(s.next, min(s.Size, s.end-s.next))
	}
	if s.used > 0 {
		s.held = append(s.held, heldBuffer{s.buf, s.row})
	} else {
		membuf.Put(s.buf)
	}
	s.at += int64(s.used)
	s.buf, s.used = buf, 0
	return nil
}

// ask has a piece fetched beside what else is done.
func (s *stream) ask(off, n int64) {
	coming := make(chan comingPiece, 1)
	s.coming = coming
	go func() {
		buf := membuf.Get(int(n))
		coming <- comingPiece{buf, s.Fetch(off, buf)}
	}()
}

// Faults of the pages of a chunk.
func overrun(size, left int) error {
	return fmt.Errorf("the page of %d bytes overruns the %d that are left of its chunk", size, left)
}

func tooManyRows(pages, rows int64) error {
	return fmt.Errorf("its pages hold %d rows, the row group has %d", pages, rows)
}

// takeDictionary decodes the chunk's dictionary, of which there may be but one.
func (r *Reader) takeDictionary(h metadata.PageHeader, b []byte, at int64) error {
	if r.dict != nil {
		return r.fault(at, "dictionary page", errors.New("the chunk has two"))
	}
	return r.openDictionary(h, b, at)
}
