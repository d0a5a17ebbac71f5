// Package sourcetest tests that a Source does what pare's fetcher needs.
package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/parequet/pare/source"
)

// Run tests a Source whose object holds want, at least 1,000 bytes.
func Run(t *testing.T, open func() source.Source, want []byte) {
	t.Helper()
	ctx := context.Background()
	size := int64(len(want))
	t.Run("size", func(t *testing.T) {
		if n, err := open().Size(ctx); err != nil || n != size {
			t.Fatalf("Size: %d, %v; the object has %d bytes", n, err, size)
		}
	})
	t.Run("exact reads", func(t *testing.T) {
		s := open()
		for _, r := range [][2]int64{{0, 1}, {0, size}, {size - 1, size}, {17, 217}, {500, 500}} {
			p := make([]byte, r[1]-r[0])
			if err := s.ReadAt(ctx, p, r[0]); err != nil || !bytes.Equal(p, want[r[0]:r[1]]) {
				t.Errorf("ReadAt [%d,%d): %v", r[0], r[1], err)
			}
		}
	})
	t.Run("past the end", func(t *testing.T) {
		s := open()
		for _, off := range []int64{size - 3, size, size + 100} {
			if err := s.ReadAt(ctx, make([]byte, 10), off); err == nil {
				t.Errorf("ReadAt of 10 bytes at %d of %d succeeded", off, size)
			}
		}
	})
	t.Run("concurrent reads", func(t *testing.T) {
		s := open()
		var wg sync.WaitGroup
		for i := range int64(32) {
			wg.Go(func() {
				off := i * (size - 100) / 32
				p := make([]byte, 100)
				if err := s.ReadAt(ctx, p, off); err != nil || !bytes.Equal(p, want[off:off+100]) {
					t.Errorf("ReadAt at %d: %v", off, err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("cancellation", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if err := open().ReadAt(ctx, make([]byte, 10), 0); !errors.Is(err, context.Canceled) {
			t.Errorf("ReadAt after cancellation: %v", err)
		}
	})
	t.Run("tail", func(t *testing.T) {
		s, ok := open().(source.TailReader)
		if !ok {
			t.Skip("not a TailReader")
		}
		for _, n := range []int64{1, 100, size, size + 50} {
			p := make([]byte, n)
			got, total, err := s.ReadTail(ctx, p)
			if errors.Is(err, source.ErrNoTail) || errors.Is(err, source.ErrTailRefused) && n > size {
				t.Skip(err)
			}
			k := min(n, size)
			if err != nil || int64(got) != k || total != size || !bytes.Equal(p[n-k:], want[size-k:]) {
				t.Errorf("ReadTail of %d bytes: %d of %d, %v", n, got, total, err)
			}
		}
	})
}
