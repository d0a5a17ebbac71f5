package pare

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
)

// Scan is the running of a plan. Range over Batches once, or use Reader.
type Scan struct {
	plan *Plan
	ctx  context.Context
	cpu  chan struct{} // a token for each thread that may decode

	mu     sync.Mutex
	counts counts
	ended  time.Time
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
func (p *Plan) Scan(ctx context.Context) *Scan {
	return &Scan{plan: p, ctx: ctx, cpu: make(chan struct{}, p.query.Threads)}
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
	parts, have, err := s.gather(ctx, s.plan.reads[i])
	defer have.release()
	defer func() {
		for _, p := range parts {
			p.close()
		}
	}()
	if err != nil {
		return err
	}
	return inOrder(ctx, len(parts), s.plan.query.Threads-1, out, func(ctx context.Context, i int, out chan<- result) error {
		return s.decode(ctx, parts[i], have, out)
	})
}

// gather fetches a read round by round: what the rows need that pass the
// conditions tested so far. The blocks must be released.
func (s *Scan) gather(ctx context.Context, r plan.Read) (parts []*part, have blocks, err error) {
	for _, g := range r.Groups {
		parts = append(parts, newPart(g))
	}
	for i, need := range r.Rounds {
		if i > 0 {
			need = stillNeeded(parts, r, i)
		}
		b, err := s.plan.file.fetch.Fetch(ctx, s.plan.ledger, s.plan.round(i), notIn(have, need))
		if err != nil {
			return parts, have, err
		}
		have = append(have, b)
		s.count(func(c *counts) {
			c.countPages(need)
			if i == 0 {
				c.countGroups(r)
			}
		})
		err = parallel(len(parts), s.plan.query.Threads, func(k int) error { return s.filter(ctx, parts[k], i, have) })
		if err != nil {
			return parts, have, err
		}
		if s.plan.query.Limit > 0 && tested(r, i) {
			s.cut(parts)
		}
	}
	return parts, have, nil
}

// tested reports whether no condition is left to be tested after a round.
func tested(r plan.Read, round int) bool {
	for _, g := range r.Groups {
		for _, tests := range g.Tests[round+1:] {
			if len(tests) > 0 {
				return false
			}
		}
	}
	return true
}

// cut leaves the parts only as many rows as the limit still wants. The reads
// before have been handed out.
func (s *Scan) cut(parts []*part) {
	s.mu.Lock()
	left := s.plan.query.Limit - s.counts.returned
	s.mu.Unlock()
	for _, p := range parts {
		p.wanted, p.limited = p.selected().Head(left), true
		left -= p.wanted.Len()
	}
}

// notIn leaves out what has come already, between the pieces of earlier rounds.
func notIn(have blocks, es []metadata.Extent) []metadata.Extent {
	if len(have) == 0 {
		return es
	}
	return slices.DeleteFunc(slices.Clone(es), func(e metadata.Extent) bool {
		_, ok := have.Get(e)
		return ok
	})
}

// stillNeeded lists what a later round has to bring.
func stillNeeded(parts []*part, r plan.Read, round int) (out []metadata.Extent) {
	left := make(map[metadata.Extent]bool, len(r.Rounds[round]))
	for _, e := range r.Rounds[round] {
		left[e] = true
	}
	for _, p := range parts {
		for _, e := range p.needs(round, len(r.Rounds), func(e metadata.Extent) bool { return left[e] }) {
			if left[e] {
				delete(left, e)
				out = append(out, e)
			}
		}
	}
	return out
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
