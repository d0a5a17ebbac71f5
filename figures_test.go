package pare_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
)

// TestASecondQueryIsPlannedByWhatTheFirstMeasured: over real HTTP, from a server
// that lets every request wait for 2 ms. The first plan of a file has the figures
// that are stated of such sources, every time; the next one those that were
// measured.
func TestASecondQueryIsPlannedByWhatTheFirstMeasured(t *testing.T) {
	const wait = 2 * time.Millisecond
	data := readWhole(t, "cmd/pare/orders/orders-shuffled.parquet")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(wait)
		http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(data.data))
	}))
	defer srv.Close()
	where, err := predicate.Parse("customer_id = 17")
	if err != nil {
		t.Fatal(err)
	}
	q := pare.Query{Where: where}
	src, err := httprange.New(srv.URL, httprange.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := pare.Open(t.Context(), src, pare.Options{Tail: 8})
	if err != nil {
		t.Fatal(err)
	}
	run := func(f *pare.File) (planned, after report.Receipt) {
		t.Helper()
		p, err := f.Plan(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		planned = p.Receipt()
		for b, err := range p.Scan(t.Context()).Batches() {
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		}
		after = p.Receipt()
		return planned, after
	}
	first, after := run(f)
	stated := source.RemoteHints()
	if first.Model.LatencyMS != 1000*stated.Latency.Seconds() || first.Model.Bandwidth != stated.Bandwidth {
		t.Errorf("the first plan goes by %+v", first.Model)
	}
	if !reflect.DeepEqual(first, after) {
		t.Errorf("the plan went by %+v, and then by %+v", first.Model, after.Model)
	}
	second, _ := run(f)
	if ms := second.Model.LatencyMS; ms == first.Model.LatencyMS || ms < 2 {
		t.Errorf("the second plan goes by a latency of %v ms", ms)
	}
	if second.Model == first.Model {
		t.Error("nothing was measured")
	}
	again, err := pare.Open(t.Context(), src, pare.Options{Tail: 8})
	if err != nil {
		t.Fatal(err)
	}
	if opened, _ := run(again); opened.Model.LatencyMS == first.Model.LatencyMS {
		t.Errorf("another file of the server is planned by %+v", opened.Model)
	}
}
