package column

import (
	"encoding/binary"
	"fmt"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
)

// values decodes the values of one page: exactly one of the decoders is in use.
type values struct {
	fixed   encoding.Fixed
	binary  encoding.Binary
	indices encoding.Hybrid // into dict
	dict    *dictionary
	scratch []uint32
}

// open is the table of encodings: which decoder reads which physical type.
func (d *values) open(col *metadata.Column, e metadata.Encoding, src []byte, dict *dictionary) (err error) {
	d.fixed, d.binary, d.dict = nil, nil, nil
	w := width(col)
	unfit := func() error {
		return &metadata.UnsupportedError{Msg: fmt.Sprintf("%v values in %v", col.Type, e)}
	}
	switch e {
	case metadata.Plain:
		switch {
		case col.Type == metadata.Boolean:
			d.fixed = encoding.NewPlainBooleans(src)
		case w < 0:
			d.binary = encoding.NewPlainBinary(src)
		default:
			d.fixed = encoding.NewPlainFixed(src, w)
		}
	case metadata.PlainDictionary, metadata.RLEDictionary:
		if d.dict = dict; dict == nil {
			d.dict = noDictionary // a page of nulls needs none
		}
		d.indices, err = encoding.NewIndices(src)
	case metadata.RLE:
		if col.Type != metadata.Boolean {
			return unfit()
		}
		d.fixed, err = encoding.NewRLEBooleans(src)
	case metadata.DeltaBinaryPacked:
		if col.Type != metadata.Int32 && col.Type != metadata.Int64 {
			return unfit()
		}
		d.fixed, err = encoding.NewDelta(src, w)
	case metadata.DeltaLengthByteArray:
		if w >= 0 {
			return unfit()
		}
		d.binary, err = encoding.NewDeltaLength(src)
	case metadata.DeltaByteArray:
		switch {
		case w < 0:
			d.binary, err = encoding.NewDeltaBytes(src, 0)
		case col.Type == metadata.FixedLenByteArray && w > 0:
			d.fixed, err = encoding.NewDeltaBytes(src, w)
		default:
			return unfit()
		}
	case metadata.ByteStreamSplit:
		if w <= 0 || col.Type == metadata.Boolean || col.Type == metadata.Int96 {
			return unfit()
		}
		d.fixed, err = encoding.NewByteStreamSplit(src, w)
	default:
		return unfit()
	}
	return err
}

func (d *values) skip(n int) error {
	switch {
	case n == 0:
		return nil
	case d.dict != nil:
		return d.indices.Skip(n)
	case d.fixed != nil:
		return d.fixed.Skip(n)
	}
	return d.binary.Skip(n)
}

// read fills dst with n values of fixed width.
func (d *values) read(dst []byte, n int) error {
	if n == 0 {
		return nil
	}
	if d.dict == nil {
		return d.fixed.Read(dst)
	}
	ix, err := d.nextIndices(n)
	if err != nil {
		return err
	}
	return d.dict.gatherFixed(dst, ix)
}

// appendTo appends n byte arrays.
func (d *values) appendTo(dst *encoding.ByteArrays, n int) error {
	if n == 0 {
		return nil
	}
	if d.dict == nil {
		return d.binary.Append(dst, n)
	}
	ix, err := d.nextIndices(n)
	if err != nil {
		return err
	}
	return d.dict.gatherBinary(dst, ix)
}

func (d *values) nextIndices(n int) ([]uint32, error) {
	if cap(d.scratch) < n {
		d.scratch = make([]uint32, n)
	}
	ix := d.scratch[:n]
	return ix, d.indices.Read(ix)
}

// noDictionary stands for that of a chunk without one: no index is in it.
var noDictionary = &dictionary{}

// dictionary holds the values of a dictionary page.
type dictionary struct {
	n      int
	width  int
	fixed  []byte
	binary encoding.ByteArrays
}

// newDictionary decodes n PLAIN values.
func newDictionary(col *metadata.Column, n int, src []byte) (*dictionary, error) {
	d := &dictionary{n: n, width: width(col)}
	var vs values
	if err := vs.open(col, metadata.Plain, src, nil); err != nil {
		return nil, err
	}
	if d.width < 0 {
		if n > len(src)/4 {
			return nil, encoding.ErrShort
		}
		d.binary.Offsets = make([]int32, 1, n+1)
		d.binary.Data = make([]byte, 0, len(src)-4*n)
		return d, vs.binary.Append(&d.binary, n)
	}
	if col.Type == metadata.Boolean && n > 8*len(src) || col.Type != metadata.Boolean && d.width > 0 && n > len(src)/d.width {
		return nil, encoding.ErrShort
	}
	d.fixed = make([]byte, n*d.width)
	return d, vs.read(d.fixed, n)
}

func (d *dictionary) outside(i uint32) error {
	if d == noDictionary {
		return &metadata.FormatError{Offset: -1, Msg: "the values are dictionary indices, but the chunk has no dictionary page"}
	}
	return &metadata.FormatError{Offset: -1, Msg: fmt.Sprintf("index %d into a dictionary of %d values", i, d.n)}
}

func (d *dictionary) gatherFixed(dst []byte, indices []uint32) error {
	n := uint32(d.n)
	switch w := d.width; w {
	case 4:
		for k, i := range indices {
			if i >= n {
				return d.outside(i)
			}
			binary.LittleEndian.PutUint32(dst[4*k:], binary.LittleEndian.Uint32(d.fixed[4*int(i):]))
		}
	case 8:
		for k, i := range indices {
			if i >= n {
				return d.outside(i)
			}
			binary.LittleEndian.PutUint64(dst[8*k:], binary.LittleEndian.Uint64(d.fixed[8*int(i):]))
		}
	default:
		for k, i := range indices {
			if i >= n {
				return d.outside(i)
			}
			copy(dst[w*k:w*(k+1)], d.fixed[w*int(i):])
		}
	}
	return nil
}

func (d *dictionary) gatherBinary(dst *encoding.ByteArrays, indices []uint32) error {
	n := uint32(d.n)
	size := 0 // summed first: the data grows once, or not at all
	for _, i := range indices {
		if i >= n {
			return d.outside(i)
		}
		size += int(d.binary.Offsets[i+1] - d.binary.Offsets[i])
	}
	if err := dst.Grow(size); err != nil {
		return err
	}
	for _, i := range indices {
		dst.Data = append(dst.Data, d.binary.Value(int(i))...)
		dst.Offsets = append(dst.Offsets, int32(len(dst.Data)))
	}
	return nil
}
