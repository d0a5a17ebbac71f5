package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
)

var (
	required = &metadata.Column{Name: "r", Path: []string{"r"}, Type: metadata.Int32, Order: metadata.OrderInt}
	optional = &metadata.Column{Name: "o", Path: []string{"o"}, Type: metadata.Int32, Order: metadata.OrderInt, MaxDef: 1,
		Repetition: metadata.Optional}
)

// headerBytes stands for a page header in front of a body.
const headerBytes = 7

// v1 makes a V1 page of a body; its header takes headerBytes of the bytes.
func v1(t testing.TB, f *form, rows int, def metadata.Encoding, body []byte) (metadata.PageHeader, []byte) {
	h := metadata.PageHeader{Type: metadata.DataPage, NumValues: int32(rows), Encoding: metadata.Plain, DefEncoding: def,
		RepEncoding: metadata.RLE, Compressed: true, UncompressedSize: int32(len(body)), Length: headerBytes}
	if f != nil {
		body = f.encode(t, body)
	}
	h.CompressedSize = int32(len(body))
	return h, append(make([]byte, headerBytes), body...)
}

// v2 makes a V2 page of levels and values.
func v2(t testing.TB, f *form, rows int, rep, def, values []byte) (metadata.PageHeader, []byte) {
	h := metadata.PageHeader{Type: metadata.DataPageV2, NumValues: int32(rows), NumRows: int32(rows), Encoding: metadata.Plain,
		RepLength: int32(len(rep)), DefLength: int32(len(def)), UncompressedSize: int32(len(rep) + len(def) + len(values)), Length: headerBytes}
	if f != nil {
		values = f.encode(t, values)
		h.Compressed = true
	}
	b := bytes.Join([][]byte{make([]byte, headerBytes), rep, def, values}, nil)
	h.CompressedSize = int32(len(b) - headerBytes)
	return h, b
}

func prefixed(levels []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
}

// tenLevels are ten levels of which every third is a null, as one bit-packed
// group pair and in the deprecated encoding.
var (
	tenLevels = []byte{2<<1 | 1, 0b10110110, 0b01}
	tenLegacy = []byte{0b01101101, 0b10000000}
	tenBits   = []byte{0b10110110, 0b01}
)

func codecForms() []*form {
	out := []*form{nil}
	for i := range forms {
		out = append(out, &forms[i])
	}
	return out
}

func decoder(col *metadata.Column, f *form) *Decoder {
	d := &Decoder{Column: col, MaxBytes: 1 << 30}
	if f != nil {
		d.Codec = f.codec
	}
	return d
}

func TestDataPages(t *testing.T) {
	values := contents(28)["text"]
	for _, f := range codecForms() {
		name := "uncompressed"
		if f != nil {
			name = f.name
		}
		for what, c := range map[string]struct {
			col    *metadata.Column
			levels []byte // bitmap of ten rows, nil if all are there
			make   func() (metadata.PageHeader, []byte)
		}{
			"v1 required": {required, nil, func() (metadata.PageHeader, []byte) { return v1(t, f, 10, metadata.RLE, values) }},
			"v1 optional": {optional, tenBits, func() (metadata.PageHeader, []byte) {
				return v1(t, f, 10, metadata.RLE, append(prefixed(tenLevels), values...))
			}},
			"v1 legacy levels": {optional, tenBits, func() (metadata.PageHeader, []byte) {
				return v1(t, f, 10, metadata.BitPacked, append(bytes.Clone(tenLegacy), values...))
			}},
			"v2 required": {required, nil, func() (metadata.PageHeader, []byte) { return v2(t, f, 10, nil, nil, values) }},
			"v2 optional": {optional, tenBits, func() (metadata.PageHeader, []byte) { return v2(t, f, 10, nil, tenLevels, values) }},
			"v2 with levels that mean nothing": {required, nil, func() (metadata.PageHeader, []byte) {
				return v2(t, f, 10, []byte{20, 0}, []byte{20, 1}, values)
			}},
			"v2 not compressed in a compressed chunk": {optional, tenBits, func() (metadata.PageHeader, []byte) {
				return v2(t, nil, 10, nil, tenLevels, values)
			}},
		} {
			h, b := c.make()
			h.HasCRC, h.CRC = true, crc32.ChecksumIEEE(b[headerBytes:])
			b = append(b, 0xee, 0xee) // what follows the page
			p, err := decoder(c.col, f).Data(h, b)
			if err != nil || p.N != 10 || !bytes.Equal(p.Values, values) || p.Encoding != metadata.Plain {
				t.Errorf("%s, %s: %+v, %v", name, what, p, err)
				continue
			}
			checkPresence(t, name+", "+what, p.Def, c.levels)
		}
	}
}

