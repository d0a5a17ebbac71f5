package column

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestAllBelow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200_000 {
		n := uint32(1) + rng.Uint32N(1<<rng.IntN(32))
		n = min(n, 1<<31)
		ix := make([]uint32, rng.IntN(20))
		want := true
		for i := range ix {
			switch rng.IntN(12) {
			case 0:
				ix[i] = min(n+rng.Uint32N(3), 1<<31-1)
			case 1:
				ix[i] = rng.Uint32N(1 << 31)
			case 2:
				ix[i] = n - 1
			default:
				ix[i] = rng.Uint32N(n)
			}
			want = want && ix[i] < n
		}
		if got := allBelow(ix, n); got != want {
			t.Fatalf("%v below %d: %v", ix, n, got)
		}
	}
}

func BenchmarkAllBelow(b *testing.B) {
	ix := make([]uint32, 1024)
	for i := range ix {
		ix[i] = uint32(i)
	}
	for b.Loop() {
		if !allBelow(ix, 1024) {
			b.Fatal()
		}
	}
}

// TestRepeatFixed: values of any width, few and many.
func TestRepeatFixed(t *testing.T) {
	for _, w := range []int{1, 2, 3, 4, 5, 8, 12, 16, 31, 100, 5000} {
		v := make([]byte, w)
		for i := range v {
			v[i] = byte(i + 1)
		}
		for _, n := range []int{1, 2, 3, 7, 100, 1000, 20_000} {
			if w*n > 4<<20 {
				continue
			}
			got := make([]byte, w*n)
			repeatFixed(got, v)
			if !bytes.Equal(got, bytes.Repeat(v, n)) {
				t.Errorf("%d values of %d bytes", n, w)
			}
		}
	}
}
