package azure

import (
	"bytes"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
	"github.com/parequet/pare/source/sourcetest"
)

var (
	content = bytes.Repeat([]byte("0123456789abcde"), 300)
	testKey = base64.StdEncoding.EncodeToString([]byte("key of the test's account"))
)

// server starts the emulator that PARE_AZURITE names. It checks keys and
// signatures.
func server(t *testing.T) string {
	program := os.Getenv("PARE_AZURITE")
	if program == "" {
		t.Skip("PARE_AZURITE does not name the azurite-blob program")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(l.Addr().String())
	at := "http://" + l.Addr().String()
	l.Close()
	cmd := exec.CommandContext(t.Context(), program, "--blobHost", host, "--blobPort", port, "--silent", "--disableTelemetry",
		"--inMemoryPersistence")
	cmd.Env = append(os.Environ(), "AZURITE_ACCOUNTS=account:"+testKey)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 300 {
		if resp, err := http.Get(at); err == nil {
			resp.Body.Close()
			return at
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("azurite does not answer")
	return ""
}

// environment is that of a machine without any configuration.
func environment(t *testing.T) {
	for _, name := range []string{"CONNECTION_STRING", "ACCOUNT", "KEY", "SAS_TOKEN", "BLOB_ENDPOINT"} {
		t.Setenv("AZURE_STORAGE_"+name, "")
	}
}

func client(t *testing.T, opt Options) *Client {
	t.Helper()
	if opt.Account == "" {
		opt.Account, opt.Key = "account", testKey
	}
	c, err := NewClient(opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// put makes a blob, or with the query restype=container a container.
func put(t *testing.T, at, path, query string, b []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, at+"/account/"+path+query, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 0 {
		req.Header.Set("Content-Length", strconv.Itoa(len(b))) // it is signed
	}
	req.Header.Set("x-ms-blob-type", "BlockBlob")
	resp, err := (&transport{client: client(t, Options{Endpoint: at + "/account"})}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode >= 300 {
		t.Fatalf("%s: %s", resp.Status, text)
	}
}

func container(t *testing.T, at string, want map[string][]byte) *Container {
	t.Helper()
	put(t, at, "container", "?restype=container", nil)
	for name, b := range want {
		put(t, at, "container/"+objects.EscapeName(name), "", b)
	}
	return client(t, Options{Endpoint: at + "/account"}).Container("container")
}

func open(t *testing.T, c *Client, container, name string) *Source {
	t.Helper()
	s, err := c.Open(container, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSource(t *testing.T) {
	environment(t)
	at := server(t)
	const name = "a/key ü+%?#.parquet"
	c := container(t, at, map[string][]byte{name: content}).client
	sourcetest.Run(t, func() source.Source { return open(t, c, "container", name) }, content)
	sourcetest.RunRemote(t, sourcetest.Remote{
		URL: at, Object: content,
		Open: func(t *testing.T, url string) source.Source {
			return open(t, client(t, Options{Endpoint: url + "/account", Stall: 300 * time.Millisecond}), "container", name)
		},
		Replace: func(t *testing.T, b []byte) { put(t, at, "container/"+objects.EscapeName(name), "", b) },
	})
}

func TestContainer(t *testing.T) {
	environment(t)
	at := server(t)
	objects := sourcetest.Objects()
	delete(objects, "z\uffe0") // the emulator compares UTF-16, where this comes after the emoji
	c := container(t, at, objects)
	for _, page := range []int{0, 1, 5} {
		c.page = page
		sourcetest.RunStore(t, c, objects)
	}
}

func TestErrorsOfServers(t *testing.T) {
	environment(t)
	at := server(t)
	container(t, at, map[string][]byte{"name": content})
	at += "/account"
	read := func(opt Options, container, name, says string) {
		t.Helper()
		opt.Endpoint = at
		err := open(t, client(t, opt), container, name).ReadAt(t.Context(), make([]byte, 1), 0)
		if err == nil || source.IsTemporary(err) || !strings.Contains(err.Error(), says) || strings.ContainsAny(err.Error(), "\n?=") {
			t.Errorf("%v, want %q", err, says)
		}
	}
	read(Options{}, "container", "none", "no such object")
	read(Options{}, "none", "name", `no container "none"`)
	read(Options{Account: "account", Key: "d3Jvbmc="}, "container", "name", `wrong key or signature for the account "account"`)
	read(Options{Account: "account", SAS: "?sv=2021-08-06&sp=r&sr=b&sig=secret"}, "container", "name", "wrong key or signature")
	read(Options{Account: "account", Anonymous: true}, "container", "name", "not public")
}

// TestEnvironment: a connection string says it all; a key opens its own
// account only.
func TestEnvironment(t *testing.T) {
	environment(t)
	if _, err := NewClient(Options{}); err == nil || !strings.Contains(err.Error(), "AZURE_STORAGE_ACCOUNT") {
		t.Error(err)
	}
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "AccountName=a;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:1/a")
	c, err := NewClient(Options{})
	if err != nil || string(c.key) != "secret" || c.endpoint.Path != "/a" {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := NewClient(Options{Account: "b"}); err != nil || c.key != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestSharedAccessSignatureIsNotShown(t *testing.T) {
	environment(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("sig") != "s+e" {
			t.Error(r.URL.RawQuery)
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	s := open(t, client(t, Options{Account: "account", SAS: "?sig=s%2Be", Endpoint: srv.URL}), "container", "name")
	for range 2 {
		if err := s.ReadAt(t.Context(), make([]byte, 1), 0); err == nil || strings.Contains(err.Error(), "sig") {
			t.Error(err)
		}
		srv.Close()
	}
}

func TestParseURL(t *testing.T) {
	environment(t)
	for _, c := range [][5]string{
		{"", "az://a/c/n/m?x", "a", "c", "n/m?x"}, {"a", "az://c/n/m", "a", "c", "n/m"}, {"a", "az://a/c/n", "a", "c", "n"},
		{"", "az://a", "", "", ""}, {"", "s3://a/c/n", "", "", ""},
	} {
		t.Setenv("AZURE_STORAGE_ACCOUNT", c[0])
		account, container, name, err := ParseURL(c[1])
		if [3]string{account, container, name} != [3]string(c[2:]) || (err != nil) != (c[2] == "") {
			t.Errorf("%q: %q, %q, %q, %v", c, account, container, name, err)
		}
	}
}
