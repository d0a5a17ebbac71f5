package httprange_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strconv"
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
