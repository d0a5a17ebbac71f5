// Package page opens one page: its checksum, codec and levels. What comes out
// are the encoded values and, for optional columns, which rows have one.
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

// Data is an opened data page of a flat column.
type Data struct {
	Rows     int // values, nulls included
	Encoding metadata.Encoding
	Presence encoding.Presence
	Values   []byte // encoded values of the rows that are not null
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
	p := Data{Rows: int(h.NumValues), Encoding: h.Encoding, Presence: encoding.AllPresent()}
	if h.Type == metadata.DataPageV2 {
		err = d.v2(&p, h, body)
		return p, err
	}
	if p.Values, err = d.decompress(body, int(h.UncompressedSize), true); err != nil {
		return p, err
	}
	if d.Column.MaxDef == 0 {
		return p, nil
	}
	switch h.DefEncoding {
	case metadata.RLE:
		var levels []byte
		if levels, p.Values, err = encoding.LengthPrefixed(p.Values); err == nil {
			p.Presence = encoding.NewPresence(levels)
		}
	case metadata.BitPacked:
		p.Presence, p.Values, err = encoding.NewLegacyPresence(p.Values, p.Rows)
	default:
		return p, &metadata.UnsupportedError{Msg: fmt.Sprintf("definition levels in %v", h.DefEncoding)}
	}
	if err != nil {
		return p, corrupt("definition levels: %v", err)
	}
	return p, nil
}

// v2 opens a V2 page: levels first and never compressed.
func (d *Decoder) v2(p *Data, h metadata.PageHeader, body []byte) error {
	levels := int(h.RepLength) + int(h.DefLength)
	if d.Column.MaxDef > 0 {
		p.Presence = encoding.NewPresence(body[h.RepLength:levels])
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
