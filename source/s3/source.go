package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
)

// Source is one object. It pins the version that the first answer named: a
// later one of another version is an error, never a mixture.
type Source struct {
	client      *Client
	bucket, key string
	gauge       *source.Gauge

	mu    sync.Mutex
	known bool
	size  int64
	etag  string // as it was sent, with its quotes
}

// errChanged is no passing fault: what has been read does not fit what is
// there now.
var errChanged = errors.New("the object changed while it was being read")

// String is s3://bucket/key.
func (s *Source) String() string { return "s3://" + s.bucket + "/" + s.key }

// Hints implements [source.Hinter].
func (s *Source) Hints() source.Hints { return source.RemoteHints() }

// Gauge implements [source.Gauged]: objects of one bucket have the same.
func (s *Source) Gauge() *source.Gauge { return s.gauge }

// Identity implements [source.Identifier]: the ETag, without its quotes.
func (s *Source) Identity() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Trim(s.etag, `"`)
}

// Size implements [source.Source] by a HEAD request, unless an answer has
// already told the size.
func (s *Source) Size(ctx context.Context) (int64, error) {
	s.mu.Lock()
	known, size := s.known, s.size
	s.mu.Unlock()
	if known {
		return size, nil
	}
	if err := s.client.ready(ctx); err != nil {
		return 0, err
	}
	out, err := s.client.sdk.HeadObject(ctx, &sdk.HeadObjectInput{Bucket: &s.bucket, Key: &s.key})
	if err != nil {
		return 0, s.client.explain(ctx, err, s.bucket)
	}
	if out.ContentLength == nil {
		return 0, errors.New("the server does not tell the object's size")
	}
	return *out.ContentLength, s.pin(*out.ContentLength, aws.ToString(out.ETag))
}

// ReadAt implements [source.Source].
func (s *Source) ReadAt(ctx context.Context, p []byte, off int64) error {
	if len(p) == 0 {
		return ctx.Err()
	}
	end := off + int64(len(p))
	part, err := s.get(ctx, fmt.Sprintf("bytes=%d-%d", off, end-1))
	if err != nil {
		return err
	}
	defer part.body.Close()
	if part.from != off || part.to != end {
		return fmt.Errorf("the server sent bytes [%d,%d) of %d, [%d,%d) were asked for", part.from, part.to, part.size, off, end)
	}
	return part.read(ctx, p)
}

// ReadTail implements [source.TailReader] by a suffix range.
func (s *Source) ReadTail(ctx context.Context, p []byte) (int, int64, error) {
	part, err := s.get(ctx, fmt.Sprintf("bytes=-%d", len(p)))
	if errors.Is(err, errPastEnd) { // of an empty object, and of some servers one that is shorter
		return 0, 0, source.ErrTailRefused
	}
	if err != nil {
		return 0, 0, err
	}
	defer part.body.Close()
	n := part.to - part.from
	if part.to != part.size || n != min(part.size, int64(len(p))) {
		return 0, 0, fmt.Errorf("the server sent bytes [%d,%d) of %d, the last %d were asked for", part.from, part.to, part.size, len(p))
	}
	return int(n), part.size, part.read(ctx, p[int64(len(p))-n:])
}

// part is bytes [from,to) of an object of size.
type part struct {
	from, to, size int64
	body           io.ReadCloser
}

func (s *Source) get(ctx context.Context, byteRange string) (*part, error) {
	if err := s.client.ready(ctx); err != nil {
		return nil, err
	}
	in := &sdk.GetObjectInput{Bucket: &s.bucket, Key: &s.key, Range: &byteRange}
	s.mu.Lock()
	if s.etag != "" {
		in.IfMatch = aws.String(s.etag)
	}
	s.mu.Unlock()
	out, err := s.client.sdk.GetObject(ctx, in)
	if err != nil {
		return nil, s.client.explain(ctx, err, s.bucket)
	}
	p := &part{body: out.Body}
	text := aws.ToString(out.ContentRange)
	switch _, scanErr := fmt.Sscanf(text, "bytes %d-%d/%d", &p.from, &p.to, &p.size); {
	case text == "" && aws.ToInt64(out.ContentLength) == 0 && out.ContentLength != nil:
		err = s.pin(0, aws.ToString(out.ETag)) // some servers answer so of an empty object
	case text == "":
		err = errors.New("the server does not answer range requests")
	case scanErr != nil || p.from < 0 || p.to < p.from || p.to >= p.size:
		err = fmt.Errorf("the server sent Content-Range %q", text)
	default:
		p.to++
		err = s.pin(p.size, aws.ToString(out.ETag))
	}
	if err != nil {
		out.Body.Close()
		return nil, err
	}
	return p, nil
}

func (p *part) read(ctx context.Context, b []byte) error {
	_, err := io.ReadFull(p.body, b)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return &source.Temporary{Err: fmt.Errorf("the answer broke off: %w", objects.Bare(err))}
}

// pin remembers the first version seen and refuses any other. Servers that do
// not know If-Match are found out by this.
func (s *Source) pin(size int64, etag string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.known {
		s.known, s.size, s.etag = true, size, etag
		return nil
	}
	if size != s.size || etag != s.etag {
		return errChanged
	}
	return nil
}
