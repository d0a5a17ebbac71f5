package column

import (
	"unsafe"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/page"
)

// gatherRows is how many dictionary indices are decoded at a time: few enough
// to stay in the cache until the values are looked up.
const gatherRows = 1024

// read fills dst with n values of fixed width.
func (d *values) read(dst []byte, n int) error {
	if n == 0 {
		return nil
	}
	if d.dict == nil {
		return d.fixed.Read(dst)
	}
	w := d.dict.Width
	return d.eachIndex(n, func(ix []uint32) error {
		gatherFixed(dst[:len(ix)*w], d.dict, ix)
		dst = dst[len(ix)*w:]
		return nil
	}, func(i uint32, k int) error {
		repeatFixed(dst[:k*w], d.dict.Fixed[int(i)*w:][:w])
		dst = dst[k*w:]
		return nil
	})
}

// appendTo appends n byte arrays.
func (d *values) appendTo(dst *encoding.ByteArrays, n int) error {
	if n == 0 {
		return nil
	}
	if d.dict == nil {
		return d.binary.Append(dst, n)
	}
	return d.eachIndex(n, func(ix []uint32) error {
		return dst.Gather(d.dict.Words, ix)
	}, func(i uint32, k int) error {
		return dst.Repeat(d.dict.Binary.Value(int(i)), k)
	})
}

// read32 fills ix with the next indices, which are in the dictionary.
func (d *values) read32(ix []uint32) error {
	if err := d.indices.Read(ix); err != nil {
		return err
	}
	return inside(d.dict, ix, d.indices.Width())
}

// eachIndex calls some with the next n indices, a few at a time, and same where
// one of them, which is in the dictionary, comes many times.
func (d *values) eachIndex(n int, some func(ix []uint32) error, same func(i uint32, n int) error) error {
	for n > 0 {
		i, k, err := d.indices.Run(n)
		if err != nil {
			return err
		}
		if k > 0 {
			if i >= uint32(d.dict.N) {
				return outside(d.dict, i)
			}
			err = same(i, k)
		} else {
			k = min(n, gatherRows)
			ix := d.scratch[:k]
			if err = d.read32(ix); err == nil {
				err = some(ix)
			}
		}
		if err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// inside checks that all indices are in the dictionary. They have at most width
// bits, rounded up to bytes: a run's value is stored in whole bytes.
func inside(d *page.Dictionary, indices []uint32, width uint) error {
	if n := uint64(d.N); n == 0 || n > 1<<31 || width > 24 || !allBelow(indices, uint32(n)) {
		for _, i := range indices {
			if uint64(i) >= n {
				return outside(d, i)
			}
		}
	}
	return nil
}

// allBelow reports whether all indices, which are below 1<<31, are below n, which
// is from 1 to 1<<31. Two are tested at a time: the top bit of each half of
// n-1+1<<31-i stays set as long as i is below n, and no half borrows from the other.
func allBelow(indices []uint32, n uint32) bool {
	const tops = 1<<63 | 1<<31
	top := n - 1 | 1<<31
	both := uint64(top)<<32 | uint64(top)
	pairs := as[uint64](asBytes(indices[:len(indices)&^1]))
	a, b := uint64(tops), uint64(tops)
	for ; len(pairs) >= 4; pairs = pairs[4:] {
		a &= (both - pairs[0]) & (both - pairs[1])
		b &= (both - pairs[2]) & (both - pairs[3])
	}
	for _, p := range pairs {
		a &= both - p
	}
	if len(indices)&1 != 0 {
		a &= 1<<63 | uint64(top-indices[len(indices)-1])
	}
	return a&b == tops
}

// asBytes views numbers as bytes.
func asBytes(vs []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vs))), 4*len(vs))
}

// as views bytes as numbers.
func as[T uint32 | uint64](b []byte) []T {
	if len(b) < int(unsafe.Sizeof(T(0))) {
		return nil // a pointer to a number would leave their memory
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(T(0))))
}

// gatherFixed fills dst with the dictionary's values at the indices, all of which
// are in it.
func gatherFixed(dst []byte, d *page.Dictionary, indices []uint32) {
	switch w := d.Width; w {
	case 4:
		gather(as[uint32](dst), as[uint32](d.Fixed), indices)
	case 8:
		gather(as[uint64](dst), as[uint64](d.Fixed), indices)
	default:
		for k, i := range indices {
			copy(dst[w*k:w*(k+1)], d.Fixed[w*int(i):])
		}
	}
}

func gather[T uint32 | uint64](dst, values []T, indices []uint32) {
	dst = dst[:len(indices)]
	for k, i := range indices {
		dst[k] = values[i]
	}
}

// repeatFixed fills dst with one value.
func repeatFixed(dst, v []byte) {
	if len(v) == 0 {
		return
	}
	most := max(1, 4096/len(v)) * len(v) // whole values, few enough to stay in the cache
	for n := copy(dst, v); n < len(dst); {
		n += copy(dst[n:], dst[:min(n, most)])
	}
}
