package ndv

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Filter is the bitset of a split-block Bloom filter: blocks of 32 bytes.
type Filter struct{ Bits []byte }

// blockBytes is the size of a block.
const blockBytes = 32

// usable reports whether the bitset has the shape that the format demands.
func (f *Filter) usable() bool {
	return f != nil && len(f.Bits) >= blockBytes && len(f.Bits)%blockBytes == 0
}

// distinct estimates how many values were inserted. Each sets one bit of 32 in
// each of the 8 words of one of z blocks, so that a bit stays zero with
// probability e^(−n/(32z)). fill is the share of bits that are set.
func (f *Filter) distinct() (n, fill float64) {
	ones := 0
	for i := 0; i+8 <= len(f.Bits); i += 8 {
		ones += bits.OnesCount64(binary.LittleEndian.Uint64(f.Bits[i:]))
	}
	total := float64(8 * len(f.Bits))
	fill = float64(ones) / total
	if ones == 8*len(f.Bits) {
		return math.Inf(1), 1
	}
	z := total / (8 * blockBytes)
	return -32 * z * math.Log1p(-fill), fill
}

// saturated is the fill beyond which a filter says too little.
const saturated = 0.95

// unionFilters is the filter of all values of some filters. A block is chosen
// by hash·z/2³², so that the blocks of a filter that is k times as large fold
// onto the smaller one in runs of k. ok is false if the sizes do not divide.
func unionFilters(fs []*Filter) (out *Filter, ok bool) {
	least := len(fs[0].Bits)
	for _, f := range fs {
		least = min(least, len(f.Bits))
	}
	out = &Filter{make([]byte, least)}
	for _, f := range fs {
		if len(f.Bits)%least != 0 {
			return nil, false
		}
		k := len(f.Bits) / least
		for block := 0; block*blockBytes < len(f.Bits); block++ {
			to := out.Bits[block/k*blockBytes:][:blockBytes]
			for i, b := range f.Bits[block*blockBytes:][:blockBytes] {
				to[i] |= b
			}
		}
	}
	return out, true
}
