package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parequet/pare/report"
)

// TestHTTP queries a file behind a real HTTP server. What the server sent is
// what the receipt says.
func TestHTTP(t *testing.T) {
	body := orderFile(t, "orders-paged.parquet")
	var requests, sent atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.ServeContent(&countingWriter{w, &sent}, r, "orders.parquet", time.Unix(1e9, 0), bytes.NewReader(body))
	}))
	defer srv.Close()
	receipt := filepath.Join(t.TempDir(), "receipt.json")
	for _, c := range []struct {
		flags    []string
		requests int64 // at most
		bytes    int64 // at most
	}{
		{nil, 3, 403172},
		{[]string{"--tail", "4096"}, 4, 403172},
		{[]string{"--gap", "0", "--tail", "8"}, 20, 20000},
	} {
		requests.Store(0)
		sent.Store(0)
		args := append([]string{"query", "SELECT order_id, customer_id, amount FROM '" + srv.URL + "/orders.parquet?key=secret' WHERE " + demoWhere,
			"--report", receipt}, c.flags...)
		status, stdout, stderr := runCommand(t, args...)
		if status != 0 || strings.Count(stdout, "\n") != 766 {
			t.Fatalf("exit %d, %d lines, %s", status, strings.Count(stdout, "\n"), stderr)
		}
		text, err := os.ReadFile(receipt)
		if err != nil {
			t.Fatal(err)
		}
		var r report.Receipt
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if r.Bytes.Total != sent.Load() || int64(r.Requests.Total) != requests.Load() {
			t.Errorf("%v: the receipt says %d bytes in %d requests, the server %d in %d", c.flags, r.Bytes.Total, r.Requests.Total, sent.Load(), requests.Load())
		}
		if requests.Load() > c.requests || sent.Load() > c.bytes {
			t.Errorf("%v: %d bytes in %d requests", c.flags, sent.Load(), requests.Load())
		}
		if strings.Contains(string(text)+stderr, "secret") {
			t.Error("the URL's query is shown")
		}
	}
}

type countingWriter struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.n.Add(int64(n))
	return n, err
}

func TestHTTPFaultsHideTheQuery(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	status, stdout, stderr := runCommand(t, "scan", srv.URL+"/x.parquet?key=secret")
	if status != 1 || stdout != "" || strings.Contains(stderr, "secret") || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "404") {
		t.Errorf("exit %d, %q, %q", status, stdout, stderr)
	}
}
