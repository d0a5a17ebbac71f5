// Package encoding holds Parquet's value decoders as pure kernels: bytes in,
// values out, no knowledge of pages or columns.
//
// A decoder is given the bytes of one page's values and moves forward only.
// It reads the next n values, or skips them as cheaply as the encoding
// allows: PLAIN of fixed width and BYTE_STREAM_SPLIT jump, dictionary indices
// jump over runs, PLAIN byte arrays read the lengths only, and the DELTA
// encodings must add up what they pass.
//
// Values of fixed width are written little-endian into a caller's buffer,
// booleans as one byte each; byte arrays are appended to a [ByteArrays].
// After an error a decoder must not be used again.
//
// Adding an encoding: implement [Fixed] or [Binary] (or both), name it in
// internal/column's decoder table, and add it to the fuzz target and the
// benchmark in this package.
package encoding

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Fixed decodes values of a fixed width.
type Fixed interface {
	// Read fills dst, whose length is a multiple of the width, with the next
	// len(dst)/width values.
	Read(dst []byte) error
	// Skip passes over n values.
	Skip(n int) error
}

// Binary decodes byte arrays.
type Binary interface {
	// Append adds the next n values to dst, or fails with ErrFull.
	Append(dst *ByteArrays, n int) error
	// Skip passes over n values.
	Skip(n int) error
}

var (
	// ErrShort says that a page ends before its values do.
	ErrShort = errors.New("the page ends before its values do")
	// ErrFull says that a ByteArrays cannot take the next value.
	ErrFull = errors.New("too many bytes for one batch")
)

func corrupt(format string, args ...any) error { return fmt.Errorf(format, args...) }

// ByteArrays is a growing sequence of byte strings in Arrow's layout: value i
// is Data[Offsets[i]:Offsets[i+1]].
type ByteArrays struct {
	Offsets []int32 // one more than there are values; starts as {0}
	Data    []byte
	Limit   int // most bytes of Data; 0 means what an int32 offset can address
}

// Reset empties b and keeps its memory.
func (b *ByteArrays) Reset() {
	b.Offsets = append(b.Offsets[:0], 0)
	b.Data = b.Data[:0]
}

// Len is the number of values.
func (b *ByteArrays) Len() int { return max(0, len(b.Offsets)-1) }

// Value returns value i as a view.
func (b *ByteArrays) Value(i int) []byte { return b.Data[b.Offsets[i]:b.Offsets[i+1]] }

func (b *ByteArrays) limit() int {
	if b.Limit > 0 && b.Limit < math.MaxInt32 {
		return b.Limit
	}
	return math.MaxInt32
}

// Grow makes room for so many more bytes of data, or fails with ErrFull.
func (b *ByteArrays) Grow(size int) error {
	if size > b.limit()-len(b.Data) {
		return ErrFull
	}
	b.Data = slices.Grow(b.Data, size)
	return nil
}

// Push appends one value.
func (b *ByteArrays) Push(v []byte) error {
	if len(b.Data)+len(v) > b.limit() {
		return ErrFull
	}
	b.Data = append(b.Data, v...)
	b.Offsets = append(b.Offsets, int32(len(b.Data)))
	return nil
}
