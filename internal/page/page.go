// Package page opens one page: its checksum, codec and levels. What comes out
// are the encoded values and the levels, which say where in its row each of
// them belongs, and where there is none.
//
// It is pure: bytes in, bytes out. No buffer is sized by a number from the
// file before that number has been held against the bytes at hand.
package page

import (
	"fmt"
	"hash/crc32"
	"unsafe"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// Data is an opened data page.
type Data struct {
	N        int // levels: values, nulls and empty lists
	Encoding metadata.Encoding
	Rep, Def encoding.Levels
	Values   []byte // encoded values, of the levels that have one
}

// Decoder opens pages of one column chunk and reuses its memory: what it
// returns is valid until the next call, or, if Keep is set, until Close.
type Decoder struct {
	Column   *metadata.Column
	Codec    metadata.Codec
	MaxBytes int  // largest decompressed page that is accepted
	Keep     bool // every page gets memory of its own
	Force    bool // values of V2 pages are compressed whatever their header says

	buf  []byte
	kept [][]byte // if Keep is set, what was decompressed before
}

// Close gives the decoder's memory back. What it returned must not be used any
// more.
func (d *Decoder) Close() {
	membuf.Put(d.buf)
	for _, b := range d.kept {
		membuf.Put(b)
	}
	d.buf, d.kept = nil, nil
}

// Body cuts the page that starts with header h out of b.
func Body(h metadata.PageHeader, b []byte) ([]byte, error) {
	if int(h.CompressedSize) > len(b)-h.Length {
		return nil, corrupt("the page of %d bytes overruns the %d that are left", h.CompressedSize, len(b)-h.Length)
	}
	body := b[h.Length : h.Length+int(h.CompressedSize)]
	if h.HasCRC {
		if sum := crc32.ChecksumIEEE(body); sum != h.CRC {
			return nil, corrupt("checksum mismatch: the header says %08x, the bytes are %08x", h.CRC, sum)
		}
	}
	return body, nil
}

// Data opens the data page whose header h starts b.
func (d *Decoder) Data(h metadata.PageHeader, b []byte) (Data, error) {
	body, err := Body(h, b)
	if err != nil {
		return Data{}, err
	}
	p := Data{N: int(h.NumValues), Encoding: h.Encoding, Rep: encoding.NoLevels(), Def: encoding.NoLevels()}
	if h.Type == metadata.DataPageV2 {
		err = d.v2(&p, h, body)
		return p, err
	}
	if p.Values, err = d.decompress(body, int(h.UncompressedSize), true); err != nil {
		return p, err
	}
	if p.Rep, p.Values, err = levels("repetition", h.RepEncoding, p.Values, d.Column.MaxRep, p.N); err == nil {
		p.Def, p.Values, err = levels("definition", h.DefEncoding, p.Values, d.Column.MaxDef, p.N)
	}
	return p, err
}

// levels cuts n levels off the body of a V1 page.
func levels(name string, e metadata.Encoding, src []byte, most, n int) (l encoding.Levels, rest []byte, err error) {
	if most == 0 {
		return encoding.NoLevels(), src, nil
	}
	switch e {
	case metadata.RLE:
		var b []byte
		if b, rest, err = encoding.LengthPrefixed(src); err == nil {
			l = encoding.NewLevels(b, most)
		}
	case metadata.BitPacked:
		l, rest, err = encoding.NewLegacyLevels(src, most, n)
	default:
		return l, nil, &metadata.UnsupportedError{Msg: fmt.Sprintf("%s levels in %v", name, e)}
	}
	if err != nil {
		return l, nil, corrupt("%s levels: %v", name, err)
	}
	return l, rest, nil
}

// v2 opens a V2 page: levels first and never compressed.
func (d *Decoder) v2(p *Data, h metadata.PageHeader, body []byte) error {
	levels := int(h.RepLength) + int(h.DefLength)
	if d.Column.MaxRep > 0 {
		p.Rep = encoding.NewLevels(body[:h.RepLength], d.Column.MaxRep)
	}
	if d.Column.MaxDef > 0 {
		p.Def = encoding.NewLevels(body[h.RepLength:levels], d.Column.MaxDef)
	}
	size := int(h.UncompressedSize) - levels
	if size < 0 {
		return corrupt("levels of %d bytes in a page of %d", levels, h.UncompressedSize)
	}
	var err error
	p.Values, err = d.decompress(body[levels:], size, h.Compressed || d.Force)
	return err
}

// Dictionary opens the dictionary page whose header h starts b and returns
// its encoded values.
func (d *Decoder) Dictionary(h metadata.PageHeader, b []byte) ([]byte, error) {
	switch h.Encoding {
	case metadata.Plain, metadata.PlainDictionary:
	default:
		return nil, &metadata.UnsupportedError{Msg: fmt.Sprintf("a dictionary in %v", h.Encoding)}
	}
	body, err := Body(h, b)
	if err != nil {
		return nil, err
	}
	return d.decompress(body, int(h.UncompressedSize), true)
}

func (d *Decoder) decompress(src []byte, size int, compressed bool) ([]byte, error) {
	if !compressed || d.Codec == metadata.Uncompressed {
		if len(src) != size {
			return nil, corrupt("%d uncompressed bytes where %d are announced", len(src), size)
		}
		return src, nil
	}
	if size > d.MaxBytes {
		return nil, &metadata.UnsupportedError{Msg: fmt.Sprintf("a page of %d bytes, the limit is %d", size, d.MaxBytes)}
	}
	if size == 0 {
		return nil, nil
	}
	if d.Keep && d.buf != nil {
		d.kept, d.buf = append(d.kept, d.buf), nil
	}
	out, err := Decompress(d.Codec, d.buf[:0], src, size)
	if err != nil {
		return nil, err
	}
	if d.buf != nil && unsafe.SliceData(out) != unsafe.SliceData(d.buf) {
		membuf.Put(d.buf) // it was too small
	}
	d.buf = out
	return out, nil
}

func corrupt(format string, args ...any) error {
	return &metadata.FormatError{Offset: -1, Msg: fmt.Sprintf(format, args...)}
}
