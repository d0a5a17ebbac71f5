// Package gcs reads objects from Google Cloud Storage, or an emulator of it,
// over plain HTTP. It is a module of its own, so that only who uses it
// downloads Google's credentials library.
package gcs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
	"github.com/parequet/pare/source/internal/objects"
	"github.com/parequet/pare/source/internal/stall"
)

// Options configures a Client. What is empty comes from the environment:
// STORAGE_EMULATOR_HOST, and Google's default credentials.
type Options struct {
	Endpoint  string        // scheme and host of an emulator, which is asked without a key
	Anonymous bool          // for public objects
	Stall     time.Duration // how long a server may send nothing; in the end 30 seconds
}

// Client reads from one store with one account.
type Client struct {
	endpoint  *url.URL
	anonymous bool
	http      *http.Client
	tokens    oauth2.TokenSource // nil without an account
}

// NewClient finds the credentials. It asks for no object.
func NewClient(ctx context.Context, opt Options) (*Client, error) {
	c := &Client{http: stall.Client(nil, opt.Stall), anonymous: opt.Anonymous}
	if opt.Endpoint == "" {
		opt.Endpoint = os.Getenv("STORAGE_EMULATOR_HOST")
	}
	c.anonymous = c.anonymous || opt.Endpoint != ""
	switch {
	case opt.Endpoint == "":
		opt.Endpoint = "https://storage.googleapis.com"
	case !strings.Contains(opt.Endpoint, "://"):
		opt.Endpoint = "http://" + opt.Endpoint
	}
	var err error
	if c.endpoint, err = url.Parse(opt.Endpoint); err != nil || c.endpoint.Host == "" || !strings.HasPrefix(c.endpoint.Scheme, "http") {
		return nil, errors.New("the endpoint of Google Cloud Storage is not a URL that begins with http:// or https://")
	}
	if c.anonymous {
		return c, nil
	}
	// Tokens are renewed for as long as the client is used, not just as long as
	// it is being made.
	found, err := google.FindDefaultCredentials(context.WithoutCancel(ctx), "https://www.googleapis.com/auth/devstorage.read_only")
	if err != nil {
		return nil, errors.New("no credentials for Google Cloud Storage: set GOOGLE_APPLICATION_CREDENTIALS, or log in with gcloud")
	}
	c.tokens = found.TokenSource
	return c, nil
}

// ParseURL takes gs://bucket/name apart. Names are taken as they are: no
// escapes, no query.
func ParseURL(raw string) (bucket, name string, err error) {
	rest, ok := strings.CutPrefix(raw, "gs://")
	bucket, name, _ = strings.Cut(rest, "/")
	if !ok || bucket == "" {
		return "", "", errors.New("not of the form gs://bucket/name")
	}
	return bucket, name, nil
}

// Source is one object. Reads, and the check that it stays the same, are those
// of package httprange.
type Source struct {
	*httprange.Source
	bucket, name string
	seen         *transport
}

// Open makes the source of an object. Nothing is requested yet.
func (c *Client) Open(bucket, name string) (*Source, error) {
	seen := &transport{client: c, bucket: bucket}
	at := c.endpoint.JoinPath()
	at.Path = "/" + bucket + "/" + name
	at.RawPath = "/" + url.PathEscape(bucket) + "/" + objects.EscapeName(name)
	s, err := httprange.New(at.String(), httprange.Options{Client: &http.Client{Transport: seen, CheckRedirect: c.http.CheckRedirect}})
	if err != nil {
		return nil, err
	}
	return &Source{s, bucket, name, seen}, nil
}

// String is gs://bucket/name.
func (s *Source) String() string { return "gs://" + s.bucket + "/" + s.name }

// Size implements [source.Source].
func (s *Source) Size(ctx context.Context) (int64, error) {
	if err := s.seen.client.ready(ctx); err != nil {
		return 0, err
	}
	return s.Source.Size(ctx)
}

// ReadAt implements [source.Source].
func (s *Source) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := s.seen.client.ready(ctx); err != nil {
		return err
	}
	return s.Source.ReadAt(ctx, p, off)
}

// ReadTail implements [source.TailReader].
func (s *Source) ReadTail(ctx context.Context, p []byte) (int, int64, error) {
	if err := s.seen.client.ready(ctx); err != nil {
		return 0, 0, err
	}
	return s.Source.ReadTail(ctx, p)
}

// ready gets a token, so that its absence is not taken for a passing fault of
// the store. It is kept until it expires.
func (c *Client) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil || c.tokens == nil {
		return err
	}
	if _, err := c.tokens.Token(); err != nil {
		return errNoToken
	}
	return nil
}

var errNoToken = errors.New("no token for Google Cloud Storage: the credentials are not valid, or no longer")

// Identity implements [source.Identifier]: the object's generation.
func (s *Source) Identity() string {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	return s.seen.generation
}

// transport signs requests and names what was refused.
type transport struct {
	client *Client
	bucket string

	mu         sync.Mutex
	generation string
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.client.tokens != nil {
		token, err := t.client.tokens.Token()
		if err != nil {
			return nil, errNoToken
		}
		req = req.Clone(req.Context())
		token.SetAuthHeader(req)
	}
	resp, err := t.client.http.Transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 300 {
		t.mu.Lock()
		if t.generation == "" {
			t.generation = resp.Header.Get("x-goog-generation")
		}
		t.mu.Unlock()
	}
	resp.Status = fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if says := t.client.refused(resp, t.bucket); says != "" {
		resp.Status += ": " + says
	}
	return resp, nil
}

var (
	_ source.Source     = (*Source)(nil)
	_ source.TailReader = (*Source)(nil)
	_ source.Identifier = (*Source)(nil)
	_ source.Hinter     = (*Source)(nil)
	_ source.Store      = (*Bucket)(nil)
)
