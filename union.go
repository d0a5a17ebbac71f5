package pare

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// common returns the type to which values of both types widen without loss, if
// there is one: the wider of two integers or floats, a float for integers that it
// holds, the finer of two units of time, more digits of a decimal before its point;
// structs have the fields of both.
func common(a, b arrow.DataType) (arrow.DataType, bool) {
	if arrow.TypeEqual(a, b) {
		return a, true
	}
	if a.ID() == arrow.NULL {
		return b, true
	}
	if b.ID() == arrow.NULL {
		return a, true
	}
	if widens(a, b) {
		return b, true
	}
	if widens(b, a) {
		return a, true
	}
	switch x := a.(type) {
	case *arrow.Decimal128Type:
		if y, ok := b.(*arrow.Decimal128Type); ok && x.Scale == y.Scale {
			return &arrow.Decimal128Type{Precision: max(x.Precision, y.Precision), Scale: x.Scale}, true
		}
	case *arrow.StructType:
		if y, ok := b.(*arrow.StructType); ok {
			return commonStruct(x, y)
		}
	case *arrow.ListType:
		if y, ok := b.(*arrow.ListType); ok {
			e, same := commonField(x.ElemField(), y.ElemField())
			return arrow.ListOfField(e), same
		}
	}
	return nil, false
}

func commonStruct(x, y *arrow.StructType) (arrow.DataType, bool) {
	var fields []arrow.Field
	for _, f := range x.Fields() {
		if i, ok := y.FieldIdx(f.Name); ok {
			var same bool
			if f, same = commonField(f, y.Field(i)); !same {
				return nil, false
			}
		} else {
			f.Nullable = true
		}
		fields = append(fields, f)
	}
	for _, f := range y.Fields() {
		if _, ok := x.FieldIdx(f.Name); !ok {
			f.Nullable = true
			fields = append(fields, f)
		}
	}
	return arrow.StructOf(fields...), true
}

// commonField is common of two fields of one name; the first's metadata stay.
func commonField(a, b arrow.Field) (arrow.Field, bool) {
	t, ok := common(a.Type, b.Type)
	a.Type, a.Nullable = t, a.Nullable || b.Nullable
	return a, ok
}

// numbers are how many bits of an integer a type holds, signed or not.
var numbers = map[arrow.Type]struct{ signed, unsigned int }{
	arrow.INT8: {8, 0}, arrow.INT16: {16, 8}, arrow.INT32: {32, 16}, arrow.INT64: {64, 32},
	arrow.UINT8: {0, 8}, arrow.UINT16: {0, 16}, arrow.UINT32: {0, 32}, arrow.UINT64: {0, 64},
	arrow.FLOAT32: {16, 16}, arrow.FLOAT64: {32, 32},
}

// widens reports whether values of one type can be converted to the other by
// [widen].
func widens(from, to arrow.DataType) bool {
	f, known := numbers[from.ID()]
	t, wide := numbers[to.ID()]
	switch {
	case from.ID() == arrow.FLOAT32:
		return to.ID() == arrow.FLOAT64
	case from.ID() == arrow.FLOAT64 || !known || !wide:
	default:
		return f.signed <= t.signed && (f.signed > 0 || f.unsigned <= t.unsigned)
	}
	x, ok := from.(*arrow.TimestampType)
	y, also := to.(*arrow.TimestampType)
	return ok && also && x.TimeZone == y.TimeZone && x.Unit < y.Unit
}

// widen converts an array to a type that [common] chose for it.
func widen(a arrow.Array, to arrow.DataType) (arrow.Array, error) {
	from := a.DataType()
	switch {
	case arrow.TypeEqual(from, to):
		a.Retain()
		return a, nil
	case from.ID() == arrow.NULL:
		return array.MakeArrayOfNull(memory.DefaultAllocator, to, a.Len()), nil
	}
	switch a := a.(type) {
	case *array.Struct:
		return widenStruct(a, to.(*arrow.StructType))
	case *array.List:
		return widenList(a, to.(*arrow.ListType))
	case *array.Decimal128:
		d := a.Data()
		out := array.NewData(to, d.Len(), d.Buffers(), nil, d.NullN(), d.Offset())
		defer out.Release()
		return array.MakeFromData(out), nil
	case *array.Timestamp:
		return widenTimes(a, to.(*arrow.TimestampType))
	}
	return widenNumbers(a, to)
}

func widenStruct(a *array.Struct, to *arrow.StructType) (arrow.Array, error) {
	from := a.DataType().(*arrow.StructType)
	kids := make([]arrow.ArrayData, to.NumFields())
	defer func() {
		for _, k := range kids {
			if k != nil {
				k.Release()
			}
		}
	}()
	for i, f := range to.Fields() {
		var k arrow.Array
		if at, ok := from.FieldIdx(f.Name); ok {
			var err error
			if k, err = widen(a.Field(at), f.Type); err != nil {
				return nil, err
			}
		} else {
			k = array.MakeArrayOfNull(memory.DefaultAllocator, f.Type, a.Len())
		}
		kids[i] = k.Data()
		kids[i].Retain()
		k.Release()
	}
	valid, nulls := validity(a)
	if valid != nil {
		defer valid.Release()
	}
	d := array.NewData(to, a.Len(), []*memory.Buffer{valid}, kids, nulls, 0)
	defer d.Release()
	return array.MakeFromData(d), nil
}

