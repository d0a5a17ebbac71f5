package azure

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
)

// Container is the store of a container's objects.
type Container struct {
	client *Client
	name   string
	page   int // names of a page; zero is the server's choice, 5,000
}

// Container is the store of a container's objects. Nothing is requested yet.
func (c *Client) Container(name string) *Container { return &Container{client: c, name: name} }

// Open implements [source.Store]. Nothing is requested yet.
func (c *Container) Open(_ context.Context, name string) (source.Source, error) {
	s, err := c.client.Open(c.name, name)
	if err != nil {
		return nil, err // not a nil *Source in an interface
	}
	return s, nil
}

type listing struct {
	Blobs []struct {
		Name string `xml:"Name"`
		Size int64  `xml:"Properties>Content-Length"`
		ETag string `xml:"Properties>Etag"`
	} `xml:"Blobs>Blob"`
	Next string `xml:"NextMarker"`
}

// List implements [source.Store], a request for each 5,000 objects. A page that
// fails for a passing reason is asked for again.
func (c *Container) List(ctx context.Context, prefix string, f func(source.Object) error) error {
	query := url.Values{"restype": {"container"}, "comp": {"list"}}
	if prefix != "" {
		query.Set("prefix", prefix)
	}
	if c.page > 0 {
		query.Set("maxresults", strconv.Itoa(c.page))
	}
	last := ""
	for {
		page, err := objects.Page(ctx, func() (*listing, error) { return c.get(ctx, query) })
		if err != nil {
			return fmt.Errorf("listing az://%s/%s/%s: %w", c.client.account, c.name, prefix, err)
		}
		for _, b := range page.Blobs {
			if b.Name <= last {
				return fmt.Errorf("listing az://%s/%s/%s: the server does not list names in their order: %q after %q", c.client.account, c.name, prefix, b.Name, last)
			}
			last = b.Name
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(source.Object{Name: b.Name, Size: b.Size, Identity: strings.Trim(b.ETag, `"`),
				Key: c.client.endpoint.Host + c.client.endpoint.Path + " " + c.client.account + "/" + c.name + "/" + b.Name}); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		query.Set("marker", page.Next)
	}
}

func (c *Container) get(ctx context.Context, query url.Values) (*listing, error) {
	at := c.client.endpoint.JoinPath(url.PathEscape(c.name))
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, errors.New("not the name of a container")
	}
	resp, err := (&transport{client: c.client, container: c.name}).RoundTrip(req)
	if err != nil {
		return nil, objects.NoAnswer(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, objects.Refused(resp)
	}
	page := new(listing)
	if err := xml.NewDecoder(resp.Body).Decode(page); err != nil {
		return nil, &source.Temporary{Err: errors.New("the answer broke off")}
	}
	return page, nil
}
