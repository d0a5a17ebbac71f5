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
