package encoding

import (
	"bytes"
	"math/bits"
)

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
