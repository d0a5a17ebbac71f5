package column

import (
	"bytes"
	"fmt"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
)

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
