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

// distinctOf estimates the values of all filters: of their union, if that is
// not too full. Else as many of them are united as leave room, and from how much
// these share it is told how much all do: each holds a value of the population
// with probability p, m of them 1 − (1−p)^m of it. n is 0 if nothing can be told.
func distinctOf(fs []*Filter) (n float64, all bool) {
	for m := len(fs); m >= 2; m = m * 3 / 4 {
		u, ok := unionFilters(fs[:m])
		if !ok {
			return 0, false
		}
		united, fill := u.distinct()
		if fill > saturated {
			continue
		}
		if m == len(fs) {
			return united, true
		}
		each := 0.0
		for _, f := range fs[:m] {
			d, fill := f.distinct()
			if fill > saturated {
				return 0, false
			}
			each += d / float64(m)
		}
		ratio := min(max(united/each, 1), float64(m))
		lo, hi := 0.0, 1.0 // the fewer share a value, the smaller is p
		for range 50 {
			p := (lo + hi) / 2
			if -math.Expm1(float64(m)*math.Log1p(-p))/p > ratio {
				lo = p
			} else {
				hi = p
			}
		}
		return each / hi * -math.Expm1(float64(len(fs))*math.Log1p(-hi)), false
	}
	if len(fs) == 1 {
		if n, fill := fs[0].distinct(); fill <= saturated {
			return n, true
		}
	}
	return 0, false
}
