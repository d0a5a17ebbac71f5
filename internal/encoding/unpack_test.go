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
			got64, want64 := make([]uint64, n), make([]uint64, n)
			unpackUint64(got64, b, bit, width)
			if width > 0 {
				plainUint64(want64, b, bit, width)
			}
			if !slices.Equal(got64, want64) {
				t.Fatalf("%d values of %d bits at bit %d: %x, want %x", n, width, bit, got64, want64)
			}
			if width > 32 {
				continue
			}
			got32, want32 := make([]uint32, n), make([]uint32, n)
			unpackUint32(got32, b, bit, width)
			plainUint32(want32, b, bit, width)
			if !slices.Equal(got32, want32) {
				t.Fatalf("%d values of %d bits at bit %d: %x, want %x", n, width, bit, got32, want32)
			}
		}
	}
}
