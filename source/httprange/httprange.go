// Package httprange reads objects from plain HTTP servers by range requests.
package httprange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
	"github.com/parequet/pare/source/internal/stall"
)

// Source is an object behind a URL. It pins the version that the first answer
// named (strong ETag, else Last-Modified and size): a later answer of another
// version is an error, never a mixture.
type Source struct {
	client *http.Client
	url    string
	shown  string // the URL without credentials and query, for errors
	gauge  *source.Gauge

	browser bool // requests are made by one

	mu      sync.Mutex
	known   bool
	size    int64
	etag    string
	lastMod string
}

// Options configures a Source. The zero value is useful.
type Options struct {
	Client *http.Client // default: one that reuses connections and gives up on a server that is silent for 30 s
}

// shared is the client of all sources that are not given one: they share its
// connections. It follows redirects.
var shared = sync.OnceValue(func() *http.Client { return &http.Client{Transport: stall.Client(nil, 0).Transport} })

// New makes a Source. Nothing is requested yet.
func New(rawURL string, opt Options) (*Source, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" {
		return nil, errors.New("not a URL")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("scheme %q is not http or https", u.Scheme)
	}
	client := opt.Client
	if client == nil {
		client = shared()
	}
	shown := *u
	shown.User, shown.RawQuery, shown.Fragment = nil, "", ""
	return &Source{client: client, url: rawURL, shown: shown.String(), gauge: source.Origin(u.Scheme + "://" + u.Host), browser: inBrowser}, nil
}

// String is the URL without credentials and query.
func (s *Source) String() string { return s.shown }

// Hints implements [source.Hinter].
func (s *Source) Hints() source.Hints { return source.RemoteHints() }

// Gauge implements [source.Gauged]: sources of one server have the same.
func (s *Source) Gauge() *source.Gauge { return s.gauge }

// Size implements [source.Source] by a HEAD request, unless an answer has
// already told the size.
func (s *Source) Size(ctx context.Context) (int64, error) {
	s.mu.Lock()
	known, size := s.known, s.size
	s.mu.Unlock()
	if known {
		return size, nil
	}
	resp, err := s.do(ctx, http.MethodHead, "")
	if err != nil {
		return 0, err
	}
	resp.Body.Close()
	switch {
	case resp.StatusCode != http.StatusOK:
		return 0, s.statusError(resp)
	case resp.ContentLength < 0:
		return 0, errors.New("the server does not tell the object's size")
	}
	return resp.ContentLength, s.pin(resp, resp.ContentLength)
}

// ReadAt implements [source.Source].
func (s *Source) ReadAt(ctx context.Context, p []byte, off int64) error {
	if len(p) == 0 {
		return ctx.Err()
	}
	resp, err := s.do(ctx, http.MethodGet, fmt.Sprintf("bytes=%d-%d", off, off+int64(len(p))-1))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	from, to, size, err := s.rangeOf(resp, off, int64(len(p)))
	if err != nil {
		return err
	}
	if from != off || to-from != int64(len(p)) {
		return fmt.Errorf("the server sent bytes [%d,%d), [%d,%d) were asked for", from, to, off, off+int64(len(p)))
	}
	if err := s.pin(resp, size); err != nil {
		return err
	}
	return s.readFull(resp.Body, p)
}

// ReadTail implements [source.TailReader] by a suffix range.
func (s *Source) ReadTail(ctx context.Context, p []byte) (int, int64, error) {
	if s.browser {
		return 0, 0, source.ErrNoTail
	}
	resp, err := s.do(ctx, http.MethodGet, fmt.Sprintf("bytes=-%d", len(p)))
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	from, to, size, err := s.contentRange(resp)
	if err != nil {
		return 0, 0, err
	}
	n := to - from
	if to != size || n > int64(len(p)) || n < min(size, int64(len(p))) {
		return 0, 0, fmt.Errorf("the server sent bytes [%d,%d) of %d, the last %d were asked for", from, to, size, len(p))
	}
	if err := s.pin(resp, size); err != nil {
		return 0, 0, err
	}
	return int(n), size, s.readFull(resp.Body, p[int64(len(p))-n:])
}

func (s *Source) readFull(r io.Reader, p []byte) error {
	if _, err := io.ReadFull(r, p); err != nil {
		return &source.Temporary{Err: fmt.Errorf("the answer broke off: %w", objects.Bare(err))}
	}
	return nil
}

func (s *Source) do(ctx context.Context, method, byteRange string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url, nil)
	if err != nil {
		return nil, objects.Bare(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	if byteRange != "" {
		req.Header.Set("Range", byteRange)
	}
	s.mu.Lock()
	if s.etag != "" && !s.browser && !strings.HasPrefix(s.etag, "W/") {
		req.Header.Set("If-Match", s.etag) // a weak ETag never satisfies If-Match
	}
	s.mu.Unlock()
	resp, err := s.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, objects.NoAnswer(err)
	}
	return resp, nil
}

// contentRange takes a partial answer apart: bytes [from,to) of size.
func (s *Source) contentRange(resp *http.Response) (from, to, size int64, err error) {
	if resp.StatusCode == http.StatusOK && resp.ContentLength >= 0 {
		return 0, 0, 0, errors.New("the server does not answer range requests")
	}
	if resp.StatusCode != http.StatusPartialContent {
		return 0, 0, 0, s.statusError(resp)
	}
	text := resp.Header.Get("Content-Range")
	spec, total, ok := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	first, last, ok2 := strings.Cut(spec, "-")
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	size, err3 := strconv.ParseInt(total, 10, 64)
	if !ok || !ok2 || err1 != nil || err2 != nil || err3 != nil || from < 0 || to < from || to >= size {
		return 0, 0, 0, fmt.Errorf("the server sent Content-Range %q", text)
	}
	return from, to + 1, size, nil
}

func (s *Source) statusError(resp *http.Response) error {
	if resp.StatusCode == http.StatusPreconditionFailed {
		return errors.New("the object changed while it was being read")
	}
	return objects.Refused(resp)
}

// pin remembers the first version seen and refuses any other.
func (s *Source) pin(resp *http.Response, size int64) error {
	if size == sizeUnseen {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	etag, mod := resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")
	if !s.known {
		s.known, s.size, s.etag, s.lastMod = true, size, etag, mod
		return nil
	}
	if size != s.size || etag != s.etag || mod != s.lastMod {
		return errors.New("the object changed while it was being read")
	}
	return nil
}
