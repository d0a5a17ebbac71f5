package column

import (
	"encoding/binary"
	"fmt"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
)

// values decodes the values of one page: exactly one of the decoders is in use.
type values struct {
	fixed   encoding.Fixed
	binary  encoding.Binary
	indices encoding.Hybrid // into dict
	dict    *page.Dictionary
	scratch []uint32
}

// open is the table of encodings: which decoder reads which physical type.
func (d *values) open(col *metadata.Column, e metadata.Encoding, src []byte, dict *page.Dictionary) (err error) {
	d.fixed, d.binary, d.dict = nil, nil, nil
	w := col.Width()
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
	return gatherFixed(dst, d.dict, ix)
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
	return gatherBinary(dst, d.dict, ix)
}

func (d *values) nextIndices(n int) ([]uint32, error) {
	if cap(d.scratch) < n {
		d.scratch = make([]uint32, n)
	}
	ix := d.scratch[:n]
	return ix, d.indices.Read(ix)
}

// noDictionary stands for that of a chunk without one: no index is in it.
var noDictionary = &page.Dictionary{}

func outside(d *page.Dictionary, i uint32) error {
	if d == noDictionary {
		return &metadata.FormatError{Offset: -1, Msg: "the values are dictionary indices, but the chunk has no dictionary page"}
	}
	return &metadata.FormatError{Offset: -1, Msg: fmt.Sprintf("index %d into a dictionary of %d values", i, d.N)}
}

// gatherFixed fills dst with the dictionary's values at the indices.
func gatherFixed(dst []byte, d *page.Dictionary, indices []uint32) error {
	n := uint32(d.N)
	switch w := d.Width; w {
	case 4:
		for k, i := range indices {
			if i >= n {
				return outside(d, i)
			}
			binary.LittleEndian.PutUint32(dst[4*k:], binary.LittleEndian.Uint32(d.Fixed[4*int(i):]))
		}
	case 8:
		for k, i := range indices {
			if i >= n {
				return outside(d, i)
			}
			binary.LittleEndian.PutUint64(dst[8*k:], binary.LittleEndian.Uint64(d.Fixed[8*int(i):]))
		}
	default:
		for k, i := range indices {
			if i >= n {
				return outside(d, i)
			}
			copy(dst[w*k:w*(k+1)], d.Fixed[w*int(i):])
		}
	}
	return nil
}

// gatherBinary appends the dictionary's values at the indices.
func gatherBinary(dst *encoding.ByteArrays, d *page.Dictionary, indices []uint32) error {
	n := uint32(d.N)
	size := 0 // summed first: the data grows once, or not at all
	for _, i := range indices {
		if i >= n {
			return outside(d, i)
		}
		size += int(d.Binary.Offsets[i+1] - d.Binary.Offsets[i])
	}
	if err := dst.Grow(size); err != nil {
		return err
	}
	for _, i := range indices {
		dst.Data = append(dst.Data, d.Binary.Value(int(i))...)
		dst.Offsets = append(dst.Offsets, int32(len(dst.Data)))
	}
	return nil
}
