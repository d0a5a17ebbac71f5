package column

import (
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
	scratch [gatherRows]uint32
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

// noDictionary stands for that of a chunk without one: no index is in it.
var noDictionary = &page.Dictionary{}

func outside(d *page.Dictionary, i uint32) error {
	if d == noDictionary {
		return &metadata.FormatError{Offset: -1, Msg: "the values are dictionary indices, but the chunk has no dictionary page"}
	}
	return &metadata.FormatError{Offset: -1, Msg: fmt.Sprintf("index %d into a dictionary of %d values", i, d.N)}
}
