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
			if chunk, err = decompress(c, int(block), chunk); err != nil {
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

func decompress(c Codec, block int, b []byte) ([]byte, error) {
	switch c {
	case Zlib:
		var out bytes.Buffer
		if _, err := io.Copy(&out, io.LimitReader(flate.NewReader(bytes.NewReader(b)), int64(block)+1)); err != nil {
			return nil, err
		}
		return bounded(out.Bytes(), block)
	case Snappy:
		if n, err := s2.DecodedLen(b); err != nil || n > block {
			return nil, fmt.Errorf("a chunk of %d bytes, more than %d, or none: %v", n, block, err)
		}
		return s2.Decode(nil, b)
	case LZ4:
		out := make([]byte, block)
		n, err := lz4.UncompressBlock(b, out)
		if err != nil {
			return nil, err
		}
		return out[:n], nil
	case Zstd:
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(block, 1<<20))))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		out, err := d.DecodeAll(b, nil)
		if err != nil {
			return nil, err
		}
		return bounded(out, block)
	}
	return nil, fmt.Errorf("%v is not read", c)
}

func bounded(b []byte, most int) ([]byte, error) {
	if len(b) > most {
		return nil, fmt.Errorf("a chunk of more than its block's %d bytes", most)
	}
	return b, nil
}
