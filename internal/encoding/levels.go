package encoding

import (
	"bytes"
	"encoding/binary"
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

// fillBytes sets all bytes.
func fillBytes(dst []uint8, v uint8) {
	const short = 32
	for i := range dst[:min(len(dst), short)] {
		dst[i] = v
	}
	for n := short; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
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

// spread is what unpackBytes needs of a width, 1 to 8 bits. Eight values are spread
// over eight bytes at a time: the upper half of their bits moves to the upper four
// bytes, then the upper half of each half to its upper two, and so on.
type spread struct {
	width, gap     uint
	four, two, one uint64 // what stays, in 64 bits, in each 32 and in each 16
	beyond         uint64 // added to bytes, it sets the top bit of those above the highest level
}

func newSpread(width uint, most uint8) spread {
	return spread{width, 8 - width, uint64(1)<<(4*width) - 1, (uint64(1)<<(2*width) - 1) * (1<<32 | 1),
		(uint64(1)<<width - 1) * (1<<48 | 1<<32 | 1<<16 | 1), 0x0101010101010101 * uint64(127-most&127)}
}

// unpackBytes reads len(dst) values from src, starting at bit offset bit, and
// reports whether one may be above the highest level. The caller has checked that
// src holds them.
func (s *spread) unpackBytes(dst []uint8, src []byte, bit uint64) (high bool) {
	above := uint64(0)
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		p := bit >> 3
		if p+8 > uint64(len(src)) {
			break
		}
		x := binary.LittleEndian.Uint64(src[p:]) >> (bit & 7)
		if s.width < 8 {
			x = x&s.four | x<<(4*s.gap&63)&(s.four<<32)
			x = x&s.two | x<<(2*s.gap&63)&(s.two<<16)
			x = x&s.one | x<<(s.gap&63)&(s.one<<8)
			above |= x + s.beyond
		}
		binary.LittleEndian.PutUint64(dst[i:], x)
		bit += 8 * uint64(s.width)
	}
	tail := dst[i:]
	for k := range tail {
		tail[k] = uint8(loadTail(src, bit>>3) >> (bit & 7) & (1<<s.width - 1))
		bit += uint64(s.width)
	}
	return above&0x8080808080808080 != 0 || s.width == 8 || len(tail) > 0
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

// SetFrom sets the bits, from bit at on, of the levels that are at least least,
// and returns how many these are. The bitmap's bits from at on must be zero.
func SetFrom(bitmap []byte, at int, levels []uint8, least uint8) (found int) {
	if bytes.Count(levels, []byte{least}) == len(levels) {
		SetBits(bitmap, at, len(levels))
		return len(levels)
	}
	for len(levels) > 0 {
		n := min(8-at&7, len(levels)) // those of one byte
		b := byte(0)
		for i, v := range levels[:n] {
			b |= byte((int(v)-int(least))>>63+1) << i
		}
		bitmap[at>>3] |= b << (at & 7)
		found += bits.OnesCount8(b)
		at += n
		levels = levels[n:]
	}
	return found
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

// SetBits sets n bits of bitmap from bit at on.
func SetBits(bitmap []byte, at, n int) {
	for n > 0 && at&7 != 0 {
		bitmap[at>>3] |= 1 << (at & 7)
		at++
		n--
	}
	for ; n >= 8; n -= 8 {
		bitmap[at>>3] = 0xff
		at += 8
	}
	if n > 0 {
		bitmap[at>>3] |= 1<<n - 1
	}
}

// copyBits ORs n bits of src from bit from on into dst at bit at and returns
// how many were ones.
func copyBits(dst []byte, at int, src []byte, from, n int) (ones int) {
	for n > 0 {
		// As many bits as fit into the current byte of dst.
		k := min(n, 8-at&7)
		v := loadBits(src, from, k)
		dst[at>>3] |= v << (at & 7)
		ones += bits.OnesCount8(v)
		at += k
		from += k
		n -= k
	}
	return ones
}

func countBits(src []byte, from, n int) (ones int) {
	for n > 0 && from&7 != 0 {
		k := min(n, 8-from&7)
		ones += bits.OnesCount8(loadBits(src, from, k))
		from += k
		n -= k
	}
	for ; n >= 8; n -= 8 {
		ones += bits.OnesCount8(src[from>>3])
		from += 8
	}
	if n > 0 {
		ones += bits.OnesCount8(loadBits(src, from, n))
	}
	return ones
}

// loadBits returns k ≤ 8 bits of src from bit from on.
func loadBits(src []byte, from, k int) byte {
	p, shift := from>>3, from&7
	v := src[p] >> shift
	if shift+k > 8 {
		v |= src[p+1] << (8 - shift)
	}
	return v & byte(1<<k-1)
}
