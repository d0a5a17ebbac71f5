// Package sums adds up Arrow arrays, so that what was decoded can be compared.
package sums

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Of adds up the values of an array that pass: all if mask is nil. Strings
// count by their lengths.
func Of(a arrow.Array, mask []bool) (float64, error) {
	switch a := a.(type) {
	case *array.Int64:
		return float64(integers(a.Int64Values(), mask)), nil
	case *array.Int32:
		return float64(integers(a.Int32Values(), mask)), nil
	case *array.Date32:
		return float64(integers(a.Date32Values(), mask)), nil
	case *array.Float64:
		return floats(a.Float64Values(), mask), nil
	case *array.String:
		n := int64(0)
		for i := range a.Len() {
			if mask == nil || mask[i] {
				n += int64(a.ValueLen(i))
			}
		}
		return float64(n), nil
	case *array.Dictionary:
		n, words := int64(0), a.Dictionary().(*array.String)
		for i := range a.Len() {
			if mask == nil || mask[i] {
				n += int64(words.ValueLen(a.GetValueIndex(i)))
			}
		}
		return float64(n), nil
	}
	return 0, fmt.Errorf("no sum of %v", a.DataType())
}

func integers[T int64 | int32 | arrow.Date32](vs []T, mask []bool) (n int64) {
	if mask == nil {
		for _, v := range vs {
			n += int64(v)
		}
		return n
	}
	for i, v := range vs {
		if mask[i] {
			n += int64(v)
		}
	}
	return n
}

func floats(vs []float64, mask []bool) (x float64) {
	for i, v := range vs {
		if mask == nil || mask[i] {
			x += v
		}
	}
	return x
}
