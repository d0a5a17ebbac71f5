// Package fetch is the only part of pare that reads a source. It joins the
// extents that a round of the scan wants into few requests, issues them
// concurrently, hands out the bytes by extent, and writes every request into
// a ledger, so that a receipt agrees with what crossed the source.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// Options tune a Fetcher. Negative means "let the cost model choose".
type Options struct {
	Gap         int64 // join two extents if at most so many bytes lie between them
	Tail        int64 // bytes of the file's end that the first request takes
	Concurrency int   // requests in flight; 0 means that of the source
	// Size is the object's, if it is known; 0 or less if not.
	Size int64
	// Identity is the version of the object that is meant, as the source names
	// it once it has answered; empty for any.
	Identity string
	// Beside is how many objects are opened at a time, this one among them; 0 means 1.
	Beside int
	// Figures are what requests cost, where they are known; nil asks the source.
	Figures *Figures
}

// Fetcher reads one object, by figures of what a request costs that stay the same.
// It is safe for concurrent use.
type Fetcher struct {
	*target
	hints source.Hints
	gap   int64
}

// target is what all fetchers of one object share.
type target struct {
	src   source.Source
	gauge *source.Gauge // nil if the source's figures are not measured
	meant string        // the version that is meant
	asked Options
	size  int64
	tail  block // the file's end, as far as the first request brought it; kept

	inFlight chan struct{}
}

// Size is the object's size in bytes.
func (f *Fetcher) Size() int64 { return f.size }

// Tail is what the first request brought: the object's last bytes.
func (f *Fetcher) Tail() []byte { return f.tail.data }

// Forget lets go of what the first request brought. Nobody may be using it.
func (f *Fetcher) Forget() { f.tail = block{} }

// InHand reports whether an extent came with the object's end, so that asking
// for it costs nothing.
func (f *Fetcher) InHand(e metadata.Extent) bool {
	return e.Length >= 0 && f.tail.data != nil && f.tail.holds(e.Offset, e.End())
}

// run is a contiguous stretch that is fetched for one or more extents.
type run struct {
	off, end int64
	wanted   int64
	pieces   int
	purpose  string
}

// plan joins extents into runs: sorted, disjoint, each with what it serves.
// What the tail holds is not asked for again.
func (f *Fetcher) plan(extents []metadata.Extent) []run {
	todo := make([]metadata.Extent, 0, len(extents))
	for _, e := range extents {
		if f.tail.data != nil {
			e.Length = min(e.Length, max(0, f.tail.off-e.Offset))
		}
		if e.Length > 0 {
			todo = append(todo, e)
		}
	}
	slices.SortFunc(todo, func(a, b metadata.Extent) int {
		if a.Offset != b.Offset {
			return int(min(max(a.Offset-b.Offset, -1), 1))
		}
		return int(min(max(a.Length-b.Length, -1), 1))
	})
	var runs []run
	for _, e := range todo {
		purpose := e.Piece.Kind.String()
		if n := len(runs); n > 0 && e.Offset-runs[n-1].end <= f.gap && f.joins(&runs[n-1], e) {
			r := &runs[n-1]
			r.wanted += max(0, e.End()-max(r.end, e.Offset))
			r.end = max(r.end, e.End())
			r.pieces++
			if r.purpose != purpose {
				r.purpose = "several"
			}
			continue
		}
		runs = append(runs, run{e.Offset, e.End(), e.Length, 1, purpose})
	}
	return runs
}

// joins reports whether an extent is fetched with a run before it: across a gap, only
// if that takes fewer requests than apart.
func (f *Fetcher) joins(r *run, e metadata.Extent) bool {
	requests := func(n int64) int64 { return (n + f.hints.MaxRequest - 1) / f.hints.MaxRequest }
	return e.Offset <= r.end || requests(e.End()-r.off) < requests(r.end-r.off)+requests(e.Length)
}

// Requests returns, without reading anything, the requests that Fetch would
// issue for the extents.
func (f *Fetcher) Requests(round int, extents []metadata.Extent) []Request {
	var out []Request
	for _, r := range f.plan(extents) {
		out = append(out, f.split(round, r)...)
	}
	return out
}

// split cuts a run into requests of at most the source's largest size. The
// run's wanted bytes are booked on its first requests.
func (f *Fetcher) split(round int, r run) []Request {
	var out []Request
	for off := r.off; off < r.end; off += f.hints.MaxRequest {
		n := min(f.hints.MaxRequest, r.end-off)
		q := Request{Round: round, Offset: off, Length: n, Wanted: min(n, r.wanted), Purpose: r.purpose}
		r.wanted -= q.Wanted
		if off == r.off {
			q.Pieces = r.pieces
		}
		out = append(out, q)
	}
	return out
}

