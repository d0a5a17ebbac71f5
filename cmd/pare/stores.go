package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
	"github.com/parequet/pare/source/s3"
)

// remotes open what URLs name, by their schemes. A source is shown by its
// String, which has neither keys nor queries.
var remotes = map[string]func(ctx context.Context, url string) (source.Source, error){
	"http":  openHTTP,
	"https": openHTTP,
	"s3":    openS3,
}

// scheme is that of a URL, or empty for a path.
func scheme(name string) string {
	before, _, ok := strings.Cut(name, "://")
	if !ok {
		return ""
	}
	return before
}

// openRemote returns the source that a URL names, and its name in messages.
// Nothing is requested yet.
func openRemote(ctx context.Context, url string) (src source.Source, name string, err error) {
	from, ok := remotes[scheme(url)]
	if !ok {
		return nil, "", unsupported(url)
	}
	if src, err = from(ctx, url); err != nil {
		return nil, "", err
	}
	if s, ok := src.(interface{ String() string }); ok {
		return src, s.String(), nil
	}
	return src, url, nil
}

func unsupported(url string) error {
	return usagef("%s: reading from %s:// is not supported yet", url, scheme(url))
}

func openHTTP(_ context.Context, url string) (source.Source, error) {
	src, err := httprange.New(url, httprange.Options{})
	if err != nil {
		return nil, usagef("%s", err)
	}
	return src, nil
}

func openS3(ctx context.Context, url string) (source.Source, error) {
	bucket, key, err := s3.ParseURL(url)
	if err != nil {
		return nil, usagef("%s: %s", url, err)
	}
	if key == "" || strings.HasSuffix(key, "/") {
		return nil, usagef("%s: names no object; name a file, s3://bucket/key", url)
	}
	c, err := s3Clients.get(ctx, "AWS_", func(ctx context.Context) (*s3.Client, error) { return s3.NewClient(ctx, s3.Options{}) })
	if err != nil {
		return nil, err
	}
	return c.Open(bucket, key), nil
}

// clients keeps one client of a store, so that all files share its connections
// and credentials, for as long as the environment that it was made from stays.
type clients[C any] struct {
	mu     sync.Mutex
	made   bool
	env    []string
	client C
}

var s3Clients clients[*s3.Client]

// get returns the client; environ begins the names of the variables it heeds.
func (c *clients[C]) get(ctx context.Context, environ string, open func(context.Context) (C, error)) (C, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return !strings.HasPrefix(v, environ) })
	if c.made && slices.Equal(env, c.env) {
		return c.client, nil
	}
	client, err := open(ctx)
	if err != nil {
		return client, err
	}
	c.made, c.env, c.client = true, env, client
	return client, nil
}
