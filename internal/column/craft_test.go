package column

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"runtime"

	"github.com/klauspost/compress/snappy"

	"github.com/parequet/pare/metadata"
)

// fataler is a test, of Go's own or of rapid's.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// thrift writes structs of the Thrift compact protocol.
type thrift struct {
	b    []byte
	last []int16
}

func (w *thrift) field(id int16, typ byte) {
	if len(w.last) == 0 {
		w.last = []int16{0}
	}
	last := &w.last[len(w.last)-1]
	w.b = append(w.b, byte(id-*last)<<4|typ)
	*last = id
}

func (w *thrift) i32(id int16, v int32) { w.field(id, 5); w.b = binary.AppendVarint(w.b, int64(v)) }
func (w *thrift) i64(id int16, v int64) { w.field(id, 6); w.b = binary.AppendVarint(w.b, v) }
func (w *thrift) str(id int16, s string) {
	w.field(id, 8)
	w.b = append(binary.AppendUvarint(w.b, uint64(len(s))), s...)
}
func (w *thrift) bool(id int16, v bool) {
	if v {
		w.field(id, 1)
	} else {
		w.field(id, 2)
	}
}
func (w *thrift) sub(id int16, f func()) { w.field(id, 12); w.elem(f) }
func (w *thrift) elem(f func()) {
	w.last = append(w.last, 0)
	f()
	w.last = w.last[:len(w.last)-1]
	w.b = append(w.b, 0)
}
func (w *thrift) list(id int16, n int) {
	w.field(id, 9)
	w.b = append(w.b, 0xfc)
	w.b = binary.AppendUvarint(w.b, uint64(n))
}

// spec declares a column of a schema.
type spec struct {
	name             string
	typ              metadata.Type
	length           int32
	optional         bool
	converted        int32 // ConvertedType; 0 means none (UTF8 is given as logical 1)
	precision, scale int32
	logical          int16           // member of LogicalType; 0 means none
	params           func(w *thrift) // its parameters
}

// schemaOf parses a footer that declares columns, so that they are what the
// metadata package makes of them.
func schemaOf(t fataler, specs ...spec) *metadata.Schema {
	t.Helper()
	w := &thrift{}
	w.i32(1, 1)
	w.list(2, len(specs)+1)
	w.elem(func() { w.str(4, "root"); w.i32(5, int32(len(specs))) })
	for _, s := range specs {
		w.elem(func() {
			w.i32(1, int32(s.typ))
			w.i32(2, s.length)
			if s.optional {
				w.i32(3, 1)
			} else {
				w.i32(3, 0)
			}
			w.str(4, s.name)
			if s.converted > 0 {
				w.i32(6, s.converted)
				w.i32(7, s.scale)
				w.i32(8, s.precision)
			}
			if s.logical > 0 {
				w.sub(10, func() {
					w.sub(s.logical, func() {
						if s.params != nil {
							s.params(w)
						}
					})
				})
			}
		})
	}
	w.i64(3, 0)
	w.list(4, 0)
	f, err := metadata.ParseFooter(append(w.b, 0), int64(len(w.b)+100))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Schema.Columns {
		if c.Problem != "" {
			t.Fatalf("%s: %s", c.Name, c.Problem)
		}
	}
	return f.Schema
}

// columnOf makes a column of its own.
func columnOf(t fataler, s spec) *metadata.Column {
	if s.name == "" {
		s.name = "c"
	}
	return schemaOf(t, s).Columns[0]
}

// pageSpec is a data page to be written.
type pageSpec struct {
	values [][]byte // nil is a null
	v2     bool
	crc    bool
	dict   [][]byte // of the chunk; nil for PLAIN
	codec  metadata.Codec
}

func plain(col *metadata.Column, values [][]byte) []byte {
	var out []byte
	if col.Type == metadata.Boolean {
		n := 0
		for _, v := range values {
			if v == nil {
				continue
			}
			if n%8 == 0 {
				out = append(out, 0)
			}
			out[n/8] |= v[0] << (n % 8)
			n++
		}
		return out
	}
	for _, v := range values {
		if v != nil && col.Type == metadata.ByteArray {
			out = binary.LittleEndian.AppendUint32(out, uint32(len(v)))
		}
		out = append(out, v...)
	}
	return out
}

