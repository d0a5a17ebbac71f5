package s3

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/s3/s3test"
)

// shows tells whether an error is one line with these words and no secrets.
func shows(t *testing.T, name string, err error, says ...string) {
	t.Helper()
	if err == nil || source.IsTemporary(err) {
		t.Errorf("%s: temporary %v: %v", name, source.IsTemporary(err), err)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: %v: does not say %q", name, err, s)
		}
	}
	for _, s := range []string{"\n", "Signature=", "Credential", "?", s3test.Secret, "wrongsecret", "AKID", "X-Amz"} {
		if strings.Contains(err.Error(), s) {
			t.Errorf("%s: %v: shows %q", name, err, s)
		}
	}
}

// read tries all ways to reach an object.
func read(t *testing.T, name string, c *Client, bucket, key string, says ...string) {
	t.Helper()
	s := c.Open(bucket, key)
	shows(t, name+", ReadAt", s.ReadAt(t.Context(), make([]byte, 10), 0), says...)
	_, _, err := s.ReadTail(t.Context(), make([]byte, 10))
	shows(t, name+", ReadTail", err, says...)
	_, err = s.Size(t.Context())
	shows(t, name+", Size", err)
	err = c.Bucket(bucket).List(t.Context(), "a/b", func(source.Object) error { return nil })
	if err != nil {
		shows(t, name+", List", err, "listing s3://"+bucket+"/a/b: ")
	}
}

func TestErrorsOfServers(t *testing.T) {
	onServers(t, func(t *testing.T, url string) {
		bucket(t, url, "bucket", map[string][]byte{"key": content})
		opt := Options{Endpoint: url}
		read(t, "no object", client(t, opt), "bucket", "none", "no such object", `"bucket"`)
		read(t, "no bucket", client(t, opt), "nonesuch", "key", `no bucket "nonesuch"`)
		err := client(t, opt).Open("bucket", "key").ReadAt(t.Context(), make([]byte, 10), 1<<20)
		shows(t, "past the end", err, "past the object's end")
		if strings.HasSuffix(t.Name(), "gofakes3") {
			return // which checks neither keys nor regions
		}
		opt.Region = "eu-central-1"
		read(t, "region", client(t, opt), "bucket", "key", `wrong region`, `"eu-central-1"`, `"us-east-1"`)
		opt.Region = ""
		opt.Anonymous = true
		read(t, "anonymous", client(t, opt), "bucket", "key", "without a key")
		opt.Anonymous = false
		t.Setenv("AWS_SECRET_ACCESS_KEY", "wrongsecret")
		read(t, "secret", client(t, opt), "bucket", "key", "wrong secret key", "SignatureDoesNotMatch")
		t.Setenv("AWS_ACCESS_KEY_ID", "AKIDWRONG")
		read(t, "key", client(t, opt), "bucket", "key", "wrong access key")
	})
}

// TestErrorsOfAWS has the answers that only AWS gives.
func TestErrorsOfAWS(t *testing.T) {
	for code, c := range map[string]struct {
		status int
		says   []string
	}{
		"PermanentRedirect":            {301, []string{"wrong region", `"eu-west-1"`, "301 PermanentRedirect"}},
		"AuthorizationHeaderMalformed": {400, []string{"wrong region", `"eu-west-1"`}},
		"ExpiredToken":                 {400, []string{"session token"}},
		"RequestTimeTooSkewed":         {403, []string{"clock"}},
		"AccessDenied":                 {403, []string{"access denied", `"bucket"`}},
		"SignatureDoesNotMatch":        {403, []string{"wrong secret key"}},
		"InvalidAccessKeyId":           {403, []string{"wrong access key"}},
		"NoSuchBucket":                 {404, []string{`no bucket "bucket"`}},
		"InvalidObjectState":           {403, []string{"InvalidObjectState"}},
		"SomethingNew":                 {400, []string{"400 SomethingNew"}},
	} {
		s3test.Environment(t)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c.says[0] == "wrong region" {
				w.Header().Set("x-amz-bucket-region", "eu-west-1")
			}
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(c.status)
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s\n%s</Message><StringToSign>%s</StringToSign></Error>",
				code, r.Header.Get("Authorization"), s3test.Secret, r.URL.RawQuery)
		}))
		read(t, code, client(t, Options{Endpoint: srv.URL}), "bucket", "key", c.says...)
		srv.Close()
	}
}

func TestErrorsOfConfiguration(t *testing.T) {
	s3test.Environment(t)
	for _, endpoint := range []string{"localhost:9000", "ftp://host", "http://"} {
		_, err := NewClient(t.Context(), Options{Endpoint: endpoint})
		shows(t, endpoint, err, "endpoint")
	}
	_, err := NewClient(t.Context(), Options{Profile: "nobody"})
	shows(t, "profile", err, `"nobody"`)
	c := client(t, Options{Endpoint: "http://127.0.0.1:1"})
	err = c.Open("bucket", "key").ReadAt(t.Context(), make([]byte, 1), 0)
	if !source.IsTemporary(err) || !strings.Contains(err.Error(), "no answer from http://127.0.0.1:1") {
		t.Error(err)
	}
	os.Unsetenv("AWS_ACCESS_KEY_ID")
	os.Unsetenv("AWS_SECRET_ACCESS_KEY")
	read(t, "no credentials", client(t, Options{Endpoint: "http://127.0.0.1:1"}), "bucket", "key", "no credentials", "AWS_PROFILE")
}

// TestAnonymous: what is not signed has no header that says by whom, and needs
// no credentials.
func TestAnonymous(t *testing.T) {
	s3test.Environment(t)
	t.Setenv("AWS_NO_SIGN_REQUEST", "true")
	os.Unsetenv("AWS_ACCESS_KEY_ID")
	signed := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		signed += r.Header.Get("Authorization")
		w.Header().Set("ETag", `"x"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("content"))
	}))
	defer srv.Close()
	p := make([]byte, 3)
	err := client(t, Options{Endpoint: srv.URL}).Open("bucket", "key").ReadAt(t.Context(), p, 4)
	if err != nil || string(p) != "ent" || signed != "" {
		t.Errorf("%q, signed %q, %v", p, signed, err)
	}
}
