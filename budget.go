package pare

import (
	"context"
	"sync"

	"github.com/parequet/pare/plan"
)

// budget bounds the memory of the reads under way. Reads take from it in their
// order, so that what is due first never waits for what is due later; one that
// needs more than all of it goes alone.
type budget struct {
	limit int64

	mu    sync.Mutex
	moved sync.Cond // next or used has changed
	next  int       // the read whose turn it is
	used  int64
	most  int64 // that was in use at a time
}

func newBudget(limit int64) *budget {
	b := &budget{limit: limit}
	b.moved.L = &b.mu
	return b
}

// take waits for a read's turn and for so many bytes.
func (b *budget) take(ctx context.Context, read int, n int64) error {
	stop := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.moved.Broadcast()
	})
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.next != read || b.used > 0 && b.used+n > b.limit {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.moved.Wait()
	}
	b.next++
	b.used += n
	b.most = max(b.most, b.used)
	b.moved.Broadcast()
	return nil
}

// give gives back what take took.
func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	b.moved.Broadcast()
}

// leastMemory is what a scan may use at least, however little it is allowed.
const (
	defaultMemory = 256 << 20
	leastMemory   = 4 << 10
)

// memoryOf is about what a read takes: what is fetched for it, with the bytes between
// what is wanted, and what that becomes.
func (p *Plan) memoryOf(r *plan.Read) int64 {
	n, fetched := int64(0), int64(0)
	for i, es := range r.Rounds {
		for _, e := range es {
			n += e.Length
		}
		for _, q := range p.fetch.Requests(i, es) {
			fetched += q.Length
		}
	}
	between := max(0, fetched-n)
	for range r.Streams {
		n += 3 * r.Piece // what is decoded, what is left of it, and the next
	}
	ratio := 1.0
	for _, w := range r.Windows {
		for _, c := range w.Group.Chunks() {
			if c.Pages.Length > 0 {
				ratio = max(ratio, float64(c.UncompressedSize)/float64(c.Pages.Length))
			}
		}
	}
	return between + n + int64(float64(n)*min(ratio, 16))
}