func checkPresence(t *testing.T, what string, p encoding.Levels, want []byte) {
	t.Helper()
	n := 7
	if want == nil {
		n, want = 10, []byte{0xff, 3}
	}
	got := make([]byte, 2)
	if count, err := p.Present(got, 0, 10); err != nil || count != n && want[0] == 0xff || !bytes.Equal(got, want) {
		t.Errorf("%s: levels %08b, %d values, %v", what, got, count, err)
	}
}

func TestDecodersReuseOrKeepMemory(t *testing.T) {
	f := &forms[0]
	first, second := contents(900)["text"], contents(900)["random"]
	for _, keep := range []bool{false, true} {
		d := decoder(required, f)
		d.Keep = keep
		h, b := v1(t, f, 225, metadata.RLE, first)
		p, err := d.Data(h, b)
		if err != nil {
			t.Fatal(err)
		}
		h, b = v1(t, f, 225, metadata.RLE, second)
		q, err := d.Data(h, b)
		if err != nil || !bytes.Equal(q.Values, second) {
			t.Fatal(err)
		}
		if keep && !bytes.Equal(p.Values, first) {
			t.Error("a page that was to be kept was overwritten")
		}
	}
}

func TestPagesWithoutBytes(t *testing.T) {
	for _, f := range codecForms() {
		h := metadata.PageHeader{Type: metadata.DataPage, Encoding: metadata.Plain, DefEncoding: metadata.RLE, Compressed: true, Length: headerBytes}
		if p, err := decoder(required, f).Data(h, make([]byte, headerBytes)); err != nil || p.N != 0 || len(p.Values) != 0 {
			t.Errorf("V1: %+v, %v", p, err)
		}
		h, b := v2(t, nil, 10, nil, []byte{20, 0}, nil)
		h.Compressed = true // of nothing there is nothing to compress
		p, err := decoder(optional, f).Data(h, b)
		if err != nil || p.N != 10 || len(p.Values) != 0 {
			t.Errorf("V2 of nulls: %+v, %v", p, err)
		}
		if n, err := p.Def.Skip(10); n != 0 || err != nil {
			t.Errorf("%d values among ten nulls, %v", n, err)
		}
	}
}

