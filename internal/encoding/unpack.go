package encoding

import (
	"encoding/binary"

	"github.com/parquet-go/bitpack"
)

// unpackUint32 reads len(dst) values of width bits (at most 32), packed least
// significant bit first, from src starting at bit offset bit. The caller has
// checked that src holds them.
func unpackUint32(dst []uint32, src []byte, bit uint64, width uint) {
	if bit&7 == 0 && width > 0 {
		p := src[bit>>3:]
		n := whole(len(dst), len(p), width, bitpack.PaddingInt32)
		if n > 0 {
			bitpack.Unpack(dst[:n], p, width)
			dst, bit = dst[n:], bit+uint64(n)*uint64(width)
		}
	}
	plainUint32(dst, src, bit, width)
}

// whole is how many of n values, a multiple of 8, the fast unpacking may read:
// it looks at some bytes behind them.
func whole(n, have int, width uint, padding int) int {
	return max(0, min(n, (have-padding)*8/int(width))) &^ 7
}

// plainUint32 is unpackUint32 one value after the other.
func plainUint32(dst []uint32, src []byte, bit uint64, width uint) {
	mask := uint64(1)<<width - 1
	i := 0
	// Eight bytes hold any value of 32 bits at any bit offset below 8.
	for ; i < len(dst); i++ {
		p := bit >> 3
		if p+8 > uint64(len(src)) {
			break
		}
		dst[i] = uint32(binary.LittleEndian.Uint64(src[p:]) >> (bit & 7) & mask)
		bit += uint64(width)
	}
	for ; i < len(dst); i++ {
		dst[i] = uint32(loadTail(src, bit>>3) >> (bit & 7) & mask)
		bit += uint64(width)
	}
}

// unpackUint64 is unpackUint32 for widths of up to 64 bits.
func unpackUint64(dst []uint64, src []byte, bit uint64, width uint) {
	if width == 0 {
		clear(dst)
		return
	}
	if bit&7 == 0 {
		p := src[bit>>3:]
		n := whole(len(dst), len(p), width, bitpack.PaddingInt64)
		if n > 0 {
			bitpack.Unpack(dst[:n], p, width)
			dst, bit = dst[n:], bit+uint64(n)*uint64(width)
		}
	}
	plainUint64(dst, src, bit, width)
}

// plainUint64 is unpackUint64 one value after the other.
func plainUint64(dst []uint64, src []byte, bit uint64, width uint) {
	mask := ^uint64(0) >> (64 - width)
	for i := range dst {
		p, shift := bit>>3, uint(bit&7)
		var v uint64
		if p+8 <= uint64(len(src)) {
			v = binary.LittleEndian.Uint64(src[p:])
		} else {
			v = loadTail(src, p)
		}
		v >>= shift
		if shift+width > 64 {
			v |= uint64(src[p+8]) << (64 - shift)
		}
		dst[i] = v & mask
		bit += uint64(width)
	}
}

// loadTail loads up to eight bytes at p, zeros beyond the end.
func loadTail(src []byte, p uint64) (v uint64) {
	for k := uint64(0); k < 8 && p+k < uint64(len(src)); k++ {
		v |= uint64(src[p+k]) << (8 * k)
	}
	return v
}
