package encoding

import (
	"encoding/binary"
)

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
