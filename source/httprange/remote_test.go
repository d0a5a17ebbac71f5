package httprange_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
	"github.com/parequet/pare/source/internal/stall"
	"github.com/parequet/pare/source/sourcetest"
)

func TestFaultsOfServers(t *testing.T) {
	object := bytes.Repeat([]byte("0123456789abcde"), 300)
	var now atomic.Pointer[[]byte]
	var version atomic.Int64
	now.Store(&object)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", strconv.Quote(strconv.FormatInt(version.Load(), 10)))
		http.ServeContent(w, r, "object", time.Unix(1e9, 0), bytes.NewReader(*now.Load()))
	}))
	defer srv.Close()
	sourcetest.RunRemote(t, sourcetest.Remote{
		URL: srv.URL, Object: object,
		Open: func(t *testing.T, url string) source.Source {
			s, err := httprange.New(url+"/object", httprange.Options{Client: stall.Client(nil, 300*time.Millisecond)})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Replace: func(_ *testing.T, b []byte) {
			version.Add(1)
			now.Store(&b)
		},
	})
}

// hidden is an answer of which a browser shows the plainest headers only.
type hidden struct{ http.ResponseWriter }

func (h hidden) WriteHeader(status int) {
	h.Header().Del("ETag")
	h.Header().Del("Content-Range")
	h.ResponseWriter.WriteHeader(status)
}

// TestAsInABrowser: the same, where requests are plain and answers show little.
func TestAsInABrowser(t *testing.T) {
	object := bytes.Repeat([]byte("0123456789abcde"), 300)
	var now atomic.Pointer[[]byte]
	var version atomic.Int64
	now.Store(&object)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-Match") != "" || strings.HasPrefix(r.Header.Get("Range"), "bytes=-") {
			t.Errorf("a browser would ask first whether it may send %v", r.Header)
		}
		w.Header().Set("ETag", `"v"`)
		http.ServeContent(hidden{w}, r, "object", time.Unix(1e9+version.Load(), 0), bytes.NewReader(*now.Load()))
	}))
	defer srv.Close()
	open := func(t *testing.T, url string) source.Source {
		s, err := httprange.New(url+"/object", httprange.Options{Client: stall.Client(nil, 300*time.Millisecond)})
		if err != nil {
			t.Fatal(err)
		}
		return s.AsInBrowser()
	}
	sourcetest.Run(t, func() source.Source { return open(t, srv.URL) }, object)
	sourcetest.RunRemote(t, sourcetest.Remote{
		URL: srv.URL, Object: object,
		Open: func(t *testing.T, url string) source.Source {
			s := open(t, url)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if _, err := s.Size(ctx); err != nil { // a fetcher asks first; some servers fail by now
				t.Log(err)
			}
			return s
		},
		Replace: func(_ *testing.T, b []byte) {
			version.Add(1)
			now.Store(&b)
		},
	})
}
