package metadata

import (
	"encoding/binary"
	"math"
)

// A small writer of the Thrift compact protocol, to craft metadata that no
// library would write.
type crafter struct {
	b    []byte
	last []int16 // id of the last field, by nesting
}

// fields writes a struct: the fields that f adds, then the stop byte.
func fields(f func(w *crafter)) []byte {
	w := &crafter{last: []int16{0}}
	f(w)
	return append(w.b, tStop)
}

func (w *crafter) uvarint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }
func (w *crafter) varint(v int64)   { w.b = binary.AppendVarint(w.b, v) }

// field writes a field header, in the short form where that is possible.
func (w *crafter) field(id int16, typ byte) {
	last := &w.last[len(w.last)-1]
	if d := id - *last; d > 0 && d <= 15 {
		w.b = append(w.b, byte(d)<<4|typ)
	} else {
		w.b = append(w.b, typ)
		w.varint(int64(id))
	}
	*last = id
}

func (w *crafter) i32(id int16, v int32) { w.field(id, tI32); w.varint(int64(v)) }
func (w *crafter) i64(id int16, v int64) { w.field(id, tI64); w.varint(v) }
func (w *crafter) byteField(id int16, v byte) {
	w.field(id, tByte)
	w.b = append(w.b, v)
}

func (w *crafter) bool(id int16, v bool) {
	if v {
		w.field(id, tTrue)
	} else {
		w.field(id, tFalse)
	}
}

func (w *crafter) bytes(id int16, v []byte) {
	w.field(id, tBinary)
	w.uvarint(uint64(len(v)))
	w.b = append(w.b, v...)
}

// optBytes leaves the field out if v is nil.
func (w *crafter) optBytes(id int16, v []byte) {
	if v != nil {
		w.bytes(id, v)
	}
}

func (w *crafter) str(id int16, v string) { w.bytes(id, []byte(v)) }

func (w *crafter) double(id int16, v float64) {
	w.field(id, tDouble)
	w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(v))
}

// sub writes a struct as a field.
func (w *crafter) sub(id int16, f func(w *crafter)) {
	w.field(id, tStruct)
	w.elem(f)
}

// elem writes a struct as an element of a list.
func (w *crafter) elem(f func(w *crafter)) {
	w.last = append(w.last, 0)
	if f != nil {
		f(w)
	}
	w.last = w.last[:len(w.last)-1]
	w.b = append(w.b, tStop)
}

// list writes the header of a list field.
func (w *crafter) list(id int16, typ byte, n int) {
	w.field(id, tList)
	w.listHeader(typ, n)
}

func (w *crafter) listHeader(typ byte, n int) {
	if n < 15 {
		w.b = append(w.b, byte(n)<<4|typ)
		return
	}
	w.b = append(w.b, 0xf0|typ)
	w.uvarint(uint64(n))
}

func (w *crafter) i64s(id int16, vs ...int64) {
	w.list(id, tI64, len(vs))
	for _, v := range vs {
		w.varint(v)
	}
}

func (w *crafter) i32s(id int16, vs ...int32) {
	w.list(id, tI32, len(vs))
	for _, v := range vs {
		w.varint(int64(v))
	}
}

// bools writes a list of booleans; no is the byte for false: 0 or 2.
func (w *crafter) bools(id int16, no byte, vs ...bool) {
	w.list(id, tTrue, len(vs))
	for _, v := range vs {
		if v {
			w.b = append(w.b, 1)
		} else {
			w.b = append(w.b, no)
		}
	}
}

func (w *crafter) binaries(id int16, vs ...[]byte) {
	w.list(id, tBinary, len(vs))
	for _, v := range vs {
		w.uvarint(uint64(len(v)))
		w.b = append(w.b, v...)
	}
}

// junk adds fields of every wire type whose ids no version of the format has.
func (w *crafter) junk() {
	w.bool(1001, true)
	w.bool(1002, false)
	w.byteField(1003, 7)
	w.field(1004, tI16)
	w.varint(-3)
	w.i32(1005, math.MinInt32)
	w.i64(1006, math.MaxInt64)
	w.double(1007, math.Pi)
	w.str(1008, "junk")
	w.i64s(1009, 1, 2, 3)
	w.bools(1010, 2, true, false)
	w.field(1011, tSet)
	w.listHeader(tByte, 3)
	w.b = append(w.b, 1, 2, 3)
	w.field(1012, tMap)
	w.b = append(w.b, 2, tBinary<<4|tStruct, 1, 'k', tStop, 1, 'l', tStop)
	w.field(1013, tMap)
	w.b = append(w.b, 0)
	w.sub(1014, func(w *crafter) {
		w.sub(1, func(w *crafter) { w.list(3, tDouble, 1); w.b = append(w.b, 1, 2, 3, 4, 5, 6, 7, 8) })
	})
	w.field(1015, tUUID)
	w.b = append(w.b, make([]byte, 16)...)
	w.list(1016, tList, 2)
	w.listHeader(tI32, 1)
	w.varint(5)
	w.listHeader(tTrue, 2)
	w.b = append(w.b, 1, 2)
	w.list(1017, tStruct, 16)
	for range 16 {
		w.elem(func(w *crafter) { w.bool(1, true); w.str(7, "x") })
	}
	w.i32(-5, 1)
}