// hybrid writes values of width bits: runs of four and more as RLE where they
// start at a multiple of eight, groups of eight bit-packed otherwise.
func hybrid(values []uint32, width int) (out []byte) {
	for len(values) > 0 {
		same := 1
		for same < len(values) && values[same] == values[0] {
			same++
		}
		if same >= 4 {
			out = binary.AppendUvarint(out, uint64(same)<<1)
			for b := 0; b < width; b += 8 {
				out = append(out, byte(values[0]>>b))
			}
			values = values[same:]
			continue
		}
		n := min(8, len(values))
		var word [32]byte
		for i, v := range values[:n] {
			for b := range width {
				if v>>b&1 != 0 {
					word[(i*width+b)/8] |= 1 << ((i*width + b) % 8)
				}
			}
		}
		out = append(append(out, 1<<1|1), word[:width]...)
		values = values[n:]
	}
	return out
}

func indices(values, dict [][]byte) []byte {
	var ix []uint32
	for _, v := range values {
		if v != nil {
			for k, d := range dict {
				if bytes.Equal(d, v) {
					ix = append(ix, uint32(k))
					break
				}
			}
		}
	}
	width := 1
	for len(dict) > 1<<width {
		width++
	}
	return append([]byte{byte(width)}, hybrid(ix, width)...)
}

func levels(values [][]byte) []byte {
	bits := make([]uint32, len(values))
	for i, v := range values {
		if v != nil {
			bits[i] = 1
		}
	}
	return hybrid(bits, 1)
}

// write writes a page, its header included.
func (p pageSpec) write(col *metadata.Column) []byte {
	encoding, body := metadata.Plain, plain(col, p.values)
	if p.dict != nil {
		encoding, body = metadata.RLEDictionary, indices(p.values, p.dict)
	}
	var def []byte
	if col.MaxDef > 0 {
		def = levels(p.values)
	}
	h := rawPage{typ: metadata.DataPage, rows: int32(len(p.values)), encoding: encoding, codec: p.codec, crc: p.crc}
	if p.v2 {
		h.typ, h.def, h.body = metadata.DataPageV2, def, body
	} else {
		if col.MaxDef > 0 {
			body = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(def))), def...), body...)
		}
		h.body = body
	}
	return h.bytes()
}

// rawPage is a page of any content.
type rawPage struct {
	typ       metadata.PageType
	rows      int32
	encoding  metadata.Encoding
	def, body []byte
	codec     metadata.Codec
	crc       bool
}

func (p rawPage) bytes() []byte {
	full := len(p.def) + len(p.body)
	body := p.body
	if p.codec == metadata.Snappy {
		body = snappy.Encode(nil, body)
	}
	body = append(bytes.Clone(p.def), body...)
	w := &thrift{}
	w.i32(1, int32(p.typ))
	w.i32(2, int32(full))
	w.i32(3, int32(len(body)))
	if p.crc {
		w.i32(4, int32(crc32.ChecksumIEEE(body)))
	}
	switch p.typ {
	case metadata.DataPage:
		w.sub(5, func() { w.i32(1, p.rows); w.i32(2, int32(p.encoding)); w.i32(3, 3); w.i32(4, 3) })
	case metadata.DictionaryPage:
		w.sub(7, func() { w.i32(1, p.rows); w.i32(2, int32(p.encoding)) })
	case metadata.DataPageV2:
		w.sub(8, func() {
			w.i32(1, p.rows)
			w.i32(2, 0)
			w.i32(3, p.rows)
			w.i32(4, int32(p.encoding))
			w.i32(5, int32(len(p.def)))
			w.i32(6, 0)
			w.bool(7, p.codec != metadata.Uncompressed)
		})
	}
	return append(append(w.b, 0), body...)
}

func dictionaryPage(col *metadata.Column, dict [][]byte, codec metadata.Codec) []byte {
	return rawPage{typ: metadata.DictionaryPage, rows: int32(len(dict)), body: plain(col, dict), codec: codec}.bytes()
}

// randomValue draws a value in the form that vectors store.
func randomValue(r *rand.Rand, col *metadata.Column) []byte {
	n := col.Width()
	if n < 0 {
		n = r.IntN(12)
	}
	v := make([]byte, n)
	for i := range v {
		v[i] = byte(r.Uint32())
	}
	if col.Type == metadata.Boolean {
		v[0] &= 1
	}
	return v
}

func allocated(f func()) int64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return int64(b.TotalAlloc - a.TotalAlloc)
}
