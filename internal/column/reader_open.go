package column

import (
	"fmt"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
)

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
