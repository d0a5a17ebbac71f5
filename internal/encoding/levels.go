package encoding

import (
	"bytes"
	"math/bits"
)

// Levels decodes the definition or repetition levels of a page: numbers from 0
// to a maximum of at most 255. Definition levels at their maximum say that a
// value is there. It never holds more than its input, so a page that claims
// billions of nulls in a few bytes costs a few bytes.
type Levels struct {
	h        Hybrid
	max      uint32
	isLegacy bool
	legacy   []byte // BIT_PACKED: most significant bit first
	pos      int    // BIT_PACKED: next bit
	none     bool   // the maximum is 0, so that nothing is stored
	spread   spread
}

// NoLevels are those of a column whose maximum is 0.
func NoLevels() Levels { return Levels{none: true} }

// NewLevels reads hybrid runs of levels up to most.
func NewLevels(src []byte, most int) Levels {
	width := uint(bits.Len(uint(most)))
	return Levels{h: Hybrid{src: src, width: width}, max: uint32(most), spread: newSpread(width, uint8(most))}
}

// NewLegacyLevels reads the deprecated BIT_PACKED encoding of n levels up to
// most, and returns what follows them.
func NewLegacyLevels(src []byte, most, n int) (l Levels, rest []byte, err error) {
	width := bits.Len(uint(most))
	if n > 8*len(src)/width {
		return l, nil, ErrShort
	}
	size := (n*width + 7) / 8
	return Levels{isLegacy: true, max: uint32(most), legacy: src[:size:size]}, src[size:], nil
}

// levelBlock is how many levels are looked at at a time where they are not kept.
const levelBlock = 256

// Read decodes len(dst) levels.
func (l *Levels) Read(dst []uint8) error {
	switch {
	case l.none:
		clear(dst)
		return nil
	case l.isLegacy:
		return l.readLegacy(dst)
	}
	h := &l.h
	for len(dst) > 0 {
		if err := h.run(); err != nil {
			return err
		}
		k := min(len(dst), h.left)
		if h.packed {
			if err := l.unpack(dst[:k]); err != nil {
				return err
			}
		} else {
			v, err := l.run()
			if err != nil {
				return err
			}
			fillBytes(dst[:k], v)
		}
		h.left -= k
		dst = dst[k:]
	}
	return nil
}

// run is the level of the current run, which is not packed.
func (l *Levels) run() (uint8, error) {
	v := l.h.value
	if l.max == 1 {
		v &= 1 // bits beyond the width mean nothing
	}
	if v > l.max {
		return 0, tooHigh(v, l.max)
	}
	return uint8(v), nil
}

// unpack decodes levels of the current run, which is packed.
func (l *Levels) unpack(dst []uint8) error {
	h := &l.h
	high := l.spread.unpackBytes(dst, h.src, h.bit)
	h.bit += uint64(len(dst)) * uint64(h.width)
	if high {
		for _, v := range dst {
			if uint32(v) > l.max {
				return tooHigh(uint32(v), l.max)
			}
		}
	}
	return nil
}

func tooHigh(v, most uint32) error { return corrupt("a level of %d, the highest is %d", v, most) }

// Present appends n validity bits to bitmap (least significant bit first)
// starting at bit at, and returns how many values are there. The bitmap's
// bits from at on must be zero and there must be room for them.
func (l *Levels) Present(bitmap []byte, at, n int) (values int, err error) {
	switch {
	case l.none:
		SetBits(bitmap, at, n)
		return n, nil
	case l.isLegacy && l.max == 1:
		return l.presentLegacy(bitmap, at, n)
	case l.isLegacy:
		return l.presentWide(bitmap, at, n)
	}
	h := &l.h
	for n > 0 {
		if err := h.run(); err != nil {
			return values, err
		}
		k := min(n, h.left)
		switch {
		case h.packed && l.max == 1:
			values += copyBits(bitmap, at, h.src, int(h.bit), k)
			h.bit += uint64(k)
			h.left -= k
		case h.packed:
			count, err := l.presentWide(bitmap, at, k)
			if err != nil {
				return values, err
			}
			values += count
		default:
			v, err := l.run()
			if err != nil {
				return values, err
			}
			if uint32(v) == l.max {
				SetBits(bitmap, at, k)
				values += k
			}
			h.left -= k
		}
		at += k
		n -= k
	}
	return values, nil
}

// presentWide is Present by way of the levels.
func (l *Levels) presentWide(bitmap []byte, at, n int) (values int, err error) {
	var block [levelBlock]uint8
	for n > 0 {
		some := block[:min(n, levelBlock)]
		if err := l.Read(some); err != nil {
			return values, err
		}
		values += SetFrom(bitmap, at, some, uint8(l.max))
		at += len(some)
		n -= len(some)
	}
	return values, nil
}

// Skip passes over n levels and returns how many values are there.
func (l *Levels) Skip(n int) (values int, err error) {
	switch {
	case l.none:
		return n, nil
	case l.isLegacy && l.max == 1:
		return l.presentLegacy(nil, 0, n)
	}
	return l.count(n, uint8(l.max))
}

// CountZeros passes over n levels and returns how many are 0: of repetition
// levels, how many records begin.
func (l *Levels) CountZeros(n int) (zeros int, err error) {
	if l.none {
		return n, nil
	}
	return l.count(n, 0)
}

// count passes over n levels and returns how many are v.
func (l *Levels) count(n int, v uint8) (found int, err error) {
	if l.isLegacy {
		return l.countWide(n, v)
	}
	h := &l.h
	for n > 0 {
		if err := h.run(); err != nil {
			return found, err
		}
		k := min(n, h.left)
		switch {
		case h.packed && l.max == 1:
			ones := countBits(h.src, int(h.bit), k)
			if v == 0 {
				ones = k - ones
			}
			found += ones
			h.bit += uint64(k)
			h.left -= k
		case h.packed:
			some, err := l.countWide(k, v)
			if err != nil {
				return found, err
			}
			found += some
		default:
			run, err := l.run()
			if err != nil {
				return found, err
			}
			if run == v {
				found += k
			}
			h.left -= k
		}
		n -= k
	}
	return found, nil
}

// countWide is count by way of the levels.
func (l *Levels) countWide(n int, v uint8) (found int, err error) {
	var block [levelBlock]uint8
	for n > 0 {
		some := block[:min(n, levelBlock)]
		if err := l.Read(some); err != nil {
			return found, err
		}
		found += bytes.Count(some, []byte{v})
		n -= len(some)
	}
	return found, nil
}

func (l *Levels) readLegacy(dst []uint8) error {
	width := bits.Len32(l.max)
	if l.pos+len(dst)*width > len(l.legacy)*8 {
		return ErrShort
	}
	for i := range dst {
		v := uint32(0)
		for range width {
			v = v<<1 | uint32(l.legacy[l.pos>>3]>>(7-l.pos&7)&1)
			l.pos++
		}
		if v > l.max {
			return tooHigh(v, l.max)
		}
		dst[i] = uint8(v)
	}
	return nil
}

// presentLegacy is Present of BIT_PACKED levels of one bit.
func (l *Levels) presentLegacy(bitmap []byte, at, n int) (values int, err error) {
	if l.pos+n > len(l.legacy)*8 {
		return 0, ErrShort
	}
	for i := range n {
		q := l.pos + i
		if l.legacy[q>>3]>>(7-q&7)&1 != 0 {
			values++
			if bitmap != nil {
				bitmap[(at+i)>>3] |= 1 << ((at + i) & 7)
			}
		}
	}
	l.pos += n
	return values, nil
}
