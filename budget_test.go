package pare

import (
	"context"
	"testing"
	"testing/synctest"
)

// TestBudgetTakesInOrder: what is due first has memory first, however much it
// needs, and never more than the limit is taken by several.
func TestBudgetTakesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(100)
		sizes := []int64{60, 30, 50, 500, 10, 10}
		started := make([]bool, len(sizes))
		for i := range sizes {
			i := len(sizes) - 1 - i
			go func() {
				if b.take(t.Context(), i, sizes[i]) == nil {
					started[i] = true
				}
			}()
		}
		want := func(n int) {
			t.Helper()
			synctest.Wait()
			for i, s := range started {
				if s != (i < n) {
					t.Fatalf("started %v, the first %d should have", started, n)
				}
			}
		}
		want(2)
		b.give(30)
		want(2)
		b.give(60)
		want(3)
		b.give(50)
		want(4)
		b.give(500)
		want(6)
		if b.most != 500 {
			t.Errorf("%d bytes at most", b.most)
		}
	})
}

// TestBudgetEndsWithItsContext: who waits is let go.
func TestBudgetEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(10)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- b.take(ctx, 5, 1) }()
		synctest.Wait()
		cancel()
		if err := <-done; err == nil {
			t.Error("no error")
		}
	})
}
