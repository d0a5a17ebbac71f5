package orc

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Codec is how the parts of a file are compressed.
type Codec uint8

const (
	None Codec = iota
	Zlib
	Snappy
	LZO
	LZ4
	Zstd
)

func (c Codec) String() string {
	if names := [...]string{"NONE", "ZLIB", "SNAPPY", "LZO", "LZ4", "ZSTD"}; int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("codec %d", c)
}

// maxMetadata bounds what a part of the metadata may decompress to.
const maxMetadata = 256 << 20

// Decompress undoes the compression of a part of a file: chunks of at most
// block bytes, each behind three bytes that tell its length and whether it was
// left as it is.
func Decompress(c Codec, block int64, b []byte) ([]byte, error) {
	if c == None {
		return b, nil
	}
	if block <= 0 || block > 1<<23 {
		return nil, fmt.Errorf("a compression block of %d bytes", block)
	}
	var out []byte
	d := decoder{codec: c, block: int(block)}
	defer d.close()
	for len(b) > 0 {
		if len(b) < 3 {
			return nil, errors.New("a chunk header is cut off")
		}
		head := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		n := head >> 1
		if b = b[3:]; n > len(b) {
			return nil, fmt.Errorf("a chunk of %d bytes overruns the %d that are left", n, len(b))
		}
		chunk := b[:n]
		b = b[n:]
		if head&1 == 0 {
			var err error
			if chunk, err = d.decode(chunk); err != nil {
				return nil, err
			}
		}
		if len(out)+len(chunk) > maxMetadata {
			return nil, fmt.Errorf("more than %d bytes", maxMetadata)
		}
		out = append(out, chunk...)
	}
	return out, nil
}

// decoder decompresses one chunk after the other, into the same memory: a chunk
// of a few bytes must not cost a block of it.
type decoder struct {
	codec Codec
	block int
	buf   []byte
	zstd  *zstd.Decoder
}

func (d *decoder) close() {
	if d.zstd != nil {
		d.zstd.Close()
	}
}

// decode returns a view that the next call overwrites.
func (d *decoder) decode(b []byte) (out []byte, err error) {
	switch d.codec {
	case Zlib:
		w := bytes.NewBuffer(d.buf[:0])
		_, err = io.Copy(w, io.LimitReader(flate.NewReader(bytes.NewReader(b)), int64(d.block)+1))
		out = w.Bytes()
	case Snappy:
		n, err := s2.DecodedLen(b)
		if err != nil || n > d.block {
			return nil, fmt.Errorf("a chunk of %d bytes, more than %d, or none: %v", n, d.block, err)
		}
		return s2.Decode(nil, b)
	case LZ4:
		if d.buf == nil {
			d.buf = make([]byte, d.block)
		}
		var n int
		n, err = lz4.UncompressBlock(b, d.buf[:d.block])
		return d.buf[:max(n, 0)], err
	case Zstd:
		if d.zstd == nil {
			if d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(d.block, 1<<20)))); err != nil {
				return nil, err
			}
		}
		out, err = d.zstd.DecodeAll(b, d.buf[:0])
	default:
		return nil, fmt.Errorf("%v is not read", d.codec)
	}
	if err != nil {
		return nil, err
	}
	d.buf = out
	return bounded(out, d.block)
}

func bounded(b []byte, most int) ([]byte, error) {
	if len(b) > most {
		return nil, fmt.Errorf("a chunk of more than its block's %d bytes", most)
	}
	return b, nil
}
