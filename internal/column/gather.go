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
		err := gatherFixed(dst[:len(ix)*w], d.dict, ix)
		dst = dst[len(ix)*w:]
		return err
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
		return gatherBinary(dst, d.dict, ix)
	}, func(i uint32, k int) error {
		return dst.Repeat(d.dict.Binary.Value(int(i)), k)
	})
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
			if err = d.indices.Read(ix); err == nil {
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

// inside checks that all indices are in the dictionary.
func inside(d *page.Dictionary, indices []uint32) error {
	top := uint32(0)
	for _, i := range indices {
		top = max(top, i)
	}
	if len(indices) > 0 && top >= uint32(d.N) {
		return outside(d, top)
	}
	return nil
}

// as views bytes as numbers.
func as[T uint32 | uint64](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(T(0))))
}

// gatherFixed fills dst with the dictionary's values at the indices.
func gatherFixed(dst []byte, d *page.Dictionary, indices []uint32) error {
	if err := inside(d, indices); err != nil {
		return err
	}
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
	return nil
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
	n := copy(dst, v)
	for n > 0 && n < len(dst) {
		n += copy(dst[n:], dst[:min(n, 4096)])
	}
}

// gatherBinary appends the dictionary's values at the indices.
func gatherBinary(dst *encoding.ByteArrays, d *page.Dictionary, indices []uint32) error {
	if err := inside(d, indices); err != nil {
		return err
	}
	return dst.Gather(&d.Binary, indices)
}
