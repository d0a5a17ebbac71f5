package pare

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
)

// Scan is the running of a plan. Range over Batches once, or use Reader.
type Scan struct {
	plan     *Plan
	ctx      context.Context
	turns    turns // of the threads that may decode
	near     bool  // the source costs a processor's time rather than waiting, so that
	fetching turns // of the threads that may fetch

	apart bool // columns are decoded apart, too: there are few windows

	gathered []chan struct{} // closed once the read of this number has gathered

	mu           sync.Mutex
	counts       counts
	ended        time.Time
	carried      map[metadata.Extent][]byte // pages for later reads
	dictionaries map[*plan.Chunk]*page.Dictionary
}

// Scan plans a query and starts nothing yet: data is read when Batches is
// ranged over.
func (f *File) Scan(ctx context.Context, q Query) (*Scan, error) {
	p, err := f.Plan(ctx, q)
	if err != nil {
		return nil, err
	}
	return p.Scan(ctx), nil
}

// nearLatency, in seconds, is that of a source whose reads are copies from
// memory in the main.
const nearLatency = 1e-3

// Scan makes the plan's scan. ctx ends it early.
func (p *Plan) Scan(ctx context.Context) *Scan {
	s := &Scan{plan: p, ctx: ctx, turns: turns{free: p.query.Threads},
		near: p.model.Latency < nearLatency, fetching: turns{free: p.query.Threads}, gathered: make([]chan struct{}, len(p.reads))}
	windows := 0
	for i, r := range p.reads {
		s.gathered[i] = make(chan struct{})
		windows += len(r.Windows)
	}
	s.apart = p.query.Threads > 1 && windows < 2*p.query.Threads
	return s
}

// Schema is the Arrow schema of the batches.
func (s *Scan) Schema() *arrow.Schema { return s.plan.schema }

var errScannedTwice = errors.New("pare: a plan can be scanned only once")

// Batches yields the matching rows, in file order, as record batches that the
// consumer releases, or one error, after which nothing follows. Batches stay
// valid after the scan and after the file is closed.
//
// This is the whole loop: the plan's reads are fetched and decoded a few at a
// time, and handed out in order.
func (s *Scan) Batches() iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		if s.plan.scanned.Swap(true) {
			yield(nil, errScannedTwice)
			return
		}
		defer s.end()
		left := s.plan.query.Limit
		if left < 0 {
			return
		}
		ctx, cancel := context.WithCancel(s.ctx)
		results := make(chan result)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		wg.Go(func() {
			defer close(results)
			run := inOrder
			if s.plan.query.Limit > 0 {
				run = oneByOne
			}
			if err := run(ctx, len(s.plan.reads), s.plan.query.Threads, results, s.read); err != nil {
				send(ctx, results, result{err: err})
			}
		})
		for r := range results {
			if r.err != nil {
				yield(nil, s.plan.file.named(r.err))
				return
			}
			if r.batch == nil {
				continue
			}
			batch := r.batch
			if left > 0 {
				if batch.NumRows() > left {
					batch = batch.NewSlice(0, left)
					r.batch.Release()
				}
				left -= batch.NumRows()
			}
			s.count(func(c *counts) { c.returned += batch.NumRows() })
			if !yield(batch, nil) || s.plan.query.Limit > 0 && left == 0 {
				return
			}
		}
		if err := s.ctx.Err(); err != nil {
			yield(nil, s.plan.file.named(err))
		}
	}
}

// read fetches, filters and decodes one of the plan's reads.
func (s *Scan) read(ctx context.Context, i int, out chan<- result) error {
	parts, have, err := s.gather(ctx, i)
	defer have.release()
	defer closeParts(parts)
	if err != nil {
		return err
	}
	return inOrder(ctx, len(parts), s.plan.query.Threads, out, func(ctx context.Context, i int, out chan<- result) error {
		return s.decode(ctx, parts[i], have, out)
	})
}

func (s *Scan) count(f func(*counts)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.counts)
}

func (s *Scan) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = time.Now()
}
