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

// Figures keep what the gauges of sources show at the first look, so that all files
// of a table are planned with the same. They are safe for concurrent use.
type Figures struct{ seen sync.Map }

func (f *Figures) of(g *source.Gauge) source.Hints {
	h := g.Hints()
	if f == nil {
		return h
	}
	kept, _ := f.seen.LoadOrStore(g, h)
	return kept.(source.Hints)
}

// block is a stretch of the object in memory.
type block struct {
	off  int64
	data []byte
}

func (b block) holds(off, end int64) bool { return off >= b.off && end <= b.off+int64(len(b.data)) }

func (b block) slice(off, end int64) []byte {
	return b.data[off-b.off : end-b.off : end-b.off]
}

// minTail and maxTail bound the automatic tail read.
const (
	minTail = 16 << 10
	maxTail = 1 << 20
	// maxWhole is the largest object that is read whole on suspicion.
	maxWhole = 16 << 20
)

// Resume is Open of an object whose size and last bytes are known, so that nothing
// is read.
func Resume(src source.Source, size int64, tail []byte, opt Options) *Fetcher {
	f, _ := newFetcher(src, opt)
	f.size, f.tail = size, block{off: size - int64(len(tail)), data: tail}
	return f
}

// Open learns the object's size and reads its end in one request, which is
// recorded as round 0.
func Open(ctx context.Context, src source.Source, opt Options, l *Ledger) (*Fetcher, error) {
	f, perRequest := newFetcher(src, opt)
	if tr, ok := src.(source.TailReader); ok {
		n := opt.Tail
		switch {
		case n < 0 && worthWhole(opt.Size, perRequest):
			n = opt.Size
		case n < 0:
			n = min(max(perRequest/4, minTail), maxTail)
		}
		if err := f.openTail(ctx, tr, max(n, metadata.TailLength), l); !errors.Is(err, source.ErrNoTail) {
			return f, err
		}
	}
	size, err := f.sizeOf(ctx, opt, l)
	if err != nil {
		return nil, err
	}
	f.size = size
	n := opt.Tail
	if n < 0 && worthWhole(size, perRequest) {
		n = size
	}
	if n < 0 {
		// A file's index grows with it; what a request more would cost bounds
		// what is read of it on suspicion.
		n = min(max(perRequest/4, size/1024, minTail), max(perRequest, 4*minTail), maxTail)
	}
	n = min(max(n, metadata.TailLength), size)
	f.tail = block{off: size - n, data: make([]byte, n)}
	if n == 0 {
		return f, nil
	}
	return f, f.read(ctx, request{off: f.tail.off, dst: f.tail.data}, Request{Purpose: "tail"}, l)
}

// worthWhole reports whether an object of this size, if it is known, is read whole:
// that takes little longer than the wait that another request would cost, which brings
// a part of it besides.
func worthWhole(size, perRequest int64) bool {
	return size > 0 && size <= min(perRequest*5/4, maxWhole)
}

// newFetcher returns, beside it, how many bytes a request's wait would bring.
func newFetcher(src source.Source, opt Options) (f *Fetcher, perRequest int64) {
	o := &target{src: src, meant: opt.Identity, asked: opt}
	if g, ok := src.(source.Gauged); ok {
		o.gauge = g.Gauge()
	}
	f = o.fetcher()
	o.inFlight = make(chan struct{}, f.hints.Concurrency)
	return f, f.perRequest()
}

// Renewed is a fetcher of the same object by the figures as they are known now.
func (f *Fetcher) Renewed() *Fetcher {
	if f.gauge == nil {
		return f
	}
	return f.target.fetcher()
}

