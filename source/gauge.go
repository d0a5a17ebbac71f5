package source

import (
	"context"
	"math"
	"net/http/httptrace"
	"sync"
	"time"
)

// Gauged is a Source whose figures are measured. They come before its [Hints].
type Gauged interface{ Gauge() *Gauge }

// Gauge measures what the requests of one origin cost, so that a later query is
// planned with that. It is safe for concurrent use.
//
// Of a request, the time until the first byte of its answer is its wait; making a
// connection is left out. Bandwidth is that of all requests together, while at
// least one is past its first byte. Each figure is a running mean of logarithms, in
// which the newest measurement counts three tenths once there are a few.
type Gauge struct {
	mu    sync.Mutex
	shown Hints // what Hints returns

	latency, bandwidth figure // seconds; bytes a second

	// The transfer under way.
	moving  int  // requests past their first byte
	spoiled bool // one of them failed
	since   time.Time
	bytes   int64
}

// figure is a measured mean.
type figure struct {
	log         float64
	n           int
	least, most float64
}

const (
	gaugeWeigh = 0.3       // of the newest measurement
	gaugeJump  = 16        // it counts for at most so many times more or less than the mean
	gaugeStir  = 1.25      // figures are shown anew once they have changed by so much
	leastMoved = 256 << 10 // bytes of a transfer that says something of bandwidth: less is in buffers, or a connection's slow start
	mostMoved  = 64 << 20  // bytes after which a transfer that goes on is counted
)

// NewGauge returns a gauge that states these figures until it has measured others.
func NewGauge(start Hints) *Gauge {
	return &Gauge{shown: start.OrDefaults(), latency: figure{least: 100e-6, most: 2}, bandwidth: figure{least: 1e6, most: 10e9}}
}

// Hints are the figures as they are known now. They stay as they are until what is
// measured differs from them by a quarter, so that plans on a steady link are the
// same.
func (g *Gauge) Hints() Hints {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shown
}

// Timing is a request that is being measured.
type Timing struct {
	gauge *Gauge

	// All of it is the gauge's to guard.
	start, dialing, first time.Time
	dialed                time.Duration
	moving, ended         bool
}

// Begin notes that a request is being sent. What is sent with the returned context
// over net/http tells by itself when the first byte of the answer has come; other
// sources call FirstByte.
func (g *Gauge) Begin(ctx context.Context) (context.Context, *Timing) {
	t := &Timing{gauge: g, start: time.Now()}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) {
			g.mu.Lock()
			defer g.mu.Unlock()
			t.dialing = time.Now()
		},
		GotConn: func(httptrace.GotConnInfo) {
			g.mu.Lock()
			defer g.mu.Unlock()
			t.dialed += time.Since(t.dialing)
		},
		GotFirstResponseByte: t.FirstByte,
	}), t
}

// FirstByte notes that the first byte of the answer has come. With redirects, the
// last answer counts.
func (t *Timing) FirstByte() {
	g := t.gauge
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.ended {
		return
	}
	t.first = time.Now()
	if !t.moving {
		t.moving = true
		if g.moving == 0 {
			g.since, g.bytes, g.spoiled = t.first, 0, false
		}
		g.moving++
	}
}

// End notes that the request has brought so many bytes, or has failed: then neither
// its wait nor the transfer that it was a part of says anything.
func (t *Timing) End(bytes int64, ok bool) {
	g := t.gauge
	g.mu.Lock()
	defer g.mu.Unlock()
	t.ended = true
	if !t.moving {
		return
	}
	g.moving--
	g.bytes += bytes
	if ok {
		g.latency.add((t.first.Sub(t.start) - t.dialed).Seconds())
	} else {
		g.spoiled = true
	}
	if now := time.Now(); g.moving == 0 || g.bytes >= mostMoved {
		if !g.spoiled {
			g.transferred(now.Sub(g.since), g.bytes)
		}
		g.since, g.bytes, g.spoiled = now, 0, false
	}
	g.show()
}

// Observe adds what was measured elsewhere: how long a request waited, and how long
// the bytes of all requests took to come after that.
func (g *Gauge) Observe(wait, transfer time.Duration, bytes int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.latency.add(wait.Seconds())
	g.transferred(transfer, bytes)
	g.show()
}

func (g *Gauge) transferred(took time.Duration, bytes int64) {
	if bytes >= leastMoved {
		g.bandwidth.add(float64(bytes) / max(took, 1).Seconds())
	}
}

func (g *Gauge) show() {
	if x, ok := g.latency.differs(g.shown.Latency.Seconds()); ok {
		g.shown.Latency = time.Duration(1e9 * x)
	}
	if x, ok := g.bandwidth.differs(g.shown.Bandwidth); ok {
		g.shown.Bandwidth = x
	}
}

func (f *figure) add(x float64) {
	x = math.Log(min(max(x, f.least), f.most))
	f.n++
	if f.n > 1 {
		x = min(max(x, f.log-math.Log(gaugeJump)), f.log+math.Log(gaugeJump))
	}
	f.log += (x - f.log) * max(gaugeWeigh, 1/float64(f.n))
}

// differs returns the mean, rounded to what is worth reading, if there is one that
// is far enough from what is shown.
func (f *figure) differs(shown float64) (float64, bool) {
	if f.n == 0 || math.Abs(f.log-math.Log(shown)) <= math.Log(gaugeStir) {
		return 0, false
	}
	x := math.Exp(f.log)
	unit := math.Pow10(int(math.Floor(math.Log10(x))) - 1)
	return math.Round(x/unit) * unit, true
}

// maxOrigins bounds what is remembered of origins that come and go.
const maxOrigins = 256

var origins struct {
	sync.Mutex
	gauges map[string]*Gauge
}

// Origin returns the gauge of an origin, such as https://host or s3://bucket: the
// same for all sources of this process, which starts with the figures of
// [RemoteHints].
func Origin(name string) *Gauge {
	origins.Lock()
	defer origins.Unlock()
	if g := origins.gauges[name]; g != nil {
		return g
	}
	if len(origins.gauges) >= maxOrigins || origins.gauges == nil {
		origins.gauges = map[string]*Gauge{}
	}
	g := NewGauge(RemoteHints())
	origins.gauges[name] = g
	return g
}
