package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/azure"
	"github.com/parequet/pare/source/gcs"
	"github.com/parequet/pare/source/httprange"
	"github.com/parequet/pare/source/s3"
)

// remotes open what URLs name, by their schemes. A source is shown by its
// String, which has neither keys nor queries.
var remotes = map[string]func(ctx context.Context, url string) (source.Source, error){
	"http":  openHTTP,
	"https": openHTTP,
	"s3":    openS3,
	"gs":    openGS,
	"az":    openAzure,
}

// scheme is that of a URL, or empty for a path.
func scheme(name string) string {
	before, _, ok := strings.Cut(name, "://")
	if !ok {
		return ""
	}
	return strings.ToLower(before)
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
	return usagef("%s: reading from %s:// is not supported yet", redact(url), scheme(url))
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
	if err := isObject(url, key); err != nil {
		return nil, err
	}
	c, err := s3Client(ctx)
	if err != nil {
		return nil, err
	}
	return c.Open(bucket, key), nil
}

func openGS(ctx context.Context, url string) (source.Source, error) {
	bucket, key, err := gcs.ParseURL(url)
	if err != nil {
		return nil, usagef("%s: %s", url, err)
	}
	if err := isObject(url, key); err != nil {
		return nil, err
	}
	c, err := gsClient(ctx)
	if err != nil {
		return nil, err
	}
	return c.Open(bucket, key)
}

func openAzure(_ context.Context, url string) (source.Source, error) {
	account, container, key, err := azure.ParseURL(url)
	if err != nil {
		return nil, usagef("%s: %s", url, err)
	}
	if err := isObject(url, key); err != nil {
		return nil, err
	}
	c, err := azure.NewClient(azure.Options{Account: account}) // connections are shared by all
	if err != nil {
		return nil, err
	}
	return c.Open(container, key)
}

func s3Client(ctx context.Context) (*s3.Client, error) {
	return s3Clients.get(ctx, []string{"AWS_"}, func(ctx context.Context) (*s3.Client, error) { return s3.NewClient(ctx, s3.Options{}) })
}

func gsClient(ctx context.Context) (*gcs.Client, error) {
	return gsClients.get(ctx, []string{"GOOGLE_", "STORAGE_EMULATOR_HOST="}, func(ctx context.Context) (*gcs.Client, error) {
		return gcs.NewClient(ctx, gcs.Options{})
	})
}

// isObject refuses what names a folder.
func isObject(url, key string) error {
	if key == "" || strings.HasSuffix(key, "/") {
		return usagef("%s: names no object; name a file", url)
	}
	return nil
}

// clients keeps one client of a store, so that all files share its connections
// and credentials, for as long as the environment that it was made from stays.
type clients[C any] struct {
	mu     sync.Mutex
	made   bool
	env    []string
	client C
}

var (
	s3Clients clients[*s3.Client]
	gsClients clients[*gcs.Client]
)

// get returns the client; environ has the beginnings of the variables it heeds.
func (c *clients[C]) get(ctx context.Context, environ []string, open func(context.Context) (C, error)) (C, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return !slices.ContainsFunc(environ, func(begins string) bool { return strings.HasPrefix(v, begins) })
	})
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
