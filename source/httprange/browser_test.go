package httprange_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parequet/pare/report"
)

// TestInABrowser runs a query in the browser that PARE_CHROMIUM names, of a file at
// another origin that allows plain requests only, and exposes no header.
func TestInABrowser(t *testing.T) {
	program := os.Getenv("PARE_CHROMIUM")
	if program == "" {
		t.Skip("PARE_CHROMIUM does not name a Chromium")
	}
	object, err := os.ReadFile("../../testdata/orders/orders-paged-bloom.parquet")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var requests []string
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests = append(requests, r.Method+" "+r.Header.Get("Range"))
		mu.Unlock()
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(object))
	}))
	defer files.Close()
	posted := make(chan *http.Request, 1)
	var got struct {
		Error         string
		Rows          int64
		Before, After report.Receipt
	}
	page := httptest.NewServer(pageOf(t, func(r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		posted <- r
	}))
	defer page.Close()
	q := url.Values{"file": {files.URL + "/orders.parquet"}, "where": {"order_id BETWEEN 777 AND 780"}}
	cmd := exec.CommandContext(t.Context(), program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", page.URL+"/?"+q.Encode())
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	select {
	case <-posted:
	case <-time.After(time.Minute):
		t.Fatalf("nothing came of it in a minute: %s", said.String())
	}
	if got.Error != "" || got.Rows != 4 {
		t.Fatalf("%d rows, %s", got.Rows, got.Error)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := got.After.Requests.Total; len(requests) != want || !strings.HasPrefix(requests[0], "HEAD") {
		t.Errorf("the receipt has %d requests, the server saw %q", want, requests)
	}
	bytesSeen := int64(0)
	for _, r := range requests[1:] {
		var from, to int64
		if _, err := fmt.Sscanf(r, "GET bytes=%d-%d", &from, &to); err != nil {
			t.Errorf("%q: %v", r, err)
		}
		bytesSeen += to - from + 1
	}
	if bytesSeen != got.After.Bytes.Total || got.After.Bytes.Total != got.Before.Bytes.Total {
		t.Errorf("%d bytes crossed, the receipt has %d, the plan %d", bytesSeen, got.After.Bytes.Total, got.Before.Bytes.Total)
	}
}

// pageOf serves the page, with testdata/browser built for it.
func pageOf(t *testing.T, result func(*http.Request)) http.Handler {
	wasm := filepath.Join(t.TempDir(), "browser.wasm")
	build := exec.Command("go", "build", "-o", wasm, "./testdata/browser")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><script src="wasm_exec.js"></script><script>
const go = new Go()
WebAssembly.instantiateStreaming(fetch("browser.wasm"), go.importObject).then(r => go.run(r.instance))
</script>`)
	})
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	mux.HandleFunc("GET /wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	})
	mux.HandleFunc("GET /browser.wasm", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/wasm")
		http.ServeFile(w, r, wasm)
	})
	mux.HandleFunc("POST /result", func(_ http.ResponseWriter, r *http.Request) { result(r) })
	return mux
}
