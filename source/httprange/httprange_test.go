package httprange_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
	"github.com/parequet/pare/source/sourcetest"
)

// serve starts a real HTTP server for an object that can be exchanged.
func serve(t *testing.T, object *[]byte, etag func() string) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", etag())
		http.ServeContent(w, r, "object", time.Unix(1e9, 0), bytes.NewReader(*object))
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/object?token=secret"
}

func open(t *testing.T, url string) *httprange.Source {
	s, err := httprange.New(url, httprange.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	object := bytes.Repeat([]byte("0123456789abcde"), 300)
	url := serve(t, &object, func() string { return `"v1"` })
	sourcetest.Run(t, func() source.Source { return open(t, url) }, object)
}

func TestChangedObjectIsAnError(t *testing.T) {
	for _, etags := range [][2]string{{`"v1"`, `"v2"`}, {`W/"v1"`, `W/"v2"`}} {
		object := bytes.Repeat([]byte("x"), 4000)
		etag := etags[0]
		s := open(t, serve(t, &object, func() string { return etag }))
		p := make([]byte, 100)
		if err := s.ReadAt(context.Background(), p, 0); err != nil {
			t.Fatal(err)
		}
		etag = etags[1]
		err := s.ReadAt(context.Background(), p, 100)
		if err == nil || !strings.Contains(err.Error(), "changed") || source.IsTemporary(err) {
			t.Errorf("%v: reading a changed object: %v", etags, err)
		}
	}
}

func TestErrorsHideTheQuery(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	url := srv.URL + "/object?token=secret"
	s := open(t, url)
	check := func(err error) {
		t.Helper()
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("error: %v", err)
		}
	}
	err := s.ReadAt(context.Background(), make([]byte, 1), 0)
	check(err)
	if source.IsTemporary(err) {
		t.Error("a 404 would be tried again")
	}
	srv.Close()
	err = s.ReadAt(context.Background(), make([]byte, 1), 0)
	check(err)
	if !source.IsTemporary(err) {
		t.Error("a refused connection would not be tried again")
	}
	if strings.Contains(s.String(), "secret") {
		t.Error(s.String())
	}
}

func TestServerErrorsAreTemporary(t *testing.T) {
	for code, temporary := range map[int]bool{500: true, 503: true, 429: true, 408: true, 403: false, 400: false} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }))
		err := open(t, srv.URL).ReadAt(context.Background(), make([]byte, 1), 0)
		if source.IsTemporary(err) != temporary {
			t.Errorf("status %d: %v", code, err)
		}
		srv.Close()
	}
}
