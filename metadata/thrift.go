package metadata

import (
	"encoding/binary"
	"errors"
	"math"
)

// Thrift compact protocol, the reading half, as Parquet uses it.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
//
// thriftReader is bounds-checked and has a sticky error: after the first fault
// every read returns a zero value and the position no longer moves, so callers
// check err once per struct. Byte slices that it returns alias the input.
type thriftReader struct {
	b   []byte
	p   int
	err error
}

// Wire types of the compact protocol.
const (
	tStop   = 0
	tTrue   = 1
	tFalse  = 2
	tByte   = 3
	tI16    = 4
	tI32    = 5
	tI64    = 6
	tDouble = 7
	tBinary = 8
	tList   = 9
	tSet    = 10
	tMap    = 11
	tStruct = 12
	tUUID   = 13
)

// maxThriftDepth bounds the nesting of skipped values; Parquet's own structs
// nest six deep.
const maxThriftDepth = 32

var (
	errThriftShort  = errors.New("thrift: unexpected end of bytes")
	errThriftVarint = errors.New("thrift: varint too long")
	errThriftType   = errors.New("thrift: bad wire type")
	errThriftDepth  = errors.New("thrift: nested too deep")
	errThriftList   = errors.New("thrift: list longer than the bytes that could hold it")
	errThriftID     = errors.New("thrift: bad field id")
)

func (r *thriftReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *thriftReader) byte() byte {
	if r.err != nil || r.p >= len(r.b) {
		r.fail(errThriftShort)
		return 0
	}
	c := r.b[r.p]
	r.p++
	return c
}

func (r *thriftReader) uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	if r.p < len(r.b) && r.b[r.p] < 0x80 { // one byte is by far the commonest
		c := r.b[r.p]
		r.p++
		return uint64(c)
	}
	v, n := binary.Uvarint(r.b[r.p:])
	switch {
	case n == 0:
		r.fail(errThriftShort)
	case n < 0:
		r.fail(errThriftVarint)
	default:
		r.p += n
		return v
	}
	return 0
}

func (r *thriftReader) zigzag() int64 { return unzigzag(r.uvarint()) }

func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// bytes returns a length-prefixed byte string, as a view of the input.
func (r *thriftReader) bytes() []byte {
	n := r.uvarint()
	if r.err != nil {
		return nil
	}
	if n > uint64(len(r.b)-r.p) {
		r.fail(errThriftShort)
		return nil
	}
	v := r.b[r.p : r.p+int(n) : r.p+int(n)]
	r.p += int(n)
	return v
}

func (r *thriftReader) skipN(n int) {
	if r.err != nil {
		return
	}
	if n > len(r.b)-r.p {
		r.fail(errThriftShort)
		return
	}
	r.p += n
}

func (r *thriftReader) double() float64 {
	if r.err != nil || len(r.b)-r.p < 8 {
		r.fail(errThriftShort)
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.b[r.p:]))
	r.p += 8
	return v
}

// field reads a field header. It returns tStop at the end of the struct and
// after a fault. prev is the id of the field before.
func (r *thriftReader) field(prev int16) (id int16, typ byte) {
	h := r.byte()
	if r.err != nil || h == tStop {
		return 0, tStop
	}
	if typ = h & 0x0f; typ == tStop { // a stop has no id
		r.fail(errThriftType)
		return 0, tStop
	}
	if d := h >> 4; d != 0 {
		id = prev + int16(d)
	} else {
		v := r.zigzag()
		if v < math.MinInt16 || v > math.MaxInt16 {
			r.fail(errThriftID)
			return 0, tStop
		}
		id = int16(v)
	}
	return id, typ
}

// list reads a list header. The count is checked against the bytes that are
// left: an element of any type takes at least one byte.
func (r *thriftReader) list() (n int, typ byte) {
	h := r.byte()
	if r.err != nil {
		return 0, 0
	}
	typ = h & 0x0f
	c := uint64(h >> 4)
	if c == 15 {
		c = r.uvarint()
	}
	if r.err == nil && c > uint64(len(r.b)-r.p) {
		r.fail(errThriftList)
	}
	if r.err != nil {
		return 0, 0
	}
	return int(c), typ
}

// skip walks over a value of the given type.
func (r *thriftReader) skip(typ byte) { r.skipDepth(typ, 0) }

func (r *thriftReader) skipDepth(typ byte, depth int) {
	if r.err != nil {
		return
	}
	if depth > maxThriftDepth {
		r.fail(errThriftDepth)
		return
	}
	switch typ {
	case tTrue, tFalse:
	case tByte:
		r.skipN(1)
	case tI16, tI32, tI64:
		r.uvarint()
	case tDouble:
		r.skipN(8)
	case tUUID:
		r.skipN(16)
	case tBinary:
		r.bytes()
	case tList, tSet:
		n, et := r.list()
		r.skipElems(n, et, depth)
	case tMap:
		n := r.uvarint()
		if n == 0 || r.err != nil {
			return
		}
		kv := r.byte()
		if n > uint64(len(r.b)-r.p) {
			r.fail(errThriftList)
			return
		}
		for i := uint64(0); i < n && r.err == nil; i++ {
			r.skipElems(1, kv>>4, depth)
			r.skipElems(1, kv&0x0f, depth)
		}
	case tStruct:
		r.skipStruct(depth)
	default:
		r.fail(errThriftType)
	}
}

// skipElems skips n list elements. Unlike a boolean field, whose value is its
// wire type, a boolean element takes a byte.
func (r *thriftReader) skipElems(n int, et byte, depth int) {
	switch et {
	case tTrue, tFalse, tByte:
		r.skipN(n)
	case tDouble:
		r.skipN(n * 8)
	default:
		for i := 0; i < n && r.err == nil; i++ {
			r.skipDepth(et, depth+1)
		}
	}
}

// skipStruct is the hot loop of walking a wide footer: the usual field header
// (one byte) and the usual scalars are handled in place.
func (r *thriftReader) skipStruct(depth int) {
	for r.err == nil {
		h := r.byte()
		if h == tStop {
			return
		}
		if h>>4 == 0 {
			r.zigzag()
		}
		switch t := h & 0x0f; t {
		case tI32, tI64, tI16:
			r.uvarint()
		case tBinary:
			r.bytes()
		case tTrue, tFalse:
		default:
			r.skipDepth(t, depth+1)
		}
	}
}
