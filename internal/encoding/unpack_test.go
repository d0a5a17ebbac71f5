package encoding

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUnpackFastAndPlain: every width, from every kind of bit offset, with
// anything from nothing to much behind the values, gives what the plain path
// gives.
func TestUnpackFastAndPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	src := make([]byte, 1<<12)
	for i := range src {
		src[i] = byte(rng.Uint32())
	}
	for width := uint(0); width <= 64; width++ {
		for range 400 {
			n := rng.IntN(130)
			bit := uint64(rng.IntN(40))
			if rng.IntN(2) == 0 {
				bit &^= 7
			}
			end := int(bit+uint64(n)*uint64(width)+7)/8 + rng.IntN(40)*rng.IntN(2)
			b := slices.Clone(src[:end]) // a read behind it would be of other memory
			checkUnpack(t, b, bit, width, n)
		}
	}
}

// checkUnpack unpacks n values fast and plainly.
func checkUnpack(t *testing.T, src []byte, bit uint64, width uint, n int) {
	t.Helper()
	got, want := make([]uint64, n), make([]uint64, n)
	unpackUint64(got, src, bit, width)
	if width > 0 {
		plainUint64(want, src, bit, width)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%d values of %d bits at bit %d: %x, want %x", n, width, bit, got, want)
	}
	if width > 32 {
		return
	}
	got32, want32 := make([]uint32, n), make([]uint32, n)
	unpackUint32(got32, src, bit, width)
	plainUint32(want32, src, bit, width)
	if !slices.Equal(got32, want32) {
		t.Fatalf("%d values of %d bits at bit %d: %x, want %x", n, width, bit, got32, want32)
	}
}

// FuzzUnpack holds the fast unpacking against the plain one.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, uint8(3), uint16(8))
	f.Add(make([]byte, 300), uint8(17), uint16(40))
	f.Fuzz(func(t *testing.T, src []byte, width uint8, bit uint16) {
		w, at := uint(width)%65, uint64(bit)
		if at > uint64(len(src))*8 {
			return
		}
		n := 200
		if w > 0 {
			n = min(n, int((uint64(len(src))*8-at)/uint64(w)))
		}
		checkUnpack(t, src, at, w, n)
	})
}
