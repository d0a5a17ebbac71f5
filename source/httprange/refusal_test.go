package httprange_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parequet/pare/source"
)

// TestLastingFaultsAreNotPassing: what fails the next time, too, is not tried again.
func TestLastingFaultsAreNotPassing(t *testing.T) {
	var requests atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/nowhere":
			w.Header().Set("Location", "http://[bad/?secret")
			w.WriteHeader(http.StatusFound)
		}
	}))
	defer srv.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	secure.Config.ErrorLog = nil
	for url, says := range map[string]string{
		srv.URL + "/loop":    "redirects again and again",
		srv.URL + "/nowhere": "redirects to what is no URL",
		secure.URL:           "certificate",
		strings.Replace(srv.URL, "http:", "https:", 1): "HTTP",
		"http://no-such-host.invalid/":                 "no such host",
	} {
		err := open(t, url).ReadAt(context.Background(), make([]byte, 10), 0)
		if err == nil || source.IsTemporary(err) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: temporary %v, %v", url, source.IsTemporary(err), err)
		}
	}
	if n := requests.Load(); n > 12 {
		t.Errorf("%d requests", n)
	}
}
