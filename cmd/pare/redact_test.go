package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestSecretsOfURLsAreNotShown: neither the password nor the query of a URL is in
// anything that is printed, whatever happens.
func TestSecretsOfURLsAreNotShown(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved.parquet":
			w.Header().Set("Location", "http://[bad/p?X-Amz-Signature=SECRETSIG")
			w.WriteHeader(http.StatusFound)
		case "/gone.parquet":
			http.NotFound(w, r)
		default:
			http.ServeFile(w, r, "orders/orders-paged.parquet")
		}
	}))
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	url := func(scheme, path string) string {
		return scheme + "://user:PASSW0RD@" + host + path + "?X-Amz-Signature=SECRETSIG&b=c"
	}
	good := url("http", "/orders.parquet")
	for in, want := range map[string]string{"http://u:p?w@h/a?b": "http://h/a", "az://a/c/b?sig=x": "az://a/c/b", "s3://b/k?": "s3://b/k?", "a b": "a b"} {
		if got := redact(in); got != want {
			t.Errorf("%q is shown as %q, should be %q", in, got, want)
		}
	}
	for _, args := range [][]string{
		{"explain", good}, {"explain", good, "--analyze", "--format", "json"}, {"explain", "SELECT count(*) FROM '" + good + "'"},
		{"inspect", good}, {"inspect", good, "pages"}, {"verify", good}, {"ndv", good, "--columns", "status"}, {"ndv", good, good, "--format", "json"},
		{"query", "SELECT order_id FROM '" + good + "' WHERE order_id = 1", "--report", "json"},
		{"query", "SELECT order_id FROM '" + good + "' LIMIT 1", "--file-column", "f"},
		{"query", "SELECT nope FROM '" + good + "'"}, {"query", "SELECT order_id FROM '" + good + "' WHERE nope = 1"},
		{"query", "SELECT order_id FROM '" + good + "' WHRE order_id = 1"},
		{"query", "SELECT order_id FROM '" + url("HTTP", "/orders.parquet") + "' LIMIT 1"},
		{"scan", url("ftp", "/orders.parquet")}, {"scan", url("http", "/gone.parquet")}, {"scan", url("http", "/moved.parquet")},
		{"scan", strings.Replace(good, "127", "[127", 1)}, {"scan", good, "--select", "nope"}, {"inspect", url("http", "/gone.orc")},
	} {
		status, stdout, stderr := runCommand(t, args...)
		for _, secret := range []string{"PASSW0RD", "SECRETSIG"} {
			if strings.Contains(stdout+stderr, secret) {
				t.Errorf("%q, exit %d: %s is shown:\n%s%s", args, status, secret, stdout, stderr)
			}
		}
		if status != 0 && !strings.Contains(stderr, "pare: ") {
			t.Errorf("%q: exit %d, %s", args, status, stderr)
		}
	}
	if _, err := os.Stat("orders/orders-paged.parquet"); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"no file": "no file", "s3://b/a?.parquet": "s3://b/a?.parquet", "x 'https://u:p@h/a?b=c&d' y": "x 'https://***@h/a?*****' y",
		"q 'http://u:p/w@h/a' b": "q 'http://*****@h/a' b", "az://a/c/b?sig=x": "az://a/c/b?*****",
		"ftp://h/a?q and http://h/b": "ftp://h/a?* and http://h/b",
	} {
		if got := mask(in); got != want {
			t.Errorf("%q is shown as %q, should be %q", in, got, want)
		}
	}
}
