package pare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/rowrange"
)

// part is a window of a row group while it is being read.
type part struct {
	ctx     context.Context
	window  *plan.Window
	group   *plan.Group
	readers map[*plan.Chunk]*column.Reader
	inHand  map[*plan.Chunk]rowrange.Set // rows whose pages a filter column's reader has
	needed  map[*plan.Chunk]rowrange.Set // those of them that it was read for to test
	tested  map[*plan.Chunk]int64        // rows that a filter column was decoded for
	open    rowrange.Set                 // rows that pass what has been tested, and are not sure to match
	apart   bool                         // its columns are decoded concurrently
	limited bool                         // a limit wants but some of the matching rows:
	wanted  rowrange.Set
}

func newPart(ctx context.Context, w *plan.Window) *part {
	return &part{ctx: ctx, window: w, group: w.Group, readers: map[*plan.Chunk]*column.Reader{}, inHand: map[*plan.Chunk]rowrange.Set{},
		needed: map[*plan.Chunk]rowrange.Set{}, tested: map[*plan.Chunk]int64{}, open: w.May.Subtract(w.Must)}
}

// selected are the rows that match, once everything has been tested, as far as
// they are wanted.
func (p *part) selected() rowrange.Set {
	if p.limited {
		return p.wanted
	}
	return p.window.Must.Union(p.open)
}

// needs lists what a round has to bring, now that some rows are known not to
// match, of what was planned for it.
func (p *part) needs(round, rounds int, planned func(metadata.Extent) bool) (out []metadata.Extent) {
	g := p.group
	add := func(c *plan.Chunk, rows rowrange.Set) {
		for _, e := range c.Extents(g.RowGroup.NumRows, rows) {
			if planned(e) {
				out = append(out, e)
			}
		}
	}
	for _, n := range p.window.Tests[round] {
		for _, c := range g.Tested(n) {
			if slices.Contains(g.Output, c) {
				add(c, p.open) // what is planned for this round comes in this round or not at all
			} else {
				add(c, p.open.Intersect(c.Need))
			}
		}
	}
	if round == rounds-1 {
		selected := p.selected()
		for _, c := range g.Output {
			add(c, selected.Subtract(c.Answered))
		}
	}
	return out
}

// closeParts gives the memory of the parts' readers back.
func closeParts(parts []*part) {
	for _, p := range parts {
		for _, r := range p.readers {
			r.Close()
		}
		p.readers = nil
	}
}

// streamedSpan is how many times BatchRows a portion of a streamed column may
// spread over.
const streamedSpan = 4

// portions are used again: those of fragmented sets are long.
var portions = sync.Pool{New: func() any { return new(rowrange.Set) }}

// windows calls f with the rows in portions of at most BatchRows, and with the
// bytes that a column of a portion may have. A portion that has more is tried
// again in halves; a single row may have as many as it needs. f may not keep the
// portion.
//
// A stream holds what lies between the ends of a portion, so that few rows far
// apart are portions of their own.
func (s *Scan) windows(ctx context.Context, p *part, rows rowrange.Set, f func(rows rowrange.Set, limit int) error) error {
	size := int64(s.plan.query.BatchRows)
	scratch := portions.Get().(*rowrange.Set)
	defer portions.Put(scratch)
	portion := *scratch
	defer func() { *scratch = portion[:0] }()
	span := int64(math.MaxInt64)
	if slices.ContainsFunc(p.group.Chunks(), func(c *plan.Chunk) bool { return c.Streamed }) {
		span = streamedSpan * size
	}
	left := rows.Rest()
	for n := size; !left.Empty(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		portion = left.Head(portion, n, span)
		err := f(portion, s.plan.query.BatchBytes)
		if errors.Is(err, encoding.ErrFull) {
			if n = portion.Len() / 2; n > 0 {
				continue
			}
			if err = f(portion, 0); errors.Is(err, encoding.ErrFull) {
				err = &metadata.UnsupportedError{Piece: fmt.Sprintf("row %d of row group %d", portion[0].From, p.group.RowGroup.Index), Msg: "more than 2 GiB in a column"}
			}
		}
		if err != nil {
			return err
		}
		left.Use(portion[len(portion)-1].To)
		n = min(size, max(1, 2*n))
	}
	return nil
}

// openSelected opens the pages of an output column. The reader that tested it
// goes on if it has the pages of all rows.
func (s *Scan) openSelected(p *part, c *plan.Chunk, rows rowrange.Set, have metadata.Bytes) error {
	if p.readers[c] != nil && c.Index != nil && !rows.Subtract(p.inHand[c]).Empty() {
		p.readers[c].Close()
		delete(p.readers, c)
	}
	return s.open(p, c, rows, have)
}

// open opens a chunk's pages that hold any of the rows, unless that has been
// done.
func (s *Scan) open(p *part, c *plan.Chunk, rows rowrange.Set, have metadata.Bytes) error {
	if p.readers[c] != nil {
		return nil
	}
	r, err := s.newReader(p, c, rows, have)
	if err == nil {
		p.readers[c] = r
	}
	return err
}

func (s *Scan) newReader(p *part, c *plan.Chunk, rows rowrange.Set, have metadata.Bytes) (*column.Reader, error) {
	opt := column.Options{MaxPageBytes: s.plan.file.opt.MaxPage, Dictionary: s.dictionary(c), Check: p.ctx.Err, Aligned: !c.RunsOn(),
		KeepPages: slices.Contains(p.group.Filter, c) && slices.Contains(p.group.Output, c)}
	n := p.group.RowGroup.NumRows
	if c.Index == nil && c.Streamed {
		whole, piece := c.DataExtent(), s.plan.sizes().Piece
		return column.NewStream(c.Chunk, n, column.Pieces{From: whole.Offset, Size: piece, Ahead: !s.near, Fetch: func(off int64, dst []byte) error {
			e := whole
			e.Offset, e.Length = off, int64(len(dst))
			return s.plan.fetch.Into(p.ctx, s.plan.ledger, s.plan.round(int((off-whole.Offset)/piece)), e, dst)
		}}, opt), nil
	}
	if c.Index == nil {
		b, ok := have.Get(c.DataExtent())
		if !ok {
			return nil, errNotPlanned(c.Pages)
		}
		return column.Walk(c.Chunk, n, b, opt)
	}
	var pages []column.Page
	missing := false
	c.EachPage(n, rows, func(i int, from, to int64) {
		e := c.PageExtent(i)
		b, ok := have.Get(e)
		missing = missing || !ok
		pages = append(pages, column.Page{From: from, To: to, Offset: e.Offset, Bytes: b})
	})
	var dict []byte
	if d := c.DictionaryExtent(); d.Length > 0 && opt.Dictionary == nil {
		b, ok := have.Get(d)
		missing = missing || !ok
		dict = b
	}
	if missing {
		return nil, errNotPlanned(c.Pages)
	}
	r, err := column.NewReader(c.Chunk, pages, dict, opt)
	if err == nil && opt.Dictionary == nil && !p.window.Whole() {
		s.shareDictionary(c, r.Dictionary())
	}
	return r, err
}

func errNotPlanned(e metadata.Extent) error {
	return errors.New("pare: internal error: not planned to be read: " + e.String())
}
