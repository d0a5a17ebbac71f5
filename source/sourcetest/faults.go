package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/source"
)

// Remote is an object behind a server, of at least 1,000 bytes.
type Remote struct {
	URL    string // the server: scheme and host
	Object []byte
	// Open makes a source of the object by way of the server at url. It shall
	// wait for a silent server for a second at most.
	Open func(t *testing.T, url string) source.Source
	// Replace puts other bytes into the object's place.
	Replace func(t *testing.T, b []byte)
}

// RunRemote tests what a source does when its server fails: what may pass is
// marked [source.Temporary], and nothing is tried again behind the fetcher's
// back.
func RunRemote(t *testing.T, r Remote) {
	t.Helper()
	for fault, temporary := range map[Fault]bool{
		Status(500): true, Status(502): true, Status(503): true, Status(429): true, Status(408): true,
		Reset: true, ShortBody: true, ResetBody: true, SlowBody: true, Silent: true,
		Status(400): false, Status(403): false, Status(404): false,
	} {
		t.Run(string(fault), func(t *testing.T) { r.fault(t, fault, temporary) })
	}
	t.Run("cancellation of a slow answer", func(t *testing.T) { r.cancelled(t) })
	t.Run("changed object", func(t *testing.T) { r.changed(t) })
}

// reads are the ways to read the object's last 900 bytes.
func reads(s source.Source, size int) map[string]func(ctx context.Context, p []byte) error {
	out := map[string]func(ctx context.Context, p []byte) error{
		"ReadAt": func(ctx context.Context, p []byte) error { return s.ReadAt(ctx, p, int64(size-len(p))) },
	}
	if tr, ok := s.(source.TailReader); ok {
		out["ReadTail"] = func(ctx context.Context, p []byte) error {
			_, _, err := tr.ReadTail(ctx, p)
			if errors.Is(err, source.ErrNoTail) {
				err = s.ReadAt(ctx, p, int64(size-len(p)))
			}
			return err
		}
	}
	return out
}

func (r Remote) fault(t *testing.T, fault Fault, temporary bool) {
	proxy := NewProxy(t, r.URL)
	s := r.Open(t, proxy.URL)
	for name, read := range reads(s, len(r.Object)) {
		p := make([]byte, 900)
		before := proxy.Requests()
		proxy.Fail(fault)
		start := time.Now()
		err := read(t.Context(), p)
		if err == nil || source.IsTemporary(err) != temporary || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: temporary %v: %v", name, source.IsTemporary(err), err)
		}
		var passing *source.Temporary
		if errors.As(err, &passing) && (passing.After == 7*time.Second) != (fault == Status(429) || fault == Status(503)) {
			t.Errorf("%s: the server asks to wait, the source says %v", name, passing.After)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s failed after %s", name, d)
		}
		most := 1
		if fault == Reset {
			most = 2 // net/http repeats what fails on a kept connection
		}
		if n := proxy.Requests() - before; n > most {
			t.Errorf("%s made %d requests", name, n)
		}
		proxy.Fail("")
		if err := read(t.Context(), p); err != nil || !bytes.Equal(p, r.Object[len(r.Object)-900:]) {
			t.Errorf("%s after the fault: %v", name, err)
		}
	}
}

func (r Remote) cancelled(t *testing.T) {
	for _, fault := range []Fault{SlowBody, Silent} {
		proxy := NewProxy(t, r.URL)
		proxy.Fail(fault)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		err := r.Open(t, proxy.URL).ReadAt(ctx, make([]byte, 900), 0)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

func (r Remote) changed(t *testing.T) {
	s := r.Open(t, r.URL)
	all := reads(s, len(r.Object))
	for name, read := range all {
		if err := read(t.Context(), make([]byte, 900)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	other := bytes.Clone(r.Object)
	other[len(other)-1] ^= 1
	r.Replace(t, other)
	defer r.Replace(t, r.Object)
	for name, read := range all {
		err := read(t.Context(), make([]byte, 900))
		if err == nil || source.IsTemporary(err) || !strings.Contains(err.Error(), "changed") {
			t.Errorf("%s of a changed object: temporary %v: %v", name, source.IsTemporary(err), err)
		}
	}
}
