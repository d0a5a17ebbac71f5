package encoding

import "math/bits"

// Presence decodes definition levels of one bit: whether a flat optional
// column has a value or a null. It never holds more than its input, so a page
// that claims billions of nulls in a few bytes costs a few bytes.
type Presence struct {
	h        Hybrid
	isLegacy bool
	legacy   []byte // BIT_PACKED: most significant bit first
	pos      int    // BIT_PACKED: next bit
	present  bool   // every value is there (no levels at all)
}

// AllPresent is the Presence of a required column.
func AllPresent() Presence { return Presence{present: true} }

// NewPresence reads hybrid runs of one bit.
func NewPresence(src []byte) Presence { return Presence{h: Hybrid{src: src, width: 1}} }

// NewLegacyPresence reads the deprecated BIT_PACKED encoding of n levels and
// returns what follows them.
func NewLegacyPresence(src []byte, n int) (p Presence, rest []byte, err error) {
	size := (n + 7) / 8
	if size > len(src) {
		return p, nil, ErrShort
	}
	return Presence{isLegacy: true, legacy: src[:size:size]}, src[size:], nil
}

// Read appends n validity bits to bitmap (least significant bit first)
// starting at bit at, and returns how many values are there. The bitmap's
// bits from at on must be zero and there must be room for them.
func (p *Presence) Read(bitmap []byte, at, n int) (values int, err error) {
	switch {
	case p.present:
		setBits(bitmap, at, n)
		return n, nil
	case p.isLegacy:
		return p.readLegacy(bitmap, at, n)
	}
	h := &p.h
	for n > 0 {
		if err := h.run(); err != nil {
			return values, err
		}
		k := min(n, h.left)
		if h.packed {
			values += copyBits(bitmap, at, h.src, int(h.bit), k)
			h.bit += uint64(k)
		} else if h.value&1 != 0 {
			setBits(bitmap, at, k)
			values += k
		}
		h.left -= k
		at += k
		n -= k
	}
	return values, nil
}

// Skip passes over n levels and returns how many values are there.
func (p *Presence) Skip(n int) (values int, err error) {
	switch {
	case p.present:
		return n, nil
	case p.isLegacy:
		return p.readLegacy(nil, 0, n)
	}
	h := &p.h
	for n > 0 {
		if err := h.run(); err != nil {
			return values, err
		}
		k := min(n, h.left)
		if h.packed {
			values += countBits(h.src, int(h.bit), k)
			h.bit += uint64(k)
		} else if h.value&1 != 0 {
			values += k
		}
		h.left -= k
		n -= k
	}
	return values, nil
}

func (p *Presence) readLegacy(bitmap []byte, at, n int) (values int, err error) {
	if p.pos+n > len(p.legacy)*8 {
		return 0, ErrShort
	}
	for i := range n {
		q := p.pos + i
		if p.legacy[q>>3]>>(7-q&7)&1 != 0 {
			values++
			if bitmap != nil {
				bitmap[(at+i)>>3] |= 1 << ((at + i) & 7)
			}
		}
	}
	p.pos += n
	return values, nil
}

// setBits sets n bits of bitmap from bit at on.
func setBits(bitmap []byte, at, n int) {
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
