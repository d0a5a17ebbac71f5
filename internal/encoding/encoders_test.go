package encoding

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"pgregory.net/rapid"
)

// The encoders below are written from the format's specification, bit by bit
// and without a look at the decoders, so that a shared mistake is unlikely.

// pick returns a number in [0, n). It is how an encoder makes free choices.
type pick func(n int) int

func rapidPick(t *rapid.T) pick {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

func randPick(seed uint64) pick {
	r := rand.New(rand.NewPCG(seed, 1))
	return r.IntN
}

// packLSB packs values of width bits, least significant bit first.
func packLSB(values []uint64, width int) []byte {
	out := make([]byte, (len(values)*width+7)/8)
	at := 0
	for _, v := range values {
		for b := range width {
			if v>>b&1 != 0 {
				out[at/8] |= 1 << (at % 8)
			}
			at++
		}
	}
	return out
}

// encodeHybrid writes values of width bits as RLE and bit-packed runs, chosen
// by p. dirty sets the bits of an RLE payload that the width does not use,
// for true values of width 1. The last bit-packed run may be cut off.
func encodeHybrid(values []uint32, width int, dirty bool, p pick) []byte {
	var out []byte
	for len(values) > 0 {
		if p(12) == 0 { // an empty run, which means nothing
			out = append(out, 0)
			out = append(out, make([]byte, (width+7)/8)...)
		}
		same := 1
		for same < len(values) && values[same] == values[0] {
			same++
		}
		if p(2) == 0 {
			n := 1 + p(same)
			out = binary.AppendUvarint(out, uint64(n)<<1)
			payload := values[0]
			if dirty && width == 1 && payload == 1 {
				payload = 0xff
			}
			for b := 0; b < width; b += 8 {
				out = append(out, byte(payload>>b))
			}
			values = values[n:]
			continue
		}
		groups := 1 + p((len(values)+7)/8)
		run := make([]uint64, groups*8)
		for i := range run {
			if i < len(values) {
				run[i] = uint64(values[i])
			} else if width > 0 { // padding may be anything
				run[i] = uint64(p(2)) * (1<<width - 1)
			}
		}
		out = binary.AppendUvarint(out, uint64(groups)<<1|1)
		packed := packLSB(run, width)
		if len(values) < len(run) && p(3) == 0 {
			packed = packed[:(len(values)*width+7)/8]
		}
		out = append(out, packed...)
		values = values[min(len(values), len(run)):]
	}
	return out
}

// encodeBitPackedMSB writes the deprecated BIT_PACKED encoding.
func encodeBitPackedMSB(levels []bool) []byte {
	out := make([]byte, (len(levels)+7)/8)
	for i, l := range levels {
		if l {
			out[i/8] |= 0x80 >> (i % 8)
		}
	}
	return out
}

// deltaShape is the free part of a DELTA_BINARY_PACKED encoding.
type deltaShape struct {
	block, minis int
	narrow       bool // 32-bit arithmetic, as writers of INT32 do
	wider        int  // bits more than needed
	cut          bool // leave out the last miniblock's padding
	junkWidths   bool // non-zero widths of miniblocks that do not exist
}

func pickShape(p pick, narrow bool) deltaShape {
	minis := 1 << p(4)
	per := 8 * (1 + p(6))
	return deltaShape{block: per * minis, minis: minis, narrow: narrow, wider: p(3), cut: p(3) == 0, junkWidths: p(2) == 0}
}

var usualShape = deltaShape{block: 128, minis: 4}

func encodeDelta(values []int64, s deltaShape) []byte {
	out := binary.AppendUvarint(nil, uint64(s.block))
	out = binary.AppendUvarint(out, uint64(s.minis))
	out = binary.AppendUvarint(out, uint64(len(values)))
	if len(values) == 0 {
		return binary.AppendVarint(out, 0)
	}
	out = binary.AppendVarint(out, values[0])
	deltas := make([]int64, len(values)-1)
	for i := range deltas {
		deltas[i] = values[i+1] - values[i] // wraps around
		if s.narrow {
			deltas[i] = int64(int32(deltas[i]))
		}
	}
	for len(deltas) > 0 {
		block := deltas[:min(len(deltas), s.block)]
		deltas = deltas[len(block):]
		least := block[0]
		for _, d := range block {
			least = min(least, d)
		}
		out = binary.AppendVarint(out, least)
		widths := make([]byte, s.minis)
		var body []byte
		per := s.block / s.minis
		for m := range s.minis {
			if m*per >= len(block) {
				if s.junkWidths {
					widths[m] = byte(37 * (m + 3))
				}
				continue
			}
			mini := block[m*per : min(len(block), (m+1)*per)]
			packed := make([]uint64, per)
			width := 0
			for i, d := range mini {
				packed[i] = uint64(d - least)
				if s.narrow {
					packed[i] = uint64(uint32(packed[i]))
				}
				width = max(width, bits.Len64(packed[i]))
			}
			limit := 64
			if s.narrow {
				limit = 32
			}
			width = min(width+s.wider, limit)
			widths[m] = byte(width)
			used := packLSB(packed, width)
			if s.cut && len(deltas) == 0 && (m+1)*per >= len(block) {
				used = used[:(len(mini)*width+7)/8]
			}
			body = append(body, used...)
		}
		out = append(append(out, widths...), body...)
	}
	return out
}

func encodeDeltaLength(values [][]byte, s deltaShape) []byte {
	s.cut = false // bytes follow
	lengths := make([]int64, len(values))
	for i, v := range values {
		lengths[i] = int64(len(v))
	}
	out := encodeDelta(lengths, s)
	for _, v := range values {
		out = append(out, v...)
	}
	return out
}

// encodeDeltaBytes shares a prefix of up to the longest common one, chosen by p.
func encodeDeltaBytes(values [][]byte, s deltaShape, p pick) []byte {
	s.cut = false
	prefixes := make([]int64, len(values))
	suffixes := make([][]byte, len(values))
	var last []byte
	for i, v := range values {
		common := 0
		for common < len(v) && common < len(last) && v[common] == last[common] {
			common++
		}
		if p(4) == 0 {
			common = p(common + 1)
		}
		prefixes[i], suffixes[i], last = int64(common), v[common:], v
	}
	return append(encodeDelta(prefixes, s), encodeDeltaLength(suffixes, s)...)
}

func encodePlainBinary(values [][]byte) (out []byte) {
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(v)))
		out = append(out, v...)
	}
	return out
}

func encodePlainBooleans(values []byte) []byte {
	wide := make([]uint64, len(values))
	for i, v := range values {
		wide[i] = uint64(v)
	}
	return packLSB(wide, 1)
}

func encodeByteStreamSplit(plain []byte, width int) []byte {
	n := len(plain) / width
	out := make([]byte, len(plain))
	for i, b := range plain {
		out[i%width*n+i/width] = b
	}
	return out
}

func encodeRLEBooleans(values []byte, p pick) []byte {
	wide := make([]uint32, len(values))
	for i, v := range values {
		wide[i] = uint32(v)
	}
	runs := encodeHybrid(wide, 1, true, p)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(runs))), runs...)
}
