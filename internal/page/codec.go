package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"unsafe"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// Decompress appends the size bytes that src holds to dst, whose memory it
// uses if there is enough of it. A stream of any other size is an error.
//
// The claimed size is not trusted: a buffer of that size is made only where
// the codec could reach it from len(src); otherwise the buffer grows with the
// output.
func Decompress(codec metadata.Codec, dst, src []byte, size int) ([]byte, error) {
	var err error
	start := len(dst)
	switch codec {
	case metadata.Snappy:
		dst, err = blockInto(dst, src, size, maxSnappyRatio, unsnappy)
	case metadata.LZ4Raw:
		dst, err = blockInto(dst, src, size, maxLZ4Ratio, lz4UncompressBlock)
	case metadata.LZ4:
		dst, err = hadoopLZ4(dst, src, size)
	case metadata.Zstd:
		dst, err = unzstd(dst, src, size)
	case metadata.Gzip:
		dst, err = ungzip(dst, src, size)
	case metadata.Brotli:
		r := brotliReaders.Get().(*brotli.Reader)
		defer brotliReaders.Put(r)
		if err = r.Reset(bytes.NewReader(src)); err == nil {
			dst, err = readAll(dst, r, size)
		}
	default:
		return nil, &metadata.UnsupportedError{Msg: fmt.Sprintf("codec %v", codec)}
	}
	if err == nil && len(dst)-start != size {
		err = fmt.Errorf("%d bytes came out, %d were announced", len(dst)-start, size)
	}
	if err != nil {
		return nil, corrupt("%v: %v", codec, err)
	}
	return dst, nil
}

// The most output that a byte of input can yield.
const (
	maxSnappyRatio = 22      // a copy of 64 bytes takes 3
	maxLZ4Ratio    = 256     // a length byte of 255
	maxZstdRatio   = 1 << 15 // a block of 128 KiB takes 4
	slack          = 64 << 10
)

// grow makes room for n bytes after dst. Its memory is not given back: another
// form of the codec may be tried on it.
func grow(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst
	}
	out := membuf.Get(len(dst) + n)
	return out[:copy(out, dst)]
}

// blockInto decompresses a block of a format that needs its size beforehand.
func blockInto(dst, src []byte, size, ratio int, f func(src, dst []byte) (int, error)) ([]byte, error) {
	if size > len(src)*ratio+slack {
		return nil, fmt.Errorf("%d bytes cannot hold the %d that are announced", len(src), size)
	}
	dst = grow(dst, size)
	n, err := f(src, dst[len(dst):len(dst)+size])
	if err != nil {
		return nil, err
	}
	return dst[:len(dst)+n], nil
}

func unsnappy(src, dst []byte) (int, error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return 0, err
	}
	if n > len(dst) {
		return 0, fmt.Errorf("it holds %d bytes", n)
	}
	out, err := snappy.Decode(dst, src)
	return len(out), err
}

// hadoopLZ4 reads Hadoop's framing of LZ4: pairs of big-endian lengths before
// each block. Writers have stored bare blocks and LZ4 frames under the same
// codec number, so what does not parse as one is tried as the others.
func hadoopLZ4(dst, src []byte, size int) ([]byte, error) {
	if out, ok := hadoopBlocks(dst, src, size); ok {
		return out, nil
	}
	if len(src) >= 4 && binary.LittleEndian.Uint32(src) == 0x184D2204 {
		return readAll(dst, lz4.NewReader(bytes.NewReader(src)), size)
	}
	return blockInto(dst, src, size, maxLZ4Ratio, lz4UncompressBlock)
}

func lz4UncompressBlock(src, dst []byte) (int, error) {
	if len(dst) == 0 {
		// The library looks at dst's first byte. An empty block is one token or nothing.
		if len(src) == 0 || len(src) == 1 && src[0] == 0 {
			return 0, nil
		}
		return 0, lz4.ErrInvalidSourceShortBuffer
	}
	return lz4.UncompressBlock(src, dst)
}

func hadoopBlocks(dst, src []byte, size int) ([]byte, bool) {
	if size > len(src)*maxLZ4Ratio+slack {
		return nil, false
	}
	start := len(dst)
	dst = grow(dst, size) // once, however many blocks there are
	for len(src) > 0 {
		if len(src) < 8 {
			return nil, false
		}
		plain, packed := binary.BigEndian.Uint32(src), binary.BigEndian.Uint32(src[4:])
		src = src[8:]
		if uint64(packed) > uint64(len(src)) || int64(plain) > int64(size-(len(dst)-start)) {
			return nil, false
		}
		out, err := blockInto(dst, src[:packed], int(plain), maxLZ4Ratio, lz4UncompressBlock)
		if err != nil || len(out)-len(dst) != int(plain) {
			return nil, false
		}
		dst, src = out, src[packed:]
	}
	return dst, len(dst)-start == size
}

// Decoders are costly to make and cheap to reset.
var (
	zstdDecoders  = sync.Pool{New: func() any { return newZstd() }}
	gzipReaders   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotliReaders = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
)

func newZstd() *zstd.Decoder {
	// Capped output: DecodeAll writes only into the capacity it is given, so
	// a frame's own claim of its size allocates nothing.
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // options are constant
	}
	return d
}

// zstdSlack is room behind the output in which the decoder may end its copies
// of 16 bytes; without it, it copies the last bytes of everything one by one.
const zstdSlack = 64

func unzstd(dst, src []byte, size int) ([]byte, error) {
	if size > len(src)*maxZstdRatio+slack {
		return nil, fmt.Errorf("%d bytes cannot hold the %d that are announced", len(src), size)
	}
	d := zstdDecoders.Get().(*zstd.Decoder)
	defer zstdDecoders.Put(d)
	dst = grow(dst, size+zstdSlack)
	out, err := d.DecodeAll(src, dst[:len(dst):len(dst)+size+zstdSlack])
	if err != nil {
		return nil, err
	}
	if unsafe.SliceData(out) != unsafe.SliceData(dst[:1]) {
		return out, nil
	}
	return dst[:len(out)], nil // with all of its capacity: out has no more than was asked for
}

func ungzip(dst, src []byte, size int) ([]byte, error) {
	r := gzipReaders.Get().(*gzip.Reader)
	defer gzipReaders.Put(r)
	if err := r.Reset(bytes.NewReader(src)); err != nil {
		return nil, err
	}
	return readAll(dst, r, size)
}

// readAll reads a stream that must hold size bytes. The buffer starts at what
// is likely and doubles as bytes really come.
func readAll(dst []byte, r io.Reader, size int) ([]byte, error) {
	start := len(dst)
	dst = grow(dst, min(size, max(slack, cap(dst)-len(dst)))+1)
	for {
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if len(dst)-start > size {
			return nil, fmt.Errorf("more than the %d bytes that are announced", size)
		}
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return nil, err
		}
		if len(dst) == cap(dst) {
			dst = grow(dst, min(size-(len(dst)-start), len(dst)-start)+1)
		}
	}
}
