package page

import (
	"bytes"
	"encoding/binary"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// levelPrefix is how many bytes of a V1 body tell its first repetition level:
// the length of the levels, the header of their first run and a value.
const levelPrefix = 4 + binary.MaxVarintLen64 + 4

// Continues reports whether the data page whose header h starts b begins within
// a record that began on a page before. It decompresses as little as the codec
// allows.
func (d *Decoder) Continues(h metadata.PageHeader, b []byte) (bool, error) {
	if d.Column.MaxRep == 0 || h.NumValues == 0 {
		return false, nil
	}
	if int(h.CompressedSize) > len(b)-h.Length {
		return false, corrupt("the page of %d bytes overruns the %d that are left", h.CompressedSize, len(b)-h.Length)
	}
	body := b[h.Length : h.Length+int(h.CompressedSize)]
	rep := encoding.Levels{}
	var err error
	switch {
	case h.Type == metadata.DataPageV2:
		rep = encoding.NewLevels(body[:h.RepLength], d.Column.MaxRep)
	default:
		if body, err = d.prefix(body, int(h.UncompressedSize)); err != nil {
			return false, err
		}
		if h.RepEncoding == metadata.RLE && len(body) > 4 {
			n := min(uint64(binary.LittleEndian.Uint32(body)), uint64(len(body)-4))
			rep = encoding.NewLevels(body[4:4+n], d.Column.MaxRep)
		} else if rep, _, err = levels("repetition", h.RepEncoding, body, d.Column.MaxRep, 1); err != nil {
			return false, err
		}
	}
	var first [1]uint8
	if err = rep.Read(first[:]); err != nil {
		return false, corrupt("repetition levels: %v", err)
	}
	return first[0] != 0, nil
}

// Records counts the records that begin in a V2 page, whose levels are not
// compressed.
func (d *Decoder) Records(h metadata.PageHeader, b []byte) (int, error) {
	if int(h.CompressedSize) > len(b)-h.Length {
		return 0, corrupt("the page of %d bytes overruns the %d that are left", h.CompressedSize, len(b)-h.Length)
	}
	rep := encoding.NewLevels(b[h.Length:h.Length+int(h.RepLength)], d.Column.MaxRep)
	return rep.CountZeros(int(h.NumValues))
}

// prefix decompresses a body of so many bytes, or at least levelPrefix of them.
// What it returns is not to be kept.
func (d *Decoder) prefix(src []byte, size int) ([]byte, error) {
	want := min(size, levelPrefix)
	out := make([]byte, want)
	n := 0
	switch d.Codec {
	case metadata.Uncompressed:
		return src, nil
	case metadata.Snappy:
		if _, skip := binary.Uvarint(src); skip > 0 {
			if b := snappyLiteral(src[skip:]); len(b) >= want {
				return b, nil
			}
		}
	case metadata.LZ4Raw:
		if b := lz4Literal(src); len(b) >= want {
			return b, nil
		}
	case metadata.Zstd:
		r := zstdStreams.Get().(*zstd.Decoder)
		defer zstdStreams.Put(r)
		if r.Reset(bytes.NewReader(src)) == nil {
			n, _ = io.ReadFull(r, out)
		}
	case metadata.Gzip:
		r := gzipReaders.Get().(*gzip.Reader)
		defer gzipReaders.Put(r)
		if r.Reset(bytes.NewReader(src)) == nil {
			n, _ = io.ReadFull(r, out)
		}
	case metadata.Brotli:
		r := brotliReaders.Get().(*brotli.Reader)
		defer brotliReaders.Put(r)
		if r.Reset(bytes.NewReader(src)) == nil {
			n, _ = io.ReadFull(r, out)
		}
	}
	if n == want {
		return out, nil
	}
	whole := Decoder{Column: d.Column, Codec: d.Codec, MaxBytes: d.MaxBytes}
	all, err := whole.decompress(src, size, true)
	if err != nil {
		return nil, err
	}
	copy(out, all)
	membuf.Put(whole.buf)
	return out, nil
}

// zstdStreams decode a stream as far as it is read, not more than a block of
// 128 KiB further.
var zstdStreams = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(32<<20))
	if err != nil {
		panic(err) // options are constant
	}
	return d
}}

// snappyLiteral returns the bytes at the start of a Snappy block, behind its
// length, if they are stored as they are.
// https://github.com/google/snappy/blob/main/format_description.txt
func snappyLiteral(src []byte) []byte {
	if len(src) == 0 || src[0]&3 != 0 {
		return nil
	}
	n, skip := int(src[0]>>2), 1
	if n >= 60 {
		skip += n - 59
		if len(src) < skip {
			return nil
		}
		n = 0
		for k := skip - 1; k > 0; k-- {
			n = n<<8 | int(src[k])
		}
	}
	return src[skip : skip+min(n+1, len(src)-skip)]
}

// lz4Literal is snappyLiteral for LZ4 blocks.
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
func lz4Literal(src []byte) []byte {
	if len(src) == 0 {
		return nil
	}
	n, skip := int(src[0]>>4), 1
	for more := n == 15; more; skip++ {
		if skip == len(src) || n > len(src) {
			return nil
		}
		n += int(src[skip])
		more = src[skip] == 255
	}
	return src[skip : skip+min(n, len(src)-skip)]
}
