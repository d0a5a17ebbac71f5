package fetch

import (
	"context"
	"sync"

	"github.com/parequet/pare/source"
)

// Figures keep what the gauges of sources show at the first look, so that all files
// of a table are planned with the same, and what of their requests is in flight
// together. They are safe for concurrent use.
type Figures struct{ seen, flights sync.Map }

// inFlight is the limit of requests in flight to one origin.
func (f *Figures) inFlight(g *source.Gauge, most int) chan struct{} {
	if f == nil || g == nil {
		return make(chan struct{}, most)
	}
	c, _ := f.flights.LoadOrStore(g, make(chan struct{}, most))
	return c.(chan struct{})
}

func (f *Figures) of(g *source.Gauge) source.Hints {
	h := g.Hints()
	if f == nil {
		return h
	}
	kept, _ := f.seen.LoadOrStore(g, h)
	return kept.(source.Hints)
}

func newFetcher(src source.Source, opt Options) *Fetcher {
	o := &target{src: src, meant: opt.Identity, asked: opt}
	if g, ok := src.(source.Gauged); ok {
		o.gauge = g.Gauge()
	}
	f := o.fetcher()
	o.inFlight = opt.Figures.inFlight(o.gauge, f.hints.Concurrency)
	return f
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
		f.gap = min(f.perRequest()/int64(f.hints.Concurrency), f.hints.MaxRequest)
	}
	return f
}

// perRequest is how many bytes a request's wait would bring.
func (f *Fetcher) perRequest() int64 {
	return int64(f.hints.Latency.Seconds() * f.hints.Bandwidth)
}

// Gap is how many bytes between two extents are fetched with them, rather than in
// another request.
func (f *Fetcher) Gap() int64 { return f.gap }

// Measured reports whether requests are measured: the source is not a local one.
func (f *Fetcher) Measured() bool { return f.gauge != nil }

// Hints are the costs that reads are planned with.
func (f *Fetcher) Hints() source.Hints { return f.hints }

// measure does one request, within the limit of requests in flight and before the
// gauge's eyes. While it waits to be tried again, it is not in flight.
func (f *Fetcher) measure(ctx context.Context, do func(context.Context) (int, error)) error {
	select {
	case f.inFlight <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-f.inFlight }()
	if f.gauge == nil {
		_, err := do(ctx)
		return err
	}
	ctx, timing := f.gauge.Begin(ctx)
	n, err := do(ctx)
	if err != nil {
		n = 0 // nobody knows how much came
	}
	timing.End(int64(n), err == nil)
	return err
}