func (o *target) fetcher() *Fetcher {
	f := &Fetcher{target: o}
	switch h, ok := o.src.(source.Hinter); {
	case o.gauge != nil:
		f.hints = o.asked.Figures.of(o.gauge)
	case ok:
		f.hints = h.Hints()
	}
	f.hints = f.hints.OrDefaults()
	if n := o.asked.Concurrency; n > 0 {
		f.hints.Concurrency = n
	}
	if f.gap = o.asked.Gap; f.gap < 0 {
		f.gap = f.perRequest() / int64(f.hints.Concurrency)
	}
	return f
}

// perRequest is how many bytes a request's wait would bring.
func (f *Fetcher) perRequest() int64 {
	return int64(f.hints.Latency.Seconds() * f.hints.Bandwidth)
}

// Measured reports whether requests are measured: the source is not a local one.
func (f *Fetcher) Measured() bool { return f.gauge != nil }

// sizeOf is the object's size: if that is not known, of a remote source, it takes a
// request.
func (f *Fetcher) sizeOf(ctx context.Context, opt Options, l *Ledger) (size int64, err error) {
	if opt.Size > 0 {
		return opt.Size, nil
	}
	retries, err := f.retry(ctx, func(ctx context.Context) (n int, err error) {
		size, err = f.src.Size(ctx)
		return 0, err
	})
	if err == nil && f.gauge != nil {
		l.record(Request{Round: sizeRound, Purpose: "size", Retries: retries})
	}
	return size, err
}

// sizeRound is before the open's.
const sizeRound = -1

func (f *Fetcher) openTail(ctx context.Context, tr source.TailReader, n int64, l *Ledger) error {
	p := make([]byte, n)
	var got int
	retries, err := f.retry(ctx, func(ctx context.Context) (int, error) {
		var err error
		got, f.size, err = tr.ReadTail(ctx, p)
		return got, err
	})
	if err == nil {
		err = f.isMeant()
	}
	if err != nil {
		return err
	}
	f.tail = block{off: f.size - int64(got), data: p[len(p)-got:]}
	l.record(Request{Purpose: "tail", Offset: f.tail.off, Length: int64(got), Retries: retries})
	return nil
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

// Hints are the costs that reads are planned with.
func (f *Fetcher) Hints() source.Hints { return f.hints }

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
		if n := len(runs); n > 0 && e.Offset-runs[n-1].end <= f.gap {
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

// read does one request, within the limit of requests in flight.
func (f *Fetcher) read(ctx context.Context, r request, rec Request, l *Ledger) error {
	select {
	case f.inFlight <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-f.inFlight }()
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

// measure does one request before the gauge's eyes.
func (f *Fetcher) measure(ctx context.Context, do func(context.Context) (int, error)) error {
	if f.gauge == nil {
		_, err := do(ctx)
		return err
	}
	ctx, timing := f.gauge.Begin(ctx)
	n, err := do(ctx)
	timing.End(int64(n), err == nil)
	return err
}

// Blocks are the bytes of one round's extents.
type Blocks struct {
	f      *Fetcher
	blocks []block // sorted
}

// Get returns the bytes of an extent that was asked for; they are valid until
// the blocks are released. It implements [metadata.Bytes].
func (b *Blocks) Get(e metadata.Extent) ([]byte, bool) {
	if e.Length < 0 {
		return nil, false
	}
	tail := b.f.tail
	if tail.holds(e.Offset, e.End()) {
		return tail.slice(e.Offset, e.End()), true
	}
	i, found := slices.BinarySearchFunc(b.blocks, e.Offset, func(k block, off int64) int {
		return int(min(max(k.off-off, -1), 1))
	})
	if !found {
		i--
	}
	if i < 0 {
		return nil, false
	}
	if k := b.blocks[i]; k.holds(e.Offset, e.End()) {
		return k.slice(e.Offset, e.End()), true
	}
	return nil, false
}

// Release gives the memory back. The blocks, and all bytes that Get returned,
// must not be used any more.
func (b *Blocks) Release() {
	if b == nil {
		return
	}
	for _, k := range b.blocks {
		membuf.Put(k.data)
	}
	b.blocks = nil
}
