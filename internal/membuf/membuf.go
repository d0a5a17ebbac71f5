// Package membuf hands out memory that has been used before. The first touch
// of fresh memory costs several times as much as writing to memory in use, and
// the garbage collector zeroes it first; a scan that gives its buffers back
// runs in a few megabytes however much it reads.
//
// Memory is kept by the size of its class, in pools that the garbage collector
// empties when nobody has asked for a while.
package membuf

import (
	"math/bits"
	"sync"
	"unsafe"
)

// Sizes: four classes to each power of two, from minSize to maxSize. What is
// smaller or larger is made and left to the garbage collector.
const (
	minShift = 12
	maxShift = 27
	minSize  = 1 << minShift
	maxSize  = 1 << maxShift
)

// pools hold pointers to the first bytes of buffers of their class's size.
var pools [4*(maxShift-minShift) + 1]sync.Pool

// Poison overwrites memory that is given back, so that whoever still looks at
// it is found out. For tests.
var Poison bool

// class returns the smallest class that holds n bytes, and its size.
func class(n int) (k, size int) {
	if n <= minSize {
		return 0, minSize
	}
	shift := bits.Len(uint(n-1)) - 1 // 1<<shift < n ≤ 2<<shift
	quarter := (n - 1 - 1<<shift) >> (shift - 2)
	return 4*(shift-minShift) + quarter + 1, 1<<shift + (quarter+1)<<(shift-2)
}

// Get returns n bytes of any content.
func Get(n int) []byte {
	if n < minSize/2 || n > maxSize {
		return make([]byte, n)
	}
	k, size := class(n)
	if p, ok := pools[k].Get().(*byte); ok {
		return unsafe.Slice(p, size)[:n]
	}
	return make([]byte, n, size)
}

// Put gives memory back, whole, wherever it came from. Nobody may use any part
// of it afterwards.
func Put(b []byte) {
	n := cap(b)
	if n < minSize || n > maxSize {
		return
	}
	k, size := class(n)
	if size > n {
		k-- // it holds the class below
	}
	if Poison {
		b = b[:n]
		for i := range b {
			b[i] = 0xa5
		}
	}
	pools[k].Put(unsafe.SliceData(b[:n]))
}

// Grow returns b with room for n more bytes behind it. If that takes other
// memory, b's is given back.
func Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	size := len(b) + n
	if cap(b) > 0 { // not the first time: by halves at least
		size = max(size, len(b)+len(b)/2)
	}
	out := Get(size)
	out = out[:copy(out, b)]
	Put(b)
	return out
}

// GrowOf is Grow for numbers.
func GrowOf[T int32 | uint32](vs []T, n int) []T {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vs))), 4*cap(vs))[:4*len(vs)]
	b = Grow(b, 4*n)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), cap(b)/4)[:len(vs)]
}

// PutOf is Put for numbers.
func PutOf[T int32 | uint32](vs []T) {
	if cap(vs) > 0 {
		Put(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vs))), 4*cap(vs)))
	}
}

// Allocator gives the memory of Arrow buffers back once they are released.
type Allocator struct{}

// Allocate returns size zero bytes.
func (Allocator) Allocate(size int) []byte {
	b := Get(size)
	clear(b)
	return b
}

// Reallocate returns memory of another size that starts with what b holds.
func (a Allocator) Reallocate(size int, b []byte) []byte {
	if cap(b) >= size {
		if n := len(b); n < size {
			clear(b[n:size])
		}
		return b[:size]
	}
	out := Get(size)
	clear(out[copy(out, b):])
	Put(b)
	return out
}

// Free gives the memory back.
func (Allocator) Free(b []byte) { Put(b) }