func widenList(a *array.List, to *arrow.ListType) (arrow.Array, error) {
	values, err := widen(a.ListValues(), to.Elem())
	if err != nil {
		return nil, err
	}
	defer values.Release()
	d := a.Data()
	out := array.NewData(to, d.Len(), d.Buffers(), []arrow.ArrayData{values.Data()}, d.NullN(), d.Offset())
	defer out.Release()
	return array.MakeFromData(out), nil
}

// validity copies which values of an array are not null, from its first one on.
func validity(a arrow.Array) (*memory.Buffer, int) {
	if a.NullN() == 0 {
		return nil, 0
	}
	bits := make([]byte, (a.Len()+7)/8)
	for i := range a.Len() {
		if a.IsValid(i) {
			bits[i>>3] |= 1 << (i & 7)
		}
	}
	return memory.NewBufferBytes(bits), a.NullN()
}

func widenTimes(a *array.Timestamp, to *arrow.TimestampType) (arrow.Array, error) {
	per := int64(1)
	for u := a.DataType().(*arrow.TimestampType).Unit; u < to.Unit; u++ {
		per *= 1000
	}
	b := array.NewTimestampBuilder(memory.DefaultAllocator, to)
	defer b.Release()
	b.Reserve(a.Len())
	for i := range a.Len() {
		v := int64(a.Value(i))
		switch w := v * per; {
		case a.IsNull(i):
			b.AppendNull()
		case w/per != v:
			return nil, fmt.Errorf("the time %d does not fit into %v", v, to)
		default:
			b.Append(arrow.Timestamp(w))
		}
	}
	return b.NewArray(), nil
}

// appendNumber is what builders of numbers have.
type appendNumber[T any] interface {
	Append(T)
	AppendNull()
	Reserve(int)
	NewArray() arrow.Array
	Release()
}

func widenNumbers(a arrow.Array, to arrow.DataType) (arrow.Array, error) {
	value, ok := numberOf(a)
	if !ok {
		return nil, fmt.Errorf("%v does not widen to %v", a.DataType(), to)
	}
	switch to.ID() {
	case arrow.INT16:
		return convert(a, value, array.NewInt16Builder(memory.DefaultAllocator), func(i int64, _ float64) int16 { return int16(i) })
	case arrow.INT32:
		return convert(a, value, array.NewInt32Builder(memory.DefaultAllocator), func(i int64, _ float64) int32 { return int32(i) })
	case arrow.INT64:
		return convert(a, value, array.NewInt64Builder(memory.DefaultAllocator), func(i int64, _ float64) int64 { return i })
	case arrow.UINT16:
		return convert(a, value, array.NewUint16Builder(memory.DefaultAllocator), func(i int64, _ float64) uint16 { return uint16(i) })
	case arrow.UINT32:
		return convert(a, value, array.NewUint32Builder(memory.DefaultAllocator), func(i int64, _ float64) uint32 { return uint32(i) })
	case arrow.UINT64:
		return convert(a, value, array.NewUint64Builder(memory.DefaultAllocator), func(i int64, _ float64) uint64 { return uint64(i) })
	case arrow.FLOAT32:
		return convert(a, value, array.NewFloat32Builder(memory.DefaultAllocator), func(_ int64, f float64) float32 { return float32(f) })
	case arrow.FLOAT64:
		return convert(a, value, array.NewFloat64Builder(memory.DefaultAllocator), func(_ int64, f float64) float64 { return f })
	}
	return nil, fmt.Errorf("%v does not widen to %v", a.DataType(), to)
}

func convert[T any](a arrow.Array, value func(i int) (int64, float64), b appendNumber[T], to func(int64, float64) T) (arrow.Array, error) {
	defer b.Release()
	b.Reserve(a.Len())
	for i := range a.Len() {
		if a.IsNull(i) {
			b.AppendNull()
		} else {
			b.Append(to(value(i)))
		}
	}
	return b.NewArray(), nil
}

// numberOf returns what reads a number of an array, as an integer and as a float.
func numberOf(a arrow.Array) (func(i int) (int64, float64), bool) {
	switch a := a.(type) {
	case *array.Int8:
		return integer(a.Value), true
	case *array.Int16:
		return integer(a.Value), true
	case *array.Int32:
		return integer(a.Value), true
	case *array.Uint8:
		return integer(a.Value), true
	case *array.Uint16:
		return integer(a.Value), true
	case *array.Uint32:
		return integer(a.Value), true
	case *array.Float32:
		return func(i int) (int64, float64) { return 0, float64(a.Value(i)) }, true
	}
	return nil, false
}

func integer[T int8 | int16 | int32 | uint8 | uint16 | uint32](value func(i int) T) func(i int) (int64, float64) {
	return func(i int) (int64, float64) { return int64(value(i)), float64(value(i)) }
}
