package sourcetest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Fault is a way in which a server fails. The empty one is none.
type Fault string

// Faults that are no status.
const (
	Reset     Fault = "connection reset"
	ShortBody Fault = "body that ends early"
	ResetBody Fault = "connection reset in the body"
	SlowBody  Fault = "body that stops coming"
	Silent    Fault = "server that never answers"
)

// Status is an answer of that status without a body. Those of 429 and 503 ask to
// wait for seven seconds.
func Status(code int) Fault { return Fault(fmt.Sprintf("status %d", code)) }

// Proxy is a server in front of another one that fails when it is told to.
type Proxy struct {
	URL string

	mu       sync.Mutex
	fault    Fault
	requests int
	proxy    *httputil.ReverseProxy
}

// NewProxy starts a proxy. The Host that a request names is passed on, since
// signatures include it.
func NewProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{}
	p.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
		},
		Transport:      &http.Transport{DisableCompression: true},
		FlushInterval:  -1, // a body that stops has begun to come
		ModifyResponse: p.spoil,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	srv := httptest.NewServer(p)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	p.URL = srv.URL
	return p
}

// Fail makes every request from now on fail.
func (p *Proxy) Fail(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// Requests is how many have come.
func (p *Proxy) Requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

func (p *Proxy) now() Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.requests++
	p.mu.Unlock()
	var code int
	switch f := p.now(); {
	case f == Reset:
		reset(w)
	case f == Silent:
		hang(r)
	case parseStatus(f, &code):
		if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "7")
		}
		w.WriteHeader(code)
	case f == ResetBody:
		defer reset(w) // after half of the body has gone out
		defer func() { _ = recover() }()
		p.proxy.ServeHTTP(w, r)
	default:
		p.proxy.ServeHTTP(w, r)
	}
}

func parseStatus(f Fault, code *int) bool {
	_, err := fmt.Sscanf(string(f), "status %d", code)
	return err == nil
}

// hang waits until the client has gone, ten seconds at most.
func hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(10 * time.Second):
	}
	panic(http.ErrAbortHandler)
}

// reset ends the connection without the usual farewell.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}

// spoil breaks the body off half-way.
func (p *Proxy) spoil(resp *http.Response) error {
	if resp.Request.Method == http.MethodHead {
		return nil // it has no body
	}
	half := resp.ContentLength / 2
	switch f := p.now(); f {
	case ShortBody, ResetBody, SlowBody:
		resp.Body = &spoilt{Reader: io.LimitReader(resp.Body, half), Closer: resp.Body, fault: f, done: resp.Request}
	}
	return nil
}

type spoilt struct {
	io.Reader
	io.Closer
	fault Fault
	done  *http.Request
}

func (s *spoilt) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err == io.EOF && s.fault == SlowBody {
		hang(s.done)
	}
	return n, err
}
