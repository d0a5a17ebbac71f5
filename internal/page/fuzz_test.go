package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/parequet/pare/metadata"
)

// fuzzMemory is what an input of some bytes may allocate, whatever it claims.
func fuzzMemory(t *testing.T, claimed int, input []byte, f func()) {
	if claimed < 4<<20 {
		f()
		return
	}
	if got := allocated(f); got > int64(len(input))*maxZstdRatio*2+48<<20 {
		t.Fatalf("%d bytes were allocated for an input of %d", got, len(input))
	}
}

func FuzzDecompress(f *testing.F) {
	for _, k := range forms {
		for _, plain := range contents(300) {
			f.Add(byte(k.codec), uint32(300), k.encode(f, plain))
		}
		f.Add(byte(k.codec), uint32(1<<30-1), k.encode(f, make([]byte, 50)))
	}
	f.Add(byte(metadata.LZ4), uint32(100), append([]byte{0, 0, 0, 0, 0, 0, 0, 40}, make([]byte, 40)...))
	f.Fuzz(func(t *testing.T, codec byte, size uint32, src []byte) {
		want := int(size & (1<<30 - 1))
		if len(src) > 1024 {
			want = min(want, 16<<20)
		}
		before := bytes.Clone(src)
		fuzzMemory(t, want, src, func() {
			out, err := safely(metadata.Codec(codec%9), nil, src, want)
			if errors.Is(err, errPanic) {
				t.Fatal(err)
			}
			if err == nil && len(out) != want {
				t.Fatalf("%d bytes came out of %d", len(out), want)
			}
			if err != nil && out != nil {
				t.Fatal("bytes and an error")
			}
		})
		if !bytes.Equal(before, src) {
			t.Fatal("the input was changed")
		}
	})
}

// thriftHeader writes the page header that h describes.
func thriftHeader(h metadata.PageHeader) []byte {
	out := []byte{0x15}
	num := func(v int32) { out = binary.AppendVarint(out, int64(v)) }
	field := func(v int32) { out = append(out, 0x15); num(v) }
	num(int32(h.Type))
	field(h.UncompressedSize)
	field(h.CompressedSize)
	if h.Type == metadata.DataPageV2 {
		out = append(out, 0x5c)
		for _, v := range []int32{h.NumValues, h.NumNulls, h.NumRows, int32(h.Encoding), h.DefLength, h.RepLength} {
			field(v)
		}
		if h.Compressed {
			out = append(out, 0x11)
		} else {
			out = append(out, 0x12)
		}
	} else {
		out = append(out, 0x2c)
		for _, v := range []int32{h.NumValues, int32(h.Encoding), int32(h.DefEncoding), int32(h.RepEncoding)} {
			field(v)
		}
	}
	return append(out, 0, 0)
}

func FuzzDataPage(f *testing.F) {
	for _, k := range codecForms() {
		codec := byte(0)
		if k != nil {
			codec = byte(k.codec)
		}
		values := contents(28)["text"]
		h, b := v1(f, k, 10, metadata.RLE, append(prefixed(tenLevels), values...))
		f.Add(codec, true, thriftHeader(h), b[headerBytes:])
		h, b = v1(f, k, 10, metadata.BitPacked, append(bytes.Clone(tenLegacy), values...))
		f.Add(codec, true, thriftHeader(h), b[headerBytes:])
		h, b = v2(f, k, 10, nil, tenLevels, values)
		f.Add(codec, true, thriftHeader(h), b[headerBytes:])
		h, b = v2(f, k, 7, nil, nil, values)
		f.Add(codec, false, thriftHeader(h), b[headerBytes:])
	}
	f.Fuzz(func(t *testing.T, codec byte, opt bool, header, body []byte) {
		b := append(bytes.Clone(header), body...)
		h, err := metadata.ParsePageHeader(b, false)
		if err != nil {
			return
		}
		col := required
		if opt {
			col = optional
		}
		d := &Decoder{Column: col, Codec: metadata.Codec(codec % 9), MaxBytes: 1 << 28}
		fuzzMemory(t, int(h.UncompressedSize), b, func() {
			if h.Type == metadata.DictionaryPage {
				d.Dictionary(h, b)
				return
			}
			p, err := d.Data(h, b)
			if err != nil {
				return
			}
			const window = 1000
			bitmap := make([]byte, window/8+1)
			for range 4 {
				clear(bitmap)
				if _, err := p.Def.Present(bitmap, 3, window); err != nil {
					return
				}
			}
		})
	})
}

func TestThriftHeaderOfTheSeeds(t *testing.T) {
	h, b := v2(t, nil, 10, nil, tenLevels, []byte("values"))
	got, err := metadata.ParsePageHeader(append(thriftHeader(h), b[headerBytes:]...), false)
	got.Length, got.DefEncoding, got.RepEncoding = headerBytes, h.DefEncoding, h.RepEncoding
	if err != nil || got != h {
		t.Errorf("%+v, written as %+v, %v", h, got, err)
	}
	h, b = v1(t, nil, 10, metadata.BitPacked, []byte("values"))
	got, err = metadata.ParsePageHeader(append(thriftHeader(h), b[headerBytes:]...), false)
	got.Length = headerBytes
	if err != nil || got != h {
		t.Errorf("%+v, written as %+v, %v", h, got, err)
	}
}
