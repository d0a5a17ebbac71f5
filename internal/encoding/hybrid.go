package encoding

import (
	"encoding/binary"
	"math"
)

// Hybrid decodes the RLE / bit-packing hybrid: dictionary indices, levels and
// RLE booleans. https://parquet.apache.org/docs/file-format/data-pages/encodings/#run-length-encoding--bit-packing-hybrid-rle--3
type Hybrid struct {
	src   []byte // what follows the current run's header
	width uint   // bits of a value

	began  bool   // a run has been read
	left   int    // values left in the current run
	packed bool   // whether the run is bit-packed
	value  uint32 // RLE: the value
	bit    uint64 // packed: offset of the next value in src, in bits
	bytes  int    // packed: bytes of src that the run takes
}

// NewHybrid reads runs of values of width bits (at most 32) from src.
func NewHybrid(src []byte, width uint) (Hybrid, error) {
	if width > 32 {
		return Hybrid{}, corrupt("a bit width of %d", width)
	}
	return Hybrid{src: src, width: width}, nil
}

// NewIndices reads dictionary indices: a byte with the width, then the runs.
func NewIndices(src []byte) (Hybrid, error) {
	if len(src) == 0 {
		// A page without values may leave the width out; a value fails.
		return Hybrid{width: 1}, nil
	}
	return NewHybrid(src[1:], uint(src[0]))
}

// maxRun bounds a run's length; a page has no more values.
const maxRun = math.MaxInt32

// run makes sure that the current run has a value left.
func (h *Hybrid) run() error {
	for h.left == 0 {
		if h.packed {
			h.src, h.packed = h.src[h.bytes:], false
		}
		if h.width == 0 && len(h.src) == 0 && !h.began {
			h.left, h.value = maxRun, 0 // zeros of no width need no runs
			return nil
		}
		h.began = true
		header, n := binary.Uvarint(h.src)
		if n <= 0 {
			return ErrShort
		}
		h.src = h.src[n:]
		count := header >> 1
		if header&1 == 0 {
			size := int(h.width+7) / 8
			if size > len(h.src) {
				return ErrShort
			}
			h.value = uint32(loadTail(h.src[:size], 0))
			h.src = h.src[size:]
			h.left = int(min(count, maxRun))
			continue
		}
		// The last run may be cut off after the values that are used.
		groups := min(count, maxRun/8)
		h.bytes = int(min(groups*uint64(h.width), uint64(len(h.src))))
		h.left = int(groups * 8)
		if h.width > 0 {
			h.left = min(h.left, h.bytes*8/int(h.width))
			if h.left == 0 && groups > 0 {
				return ErrShort
			}
		}
		h.packed, h.bit = true, 0
	}
	return nil
}

// Read decodes len(dst) values.
func (h *Hybrid) Read(dst []uint32) error {
	for len(dst) > 0 {
		if err := h.run(); err != nil {
			return err
		}
		n := min(len(dst), h.left)
		if h.packed {
			unpackUint32(dst[:n], h.src, h.bit, h.width) // it may look at the next run's bytes
			h.bit += uint64(n) * uint64(h.width)
		} else {
			fill(dst[:n], h.value)
		}
		h.left -= n
		dst = dst[n:]
	}
	return nil
}

// Run passes over the next values as far as they are one run of the same value,
// at most limit, and returns how many; none if they are packed.
func (h *Hybrid) Run(limit int) (value uint32, n int, err error) {
	if err := h.run(); err != nil || h.packed {
		return 0, 0, err
	}
	n = min(limit, h.left)
	h.left -= n
	return h.value, n, nil
}

// Width is the number of bits of a packed value.
func (h *Hybrid) Width() uint { return h.width }

// Skip passes over n values, whole runs at a time.
func (h *Hybrid) Skip(n int) error {
	for n > 0 {
		if err := h.run(); err != nil {
			return err
		}
		k := min(n, h.left)
		h.bit += uint64(k) * uint64(h.width)
		h.left -= k
		n -= k
	}
	return nil
}

func fill(dst []uint32, v uint32) {
	for i := range dst {
		dst[i] = v
	}
}

// RLEBooleans decodes BOOLEAN values in the RLE encoding, as bytes 0 and 1.
type RLEBooleans struct {
	h   Hybrid
	buf [256]uint32
}

// NewRLEBooleans reads a 4-byte length and the runs after it.
func NewRLEBooleans(src []byte) (*RLEBooleans, error) {
	src, _, err := LengthPrefixed(src)
	if err != nil {
		return nil, err
	}
	h, err := NewHybrid(src, 1)
	return &RLEBooleans{h: h}, err
}

// LengthPrefixed cuts a 4-byte little-endian length and as many bytes off src,
// as V1 pages hold their levels.
func LengthPrefixed(src []byte) (b, rest []byte, err error) {
	if len(src) < 4 {
		return nil, nil, ErrShort
	}
	n := binary.LittleEndian.Uint32(src)
	if uint64(n) > uint64(len(src)-4) {
		return nil, nil, ErrShort
	}
	return src[4 : 4+n], src[4+n:], nil
}

func (r *RLEBooleans) Read(dst []byte) error {
	for len(dst) > 0 {
		n := min(len(dst), len(r.buf))
		if err := r.h.Read(r.buf[:n]); err != nil {
			return err
		}
		for i, v := range r.buf[:n] {
			dst[i] = byte(v & 1)
		}
		dst = dst[n:]
	}
	return nil
}

func (r *RLEBooleans) Skip(n int) error { return r.h.Skip(n) }
