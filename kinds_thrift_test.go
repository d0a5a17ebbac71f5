package pare_test

import (
	"encoding/binary"

	"github.com/parequet/pare/metadata"
)

// thriftWriter writes the Thrift compact protocol.
type thriftWriter struct {
	b    []byte
	last []int16 // id of the last field, by nesting
}

const (
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftSub    = 12
)

func thriftStruct(f func(w *thriftWriter)) []byte {
	w := &thriftWriter{last: []int16{0}}
	f(w)
	return append(w.b, 0)
}

func (w *thriftWriter) uvarint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }
func (w *thriftWriter) varint(v int64)   { w.b = binary.AppendVarint(w.b, v) }

func (w *thriftWriter) field(id int16, typ byte) {
	last := &w.last[len(w.last)-1]
	if d := id - *last; d > 0 && d <= 15 {
		w.b = append(w.b, byte(d)<<4|typ)
	} else {
		w.b = append(w.b, typ)
		w.varint(int64(id))
	}
	*last = id
}

func (w *thriftWriter) i32(id int16, v int32) { w.field(id, thriftI32); w.varint(int64(v)) }
func (w *thriftWriter) i64(id int16, v int64) { w.field(id, thriftI64); w.varint(v) }

func (w *thriftWriter) bool(id int16, v bool) {
	if v {
		w.field(id, 1)
	} else {
		w.field(id, 2)
	}
}

func (w *thriftWriter) i8(id int16, v int8) {
	w.field(id, 3)
	w.b = append(w.b, byte(v))
}

// bytes leaves the field out if v is nil.
func (w *thriftWriter) bytes(id int16, v []byte) {
	if v != nil {
		w.field(id, thriftBinary)
		w.binary(v)
	}
}

func (w *thriftWriter) binary(v []byte) {
	w.uvarint(uint64(len(v)))
	w.b = append(w.b, v...)
}

func (w *thriftWriter) sub(id int16, f func(w *thriftWriter)) {
	w.field(id, thriftSub)
	w.elem(f)
}

func (w *thriftWriter) elem(f func(w *thriftWriter)) {
	w.last = append(w.last, 0)
	if f != nil {
		f(w)
	}
	w.last = w.last[:len(w.last)-1]
	w.b = append(w.b, 0)
}

func (w *thriftWriter) list(id int16, typ byte, n int) {
	w.field(id, thriftList)
	w.b = append(w.b, 0xf0|typ)
	w.uvarint(uint64(n))
}

// Logical types, as fields of a schema element.

func asString(w *thriftWriter) {
	w.i32(6, 0)
	w.sub(10, func(w *thriftWriter) { w.sub(1, nil) })
}

func asDecimal(precision, scale int32) func(w *thriftWriter) {
	return func(w *thriftWriter) {
		w.i32(6, 5)
		w.i32(7, scale)
		w.i32(8, precision)
		w.sub(10, func(w *thriftWriter) { w.sub(5, func(w *thriftWriter) { w.i32(1, scale); w.i32(2, precision) }) })
	}
}

func asDate(w *thriftWriter) { w.sub(10, func(w *thriftWriter) { w.sub(6, nil) }) }

// asTimestamp has unit 1 for milliseconds, 2 for micro-, 3 for nanoseconds.
func asTimestamp(utc bool, unit int16) func(w *thriftWriter) {
	return func(w *thriftWriter) {
		w.sub(10, func(w *thriftWriter) {
			w.sub(8, func(w *thriftWriter) { w.bool(1, utc); w.sub(2, func(w *thriftWriter) { w.sub(unit, nil) }) })
		})
	}
}

func asInteger(bits int8, signed bool) func(w *thriftWriter) {
	return func(w *thriftWriter) {
		w.sub(10, func(w *thriftWriter) { w.sub(10, func(w *thriftWriter) { w.i8(1, bits); w.bool(2, signed) }) })
	}
}

func asUUID(w *thriftWriter) { w.sub(10, func(w *thriftWriter) { w.sub(14, nil) }) }

