package column

import (
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
