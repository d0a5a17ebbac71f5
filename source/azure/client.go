// Package azure reads objects from Azure Blob Storage, or an emulator of it,
// over plain HTTP: with an account's key, a shared access signature, or
// without any.
package azure

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/httprange"
	"github.com/parequet/pare/source/internal/objects"
	"github.com/parequet/pare/source/internal/stall"
)

// Options configures a Client. What is empty comes from the environment:
// AZURE_STORAGE_CONNECTION_STRING, else AZURE_STORAGE_ACCOUNT,
// AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN and AZURE_STORAGE_BLOB_ENDPOINT.
type Options struct {
	Account   string
	Key       string        // in base64
	SAS       string        // a shared access signature, used if there is no key
	Endpoint  string        // of another cloud or an emulator; may have a path
	Anonymous bool          // for public containers
	Stall     time.Duration // how long a server may send nothing; in the end 30 seconds
}

// Client reads from one account.
type Client struct {
	account  string
	key      []byte // nil without one
	sas      url.Values
	endpoint *url.URL
	http     *http.Client
}

// fill takes from the environment what is not given.
func (o *Options) fill() {
	env := map[string]string{
		"AccountName": os.Getenv("AZURE_STORAGE_ACCOUNT"), "AccountKey": os.Getenv("AZURE_STORAGE_KEY"),
		"SharedAccessSignature": os.Getenv("AZURE_STORAGE_SAS_TOKEN"), "BlobEndpoint": os.Getenv("AZURE_STORAGE_BLOB_ENDPOINT"),
	}
	for _, field := range strings.Split(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), ";") {
		if name, value, ok := strings.Cut(field, "="); ok {
			env[name] = value
		}
	}
	if o.Account == "" {
		o.Account = env["AccountName"]
	}
	if o.Endpoint == "" {
		o.Endpoint = env["BlobEndpoint"]
	}
	// A key opens its own account only.
	if o.Key == "" && o.SAS == "" && (env["AccountName"] == "" || env["AccountName"] == o.Account) {
		o.Key, o.SAS = env["AccountKey"], env["SharedAccessSignature"]
	}
	if o.Anonymous {
		o.Key, o.SAS = "", ""
	}
}

// NewClient reads the configuration. It makes no request.
func NewClient(opt Options) (*Client, error) {
	opt.fill()
	if opt.Account == "" {
		return nil, errors.New("no Azure storage account is named: set AZURE_STORAGE_ACCOUNT")
	}
	c := &Client{account: opt.Account, http: stall.Client(nil, opt.Stall)}
	if opt.Endpoint == "" {
		opt.Endpoint = "https://" + opt.Account + ".blob.core.windows.net"
	}
	var err error
	if c.endpoint, err = url.Parse(opt.Endpoint); err != nil || c.endpoint.Host == "" || !strings.HasPrefix(c.endpoint.Scheme, "http") {
		return nil, errors.New("the endpoint of Azure Blob Storage is not a URL that begins with http:// or https://")
	}
	if opt.Key != "" {
		if c.key, err = base64.StdEncoding.DecodeString(opt.Key); err != nil {
			return nil, errors.New("the Azure storage key is not in base64")
		}
		return c, nil
	}
	if c.sas, err = url.ParseQuery(strings.TrimPrefix(opt.SAS, "?")); err != nil {
		return nil, errors.New("the shared access signature is not a query")
	}
	return c, nil
}

// ParseURL takes az://account/container/blob apart, and az://container/blob
// where AZURE_STORAGE_ACCOUNT names another account than the container's name.
// Names are taken as they are: no escapes, no query.
func ParseURL(raw string) (account, container, name string, err error) {
	rest, ok := strings.CutPrefix(raw, "az://")
	first, rest, _ := strings.Cut(rest, "/")
	if account = os.Getenv("AZURE_STORAGE_ACCOUNT"); account != "" && account != first {
		container, name = first, rest
	} else {
		account = first
		container, name, _ = strings.Cut(rest, "/")
	}
	if !ok || account == "" || container == "" {
		return "", "", "", errors.New("not of the form az://account/container/blob, or az://container/blob with AZURE_STORAGE_ACCOUNT")
	}
	return account, container, name, nil
}

// Source is one object. Reads, and the check that it stays the same, are those
// of package httprange, but for the end: Azure knows no suffix ranges.
type Source struct {
	reads           *httprange.Source
	container, name string
	seen            *transport
}

// Open makes the source of an object. Nothing is requested yet.
func (c *Client) Open(container, name string) (*Source, error) {
	at := *c.endpoint
	at.Path = strings.TrimSuffix(at.Path, "/") + "/" + container + "/" + name
	at.RawPath = strings.TrimSuffix(c.endpoint.EscapedPath(), "/") + "/" + url.PathEscape(container) + "/" + objects.EscapeName(name)
	seen := &transport{client: c, container: container}
	s, err := httprange.New(at.String(), httprange.Options{Client: &http.Client{Transport: seen, CheckRedirect: c.http.CheckRedirect}})
	if err != nil {
		return nil, err
	}
	return &Source{s, container, name, seen}, nil
}

// Size implements [source.Source].
func (s *Source) Size(ctx context.Context) (int64, error) { return s.reads.Size(ctx) }

// ReadAt implements [source.Source].
func (s *Source) ReadAt(ctx context.Context, p []byte, off int64) error {
	return s.reads.ReadAt(ctx, p, off)
}

// Hints implements [source.Hinter].
func (s *Source) Hints() source.Hints { return source.RemoteHints() }

// Gauge implements [source.Gauged]: sources of one account have the same.
func (s *Source) Gauge() *source.Gauge { return s.reads.Gauge() }

// String is az://account/container/blob.
func (s *Source) String() string {
	return fmt.Sprintf("az://%s/%s/%s", s.seen.client.account, s.container, s.name)
}

// Identity implements [source.Identifier]: the ETag, without its quotes.
func (s *Source) Identity() string {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	return s.seen.etag
}

var (
	_ source.Source     = (*Source)(nil)
	_ source.Identifier = (*Source)(nil)
	_ source.Hinter     = (*Source)(nil)
	_ source.Store      = (*Container)(nil)
)
