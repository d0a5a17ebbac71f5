package gcs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
)

// Bucket is the store of a bucket's objects.
type Bucket struct {
	client *Client
	name   string
	page   int // names of a page; zero is the server's choice, 1,000
}

// Bucket is the store of a bucket's objects. Nothing is requested yet.
func (c *Client) Bucket(name string) *Bucket { return &Bucket{client: c, name: name} }

// Open implements [source.Store]. Nothing is requested yet.
func (b *Bucket) Open(_ context.Context, name string) (source.Source, error) {
	s, err := b.client.Open(b.name, name)
	if err != nil {
		return nil, err // not a nil *Source in an interface
	}
	return s, nil
}

// listing is a page of the JSON interface.
type listing struct {
	Next  string `json:"nextPageToken"`
	Items []struct {
		Name       string `json:"name"`
		Size       string `json:"size"`
		Generation string `json:"generation"`
	} `json:"items"`
}

// List implements [source.Store], a request for each 1,000 objects. A page that
// fails for a passing reason is asked for again.
func (b *Bucket) List(ctx context.Context, prefix string, f func(source.Object) error) error {
	query := url.Values{"prefix": {prefix}, "fields": {"nextPageToken,items(name,size,generation)"}}
	if b.page > 0 {
		query.Set("maxResults", strconv.Itoa(b.page))
	}
	last := ""
	for {
		page, err := objects.Page(ctx, func() (*listing, error) { return b.get(ctx, query) })
		if err != nil {
			return fmt.Errorf("listing gs://%s/%s: %w", b.name, prefix, err)
		}
		for _, item := range page.Items {
			size, err := strconv.ParseInt(item.Size, 10, 64)
			if err != nil || item.Name <= last {
				return fmt.Errorf("listing gs://%s/%s: the server lists %q of %q bytes after %q", b.name, prefix, item.Name, item.Size, last)
			}
			last = item.Name
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(source.Object{Name: item.Name, Size: size, Identity: item.Generation,
				Key: b.client.endpoint.Host + " gs://" + b.name + "/" + item.Name}); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		query.Set("pageToken", page.Next)
	}
}

func (b *Bucket) get(ctx context.Context, query url.Values) (*listing, error) {
	if err := b.client.ready(ctx); err != nil {
		return nil, err
	}
	at := b.client.endpoint.JoinPath("storage/v1/b", url.PathEscape(b.name), "o")
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, errors.New("not the name of a bucket")
	}
	resp, err := (&transport{client: b.client, bucket: b.name}).RoundTrip(req)
	if err != nil {
		return nil, objects.NoAnswer(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, objects.Refused(resp)
	}
	page := new(listing)
	if err := json.NewDecoder(resp.Body).Decode(page); err != nil {
		return nil, &source.Temporary{Err: errors.New("the answer broke off")}
	}
	return page, nil
}

var codes = regexp.MustCompile(`<Code>([A-Za-z]{1,60})</Code>`)

// refused says why a request was not answered, by the code of the answer. Its
// text is not passed on: it may hold the account.
func (c *Client) refused(resp *http.Response, bucket string) string {
	if resp.StatusCode < 300 || resp.StatusCode >= 500 {
		return ""
	}
	code := ""
	head, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if m := codes.FindSubmatch(head); m != nil {
		code = string(m[1])
	}
	switch status := resp.StatusCode; {
	case code == "NoSuchBucket":
		return fmt.Sprintf("there is no bucket %q", bucket)
	case code == "NoSuchKey":
		return fmt.Sprintf("there is no such object in the bucket %q", bucket)
	case status == http.StatusNotFound:
		return fmt.Sprintf("there is no such object, or no bucket %q", bucket)
	case status == http.StatusUnauthorized && !c.anonymous:
		return "the credentials are not valid, or no longer"
	case status == http.StatusForbidden && !c.anonymous:
		return fmt.Sprintf("the account may not read this from the bucket %q, or it is not there", bucket)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Sprintf("the object in the bucket %q is not public, or is not there", bucket)
	}
	return code
}
