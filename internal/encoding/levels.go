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
}

// NoLevels are those of a column whose maximum is 0.
func NoLevels() Levels { return Levels{none: true} }

// NewLevels reads hybrid runs of levels up to most.
func NewLevels(src []byte, most int) Levels {
	return Levels{h: Hybrid{src: src, width: uint(bits.Len(uint(most)))}, max: uint32(most)}
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

// levelBlock is how many packed levels are unpacked at a time.
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
			k = min(k, levelBlock)
			if err := l.unpack(dst[:k]); err != nil {
				return err
			}
		} else {
			v, err := l.run()
			if err != nil {
				return err
			}
			dst[0] = v
			for n := 1; n < k; n *= 2 {
				copy(dst[n:k], dst[:n])
			}
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

// unpack decodes levels of the current run, which is packed; at most levelBlock.
func (l *Levels) unpack(dst []uint8) error {
	var wide [levelBlock]uint32
	h := &l.h
	unpackUint32(wide[:len(dst)], h.src, h.bit, h.width)
	h.bit += uint64(len(dst)) * uint64(h.width)
	high := uint32(0)
	for i := range dst {
		v := wide[i]
		dst[i] = uint8(v)
		high |= l.max - v // its top bit is set if v is above
	}
	if high>>31 != 0 {
		for _, v := range wide[:len(dst)] {
			if v > l.max {
				return tooHigh(v, l.max)
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
