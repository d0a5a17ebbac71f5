package corpus

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// nestedType reports whether a type's name is that of a nested type.
func nestedType(name string) bool {
	return strings.HasPrefix(name, "STRUCT(") || strings.HasPrefix(name, "MAP(") || strings.HasPrefix(name, "UNION(") ||
		strings.HasSuffix(name, "]") || name == "VARIANT"
}

// fetchPairs calls f with the rows of a result of two strings.
func fetchPairs(f func(a, b string)) func(*bindings.Result) error {
	return func(res *bindings.Result) error {
		return eachChunk(res, func(chunk bindings.DataChunk, n int) error {
			a := bindings.VectorGetData(bindings.DataChunkGetVector(chunk, 0))
			b := bindings.VectorGetData(bindings.DataChunkGetVector(chunk, 1))
			size := unsafe.Sizeof(bindings.StringT{})
			for i := range uintptr(n) {
				f(string(duckString(unsafe.Add(a, i*size))), string(duckString(unsafe.Add(b, i*size))))
			}
			return nil
		})
	}
}

// fetchInto appends a result to the columns, of which there are as many as
// the result has.
func fetchInto(into []Column) func(*bindings.Result) error {
	return func(res *bindings.Result) error {
		readers := make([]vectorReader, len(into))
		for i := range into {
			var err error
			if readers[i], err = newVectorReader(res, i); err != nil {
				return err
			}
			into[i].Kind = readers[i].kind
		}
		return eachChunk(res, func(chunk bindings.DataChunk, n int) error {
			for i := range into {
				readers[i].appendTo(&into[i], bindings.DataChunkGetVector(chunk, bindings.IdxT(i)), n)
			}
			if len(into[0].Values) > MaxRows {
				return errRows
			}
			return nil
		})
	}
}

// eachChunk fetches a result until its end, or until the error that the
// result then holds.
func eachChunk(res *bindings.Result, f func(chunk bindings.DataChunk, n int) error) error {
	for {
		chunk := bindings.FetchChunk(*res)
		if chunk.Ptr == nil {
			return nil
		}
		err := f(chunk, int(bindings.DataChunkGetSize(chunk)))
		bindings.DestroyDataChunk(&chunk)
		if err != nil {
			return err
		}
	}
}

// vectorReader renders the values of DuckDB vectors of one type: those of one
// value, or what is in each value of a list or struct.
type vectorReader struct {
	kind  Kind
	size  uintptr // bytes of a value
	text  func(p unsafe.Pointer) string
	list  *vectorReader  // of a list's or map's elements
	kids  []vectorReader // of a struct's fields
	names []string
}

// appendTo appends the n values of a vector to a column.
func (r vectorReader) appendTo(c *Column, v bindings.Vector, n int) {
	text := r.of(v)
	for i := range n {
		c.Values = append(c.Values, text(i))
	}
}

// of returns what renders value i of a vector; "" is NULL.
func (r vectorReader) of(v bindings.Vector) func(i int) string {
	data, valid := bindings.VectorGetData(v), bindings.VectorGetValidity(v)
	text := func(i int) string { return r.text(unsafe.Add(data, uintptr(i)*r.size)) }
	switch {
	case r.list != nil:
		element := r.list.of(bindings.ListVectorGetChild(v))
		text = func(i int) string {
			e := (*[2]uint64)(unsafe.Add(data, i*16)) // offset and length
			return listText(int(e[0]), int(e[0]+e[1]), element)
		}
	case r.kids != nil:
		fields := make([]func(i int) string, len(r.kids))
		for k := range fields {
			fields[k] = r.kids[k].of(bindings.StructVectorGetChild(v, bindings.IdxT(k)))
		}
		text = func(i int) string { return structText(r.names, func(k int) string { return fields[k](i) }) }
	}
	return func(i int) string {
		if valid != nil {
			word := *(*uint64)(unsafe.Add(valid, i/64*8))
			if word>>(i%64)&1 == 0 {
				return ""
			}
		}
		return text(i)
	}
}

// newVectorReader chooses how column i of a result is rendered.
func newVectorReader(res *bindings.Result, i int) (vectorReader, error) {
	t := bindings.ColumnLogicalType(res, bindings.IdxT(i))
	defer bindings.DestroyLogicalType(&t)
	return readerOf(t)
}

// nestedReader is readerOf for lists, maps and structs.
func nestedReader(t bindings.LogicalType) (vectorReader, error) {
	kid := func(t bindings.LogicalType) (vectorReader, error) {
		defer bindings.DestroyLogicalType(&t)
		return readerOf(t)
	}
	switch id := bindings.GetTypeId(t); id {
	case bindings.TypeList:
		r, err := kid(bindings.ListTypeChildType(t))
		return vectorReader{kind: nestedKind("list", r.kind), list: &r}, err
	case bindings.TypeMap:
		key, err := kid(bindings.MapTypeKeyType(t))
		if err != nil {
			return key, err
		}
		value, err := kid(bindings.MapTypeValueType(t))
		entry := vectorReader{kind: nestedKind("struct", key.kind, value.kind), kids: []vectorReader{key, value}, names: []string{"key", "value"}}
		return vectorReader{kind: nestedKind("list", entry.kind), list: &entry}, err
	case bindings.TypeStruct:
		r := vectorReader{kids: []vectorReader{}}
		var kinds []Kind
		for k := range bindings.StructTypeChildCount(t) {
			f, err := kid(bindings.StructTypeChildType(t, k))
			if err != nil {
				return f, err
			}
			r.kids, kinds = append(r.kids, f), append(kinds, f.kind)
			r.names = append(r.names, bindings.StructTypeChildName(t, k))
		}
		r.kind = nestedKind("struct", kinds...)
		return r, nil
	default:
		return vectorReader{}, fmt.Errorf("no text form of DuckDB's type %d", id)
	}
}