// footer writes what the file says of itself.
func (f kindFile) footer(groups int) []byte {
	return thriftStruct(func(w *thriftWriter) {
		w.i32(1, 2)
		w.list(2, thriftSub, 1+len(f.columns))
		w.elem(func(w *thriftWriter) { w.bytes(4, txt("schema")); w.i32(5, int32(len(f.columns))) })
		for i := range f.columns {
			w.elem(f.columns[i].schema)
		}
		rows := func(g int) int64 {
			n := f.columns[0].chunks[g].rows
			if f.numRows != nil {
				n = f.numRows(g, n)
			}
			return n
		}
		total := int64(0)
		for g := range groups {
			total += rows(g)
		}
		w.i64(3, total)
		w.list(4, thriftSub, groups)
		for g := range groups {
			w.elem(func(w *thriftWriter) {
				w.list(1, thriftSub, len(f.columns))
				for i := range f.columns {
					w.elem(func(w *thriftWriter) { f.columns[i].footer(w, g) })
				}
				w.i64(2, 1)
				w.i64(3, rows(g))
				if f.rowGroup != nil {
					f.rowGroup(w)
				}
			})
		}
		if f.createdBy != "" {
			w.bytes(6, txt(f.createdBy))
		}
		if !f.noOrders {
			w.list(7, thriftSub, len(f.columns))
			for range f.columns {
				w.elem(func(w *thriftWriter) { w.sub(1, nil) })
			}
		}
	})
}

func (c *kindColumn) schema(w *thriftWriter) {
	w.i32(1, int32(c.typ))
	if c.length > 0 {
		w.i32(2, c.length)
	}
	repetition := metadata.Required
	if c.optional {
		repetition = metadata.Optional
	}
	w.i32(3, int32(repetition))
	w.bytes(4, txt(c.name))
	if c.element != nil {
		c.element(w)
	}
}

// footer writes a column chunk.
func (c *kindColumn) footer(w *thriftWriter, g int) {
	k := &c.chunks[g]
	w.i64(2, 0)
	w.sub(3, func(w *thriftWriter) {
		w.i32(1, int32(c.typ))
		encodings := c.encodings
		if encodings == nil {
			encodings = []metadata.Encoding{metadata.Plain, metadata.RLE, metadata.RLEDictionary}
		}
		w.list(2, thriftI32, len(encodings))
		for _, e := range encodings {
			w.varint(int64(e))
		}
		w.list(3, thriftBinary, 1)
		w.binary(txt(c.name))
		w.i32(4, 0)
		w.i64(5, k.values)
		w.i64(6, k.size)
		w.i64(7, k.size)
		w.i64(9, k.data)
		if k.dictionary > 0 {
			w.i64(11, k.dictionary)
		}
		w.sub(12, func(w *thriftWriter) { writeStatistics(w, &k.stats) })
		if k.encodingStats != nil {
			w.list(13, thriftSub, len(k.encodingStats))
			for _, s := range k.encodingStats {
				w.elem(func(w *thriftWriter) { w.i32(1, int32(s.PageType)); w.i32(2, int32(s.Encoding)); w.i32(3, s.Count) })
			}
		}
		if k.bloomAt > 0 {
			w.i64(14, k.bloomAt)
			if k.bloomLength != 0 {
				w.i32(15, k.bloomLength)
			}
		}
	})
	if k.offsets != nil {
		w.i64(4, k.oi[0])
		w.i32(5, int32(k.oi[1]))
	}
	if k.bounds != nil {
		w.i64(6, k.ci[0])
		w.i32(7, int32(k.ci[1]))
	}
}

func writeStatistics(w *thriftWriter, s *metadata.Statistics) {
	w.bytes(1, s.Max)
	w.bytes(2, s.Min)
	if s.NullCount != nil {
		w.i64(3, *s.NullCount)
	}
	w.bytes(5, s.MaxValue)
	w.bytes(6, s.MinValue)
	if s.MaxExact != nil {
		w.bool(7, *s.MaxExact)
	}
	if s.MinExact != nil {
		w.bool(8, *s.MinExact)
	}
	if s.NaNCount != nil {
		w.i64(9, *s.NaNCount)
	}
}

func offsetIndexBytes(x *metadata.OffsetIndex) []byte {
	return thriftStruct(func(w *thriftWriter) {
		w.list(1, thriftSub, len(x.Pages))
		for _, p := range x.Pages {
			w.elem(func(w *thriftWriter) { w.i64(1, p.Offset); w.i32(2, int32(p.Length)); w.i64(3, p.FirstRow) })
		}
	})
}

func columnIndexBytes(x *metadata.ColumnIndex) []byte {
	return thriftStruct(func(w *thriftWriter) {
		if x.NullPages != nil {
			w.list(1, 1, len(x.NullPages))
			for _, n := range x.NullPages {
				w.b = append(w.b, map[bool]byte{true: 1, false: 2}[n])
			}
		}
		for i, vs := range [][][]byte{x.Min, x.Max} {
			w.list(int16(2+i), thriftBinary, len(vs))
			for _, v := range vs {
				w.binary(v)
			}
		}
		w.i32(4, int32(x.Order))
		if x.NullCounts != nil {
			w.list(5, thriftI64, len(x.NullCounts))
			for _, n := range x.NullCounts {
				w.varint(n)
			}
		}
	})
}
