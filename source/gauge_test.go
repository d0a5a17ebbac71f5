package source_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parequet/pare/source"
)

// link is a simulated one: all requests in flight share its bandwidth, a byte of
// each in turn.
type link struct {
	latency   time.Duration
	bandwidth float64
}

// round sends requests of so many bytes each, all at once.
func (l link) round(t *testing.T, g *source.Gauge, requests int, bytes int64) {
	var wg sync.WaitGroup
	for range requests {
		_, r := g.Begin(t.Context())
		wg.Go(func() {
			time.Sleep(l.latency)
			r.FirstByte()
			time.Sleep(time.Duration(float64(requests) * float64(bytes) / l.bandwidth * 1e9))
			r.End(bytes, true)
		})
	}
	wg.Wait()
}

func isNear(a, b float64) bool { return math.Abs(math.Log(a/b)) < math.Log(1.3) }

// One query of a few rounds is enough to learn what a link is like, even one that
// brought the file whole.
func TestGaugeLearns(t *testing.T) {
	rounds := map[string]func(t *testing.T, l link, g *source.Gauge){
		"whole": func(t *testing.T, l link, g *source.Gauge) { l.round(t, g, 1, 2<<20) },
		"parts": func(t *testing.T, l link, g *source.Gauge) {
			l.round(t, g, 1, 64<<10)
			l.round(t, g, 6, 20<<10)
			l.round(t, g, 5, 1<<20)
		},
	}
	for name, query := range rounds {
		for _, latency := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			for _, bandwidth := range []float64{10e6, 100e6, 1e9} {
				t.Run(fmt.Sprint(name, latency, bandwidth/1e6), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						g := source.NewGauge(source.RemoteHints())
						query(t, link{latency, bandwidth}, g)
						if h := g.Hints(); !isNear(h.Latency.Seconds(), latency.Seconds()) || !isNear(h.Bandwidth, bandwidth) {
							t.Errorf("it shows %v and %.3g MB/s", h.Latency, h.Bandwidth/1e6)
						}
					})
				})
			}
		}
	}
}

// The figures stay while the link does, and small requests say nothing of bandwidth.
func TestGaugeIsSteady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := source.NewGauge(source.RemoteHints())
		l := link{2 * time.Millisecond, 1e6}
		l.round(t, g, 1, 100)
		h := g.Hints()
		if h.Latency != 2*time.Millisecond || h.Bandwidth != source.RemoteHints().Bandwidth {
			t.Error("shows", h)
		}
		for i := range 100 {
			link{l.latency + time.Duration(i%3)*200*time.Microsecond, l.bandwidth}.round(t, g, 1+i%3, 100)
		}
		if g.Hints() != h {
			t.Error("has shown", h, "shows", g.Hints())
		}
	})
}

// The wait of a request that failed says nothing, and one that was thousands of
// times as long as any other not much.
func TestGaugeForgivesFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, l := source.NewGauge(source.RemoteHints()), link{10 * time.Millisecond, 100e6}
		for range 20 {
			l.round(t, g, 2, 100)
		}
		before := g.Hints()
		_, silent := g.Begin(t.Context())
		_, broken := g.Begin(t.Context())
		time.Sleep(time.Hour)
		silent.End(0, false)
		broken.FirstByte()
		broken.End(10<<20, false)
		_, refused := g.Begin(t.Context())
		refused.FirstByte()
		refused.End(10<<20, false) // at once
		if g.Hints() != before {
			t.Error("failed requests made it", g.Hints())
		}
		_, slow := g.Begin(t.Context())
		time.Sleep(time.Hour)
		slow.FirstByte()
		slow.End(100, true)
		if h := g.Hints(); h.Latency > 3*before.Latency {
			t.Error("an hour made it", h)
		}
		for range 20 {
			l.round(t, g, 2, 100)
		}
		if h := g.Hints(); h.Latency > before.Latency*5/4 {
			t.Error("it did not come back:", h)
		}
	})
}

// Transfers of which some are always under way are measured while they go on.
func TestGaugeMeasuresStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := source.NewGauge(source.RemoteHints())
		const each, inFlight = 1 << 20, 4 // of 400 MB/s
		var wg sync.WaitGroup
		for i := range inFlight {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				for range 100 {
					_, r := g.Begin(t.Context())
					r.FirstByte()
					time.Sleep(inFlight * each * 1e9 / 400e6)
					r.End(each, true)
				}
			})
		}
		time.Sleep(300 * time.Millisecond) // none has ended yet
		if h := g.Hints(); !isNear(h.Bandwidth, 400e6) {
			t.Error("shows", h)
		}
		wg.Wait()
	})
}

// Over net/http the first byte needs no telling, and what it takes to make a
// connection is no part of the wait.
func TestGaugeOverHTTP(t *testing.T) {
	const wait = 30 * time.Millisecond
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/object", http.StatusFound)
			return
		}
		time.Sleep(wait)
		w.Header().Set("Content-Length", "1000")
		w.(http.Flusher).Flush()
		time.Sleep(10 * wait)
		w.Write(make([]byte, 1000))
	}))
	defer srv.Close()
	for _, path := range []string{"/object", "/"} {
		g := source.NewGauge(source.Hints{Latency: time.Second})
		ctx, r := g.Begin(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		r.End(n, err == nil)
		if h := g.Hints(); h.Latency < wait || h.Latency > 5*wait {
			t.Errorf("%s: shows %v", path, h.Latency)
		}
	}
}

func TestOriginsAreShared(t *testing.T) {
	a, again, b := source.Origin("test://a"), source.Origin("test://a"), source.Origin("test://b")
	if a != again || a == b {
		t.Error("an origin is not its gauge")
	}
	for i := range 1000 {
		source.Origin(fmt.Sprint("test://", i))
	}
}
