package metadata

import (
	"math"
)

// eachField calls f for every field of a struct. f must consume the field's
// value or return false, in which case the value is skipped. A field whose
// wire type is not the expected one is skipped by its wire type, so a wrong
// type leaves the field absent instead of derailing the walk.
func (r *thriftReader) eachField(f func(id int16, typ byte) bool) {
	var id int16
	for r.err == nil {
		var typ byte
		id, typ = r.field(id)
		if typ == tStop {
			return
		}
		if !f(id, typ) {
			r.skip(typ)
		}
	}
}

// i32 reads an integer field's value if the wire type is an integer's.
func (r *thriftReader) i32(typ byte, dst *int32) bool {
	if typ != tI32 && typ != tI16 && typ != tI64 {
		return false
	}
	v := r.zigzag()
	if v < math.MinInt32 || v > math.MaxInt32 {
		r.fail(errThriftVarint)
		return true
	}
	*dst = int32(v)
	return true
}

func (r *thriftReader) i64(typ byte, dst *int64) bool {
	if typ != tI32 && typ != tI16 && typ != tI64 {
		return false
	}
	*dst = r.zigzag()
	return true
}

func (r *thriftReader) bool(typ byte, dst *bool) bool {
	if typ != tTrue && typ != tFalse {
		return false
	}
	*dst = typ == tTrue
	return true
}

func (r *thriftReader) binary(typ byte, dst *[]byte) bool {
	if typ != tBinary {
		return false
	}
	*dst = r.bytes()
	return true
}

func (r *thriftReader) string(typ byte, dst *string) bool {
	var b []byte
	if !r.binary(typ, &b) {
		return false
	}
	*dst = string(b)
	return true
}

// structList calls f once per element of a list of structs.
func (r *thriftReader) structList(typ byte, f func(i, n int)) bool {
	if typ != tList {
		return false
	}
	n, et := r.list()
	if et != tStruct && n > 0 {
		r.fail(errThriftType)
		return true
	}
	for i := 0; i < n && r.err == nil; i++ {
		f(i, n)
	}
	return true
}

// i64List reads a list of integers.
func (r *thriftReader) i64List(typ byte, dst *[]int64) bool {
	if typ != tList {
		return false
	}
	n, et := r.list()
	if n > 0 && et != tI64 && et != tI32 && et != tI16 {
		r.fail(errThriftType)
		return true
	}
	out := make([]int64, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, r.zigzag())
	}
	*dst = out
	return true
}

func (r *thriftReader) boolList(typ byte, dst *[]bool) bool {
	if typ != tList {
		return false
	}
	n, et := r.list()
	if n > 0 && et != tTrue && et != tFalse {
		r.fail(errThriftType)
		return true
	}
	out := make([]bool, n)
	for i := range out {
		// 1 is true; 0 and 2 are both written for false.
		out[i] = r.byte() == tTrue
	}
	*dst = out
	return true
}

func (r *thriftReader) binaryList(typ byte, dst *[][]byte) bool {
	if typ != tList {
		return false
	}
	n, et := r.list()
	if n > 0 && et != tBinary {
		r.fail(errThriftType)
		return true
	}
	out := make([][]byte, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, r.bytes())
	}
	*dst = out
	return true
}
