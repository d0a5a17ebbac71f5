package column

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/parequet/pare/internal/encoding"
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

// eachSpan calls f with the levels of the rows [from, to), in order. The values
// that belong to them are for f to take from r.vals.
func (r *Reader) eachSpan(from, to int64, f func(s span) error) error {
	if from >= to {
		return nil
	}
	if err := r.seekRecord(from); err != nil {
		return err
	}
	x := r.rec
	for {
		i := r.scan(to)
		if i > x.at {
			if err := f(span{x.rep[x.at:i], x.def[x.at:i]}); err != nil {
				k := r.cur
				r.cur = -1
				return r.recordFault(k, err)
			}
		}
		x.at = i
		switch {
		case i < x.n:
			return nil
		case x.left > 0:
			if err := r.fill(); err != nil {
				return r.recordFault(r.cur, err)
			}
			continue
		}
		// The page ends here; the last record may go on on the next one.
		k := r.cur + 1
		if r.pos == to {
			if on, err := r.continues(k); err != nil || !on {
				return err
			}
		} else if k == len(r.pages) || x.located && r.pages[k].From != r.pages[k-1].To {
			_, err := r.recordPage(r.pos)
			return err
		}
		pos := r.pos
		if err := r.openRecords(k); err != nil {
			return r.recordFault(k, err)
		}
		if r.pos != pos {
			return r.recordFault(k, fmt.Errorf("it begins at row %d, the pages before it end at row %d", r.pos, pos))
		}
	}
}

// continues reports whether page k begins within the last record of the page
// before it. If a located page is not in hand, nobody expects it to.
func (r *Reader) continues(k int) (bool, error) {
	for ; k < len(r.pages) && r.pages[k].parsed && r.pages[k].header.NumValues == 0; k++ {
		// an empty page says nothing
	}
	if k == len(r.pages) {
		if r.rec.located || r.end == nil {
			return false, nil
		}
		return false, r.end // it may go on behind the fault
	}
	p := &r.pages[k]
	if r.rec.located && p.From != r.pages[k-1].To {
		return false, nil
	}
	err := p.parse()
	on := false
	if err == nil {
		on, err = r.dec.Continues(p.header, p.Bytes)
	}
	if err != nil {
		return false, r.recordFault(k, err)
	}
	return on, nil
}

func (r *Reader) recordFault(k int, err error) error {
	r.cur = -1
	return r.fault(r.pages[k].Offset, "data page", err)
}

// appendRecords appends the rows [from, to) to v.
func (r *Reader) appendRecords(v *Vector, from, to int64) error {
	return r.eachSpan(from, to, func(s span) error {
		if err := r.wide(v); err != nil {
			return err
		}
		return v.takeLevels(s, &r.vals)
	})
}

// takeLevels appends the levels of a span, and the values that belong to them.
func (v *Vector) takeLevels(s span, d *values) error {
	v.levels += len(s.def)
	if limit := v.Binary.Limit; limit > 0 && v.levels > min(limit/levelBytes, maxElements) {
		return encoding.ErrFull
	} else if v.levels > maxElements {
		return &metadata.UnsupportedError{Msg: fmt.Sprintf("more than %d elements in a row", maxElements)}
	}
	if v.KeepLevels {
		v.Rep, v.Def = appendBytes(v.Rep, s.rep), appendBytes(v.Def, s.def)
	}
	col := v.Column
	slots, count := len(s.def), 0
	if col.ElementDef == col.MaxDef {
		slots = bytes.Count(s.def, []byte{uint8(col.MaxDef)})
		count = slots
	} else {
		v.Valid = extend(v.Valid, (v.Rows+slots+7)/8)
		slots, count = setElements(v.Valid, v.Rows, s.def, uint8(col.ElementDef), uint8(col.MaxDef))
	}
	if limit := v.Binary.Limit; limit > 0 && v.Width > 0 && v.Rows+slots > limit/v.Width {
		return encoding.ErrFull
	} else if v.Width > 0 && v.Rows+slots > maxRowBytes/v.Width {
		return &metadata.UnsupportedError{Msg: fmt.Sprintf("more than %d bytes in a row", maxRowBytes)}
	}
	return v.takeValues(slots, count, d)
}

// setElements sets, from bit at on, a bit for each of the levels that has an
// element, 1 if that has a value, and counts the elements and the values.
func setElements(bitmap []byte, at int, def []uint8, element, most uint8) (elements, values int) {
	if bytes.Count(def, []byte{most}) == len(def) {
		encoding.SetBits(bitmap, at, len(def))
		return len(def), len(def)
	}
	from := at
	for _, d := range def { // without branches: neither can be foretold
		value, there := 0, 0
		if d == most {
			value = 1
		}
		if d >= element {
			there = 1
		}
		bitmap[at>>3] |= byte(value << (at & 7))
		values += value
		at += there
	}
	return at - from, values
}
