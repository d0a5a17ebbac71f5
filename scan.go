package pare

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/fetch"
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
	memory   *budget

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

// near reports whether reading costs a processor's time rather than waiting.
func (p *Plan) near() bool { return isNear(p.fetch) }

func (f *File) near() bool { return isNear(f.fetch) }

func isNear(f *fetch.Fetcher) bool { return f.Hints().Latency.Seconds() < nearLatency && !f.Measured() }

// Scan makes the plan's scan. ctx ends it early.
func (p *Plan) Scan(ctx context.Context) *Scan {
	s := &Scan{plan: p, ctx: ctx, turns: turns{free: p.query.Threads},
		near: p.near(), fetching: turns{free: p.query.Threads}, gathered: make([]chan struct{}, len(p.reads)), memory: newBudget(p.query.Memory)}
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
		out := func(batch arrow.RecordBatch) error {
			if left > 0 {
				if batch.NumRows() > left {
					whole := batch
					batch = whole.NewSlice(0, left)
					whole.Release()
				}
				left -= batch.NumRows()
			}
			s.count(func(c *counts) { c.returned += batch.NumRows() })
			if !yield(batch, nil) || s.plan.query.Limit > 0 && left == 0 {
				return errEnough
			}
			return nil
		}
		run := inOrder
		if s.plan.query.Limit > 0 || s.small() {
			run = oneByOne
		}
		err := run(s.ctx, len(s.plan.reads), s.ahead(), out, s.read)
		if err != nil && err != errEnough {
			yield(nil, s.plan.file.named(err))
		}
	}
}

// errEnough ends a scan whose consumer wants no more.
var errEnough = errors.New("enough")

// small reports whether the scan is over before other threads would have woken
// up: it has one batch.
func (s *Scan) small() bool {
	r := s.plan.reads
	return len(r) == 0 || len(r) == 1 && len(r[0].Windows) == 1 && r[0].Windows[0].May.Len() <= int64(s.plan.query.BatchRows)
}

// ahead is how many reads are under way beside the one that is handed out. A
// near source makes none of them wait.
func (s *Scan) ahead() int {
	if s.near {
		return max(1, s.plan.query.Threads-1)
	}
	return s.plan.query.Threads
}

// read fetches, filters and decodes one of the plan's reads.
func (s *Scan) read(ctx context.Context, i int, out emit) error {
	parts, have, err := s.gather(ctx, i)
	defer have.release()
	defer closeParts(parts)
	if err != nil {
		return err
	}
	decode := func(ctx context.Context, i int, out emit) error { return s.decode(ctx, parts[i], have, out) }
	if len(parts) == 1 {
		return decode(ctx, 0, out)
	}
	return inOrder(ctx, len(parts), max(1, s.plan.query.Threads-1), out, decode)
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