func TestPageFaults(t *testing.T) {
	f := &forms[0]
	values := contents(40)["text"]
	for name, c := range map[string]struct {
		col     *metadata.Column
		codec   *form
		version int
		change  func(h *metadata.PageHeader, b []byte) []byte
		wants   string
	}{
		"a checksum that does not match": {required, f, 1, func(h *metadata.PageHeader, b []byte) []byte {
			h.HasCRC, h.CRC = true, crc32.ChecksumIEEE(b[headerBytes:])^1
			return b
		}, "checksum"},
		"a byte missing":  {required, f, 1, func(_ *metadata.PageHeader, b []byte) []byte { return b[:len(b)-1] }, "overruns"},
		"a size of 2 GiB": {required, f, 1, func(h *metadata.PageHeader, b []byte) []byte { h.CompressedSize = 1<<31 - 1; return b }, "overruns"},
		"less announced":  {required, f, 1, func(h *metadata.PageHeader, b []byte) []byte { h.UncompressedSize--; return b }, "SNAPPY"},
		"more announced":  {required, f, 1, func(h *metadata.PageHeader, b []byte) []byte { h.UncompressedSize++; return b }, "SNAPPY"},
		"levels beyond the page": {optional, nil, 1, func(_ *metadata.PageHeader, b []byte) []byte {
			binary.LittleEndian.PutUint32(b[headerBytes:], 1<<31)
			return b
		}, "definition levels"},
		"legacy levels beyond the page": {optional, nil, 1, func(h *metadata.PageHeader, b []byte) []byte {
			h.DefEncoding, h.NumValues = metadata.BitPacked, 1<<31-1
			return b
		}, "definition levels"},
		"levels in PLAIN": {optional, nil, 1, func(h *metadata.PageHeader, b []byte) []byte { h.DefEncoding = metadata.Plain; return b }, "definition levels in PLAIN"},
		"V2 levels larger than the page": {required, f, 2, func(h *metadata.PageHeader, b []byte) []byte {
			h.DefLength, h.UncompressedSize = h.CompressedSize, h.CompressedSize-1
			return b
		}, "levels"},
		"V2 less announced": {required, f, 2, func(h *metadata.PageHeader, b []byte) []byte { h.UncompressedSize -= 3; return b }, "SNAPPY"},
	} {
		h, b := v1(t, c.codec, 10, metadata.RLE, values)
		if c.version == 2 {
			h, b = v2(t, c.codec, 10, nil, nil, values)
		}
		b = c.change(&h, b)
		p, err := decoder(c.col, c.codec).Data(h, b)
		if err == nil || !strings.Contains(err.Error(), c.wants) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestPagesAboveTheLimit(t *testing.T) {
	for _, f := range codecForms()[1:] {
		h, b := v1(t, f, 250, metadata.RLE, make([]byte, 1000))
		d := decoder(required, f)
		d.MaxBytes = 999
		var u *metadata.UnsupportedError
		if _, err := d.Data(h, b); !errors.As(err, &u) {
			t.Errorf("%s: %v", f.name, err)
		}
		d.MaxBytes = 1000
		if _, err := d.Data(h, b); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

func TestDictionaryPages(t *testing.T) {
	values := contents(400)["text"]
	for _, f := range codecForms() {
		h, b := v1(t, f, 100, 0, values)
		h.Type = metadata.DictionaryPage
		for _, e := range []metadata.Encoding{metadata.Plain, metadata.PlainDictionary} {
			h.Encoding = e
			if got, err := decoder(optional, f).Dictionary(h, b); err != nil || !bytes.Equal(got, values) {
				t.Errorf("%v: %v", e, err)
			}
		}
		h.Encoding = metadata.RLEDictionary
		var u *metadata.UnsupportedError
		if _, err := decoder(optional, f).Dictionary(h, b); !errors.As(err, &u) {
			t.Errorf("a dictionary of indices: %v", err)
		}
		h.Encoding, h.HasCRC, h.CRC = metadata.Plain, true, 1
		if _, err := decoder(optional, f).Dictionary(h, b); err == nil || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("checksum: %v", err)
		}
	}
}

// TestManyNullsInFewBytes: a page of 2³¹−1 nulls takes a few bytes and no
// memory to open and to walk over.
func TestManyNullsInFewBytes(t *testing.T) {
	const n = 1<<31 - 1
	levels := append(binary.AppendUvarint(nil, n<<1), 0)
	for _, version := range []int{1, 2} {
		h, b := v1(t, nil, n, metadata.RLE, prefixed(levels))
		if version == 2 {
			h, b = v2(t, nil, n, nil, levels, nil)
		}
		got := allocated(func() {
			p, err := decoder(optional, nil).Data(h, b)
			if err != nil {
				t.Fatal(err)
			}
			if count, err := p.Def.Skip(n); count != 0 || err != nil {
				t.Errorf("%d values, %v", count, err)
			}
			if _, err := p.Def.Skip(1); err == nil {
				t.Error("there is one more")
			}
		})
		if got > 1<<16 {
			t.Errorf("V%d: %d bytes were allocated", version, got)
		}
	}
}

func ExampleDecompress() {
	out, err := Decompress(metadata.LZ4Raw, nil, []byte{0x30, 'a', 'b', 'c'}, 3)
	fmt.Println(string(out), err)
	// Output: abc <nil>
}
