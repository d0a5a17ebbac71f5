package column

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/parequet/pare/metadata"
)

// A row of a repeated column is a record: the values from a repetition level of
// 0 up to the next one, which may lie on a later page. How many records begin
// on a page is known from an offset index or once its levels have been counted;
// Page.From and Page.To number those.

// recordBlock is how many levels are decoded at a time.
const recordBlock = 4096

// maxElements and maxRowBytes bound the levels of a single row, and its values of
// fixed width: they may come to billions in a few bytes.
const (
	maxElements = 1 << 27
	maxRowBytes = 1 << 30
)

// levelBytes is what a level counts as where a batch's bytes are limited.
const levelBytes = 8

// records is the part of a Reader that finds the records of a repeated column.
// Reader.pos is how many have begun before the next level.
type records struct {
	rep, def [recordBlock]uint8 // levels that have been decoded
	at, n    int                // the next of them, and how many there are
	left     int                // levels of the open page that have not been decoded
	located  bool               // an offset index says where records begin
	known    int                // else: pages, from the first on, whose records have been counted
	rows     int64              // else: of the row group
}

// span is the part of a record that begins or goes on in the open page: its
// levels.
type span struct{ rep, def []uint8 }

// seekRecord moves to the start of a row.
func (r *Reader) seekRecord(row int64) error {
	k, err := r.recordPage(row)
	if err != nil {
		return err
	}
	if k != r.cur || row < r.pos {
		if err := r.openRecords(k); err != nil {
			return r.recordFault(k, err)
		}
	}
	x := r.rec
	for {
		i := r.scan(row)
		if err := r.pass(x.def[x.at:i]); err != nil {
			return r.recordFault(k, err)
		}
		if x.at = i; i < x.n {
			return nil
		}
		if x.left == 0 {
			return r.recordFault(k, fmt.Errorf("row %d does not begin on it", row))
		}
		if err := r.fill(); err != nil {
			return r.recordFault(k, err)
		}
	}
}

// scan returns where, among the levels that have been decoded, row begins, or
// their end, and counts the records that begin before.
func (r *Reader) scan(row int64) int {
	x := r.rec
	zero := []byte{0}
	i := x.at
	for step := x.n - i; i < x.n; { // as many as surely begin before it at a time
		some := x.rep[i:min(i+step, x.n)]
		if n := int64(bytes.Count(some, zero)); n <= row-r.pos {
			r.pos += n
			i += len(some)
			continue
		}
		if step > 64 {
			step /= 4
			continue
		}
		for ; r.pos < row || x.rep[i] != 0; i++ {
			if x.rep[i] == 0 {
				r.pos++
			}
		}
		return i
	}
	return i
}

// pass passes over the values of some levels.
func (r *Reader) pass(def []uint8) error {
	return r.vals.skip(bytes.Count(def, []byte{uint8(r.chunk.Column.MaxDef)}))
}

// recordPage finds the page on which a row begins.
func (r *Reader) recordPage(row int64) (int, error) {
	x := r.rec
	if k := r.cur; k >= 0 && row >= r.pages[k].From && row < r.pages[k].To {
		return k, nil
	}
	if !x.located {
		for x.known < len(r.pages) && (x.known == 0 || r.pages[x.known-1].To <= row) {
			next := x.known
			if err := r.countRecords(next); err != nil {
				return 0, r.recordFault(next, err)
			}
		}
	}
	known := len(r.pages)
	if !x.located {
		known = x.known
	}
	k := sort.Search(known, func(i int) bool { return r.pages[i].To > row })
	switch {
	case k == known && r.end != nil:
		return 0, r.end
	case k == known:
		return 0, r.fault(r.chunk.Pages.Offset, "", fmt.Errorf("its pages end before row %d", row))
	case r.pages[k].From > row:
		return 0, fmt.Errorf("pare: row %d of row group %d, column %s, was not planned to be read", row, r.chunk.RowGroup, r.chunk.Column.Name)
	}
	return k, nil
}

// countRecords counts the records that begin on the first page of which that is
// not known: by the levels of a V2 page, which are not compressed; else the page
// is opened.
func (r *Reader) countRecords(k int) error {
	p := &r.pages[k]
	if p.header.Type != metadata.DataPageV2 {
		return r.openRecords(k)
	}
	n, err := r.dec.Records(p.header, p.Bytes)
	if err == nil {
		err = r.number(k, n)
	}
	return err
}

// number notes how many records begin on the next page.
func (r *Reader) number(k, records int) error {
	x, p := r.rec, &r.pages[k]
	p.From = 0
	if k > 0 {
		p.From = r.pages[k-1].To
	}
	p.To = p.From + int64(records)
	if p.To > x.rows {
		return tooManyRows(p.To, x.rows)
	}
	x.known = k + 1
	return nil
}

// openRecords opens page k at its first level.
func (r *Reader) openRecords(k int) (err error) {
	r.cur = -1
	p, x := &r.pages[k], r.rec
	if err := p.parse(); err != nil {
		return err
	}
	data, kept := r.kept[k]
	if !kept {
		if data, err = r.dec.Data(p.header, p.Bytes); err != nil {
			return err
		}
		r.see(k)
		if r.opts.KeepPages {
			r.kept[k] = data
		}
	}
	rep, first := data.Rep, [1]uint8{}
	if whole := data.Rep; data.N > 0 && (p.From == 0 && k == 0 || x.located && r.opts.Aligned) {
		err = whole.Read(first[:])
	}
	begin := 0
	if err == nil {
		begin, err = rep.CountZeros(data.N)
	}
	switch {
	case err != nil:
		return fmt.Errorf("repetition levels: %w", err)
	case first[0] != 0:
		return fmt.Errorf("it begins within a row, at repetition level %d", first[0])
	case x.located && int64(begin) != p.To-p.From:
		return fmt.Errorf("%d rows begin on the page, the offset index says %d", begin, p.To-p.From)
	case !x.located && k == x.known:
		if err := r.number(k, begin); err != nil {
			return err
		}
	}
	x.at, x.n, x.left = 0, 0, data.N
	r.pos, r.data = p.From, data
	if err := r.vals.open(r.chunk.Column, data.Encoding, data.Values, r.dict); err != nil {
		return err
	}
	r.cur = k
	return nil
}

// fill decodes the next levels of the open page.
func (r *Reader) fill() error {
	x := r.rec
	n := min(x.left, recordBlock)
	if r.opts.Check != nil {
		if err := r.opts.Check(); err != nil {
			return err
		}
	}
	if err := r.data.Rep.Read(x.rep[:n]); err != nil {
		return fmt.Errorf("repetition levels: %w", err)
	}
	if err := r.data.Def.Read(x.def[:n]); err != nil {
		return fmt.Errorf("definition levels: %w", err)
	}
	x.at, x.n = 0, n
	x.left -= n
	return nil
}
