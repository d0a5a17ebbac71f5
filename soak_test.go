package pare_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
)

var soakRequests = flag.Int64("soak-requests", 600, "requests of TestSoak")

// flaky is a web server of which a request in twenty goes wrong: it answers 500 or
// 503, resets the connection, breaks the body off, or falls silent for a while.
type flaky struct {
	object   atomic.Pointer[[]byte]
	version  atomic.Int64
	requests atomic.Int64
	faults   atomic.Int64
}

func (s *flaky) replace(b []byte) {
	s.object.Store(&b)
	s.version.Add(1)
}

func (s *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	version, object := s.version.Load(), *s.object.Load()
	if version != s.version.Load() { // replaced between the two
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprint(version)))
	if rand.IntN(20) > 0 {
		http.ServeContent(w, r, "object", time.Unix(1e9, 0), bytes.NewReader(object))
		return
	}
	s.faults.Add(1)
	switch rand.IntN(5) {
	case 0:
		w.WriteHeader(http.StatusInternalServerError)
	case 1:
		w.WriteHeader(http.StatusServiceUnavailable)
	case 2:
		panic(http.ErrAbortHandler)
	case 3:
		http.ServeContent(&brokenOff{w, 1 + rand.IntN(5000)}, r, "object", time.Unix(1e9, 0), bytes.NewReader(object))
		panic(http.ErrAbortHandler)
	default:
		time.Sleep(50 * time.Millisecond)
		http.ServeContent(w, r, "object", time.Unix(1e9, 0), bytes.NewReader(object))
	}
}

// brokenOff lets only so many bytes of a body through.
type brokenOff struct {
	http.ResponseWriter
	left int
}

func (w *brokenOff) Write(p []byte) (int, error) {
	if len(p) > w.left {
		w.ResponseWriter.Write(p[:w.left])
		panic(http.ErrAbortHandler)
	}
	w.left -= len(p)
	return w.ResponseWriter.Write(p)
}

// TestSoak: on a server that fails now and then, and whose object changes once,
// every query returns exactly the right rows or one clear error, and ends.
func TestSoak(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	names := []string{ordersPaged, "cmd/pare/orders/orders-sorted.parquet"}
	var server flaky
	var truths [2]*whole
	for i, name := range names {
		truths[i] = readWhole(t, name)
	}
	first, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(names[1])
	if err != nil {
		t.Fatal(err)
	}
	server.replace(first)
	srv := httptest.NewServer(&server)
	defer srv.Close()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	src := func() source.Source {
		s, err := httprange.New(srv.URL, httprange.Options{Client: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		return &costly{s, source.Hints{Latency: time.Millisecond, Bandwidth: 1e9, Concurrency: 8, MaxRequest: 64 << 10}}
	}
	queries, failed := 0, map[string]int{}
	for server.requests.Load() < *soakRequests {
		if server.version.Load() == 1 && server.requests.Load() > *soakRequests/2 {
			time.AfterFunc(time.Duration(rand.IntN(3000))*time.Microsecond, func() { server.replace(second) })
			for server.version.Load() == 1 {
				soakQuery(t, src(), truths[:], failed)
				queries++
			}
		}
		soakQuery(t, src(), truths[:], failed)
		queries++
	}
	total := 0
	for msg, n := range failed {
		total += n
		t.Logf("%d times: %s", n, msg)
	}
	t.Logf("%d queries in %d requests, %d of which went wrong; %d queries failed", queries, server.requests.Load(), server.faults.Load(), total)
	if total > queries/10 {
		t.Errorf("%d of %d queries failed", total, queries)
	}
}

// costly is a source of other costs, so that there are many requests.
type costly struct {
	*httprange.Source
	hints source.Hints
}

func (h *costly) Hints() source.Hints { return h.hints }

// soakQuery asks for some rows and holds them against the versions of the object.
func soakQuery(t *testing.T, src source.Source, truths []*whole, failed map[string]int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	lo := rand.Int64N(20_000)
	x := predicate.Col("order_id").Between(lo, lo+rand.Int64N(3000))
	q := pare.Query{Select: []string{"order_id", "amount", "note"}, Where: x, ReadBytes: 100_000}
	var rows table
	f, err := pare.Open(ctx, src, pare.Options{Gap: -1, Name: "object"})
	if err == nil {
		var s *pare.Scan
		if s, err = f.Scan(ctx, q); err == nil {
			for batch, e := range s.Batches() {
				if err = e; err != nil {
					break
				}
				rows = appendBatch(rows, batch)
				batch.Release()
			}
		}
	}
	if err != nil {
		if ctx.Err() != nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("not a clear error: %v", err)
		}
		msg := err.Error()
		failed[msg[strings.LastIndex(msg, ": ")+2:]]++
		return
	}
	for _, w := range truths {
		bound, err := predicate.Bind(x, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		want := w.matching(bound)
		same := len(want) == len(rows)
		for i := 0; same && i < len(rows); i++ {
			for k, name := range q.Select {
				same = same && rows[i][k] == w.rows[want[i]][w.place[name]]
			}
		}
		if same {
			return
		}
	}
	t.Fatalf("%v: %d rows that are those of no version of the object", x, len(rows))
}