// columnSpec is a leaf below the root and its chunk in the only row group.
type columnSpec struct {
	name    string
	typ     Type
	length  int32
	rep     Repetition
	element func(w *crafter) // more fields of the schema element
	meta    func(w *crafter) // more fields of the chunk's metadata, ids above 9
	chunk   func(w *crafter) // more fields of the chunk, ids above 3
}

// fileSpec is a file of one row group.
type fileSpec struct {
	columns   []columnSpec
	rows      int64
	createdBy string
	orders    int // member of ColumnOrder for every column; 0 leaves the list out
	junk      bool
}

const (
	craftedSize  = 100_000 // of the file that a crafted footer pretends to end
	craftedStart = 4
	craftedBytes = 1000 // of a chunk
)

func (s fileSpec) footer() []byte {
	return fields(func(w *crafter) {
		w.i32(1, 2)
		w.list(2, tStruct, len(s.columns)+1)
		w.elem(func(w *crafter) { w.str(4, "root"); w.i32(5, int32(len(s.columns))) })
		for _, c := range s.columns {
			w.elem(c.schema)
		}
		w.i64(3, s.rows)
		w.list(4, tStruct, 1)
		w.elem(func(w *crafter) {
			w.list(1, tStruct, len(s.columns))
			for i, c := range s.columns {
				w.elem(func(w *crafter) { c.write(w, i, s) })
			}
			w.i64(2, 12345)
			w.i64(3, s.rows)
		})
		if s.createdBy != "" {
			w.str(6, s.createdBy)
		}
		if s.orders > 0 {
			w.list(7, tStruct, len(s.columns))
			for range s.columns {
				w.elem(func(w *crafter) { w.sub(int16(s.orders), nil) })
			}
		}
		if s.junk {
			w.junk()
		}
	})
}

func (c columnSpec) schema(w *crafter) {
	w.i32(1, int32(c.typ))
	w.i32(2, c.length)
	w.i32(3, int32(c.rep))
	w.str(4, c.name)
	if c.element != nil {
		c.element(w)
	}
}

func (c columnSpec) write(w *crafter, i int, s fileSpec) {
	start := craftedStart + int64(i)*craftedBytes
	w.i64(2, start)
	w.sub(3, func(w *crafter) {
		w.i32(1, int32(c.typ))
		w.i32s(2, int32(Plain), int32(RLE))
		w.list(3, tBinary, 1)
		w.uvarint(uint64(len(c.name)))
		w.b = append(w.b, c.name...)
		w.i32(4, int32(Snappy))
		w.i64(5, s.rows)
		w.i64(6, 2*craftedBytes)
		w.i64(7, craftedBytes)
		w.i64(9, start)
		if c.meta != nil {
			c.meta(w)
		}
		if s.junk {
			w.junk()
		}
	})
	if c.chunk != nil {
		c.chunk(w)
	}
	if s.junk {
		w.junk()
	}
}

// stats crafts a Statistics struct as field 12 of a chunk's metadata; nil
// slices and pointers are left out.
func stats(s Statistics) func(w *crafter) {
	return func(w *crafter) { w.sub(12, s.craft) }
}

func (s Statistics) craft(w *crafter) {
	optI64 := func(id int16, v *int64) {
		if v != nil {
			w.i64(id, *v)
		}
	}
	w.optBytes(1, s.Max)
	w.optBytes(2, s.Min)
	optI64(3, s.NullCount)
	optI64(4, s.DistinctCount)
	w.optBytes(5, s.MaxValue)
	w.optBytes(6, s.MinValue)
	if s.MaxExact != nil {
		w.bool(7, *s.MaxExact)
	}
	if s.MinExact != nil {
		w.bool(8, *s.MinExact)
	}
	optI64(9, s.NaNCount)
}

func ptr[T any](v T) *T { return &v }
