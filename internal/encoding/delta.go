package encoding

import "encoding/binary"

// Delta decodes DELTA_BINARY_PACKED integers into values of 4 or 8 bytes.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#delta-encoding-delta_binary_packed--5
type Delta struct {
	src      []byte
	width    int // bytes of a value written by Read
	perMini  int // values in a miniblock
	minis    int // miniblocks in a block
	left     int // values not yet returned
	last     int64
	first    bool   // the first value, which the header holds, is still to come
	minDelta int64  // of the current block
	widths   []byte // bit widths of the block's miniblocks still to come
	inMini   int    // values left in the current miniblock
	bits     uint   // width of the current miniblock's deltas
	bit      uint64 // offset of its next delta
	size     int    // bytes that it takes
	buf      [128]uint64
}

const maxDeltaBlock = 1 << 20 // values; writers use 128 to 4096

// NewDelta reads integers; width is 4 or 8.
func NewDelta(src []byte, width int) (*Delta, error) {
	d := &Delta{width: width, first: true}
	block, n0 := binary.Uvarint(src)
	if n0 <= 0 {
		return nil, ErrShort
	}
	src = src[n0:]
	minis, n1 := binary.Uvarint(src)
	if n1 <= 0 {
		return nil, ErrShort
	}
	src = src[n1:]
	total, n2 := binary.Uvarint(src)
	if n2 <= 0 {
		return nil, ErrShort
	}
	src = src[n2:]
	first, n3 := binary.Varint(src)
	if n3 <= 0 {
		return nil, ErrShort
	}
	if block == 0 || block > maxDeltaBlock || minis == 0 || minis > block || block%minis != 0 || block/minis%8 != 0 {
		return nil, corrupt("delta blocks of %d values in %d miniblocks", block, minis)
	}
	if total > 1<<31 {
		return nil, corrupt("%d delta-encoded values in a page", total)
	}
	d.src, d.last = src[n3:], first
	d.minis, d.perMini, d.left = int(minis), int(block/minis), int(total)
	return d, nil
}

// Left is the number of values not yet returned.
func (d *Delta) Left() int { return d.left }

// mini starts the next miniblock.
func (d *Delta) mini() error {
	d.src = d.src[d.size:]
	d.size = 0
	if len(d.widths) == 0 {
		min, n := binary.Varint(d.src)
		if n <= 0 || len(d.src)-n < d.minis {
			return ErrShort
		}
		d.minDelta = min
		d.widths = d.src[n : n+d.minis]
		d.src = d.src[n+d.minis:]
	}
	d.bits, d.widths = uint(d.widths[0]), d.widths[1:]
	if d.bits > 64 {
		return corrupt("deltas of %d bits", d.bits)
	}
	d.inMini, d.bit = d.perMini, 0
	d.size = d.perMini * int(d.bits) / 8
	if d.size > len(d.src) {
		// The last miniblock's padding may be missing, its values may not.
		need := min(d.left, d.perMini)
		if (need*int(d.bits)+7)/8 > len(d.src) {
			return ErrShort
		}
		d.size = len(d.src)
	}
	return nil
}

// next decodes up to len(d.buf) values, at most n, into d.buf.
func (d *Delta) next(n int) ([]uint64, error) {
	if n > d.left {
		return nil, ErrShort
	}
	if d.first {
		d.first = false
		d.left--
		d.buf[0] = uint64(d.last)
		return d.buf[:1], nil
	}
	if d.inMini == 0 {
		if err := d.mini(); err != nil {
			return nil, err
		}
	}
	n = min(n, d.inMini, len(d.buf))
	out := d.buf[:n]
	unpackUint64(out, d.src, d.bit, d.bits) // it may look at the next miniblock's bytes
	last, minDelta := d.last, d.minDelta
	for i, delta := range out {
		last += minDelta + int64(delta)
		out[i] = uint64(last)
	}
	d.last = last
	d.bit += uint64(n) * uint64(d.bits)
	d.inMini -= n
	d.left -= n
	return out, nil
}

func (d *Delta) Read(dst []byte) error {
	for len(dst) > 0 {
		vs, err := d.next(len(dst) / d.width)
		if err != nil {
			return err
		}
		if d.width == 4 {
			for i, v := range vs {
				binary.LittleEndian.PutUint32(dst[4*i:], uint32(v))
			}
		} else {
			for i, v := range vs {
				binary.LittleEndian.PutUint64(dst[8*i:], v)
			}
		}
		dst = dst[len(vs)*d.width:]
	}
	return nil
}

func (d *Delta) Skip(n int) error {
	for n > 0 {
		vs, err := d.next(n)
		if err != nil {
			return err
		}
		n -= len(vs)
	}
	return nil
}

// rest walks to the end of the encoded integers without decoding them and
// returns what follows.
func (d *Delta) rest() ([]byte, error) {
	w := *d
	if w.first && w.left > 0 {
		w.first = false
		w.left--
	}
	for w.left > 0 {
		if err := w.mini(); err != nil {
			return nil, err
		}
		w.left -= min(w.left, w.perMini)
	}
	return w.src[w.size:], nil
}
