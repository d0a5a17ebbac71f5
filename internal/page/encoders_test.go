package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/parequet/pare/metadata"
)

// form is a way in which writers store the bytes of a page.
type form struct {
	name   string
	codec  metadata.Codec
	encode func(t testing.TB, b []byte) []byte
}

var forms = []form{
	{"snappy", metadata.Snappy, func(_ testing.TB, b []byte) []byte { return snappy.Encode(nil, b) }},
	{"gzip", metadata.Gzip, gzipped},
	{"gzip of two members", metadata.Gzip, func(t testing.TB, b []byte) []byte {
		return append(gzipped(t, b[:len(b)/3]), gzipped(t, b[len(b)/3:])...)
	}},
	{"brotli", metadata.Brotli, func(t testing.TB, b []byte) []byte {
		return streamed(t, b, func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 5) })
	}},
	{"zstd", metadata.Zstd, zstandard},
	{"zstd of two frames", metadata.Zstd, func(t testing.TB, b []byte) []byte {
		return append(zstandard(t, b[:len(b)/3]), zstandard(t, b[len(b)/3:])...)
	}},
	{"zstd stream of unknown size", metadata.Zstd, func(t testing.TB, b []byte) []byte {
		return streamed(t, b, func(w io.Writer) io.WriteCloser {
			e, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
			if err != nil {
				t.Fatal(err)
			}
			return e
		})
	}},
	{"lz4 raw", metadata.LZ4Raw, lz4Block},
	{"lz4 in Hadoop's frame, one block", metadata.LZ4, func(t testing.TB, b []byte) []byte { return hadoop(t, b, max(1, len(b))) }},
	{"lz4 in Hadoop's frame, several blocks", metadata.LZ4, func(t testing.TB, b []byte) []byte { return hadoop(t, b, max(1, len(b)/5)) }},
	{"lz4 bare block under the old codec", metadata.LZ4, lz4Block},
	{"lz4 frame under the old codec", metadata.LZ4, func(t testing.TB, b []byte) []byte {
		return streamed(t, b, func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) })
	}},
}

func streamed(t testing.TB, b []byte, open func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := open(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t testing.TB, b []byte) []byte {
	return streamed(t, b, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func zstandard(t testing.TB, b []byte) []byte {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(b, nil)
}

// lz4Block always yields a block, of literals where nothing repeats.
func lz4Block(t testing.TB, b []byte) []byte {
	out := make([]byte, lz4.CompressBlockBound(len(b)))
	n, err := lz4.CompressBlock(b, out, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		return out[:n]
	}
	return lz4Literals(b)
}

func lz4Literals(b []byte) []byte {
	if len(b) < 15 {
		return append([]byte{byte(len(b)) << 4}, b...)
	}
	out := []byte{0xf0}
	n := len(b) - 15
	for ; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), b...)
}

func hadoop(t testing.TB, b []byte, block int) (out []byte) {
	for len(b) > 0 {
		n := min(block, len(b))
		packed := lz4Block(t, b[:n])
		out = binary.BigEndian.AppendUint32(out, uint32(n))
		out = binary.BigEndian.AppendUint32(out, uint32(len(packed)))
		out = append(out, packed...)
		b = b[n:]
	}
	return out
}

// contents are bytes that compress well, a little and not at all.
func contents(n int) map[string][]byte {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	random, text := make([]byte, n), make([]byte, n)
	for i := range random {
		random[i] = byte(r.Uint32())
		text[i] = "selective parquet "[r.IntN(18)]
	}
	return map[string][]byte{"zeros": make([]byte, n), "text": text, "random": random}
}

// allocated is how many bytes f allocates, freed ones included.
func allocated(f func()) int64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return int64(b.TotalAlloc - a.TotalAlloc)
}

var errPanic = errors.New("PANIC")

// safely is Decompress with a panic turned into an error, so that the cases
// after it still run.
func safely(codec metadata.Codec, dst, src []byte, size int) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("%w: %v", errPanic, r)
		}
	}()
	return Decompress(codec, dst, src, size)
}
