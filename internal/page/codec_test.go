package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/metadata"
)

func TestDecompressRoundTrips(t *testing.T) {
	for _, f := range forms {
		for _, n := range []int{0, 1, 13, 1000, 64 << 10, 300_000} {
			for kind, plain := range contents(n) {
				src := f.encode(t, plain)
				t.Run(fmt.Sprintf("%s/%d %s", f.name, n, kind), func(t *testing.T) {
					prefix := []byte("before")
					for name, dst := range map[string][]byte{
						"nil": nil, "prefix": prefix, "little room": append(make([]byte, 0, 6+n/2), prefix...),
						"just enough": append(make([]byte, 0, 6+n), prefix...), "much room": append(make([]byte, 0, 6+2*n+100), prefix...),
					} {
						start := len(dst)
						got, err := safely(f.codec, dst, bytes.Clone(src), n)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						if !bytes.Equal(got[:start], dst) || !bytes.Equal(got[start:], plain) {
							t.Fatalf("%s: other bytes came out", name)
						}
					}
				})
			}
		}
	}
}

// TestDecompressOfMuchFromLittle: the most that a codec can make of its input
// is accepted.
func TestDecompressOfMuchFromLittle(t *testing.T) {
	plain := make([]byte, 24<<20)
	for _, f := range forms {
		src := f.encode(t, plain)
		if got, err := safely(f.codec, nil, src, len(plain)); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: %d bytes from %d: %v", f.name, len(got), len(src), err)
		}
	}
}

func TestDecompressRefusesOtherSizes(t *testing.T) {
	plain := contents(5000)["text"]
	for _, f := range forms {
		src := f.encode(t, plain)
		for _, size := range []int{0, 1, 4999, 5001, 10_000, 1 << 20, 1 << 30} {
			got, err := safely(f.codec, nil, src, size)
			checkFormatError(t, fmt.Sprintf("%s, %d announced of 5000", f.name, size), got, err)
		}
	}
}

func checkFormatError(t *testing.T, what string, got []byte, err error) {
	t.Helper()
	var fe *metadata.FormatError
	if err == nil || got != nil {
		t.Errorf("%s: accepted", what)
	} else if !errors.As(err, &fe) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %T %v", what, err, err)
	}
}

// TestDecompressOfCutStreams: no prefix of a stream yields the whole page.
func TestDecompressOfCutStreams(t *testing.T) {
	plain := contents(700)["text"]
	for _, f := range forms {
		src := f.encode(t, plain)
		for n := range src {
			got, err := safely(f.codec, nil, src[:n:n], len(plain))
			if err == nil && bytes.Equal(got, plain) && n >= len(src)-5 {
				continue // what was cut is an end mark or a checksum
			}
			checkFormatError(t, fmt.Sprintf("%s, %d of %d bytes", f.name, n, len(src)), got, err)
		}
	}
}

// TestDecompressOfFlippedStreams: damage is an error or other bytes of the
// announced size, and a decoder that failed works again afterwards.
func TestDecompressOfFlippedStreams(t *testing.T) {
	plain := contents(600)["text"]
	for _, f := range forms {
		src := f.encode(t, plain)
		for i := range src {
			bad := bytes.Clone(src)
			bad[i] ^= 1 << (i % 8)
			if got, err := safely(f.codec, nil, bad, len(plain)); err == nil && len(got) != len(plain) {
				t.Fatalf("%s, byte %d: %d bytes", f.name, i, len(got))
			}
		}
		if got, err := safely(f.codec, nil, src, len(plain)); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: broken after faults: %v", f.name, err)
		}
	}
}

func TestUnknownCodecs(t *testing.T) {
	for _, c := range []metadata.Codec{metadata.LZO, -1, 8, 127} {
		var u *metadata.UnsupportedError
		if _, err := Decompress(c, nil, []byte{1, 2}, 2); !errors.As(err, &u) {
			t.Errorf("codec %v: %v", c, err)
		}
	}
}

