// Package stall gives up on HTTP requests whose server has fallen silent. A
// request may take as long as its bytes keep coming: a limit on the whole
// would end large reads over slow links.
package stall

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Default is how long a server may be silent.
const Default = 30 * time.Second

// Transport is an [http.RoundTripper] that breaks off a request when no byte
// of the answer has come for a while.
type Transport struct {
	Base  http.RoundTripper
	After time.Duration // zero means Default
}

// Error says that a server fell silent.
type Error struct{ After time.Duration }

func (e *Error) Error() string { return fmt.Sprintf("the server sent nothing for %s", e.After) }

// Timeout says that the same request may succeed.
func (e *Error) Timeout() bool { return true }

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	after := t.After
	if after <= 0 {
		after = Default
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(after, func() { cancel(&Error{after}) })
	resp, err := t.Base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		timer.Stop()
		err = cause(ctx, err)
		cancel(nil)
		return nil, err
	}
	timer.Stop()
	resp.Body = &body{ReadCloser: resp.Body, ctx: ctx, timer: timer, after: after, cancel: cancel}
	return resp, nil
}

// cause prefers the silence to the cancellation that it led to.
func cause(ctx context.Context, err error) error {
	if e, ok := context.Cause(ctx).(*Error); ok {
		return e
	}
	return err
}

type body struct {
	io.ReadCloser
	ctx    context.Context
	timer  *time.Timer
	after  time.Duration
	cancel context.CancelCauseFunc
	closed sync.Once
}

func (b *body) Read(p []byte) (int, error) {
	b.timer.Reset(b.after)
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop() // the reader's own pauses are not the server's
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.closed.Do(func() {
		b.timer.Stop()
		b.cancel(nil)
	})
	return err
}

// Client is a client for object stores: connections are kept, redirects are
// answers, and bodies come as they are stored. Without a base it shares one
// pool of connections with all others.
func Client(base *http.Transport, after time.Duration) *http.Client {
	if base == nil {
		base = shared()
	} else {
		base = tuned(base)
	}
	return &http.Client{
		Transport:     &Transport{Base: base, After: after},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

var shared = sync.OnceValue(func() *http.Transport { return tuned(http.DefaultTransport.(*http.Transport)) })

// tuned is for many requests at a time to one host.
func tuned(t *http.Transport) *http.Transport {
	t = t.Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 128, 32
	t.DisableCompression = true // ranges are of the stored bytes
	return t
}
