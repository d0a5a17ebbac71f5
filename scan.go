package pare

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/plan"
)

// Scan is the running of a plan. Range over Batches once, or use Reader.
type Scan struct {
	plan *Plan
	ctx  context.Context

	mu     sync.Mutex
	counts counts
	ended  time.Time
	began  bool
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

// Scan makes the plan's scan. ctx ends it early.
func (p *Plan) Scan(ctx context.Context) *Scan { return &Scan{plan: p, ctx: ctx} }

// Schema is the Arrow schema of the batches.
func (s *Scan) Schema() *arrow.Schema { return s.plan.schema }

var errScannedTwice = errors.New("pare: a scan can be ranged over only once")

// Batches yields the matching rows, in file order, as record batches that the
// consumer releases, or one error, after which nothing follows. Batches stay
// valid after the scan and after the file is closed.
//
// This is the whole loop: the plan's reads are fetched and decoded a few at a
// time, and handed out in order.
func (s *Scan) Batches() iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		if s.began {
			yield(nil, errScannedTwice)
			return
		}
		s.began = true
		defer func() { s.ended = time.Now() }()
		ctx, cancel := context.WithCancel(s.ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()

		left := s.plan.query.Limit
		if left < 0 {
			return
		}
		order := make(chan chan result, s.ahead())
		wg.Go(func() { s.start(ctx, &wg, order) })
		for results := range order {
			for r := range results {
				if r.err != nil {
					yield(nil, s.plan.file.named(r.err))
					return
				}
				batch := r.batch
				if s.plan.query.Limit > 0 {
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
		}
		if err := s.ctx.Err(); err != nil {
			yield(nil, s.plan.file.named(err))
		}
	}
}

// result is a record batch or the error that ends the scan.
type result struct {
	batch arrow.RecordBatch
	err   error
}

// ahead is how many reads may be under way before the one that is being
// handed out has ended. A scan with a limit does not run ahead, so that it
// reads no more than it must and its counts are the same everywhere.
func (s *Scan) ahead() int {
	if s.plan.query.Limit > 0 {
		return 0
	}
	return s.plan.query.Threads
}

// start runs the plan's reads, each in a goroutine, and sends their results
// in order.
func (s *Scan) start(ctx context.Context, wg *sync.WaitGroup, order chan<- chan result) {
	defer close(order)
	for _, r := range s.plan.reads {
		results := make(chan result, 2)
		select {
		case order <- results:
		case <-ctx.Done():
			return
		}
		wg.Go(func() {
			defer close(results)
			if err := s.read(ctx, r, results); err != nil {
				select {
				case results <- result{err: err}:
				case <-ctx.Done():
				}
			}
		})
	}
}

// read fetches, filters and decodes one read.
func (s *Scan) read(ctx context.Context, r plan.Read, out chan<- result) error {
	f := s.plan.file.fetch
	first, err := f.Fetch(ctx, s.plan.ledger, s.plan.firstRound(), r.First)
	if err != nil {
		return err
	}
	defer first.Release()
	parts := make([]*part, len(r.Groups))
	for i, g := range r.Groups {
		if parts[i], err = s.filter(ctx, g, first); err != nil {
			return err
		}
	}
	var second *fetch.Blocks
	if len(r.Second) > 0 {
		need := needed(parts, r)
		if second, err = f.Fetch(ctx, s.plan.ledger, s.plan.secondRound(), need); err != nil {
			return err
		}
		defer second.Release()
		s.countPages(need)
	}
	s.countPages(r.First)
	s.countGroups(r)
	for _, p := range parts {
		if err := s.decode(ctx, p, blocks{first, second}, out); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scan) count(f func(*counts)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.counts)
}
