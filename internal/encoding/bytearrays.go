package encoding

import (
	"math"

	"github.com/parequet/pare/internal/membuf"
)

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

// Overshoot is how many bytes behind a value copyShort may write: Grow keeps
// as much free behind the data.
const Overshoot = 16

// Grow makes room for so many more bytes of data and for copyShort, or fails
// with ErrFull.
func (b *ByteArrays) Grow(size int) error {
	if size > b.limit()-len(b.Data) {
		return ErrFull
	}
	b.Data = membuf.Grow(b.Data, size+Overshoot)
	return nil
}

// GrowOffsets makes room for n more values.
func (b *ByteArrays) GrowOffsets(n int) {
	if cap(b.Offsets)-len(b.Offsets) < n {
		b.Offsets = membuf.GrowOf(b.Offsets, n)
	}
}

// copyShort copies n bytes. It may copy up to Overshoot bytes more, where both
// have them.
func copyShort(dst, src []byte, n int) {
	if n <= 16 && len(dst) >= 16 && len(src) >= 16 {
		*(*[16]byte)(dst) = *(*[16]byte)(src)
		return
	}
	if n <= 32 && len(dst) >= 32 && len(src) >= 32 {
		*(*[16]byte)(dst) = *(*[16]byte)(src)
		*(*[16]byte)(dst[16:]) = *(*[16]byte)(src[16:])
		return
	}
	copy(dst, src[:n])
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

// Repeat appends one value n times.
func (b *ByteArrays) Repeat(v []byte, n int) error {
	if len(v) > 0 && n > (b.limit()-len(b.Data))/len(v) {
		return ErrFull
	}
	if err := b.Grow(n * len(v)); err != nil {
		return err
	}
	b.GrowOffsets(n)
	for range n {
		b.Data = append(b.Data, v...)
		b.Offsets = append(b.Offsets, int32(len(b.Data)))
	}
	return nil
}
