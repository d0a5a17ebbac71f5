package gcs

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/sourcetest"
)

var content = bytes.Repeat([]byte("0123456789abcde"), 300)

// server starts the emulator that PARE_FAKE_GCS names.
func server(t *testing.T) string {
	program := os.Getenv("PARE_FAKE_GCS")
	if program == "" {
		t.Skip("PARE_FAKE_GCS does not name the fake-gcs-server program")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(l.Addr().String())
	at := "http://" + l.Addr().String()
	l.Close()
	cmd := exec.CommandContext(t.Context(), program, "-scheme", "http", "-host", host, "-port", port, "-backend", "memory", "-log-level", "error",
		"-external-url", at, "-public-host", host)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 100 {
		if resp, err := http.Get(at); err == nil {
			resp.Body.Close()
			return at
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("fake-gcs-server does not answer")
	return ""
}

func post(t *testing.T, url string, body []byte) {
	t.Helper()
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode >= 300 {
		t.Fatalf("%s: %s", resp.Status, text)
	}
}

func put(t *testing.T, at, bucket, name string, b []byte) {
	t.Helper()
	post(t, at+"/upload/storage/v1/b/"+bucket+"/o?uploadType=media&name="+url.QueryEscape(name), b)
}

func bucket(t *testing.T, at, name string, objects map[string][]byte) *Bucket {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"name": name})
	post(t, at+"/storage/v1/b", body)
	for key, b := range objects {
		put(t, at, name, key, b)
	}
	return client(t, Options{Endpoint: at}).Bucket(name)
}

func client(t *testing.T, opt Options) *Client {
	t.Helper()
	c, err := NewClient(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, c *Client, bucket, name string) *Source {
	t.Helper()
	s, err := c.Open(bucket, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSource(t *testing.T) {
	at := server(t)
	const name = "a/key ü+%?#.parquet"
	b := bucket(t, at, "bucket", map[string][]byte{name: content})
	sourcetest.Run(t, func() source.Source { return open(t, b.client, "bucket", name) }, content)
	sourcetest.RunRemote(t, sourcetest.Remote{
		URL: at, Object: content,
		Open: func(t *testing.T, url string) source.Source {
			return open(t, client(t, Options{Endpoint: url, Stall: 300 * time.Millisecond}), "bucket", name)
		},
		Replace: func(t *testing.T, b []byte) { put(t, at, "bucket", name, b) },
	})
}

func TestBucket(t *testing.T) {
	at := server(t)
	objects := sourcetest.Objects()
	b := bucket(t, at, "bucket", objects)
	for _, page := range []int{0, 1, 5} {
		b.page = page
		sourcetest.RunStore(t, b, objects)
	}
}

func TestErrors(t *testing.T) {
	for says, answer := range map[string]struct {
		status int
		code   string
	}{
		`no bucket "bucket"`:                  {404, "NoSuchBucket"},
		`no such object in the bucket`:        {404, "NoSuchKey"},
		`the object in the bucket "bucket"`:   {403, "AccessDenied"},
		`changed`:                             {412, "PreconditionFailed"},
		"the server answered 400 Bad Request": {400, "InvalidArgument"},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(answer.status)
			_, _ = io.WriteString(w, "<Error><Code>"+answer.code+"</Code><Details>secret@account</Details></Error>")
		}))
		err := open(t, client(t, Options{Endpoint: srv.URL}), "bucket", "name").ReadAt(t.Context(), make([]byte, 1), 0)
		if err == nil || source.IsTemporary(err) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", answer.code, err)
		}
		srv.Close()
	}
}

// TestWrongCredentials: a key that Google does not take is no passing fault.
func TestWrongCredentials(t *testing.T) {
	t.Setenv("STORAGE_EMULATOR_HOST", "")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "none"))
	if _, err := NewClient(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "no credentials") {
		t.Error(err)
	}
	c := &Client{http: http.DefaultClient, tokens: noToken{}, endpoint: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}}
	err := open(t, c, "bucket", "name").ReadAt(t.Context(), make([]byte, 1), 0)
	if err == nil || source.IsTemporary(err) || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

type noToken struct{}

func (noToken) Token() (*oauth2.Token, error) { return nil, errors.New("secret") }

func TestParseURL(t *testing.T) {
	for raw, want := range map[string][2]string{"gs://b/k": {"b", "k"}, "gs://b/a/b%20?c#d": {"b", "a/b%20?c#d"}, "gs:///k": {}, "s3://b/k": {}} {
		bucket, name, err := ParseURL(raw)
		if [2]string{bucket, name} != want || (err != nil) != (want[0] == "") {
			t.Errorf("%s: %q, %q, %v", raw, bucket, name, err)
		}
	}
}
