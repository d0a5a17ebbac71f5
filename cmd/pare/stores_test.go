package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source/s3/s3test"
	"github.com/parequet/pare/source/sourcetest"
)

// put stores an object on a server that checks nothing.
func put(t *testing.T, url string, b []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		t.Fatalf("PUT: %s", resp.Status)
	}
}

func TestS3(t *testing.T) {
	s3test.Environment(t)
	url := s3test.Fake(t)
	t.Setenv("AWS_ENDPOINT_URL_S3", url)
	put(t, url+"/lake", nil)
	put(t, url+"/lake/a/orders.parquet", orderFile(t, "orders-paged.parquet"))
	status, stdout, stderr := runCommand(t, "query", "SELECT order_id, customer_id, amount FROM 's3://lake/a/orders.parquet' WHERE "+demoWhere, "--report", "text")
	if status != 0 || strings.Count(stdout, "\n") != 766 || !strings.Contains(stderr, "765 returned") {
		t.Fatalf("exit %d, %d lines, %s", status, strings.Count(stdout, "\n"), stderr)
	}
	for arg, says := range map[string]string{
		"s3://lake/none.parquet":     `s3://lake/none.parquet: there is no such object in the bucket "lake"`,
		"s3://sea/a/orders.parquet":  `s3://sea/a/orders.parquet: there is no bucket "sea"`,
		"s3://lake/stripes/none.orc": `s3://lake/stripes/none.orc: there is no such object`,
	} {
		oneLineOf(t, exitFailed, says, "inspect", arg)
	}
	for _, arg := range []string{"s3://", "s3://lake", "s3://lake/", "s3:///key", "s4://lake/key"} {
		oneLineOf(t, exitUsage, arg, "inspect", arg)
	}
}

// TestOtherStores: each scheme reaches its store, and says in one line why not.
func TestOtherStores(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", srv.URL)
	for _, name := range []string{"CONNECTION_STRING", "ACCOUNT", "KEY", "SAS_TOKEN"} {
		t.Setenv("AZURE_STORAGE_"+name, "")
	}
	t.Setenv("AZURE_STORAGE_BLOB_ENDPOINT", srv.URL)
	oneLineOf(t, exitFailed, `gs://lake/orders.parquet: the server answered 404 Not Found: there is no such object, or no bucket "lake"`, "scan", "gs://lake/orders.parquet")
	oneLineOf(t, exitFailed, `az://account/lake/orders.parquet: the server answered 404 Not Found: there is no such object, or no container "lake"`, "scan", "az://account/lake/orders.parquet")
	for _, arg := range []string{"gs://lake", "gs:///key", "az://account", "az://account/lake/"} {
		oneLineOf(t, exitUsage, arg, "inspect", arg)
	}
}

// oneLineOf runs a command that fails with one line.
func oneLineOf(t *testing.T, exit int, says string, args ...string) {
	t.Helper()
	status, stdout, stderr := runCommand(t, args...)
	if status != exit || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) {
		t.Errorf("%q: exit %d, %q, %q, want %q", args, status, stdout, stderr, says)
	}
	for _, secret := range []string{s3test.Key, s3test.Secret, "Signature", "X-Amz"} {
		if strings.Contains(strings.ReplaceAll(stderr, "SignatureDoesNotMatch", ""), secret) {
			t.Errorf("%q shows %q", stderr, secret)
		}
	}
}

func TestS3Refusals(t *testing.T) {
	s3test.Environment(t)
	t.Setenv("AWS_ENDPOINT_URL_S3", s3test.Versity(t))
	const file = "s3://lake/orders.parquet"
	oneLineOf(t, exitFailed, `there is no bucket "lake"`, "scan", file)
	t.Setenv("AWS_REGION", "eu-central-1")
	oneLineOf(t, exitFailed, "wrong region", "scan", file)
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
	oneLineOf(t, exitFailed, "wrong secret key", "scan", file)
	t.Setenv("AWS_ACCESS_KEY_ID", "another")
	oneLineOf(t, exitFailed, "wrong access key", "scan", file)
	os.Unsetenv("AWS_ACCESS_KEY_ID")
	oneLineOf(t, exitFailed, "no credentials", "scan", file)
	t.Setenv("AWS_PROFILE", "nobody")
	oneLineOf(t, exitFailed, `no profile "nobody"`, "scan", file)
}

// TestRequestsToStoresAreCounted: all of them, also where a server refuses a range
// that is longer than the object.
func TestRequestsToStoresAreCounted(t *testing.T) {
	s3test.Environment(t)
	small := orderFile(t, "orders-paged.parquet")
	for name, server := range map[string]func(testing.TB) string{"gofakes3": s3test.Fake, "versitygw": s3test.Versity} {
		t.Run(name, func(t *testing.T) {
			url := server(t)
			s3test.Fill(t, url, "lake", map[string][]byte{"t/a.parquet": small, "t/b.parquet": small})
			proxy := sourcetest.NewProxy(t, url)
			t.Setenv("AWS_ENDPOINT_URL", proxy.URL)
			for _, query := range []string{"SELECT order_id FROM 's3://lake/t/a.parquet' WHERE order_id = 5", "SELECT order_id FROM 's3://lake/t/' WHERE order_id = 5"} {
				before := proxy.Requests()
				if strings.Contains(query, "t/'") {
					before++ // of the listing
				}
				status, _, stderr := runCommand(t, "query", query, "--report", "json")
				var r report.Receipt
				if err := json.Unmarshal([]byte(stderr), &r); err != nil || status != 0 {
					t.Fatalf("exit %d, %s", status, stderr)
				}
				if n := proxy.Requests() - before; n != r.Requests.Total {
					t.Errorf("%s: %d requests crossed, the receipt has %d", query, n, r.Requests.Total)
				}
			}
		})
	}
}