// readerOf chooses how values of a type are rendered.
func readerOf(t bindings.LogicalType) (vectorReader, error) {
	id := bindings.GetTypeId(t)
	switch id {
	case bindings.TypeSQLNull:
		return fixed(Null, func(int8) string { return "" }), nil
	case bindings.TypeBoolean:
		return fixed(Bool, func(v uint8) string { return boolText(v != 0) }), nil
	case bindings.TypeTinyInt:
		return fixed(Int, decimalDigits[int8]), nil
	case bindings.TypeSmallInt:
		return fixed(Int, decimalDigits[int16]), nil
	case bindings.TypeInteger:
		return fixed(Int, decimalDigits[int32]), nil
	case bindings.TypeBigInt:
		return fixed(Int, decimalDigits[int64]), nil
	case bindings.TypeUTinyInt:
		return fixed(Int, decimalDigits[uint8]), nil
	case bindings.TypeUSmallInt:
		return fixed(Int, decimalDigits[uint16]), nil
	case bindings.TypeUInteger:
		return fixed(Int, decimalDigits[uint32]), nil
	case bindings.TypeUBigInt:
		return fixed(Int, func(v uint64) string { return strconv.FormatUint(v, 10) }), nil
	case bindings.TypeFloat:
		return fixed(Float, func(v float32) string { return floatText(float64(v)) }), nil
	case bindings.TypeDouble:
		return fixed(Float, floatText), nil
	case bindings.TypeDecimal:
		return decimalReader(t)
	case bindings.TypeVarchar, bindings.TypeBlob, bindings.TypeGeometry: // the last is WKB
		return vectorReader{kind: Bytes, size: unsafe.Sizeof(bindings.StringT{}), text: func(p unsafe.Pointer) string {
			return bytesText(duckString(p))
		}}, nil
	case bindings.TypeUUID:
		return fixed(Bytes, uuidText), nil
	case bindings.TypeDate:
		return fixed(Date, decimalDigits[int32]), nil
	case bindings.TypeTime:
		return units(Time, 1e6), nil
	case bindings.TypeTimeNS:
		return units(Time, 1e9), nil
	case bindings.TypeTimeTZ:
		return fixed(Time, timeTZText), nil
	case bindings.TypeTimestampS:
		return units(Timestamp, 1), nil
	case bindings.TypeTimestampMS:
		return units(Timestamp, 1e3), nil
	case bindings.TypeTimestamp:
		return units(Timestamp, 1e6), nil
	case bindings.TypeTimestampNS:
		return units(Timestamp, 1e9), nil
	case bindings.TypeTimestampTZ:
		return units(TimestampTZ, 1e6), nil
	case bindings.TypeInterval:
		return fixed(Interval, func(v duckInterval) string {
			return intervalText(int64(v.months), int64(v.days), v.micros*1000)
		}), nil
	}
	return nestedReader(t)
}

// fixed reads values of the fixed-width type T.
func fixed[T any](kind Kind, text func(T) string) vectorReader {
	var t T
	return vectorReader{kind: kind, size: unsafe.Sizeof(t), text: func(p unsafe.Pointer) string { return text(*(*T)(p)) }}
}

func units(kind Kind, perSecond int64) vectorReader {
	return fixed(kind, func(v int64) string { return unitText(v, perSecond) })
}

func decimalDigits[T integer](v T) string { return strconv.FormatInt(int64(v), 10) }

// hugeint and duckInterval are DuckDB's layouts.
type (
	hugeint struct {
		lower uint64
		upper int64
	}
	duckInterval struct {
		months, days int32
		micros       int64
	}
)

func (h hugeint) big() *big.Int {
	b := new(big.Int).Lsh(big.NewInt(h.upper), 64)
	return b.Add(b, new(big.Int).SetUint64(h.lower))
}

// duckString is a view of a string_t: a length, then up to 12 bytes in place or
// 4 bytes of prefix and a pointer.
func duckString(p unsafe.Pointer) []byte {
	n := int(*(*uint32)(p))
	if n <= 12 {
		return unsafe.Slice((*byte)(unsafe.Add(p, 4)), n)
	}
	return unsafe.Slice(*(**byte)(unsafe.Add(p, 8)), n)
}

// uuidText undoes the flipped bit that makes DuckDB's UUIDs sort as integers.
func uuidText(h hugeint) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(h.upper)^1<<63)
	return bytesText(binary.BigEndian.AppendUint64(b, h.lower))
}

// timeTZText renders a time with an offset, which is always UTC in Parquet:
// the upper 40 bits are microseconds.
func timeTZText(v uint64) string { return unitText(int64(v>>24), 1e6) }

func decimalReader(t bindings.LogicalType) (vectorReader, error) {
	scale := int(bindings.DecimalScale(t))
	small := func(v int64) string { return decimalText(big.NewInt(v), scale) }
	switch in := bindings.DecimalInternalType(t); in {
	case bindings.TypeSmallInt:
		return fixed(Decimal, func(v int16) string { return small(int64(v)) }), nil
	case bindings.TypeInteger:
		return fixed(Decimal, func(v int32) string { return small(int64(v)) }), nil
	case bindings.TypeBigInt:
		return fixed(Decimal, small), nil
	case bindings.TypeHugeInt:
		return fixed(Decimal, func(v hugeint) string { return decimalText(v.big(), scale) }), nil
	default:
		return vectorReader{}, fmt.Errorf("decimals in type %d", in)
	}
}
