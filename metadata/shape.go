package metadata

import "encoding/binary"

// Column chunks of one column look alike from row group to row group: the same
// fields of the same types and lengths, with other numbers in them. A shape is
// what has to be equal for that: walking over a chunk of the same shape takes a
// comparison instead of a walk through its fields.
type shape struct {
	at   int    // where a struct of the shape starts in the footer
	n    int    // its length
	mask []byte // the bits that make it up, as many bytes as n rounded up to stride
}

// stride is how many bytes are compared at a time.
const stride = 32

// The bits of a byte that belong to the shape.
const (
	structural = 0xff // headers of fields and lists, ids, lengths
	varint     = 0x80 // a byte of a number: whether another one follows
	payload    = 0    // bytes of strings and floating-point numbers
)

// follows reports whether a struct of the shape starts at p.
func (s *shape) follows(b []byte, p int) bool {
	n := len(s.mask)
	if s.n == 0 || n > len(b)-p || n > len(b)-s.at {
		return false
	}
	x, y, m := b[p:p+n], b[s.at:s.at+n], s.mask
	for i := 0; i < n; i += stride {
		x, y, m := (*[stride]byte)(x[i:]), (*[stride]byte)(y[i:]), (*[stride]byte)(m[i:])
		if differ(x, y, m, 0)|differ(x, y, m, 8)|differ(x, y, m, 16)|differ(x, y, m, 24) != 0 {
			return false
		}
	}
	return true
}

// differ returns the bits at i of x and y that differ and matter.
func differ(x, y, mask *[stride]byte, i int) uint64 {
	le := binary.LittleEndian
	return (le.Uint64(x[i:i+8]) ^ le.Uint64(y[i:i+8])) & le.Uint64(mask[i:i+8])
}

// shapes are those of the column chunks of the last row group.
type shapes []shape

// skip walks over chunk c of a row group, at once if it has the shape of the
// same chunk of the row group before, or of the chunk before it.
func (ss *shapes) skip(r *thriftReader, c int) {
	for len(*ss) <= c {
		*ss = append(*ss, shape{})
	}
	s := &(*ss)[c]
	start := r.p
	switch {
	case r.err != nil:
		return
	case s.follows(r.b, start):
		r.p += s.n
		return
	case c > 0 && (*ss)[c-1].follows(r.b, start):
		*s = (*ss)[c-1]
		s.at = start
		r.p += s.n
		return
	}
	r.skipStruct(0)
	if r.err == nil {
		s.learn(r.b, start, r.p)
	}
}

// learn takes the shape of the struct in b[from:to], which has been walked over
// without a fault.
func (s *shape) learn(b []byte, from, to int) {
	n := to - from
	s.at, s.n, s.mask = from, n, make([]byte, (n+stride-1)/stride*stride) // other chunks may have the old one
	for i := range s.mask[:n] {
		s.mask[i] = structural
	}
	m := &masker{thriftReader{b: b[:to], p: from}, s.mask, from}
	m.structure()
	if m.r.err != nil || m.r.p != to {
		s.n = 0 // it cannot be; the shape then fits nothing
	}
}

// masker walks over a struct and marks what does not belong to its shape.
type masker struct {
	r    thriftReader
	mask []byte
	base int
}

// number marks the bytes of a varint. The tenth byte of one decides whether it
// overflows, so that it has to be equal.
func (m *masker) number() {
	from := m.r.p
	m.r.uvarint()
	for i := from; i < m.r.p && i < from+binary.MaxVarintLen64-1; i++ {
		m.mask[i-m.base] = varint
	}
}

// bytes marks n bytes of a value.
func (m *masker) bytes(n int) {
	from := m.r.p
	m.r.skipN(n)
	for i := from; i < m.r.p; i++ {
		m.mask[i-m.base] = payload
	}
}

func (m *masker) structure() {
	for m.r.err == nil {
		_, typ := m.r.field(0)
		if typ == tStop {
			return
		}
		m.value(typ)
	}
}

// value marks a field's value.
func (m *masker) value(typ byte) {
	switch typ {
	case tTrue, tFalse: // the type is the value
	case tByte:
		m.bytes(1)
	case tI16, tI32, tI64:
		m.number()
	case tDouble:
		m.bytes(8)
	case tBinary:
		if n := m.r.uvarint(); n <= uint64(len(m.r.b)) {
			m.bytes(int(n))
		} else {
			m.r.fail(errThriftShort)
		}
	case tList, tSet:
		n, et := m.r.list()
		for ; n > 0 && m.r.err == nil; n-- {
			if et == tTrue || et == tFalse {
				m.bytes(1)
			} else {
				m.value(et)
			}
		}
	case tStruct:
		m.structure()
	default: // maps and UUIDs, which no footer has: their bytes have to be equal
		m.r.skip(typ)
	}
}
