package column

import (
	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/rowrange"
)

// Between two ranges a decoder has to stop, skip and start again, which costs
// as much as decoding a few values. Where ranges follow each other more closely
// than fragmentStride rows on average, all rows are decoded, and those that are
// not wanted are dropped; at most fragmentRows at a time, so that little memory
// is touched. By BenchmarkReaderFragments that is up to 2.5 times as fast at a
// stride of 2, even at 4, and slower at 8.
const (
	fragmentStride = 4
	fragmentRows   = 4096
)

// wideFragment is the width of values above which copying them a second time
// is no gain.
const wideFragment = 16

// AppendRows is Append for the rows of a set.
func (r *Reader) AppendRows(v *Vector, rows rowrange.Set) error {
	if r.rec != nil || v.KeepLevels {
		for _, x := range rows {
			if err := r.Append(v, x.From, x.To); err != nil {
				return err
			}
		}
		return nil
	}
	for len(rows) > 0 {
		if err := r.seek(rows[0].From); err != nil {
			return err
		}
		if k, err := r.pick(v, rows); err != nil {
			return err
		} else if k > 0 {
			rows = rows[k:]
			continue
		}
		n, near := fragments(rows, r.pages[r.cur].To)
		if near && v.Width <= wideFragment && (v.Width >= 0 || r.vals.dict != nil) {
			if err := r.appendFragments(v, rows[:n]); err != nil {
				return err
			}
		} else {
			for _, x := range rows[:n] {
				if err := r.Append(v, x.From, x.To); err != nil {
					return err
				}
			}
		}
		rows = rows[n:]
	}
	return nil
}

// pick appends the values of the ranges at the start of rows that lie in the open
// page, and returns how many ranges these are; none unless there are several, and
// the page holds PLAIN values of fixed width without NULLs, which need no decoder
// to be found.
func (r *Reader) pick(v *Vector, rows rowrange.Set) (n int, err error) {
	p := &r.pages[r.cur]
	for n < len(rows) && rows[n].To <= p.To {
		n++
	}
	if n < 2 || v.Width <= 0 || v.Column.MaxDef > 0 {
		return 0, nil
	}
	if _, plain := r.vals.fixed.(*encoding.PlainFixed); !plain {
		return 0, nil
	}
	count := int(rows[:n].Len())
	if end := rows[n-1].To - p.From; end > int64(len(r.data.Values)/v.Width) {
		return 0, nil // the page ends early: reading says so
	}
	at := len(v.Fixed)
	v.Fixed = membuf.Grow(v.Fixed, count*v.Width)[:at+count*v.Width]
	copyRanges(v.Fixed[at:], r.data.Values, v.Width, rows[:n], p.From)
	v.Rows += count
	return n, nil
}

// fragments counts the ranges at the start of rows that may be decoded
// together, at least one, and tells whether they are near enough to each other
// for that. end is where the page ends.
func fragments(rows rowrange.Set, end int64) (n int, near bool) {
	end = min(end, rows[0].From+fragmentRows)
	for n < len(rows) && rows[n].To <= end {
		n++
	}
	if n < 2 {
		return 1, false
	}
	return n, rows[n-1].To-rows[0].From <= fragmentStride*int64(n)
}

// appendFragments decodes all rows between the first and the last of some
// ranges of one page, and appends those inside the ranges.
func (r *Reader) appendFragments(v *Vector, ranges rowrange.Set) error {
	if r.between == nil {
		r.between = NewVector(r.chunk.Column)
	}
	s := r.between
	s.Reset()
	from, to := ranges[0].From, ranges[len(ranges)-1].To
	return r.rows(from, to, func(p *Page, n int) error {
		s.dict = r.vals.dict
		if s.dict == nil {
			if err := s.take(n, &r.data.Def, &r.vals); err != nil {
				return err
			}
		} else if err := s.takeIndices(n, &r.data.Def, &r.vals, s.dict); err != nil {
			return err
		}
		return v.appendRanges(s, ranges.Shift(-from))
	})
}

// appendRanges appends the rows of s inside the ranges. s holds indices, or
// values of fixed width.
func (v *Vector) appendRanges(s *Vector, ranges rowrange.Set) error {
	n := int(ranges.Len())
	count := n
	if v.Column.MaxDef > 0 {
		v.Valid = extend(v.Valid, (v.Rows+n+7)/8)
		count = v.appendValidity(s, ranges, n)
	}
	at := len(v.Fixed)
	if v.Width > 0 {
		v.Fixed = membuf.Grow(v.Fixed, n*v.Width)[:at+n*v.Width]
	}
	switch {
	case s.dict == nil:
		copyRanges(v.Fixed[at:], s.Fixed, v.Width, ranges, 0)
	case v.Width >= 0:
		gatherFixed(v.Fixed[at:at+count*v.Width], s.dict, s.keptIndices(ranges))
		if count < n {
			spreadFixed(v.Fixed[at:], v.Width, count, v.Valid, v.Rows, n)
		}
	default:
		if err := v.Binary.Gather(s.dict.Words, s.keptIndices(ranges)); err != nil {
			return err
		}
		if count < n {
			v.Binary.Offsets = spreadOffsets(v.Binary.Offsets, count, v.Valid, v.Rows, n)
		}
	}
	v.Rows += n
	v.Nulls += n - count
	return nil
}

// appendValidity sets the bits of the n rows of s inside the ranges that have
// a value, and counts them.
func (v *Vector) appendValidity(s *Vector, ranges rowrange.Set, n int) (count int) {
	if s.Nulls == 0 {
		all := encoding.NoLevels()
		all.Present(v.Valid, v.Rows, n)
		return n
	}
	at := v.Rows
	for _, r := range ranges {
		for i := int(r.From); i < int(r.To); i++ {
			if s.Valid[i>>3]>>(i&7)&1 != 0 {
				v.Valid[at>>3] |= 1 << (at & 7)
				count++
			}
			at++
		}
	}
	return count
}

// keptIndices moves the indices of the rows inside the ranges that have a
// value to the front.
func (v *Vector) keptIndices(ranges rowrange.Set) []uint32 {
	k := 0
	for _, r := range ranges {
		if v.Nulls == 0 {
			k += copy(v.indices[k:], v.indices[r.From:r.To])
			continue
		}
		for i := int(r.From); i < int(r.To); i++ {
			if v.Valid[i>>3]>>(i&7)&1 != 0 {
				v.indices[k] = v.indices[i]
				k++
			}
		}
	}
	return v.indices[:k]
}

// copyRanges copies the values of the ranges, one behind the other. Row base is
// the first in src.
func copyRanges(dst, src []byte, width int, ranges rowrange.Set, base int64) {
	switch width { // single values are the most common case of fragments
	case 8:
		copyNumbers(as[uint64](dst), as[uint64](src), ranges, base)
	case 4:
		copyNumbers(as[uint32](dst), as[uint32](src), ranges, base)
	default:
		for _, r := range ranges {
			dst = dst[copy(dst, src[int(r.From-base)*width:int(r.To-base)*width]):]
		}
	}
}

func copyNumbers[T uint32 | uint64](dst, src []T, ranges rowrange.Set, base int64) {
	k := 0
	for _, r := range ranges {
		if r.To-r.From == 1 {
			dst[k] = src[r.From-base]
			k++
		} else {
			k += copy(dst[k:], src[r.From-base:r.To-base])
		}
	}
}