// request is a read into memory.
type request struct {
	off int64
	dst []byte
}

// Fetch reads the extents, all of one round, and records what that took.
// Extents outside the object are an error. The blocks must be released.
func (f *Fetcher) Fetch(ctx context.Context, l *Ledger, round int, extents []metadata.Extent) (*Blocks, error) {
	for _, e := range extents {
		if e.Offset < 0 || e.Length < 0 || e.Offset > f.size || e.Length > f.size-e.Offset {
			return nil, outside(e, f.size)
		}
	}
	l.want(extents)
	b := &Blocks{f: f}
	type job struct {
		request
		rec Request
	}
	var jobs []job
	past := f.past(extents)
	for _, r := range f.plan(extents) {
		end := r.end
		if f.tail.data != nil && end == f.tail.off {
			end = max(end, past)
		}
		blk := block{off: r.off, data: membuf.Get(int(end - r.off))}
		if end > r.end { // the rest is in the tail
			copy(blk.data[r.end-r.off:], f.tail.slice(r.end, end))
		}
		b.blocks = append(b.blocks, blk)
		for _, q := range f.split(round, r) {
			jobs = append(jobs, job{request{q.Offset, blk.slice(q.Offset, q.Offset+q.Length)}, q})
		}
	}
	if len(jobs) == 1 || f.quick(len(jobs), b.blocks) {
		for _, j := range jobs {
			if err := f.read(ctx, j.request, j.rec, l); err != nil {
				b.Release()
				return nil, err
			}
		}
		return b, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			if err := f.read(ctx, j.request, j.rec, l); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		b.Release()
		return nil, err
	}
	return b, nil
}

// Into reads one extent into memory of the caller's, in a request of its own, and
// records it. What the tail holds is copied from there.
func (f *Fetcher) Into(ctx context.Context, l *Ledger, round int, e metadata.Extent, dst []byte) error {
	if e.Offset < 0 || e.Length < 0 || e.Offset > f.size || e.Length > f.size-e.Offset {
		return outside(e, f.size)
	}
	l.want([]metadata.Extent{e})
	if f.tail.data != nil && e.End() > f.tail.off {
		from := max(e.Offset, f.tail.off)
		copy(dst[from-e.Offset:], f.tail.slice(from, e.End()))
	}
	for _, q := range f.Requests(round, []metadata.Extent{e}) {
		if err := f.read(ctx, request{q.Offset, dst[q.Offset-e.Offset:][:q.Length]}, q, l); err != nil {
			return err
		}
	}
	return nil
}

func outside(e metadata.Extent, size int64) error {
	return &metadata.FormatError{Piece: e.String(), Offset: -1, Msg: fmt.Sprintf("lies outside a file of %d bytes", size)}
}

// quickRound is how long a round may take, one request after the other, that is
// not worth waking other threads for.
const quickRound = 200 * time.Microsecond

// quick reports whether a round of so many requests is.
func (f *Fetcher) quick(requests int, blocks []block) bool {
	bytes := 0
	for _, b := range blocks {
		bytes += len(b.data)
	}
	return time.Duration(requests)*f.hints.Latency+time.Duration(float64(bytes)/f.hints.Bandwidth*float64(time.Second)) < quickRound
}

// past is where the last extent ends that begins before the tail and reaches
// into it.
func (f *Fetcher) past(extents []metadata.Extent) (end int64) {
	for _, e := range extents {
		if f.tail.data != nil && e.Offset < f.tail.off && e.End() > f.tail.off {
			end = max(end, e.End())
		}
	}
	return end
}

// read does one request.
func (f *Fetcher) read(ctx context.Context, r request, rec Request, l *Ledger) error {
	retries, err := f.retry(ctx, func(ctx context.Context) (int, error) { return len(r.dst), f.src.ReadAt(ctx, r.dst, r.off) })
	if err == nil {
		err = f.isMeant()
	}
	if err != nil {
		return fmt.Errorf("reading %d bytes at %d: %w", len(r.dst), r.off, err)
	}
	rec.Offset, rec.Length, rec.Retries = r.off, int64(len(r.dst)), retries
	l.record(rec)
	return nil
}

var errOther = errors.New("the object changed after it was listed")

// isMeant fails if the source says that it reads another version of the object
// than the one that is meant.
func (f *Fetcher) isMeant() error {
	if i, ok := f.src.(source.Identifier); ok && f.meant != "" {
		if is := i.Identity(); is != "" && is != f.meant {
			return errOther
		}
	}
	return nil
}

// retry tries a request, and again what fails for a passing reason. do returns how
// many bytes came.
func (f *Fetcher) retry(ctx context.Context, do func(context.Context) (int, error)) (retries int, err error) {
	return source.Retry(ctx, func() error { return f.measure(ctx, do) })
}