// TestHugeClaimsAllocateLittle: a page that claims 1 GiB in 100 bytes costs
// what its bytes could yield, not what it claims.
func TestHugeClaimsAllocateLittle(t *testing.T) {
	ratio := map[metadata.Codec]int64{metadata.Snappy: maxSnappyRatio, metadata.LZ4Raw: maxLZ4Ratio, metadata.LZ4: maxLZ4Ratio,
		metadata.Zstd: maxZstdRatio, metadata.Gzip: 1100, metadata.Brotli: maxZstdRatio}
	for _, f := range forms {
		src := f.encode(t, contents(80)["random"])
		safely(f.codec, nil, src, 80) // the pool's decoder
		cut := append(bytes.Clone(src[:len(src)/2]), bytes.Repeat([]byte{0xff}, 40)...)
		for what, b := range map[string][]byte{"a right stream": src, "a cut stream": cut} {
			got := allocated(func() {
				if _, err := safely(f.codec, nil, b, 1<<30); err == nil {
					t.Errorf("%s: accepted", f.name)
				}
			})
			// A decoder's own window may take some megabytes.
			if limit := ratio[f.codec]*int64(len(b)) + slack + 10<<20; got > limit {
				t.Errorf("%s, %s of %d bytes: %d bytes were allocated, %d at most", f.name, what, len(b), got, limit)
			}
		}
	}
}

// TestHugeClaimsInsideTheStream: the sizes that streams announce themselves
// are not believed either.
func TestHugeClaimsInsideTheStream(t *testing.T) {
	snappyGiB := append(binary.AppendUvarint(nil, 1<<30), bytes.Repeat([]byte{0xfe, 1, 0}, 30)...)
	zstdGiB := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40}, 1, 0, 0)
	zstdWindow := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8}, 1, 0, 0)
	hadoopGiB := append([]byte{0x40, 0, 0, 0, 0, 0, 0, 20}, make([]byte, 20)...)
	for name, c := range map[string]struct {
		codec metadata.Codec
		src   []byte
	}{
		"snappy": {metadata.Snappy, snappyGiB}, "zstd": {metadata.Zstd, zstdGiB}, "zstd window": {metadata.Zstd, zstdWindow},
		"Hadoop's frame": {metadata.LZ4, hadoopGiB},
	} {
		for _, size := range []int{1000, 1 << 20, 1 << 30} {
			got := allocated(func() {
				if _, err := safely(c.codec, nil, c.src, size); err == nil {
					t.Errorf("%s: accepted", name)
				}
			})
			if got > 16<<20 {
				t.Errorf("%s, %d announced: %d bytes were allocated for %d", name, size, got, len(c.src))
			}
		}
	}
}

// TestManySmallHadoopBlocks: the work grows with the page, not with its
// square.
func TestManySmallHadoopBlocks(t *testing.T) {
	const n = 30_000
	plain := contents(n)["text"]
	src := hadoop(t, plain, 1)
	started := time.Now()
	got := allocated(func() {
		if out, err := Decompress(metadata.LZ4, nil, src, n); err != nil || !bytes.Equal(out, plain) {
			t.Fatal(err)
		}
	})
	if limit := int64(10 * (len(src) + n)); got > limit {
		t.Errorf("%d blocks of 1 byte took %d bytes of memory, at most %d would be fair, and %v", n, got, limit, time.Since(started))
	}
}

// TestEmptyBlocksInHadoopsFrame: a block that announces no bytes may be there;
// one that has some nevertheless is damage, whatever memory there is.
func TestEmptyBlocksInHadoopsFrame(t *testing.T) {
	block := func(plain, packed uint32, b ...byte) []byte {
		out := binary.BigEndian.AppendUint32(nil, plain)
		return append(binary.BigEndian.AppendUint32(out, packed), b...)
	}
	literals := lz4Literals([]byte("abc"))
	right := block(3, uint32(len(literals)), literals...)
	for name, c := range map[string]struct {
		src  []byte
		fine bool
	}{
		"nothing in nothing":         {append(block(0, 0), right...), true},
		"an empty block":             {append(block(0, 1, 0), right...), true},
		"an empty block after":       {append(bytes.Clone(right), block(0, 1, 0)...), true},
		"literals in an empty block": {append(block(0, 4, literals...), right...), false},
		"a copy in an empty block":   {append(block(0, 4, 0x1f, 'a', 1, 0), right...), false},
		"long literals in no memory": {append(block(0, 20, lz4Literals(make([]byte, 18))...), right...), false},
		"a long copy in no memory":   {append(block(0, 40, make([]byte, 40)...), right...), false},
		"nothing but an empty block": {block(0, 5000, make([]byte, 5000)...), false},
	} {
		for _, dst := range [][]byte{nil, make([]byte, 0, 100)} {
			out, err := safely(metadata.LZ4, dst, c.src, 3)
			switch {
			case c.fine && (err != nil || string(out) != "abc"):
				t.Errorf("%s, capacity %d: %q, %v", name, cap(dst), out, err)
			case !c.fine:
				checkFormatError(t, fmt.Sprintf("%s, capacity %d", name, cap(dst)), out, err)
			}
		}
	}
}
