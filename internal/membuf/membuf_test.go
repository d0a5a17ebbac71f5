package membuf

import (
	"math/rand/v2"
	"testing"
)

// TestClasses: the classes rise, hold what is put into them, and waste less
// than a quarter.
func TestClasses(t *testing.T) {
	last := -1
	for n := minSize; n <= maxSize; n += 1 + n/97 {
		k, size := class(n)
		if size < n || k < last || k >= len(pools) {
			t.Fatalf("%d bytes: class %d of %d bytes after class %d", n, k, size, last)
		}
		if size-n > n/4 {
			t.Errorf("%d bytes take %d", n, size)
		}
		if k2, size2 := class(size); k2 != k || size2 != size {
			t.Errorf("class %d of %d bytes: its size falls into class %d of %d", k, size, k2, size2)
		}
		last = k
	}
	if k, size := class(maxSize); k != len(pools)-1 || size != maxSize {
		t.Errorf("the largest class is %d of %d bytes", k, size)
	}
}

// TestPutAnything: memory of any size and origin can be given back, and what
// comes out again is as long as it was asked to be.
func TestPutAnything(t *testing.T) {
	Poison = true
	defer func() { Poison = false }()
	for range 20000 {
		n := rand.IntN(1 << rand.IntN(22))
		b := Get(n)
		if len(b) != n {
			t.Fatalf("%d bytes, asked for %d", len(b), n)
		}
		for i := range b {
			b[i] = 1
		}
		if rand.IntN(2) == 0 {
			Put(b)
		} else {
			Put(make([]byte, rand.IntN(1<<16))) // of no class's size
		}
	}
}

// TestSteadyState: giving memory back and taking it again allocates nothing.
func TestSteadyState(t *testing.T) {
	if n := testing.AllocsPerRun(1000, func() { Put(Get(70_000)) }); n > 0.1 {
		t.Errorf("%v allocations", n)
	}
}

func TestReallocate(t *testing.T) {
	var a Allocator
	b := a.Allocate(5000)
	for i := range b {
		b[i] = 7
	}
	b = a.Reallocate(9000, b)
	for i, x := range b {
		if want := byte(7); i < 5000 && x != want || i >= 5000 && x != 0 {
			t.Fatalf("byte %d is %d", i, x)
		}
	}
	if b = a.Reallocate(10, b); len(b) != 10 {
		t.Errorf("%d bytes", len(b))
	}
	a.Free(b)
}
