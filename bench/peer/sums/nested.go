package sums

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Nested adds up arrays of nested types. Its figures are, in the order of the
// schema from the outside in:
//
//	of a column      how many values it has, and their sum, of strings that of their lengths
//	of a struct      how many are not null, and what is in them
//	of a list or map how many are not null, how many elements they have, and what is in these
//
// A map counts as a list of structs of two fields. What lies in a null struct
// counts as null, whatever the array inside says. peers.py does the same.
type Nested struct {
	Sums []float64
	next int
}

// Batch adds the columns of a batch.
func (n *Nested) Batch(b arrow.RecordBatch) error {
	n.next = 0
	for _, c := range b.Columns() {
		if err := n.add(c, nil); err != nil {
			return err
		}
	}
	return nil
}

// put adds to the next figure.
func (n *Nested) put(x float64) {
	if n.next == len(n.Sums) {
		n.Sums = append(n.Sums, 0)
	}
	n.Sums[n.next] += x
	n.next++
}

// bits is a bitmap of the slots of an array that are not null, nil if all are.
type bits []byte

// valid is a bitmap of the array's slots that are null neither in it nor in the
// struct that it is in, from the first bit on, and how many there are.
func valid(a arrow.Array, in bits) (bits, int) {
	n, at := a.Len(), a.Data().Offset()
	own := a.NullBitmapBytes()
	switch {
	case a.NullN() == 0 || len(own) == 0:
	case in == nil && at == 0:
		in = own
	case in == nil:
		in = make(bits, bitutil.BytesForBits(int64(n)))
		bitutil.CopyBitmap(own, at, n, in, 0)
	default:
		in = bitutil.BitmapAndAlloc(memory.DefaultAllocator, own, in, int64(at), 0, int64(n), 0).Bytes()
	}
	if in == nil {
		return nil, n
	}
	return in, bitutil.CountSetBits(in, 0, n)
}

func (n *Nested) add(a arrow.Array, in bits) error {
	ok, count := valid(a, in)
	n.put(float64(count))
	switch a := a.(type) {
	case *array.Struct:
		for i := range a.NumField() {
			if err := n.add(a.Field(i), ok); err != nil {
				return err
			}
		}
		return nil
	case array.ListLike: // a map, too
		return n.elements(a, ok)
	}
	x, err := sumValid(a, ok)
	n.put(x)
	return err
}

// elements adds what is in lists. A null list has no elements in it, though
// Arrow allows that; elements would not be counted right else.
func (n *Nested) elements(a array.ListLike, ok bits) error {
	var from, to int64
	if a.Len() > 0 {
		from, _ = a.ValueOffsets(0)
		_, to = a.ValueOffsets(a.Len() - 1)
	}
	if o, is := a.(interface{ Offsets() []int32 }); is && ok != nil {
		if some := validLengths(o.Offsets()[a.Data().Offset():], a.Len(), ok); some != to-from {
			return fmt.Errorf("null lists have %d elements", to-from-some)
		}
	}
	n.put(float64(to - from))
	values := array.NewSlice(a.ListValues(), from, to)
	defer values.Release()
	return n.add(values, nil)
}

// sumValid adds up the values that are not null.
func sumValid(a arrow.Array, ok bits) (float64, error) {
	if ok == nil {
		if s, is := a.(*array.String); is && s.Len() > 0 { // Of looks at each
			offsets := s.ValueOffsets()
			return float64(offsets[s.Len()] - offsets[0]), nil
		}
		if x, is := a.(*array.Float64); is {
			return fourFloats(x.Float64Values()), nil
		}
		return Of(a, nil)
	}
	switch a := a.(type) {
	case *array.Int64:
		return float64(validIntegers(a.Int64Values(), ok)), nil
	case *array.Int32:
		return float64(validIntegers(a.Int32Values(), ok)), nil
	case *array.Float64:
		x := 0.0
		for i, v := range a.Float64Values() {
			if bitutil.BitIsSet(ok, i) {
				x += v
			}
		}
		return x, nil
	case *array.String:
		return float64(validLengths(a.ValueOffsets(), a.Len(), ok)), nil
	}
	return 0, fmt.Errorf("no sum of %v", a.DataType())
}

// The functions below have no branches, so that they take little of the time.

func validIntegers[T int64 | int32](vs []T, ok bits) (sum int64) {
	for len(vs) >= 8 {
		m := int64(ok[0])
		sum += int64(vs[0])&-(m&1) + int64(vs[1])&-(m>>1&1) + int64(vs[2])&-(m>>2&1) + int64(vs[3])&-(m>>3&1) +
			int64(vs[4])&-(m>>4&1) + int64(vs[5])&-(m>>5&1) + int64(vs[6])&-(m>>6&1) + int64(vs[7])&-(m>>7&1)
		vs, ok = vs[8:], ok[1:]
	}
	for i, v := range vs {
		sum += int64(v) & -int64(ok[0]>>i&1)
	}
	return sum
}

// validLengths adds up the lengths of n strings or lists.
func validLengths(offsets []int32, n int, ok bits) (sum int64) {
	offsets = offsets[:n+1]
	last := offsets[0]
	for i, o := range offsets[1:] {
		sum += int64(o-last) & -int64(ok[i>>3]>>(i&7)&1)
		last = o
	}
	return sum
}

// fourFloats adds up in four sums, for an addition has to wait for the one before.
func fourFloats(vs []float64) float64 {
	var a, b, c, d float64
	for len(vs) >= 4 {
		a, b, c, d = a+vs[0], b+vs[1], c+vs[2], d+vs[3]
		vs = vs[4:]
	}
	for _, v := range vs {
		a += v
	}
	return a + b + c + d
}
