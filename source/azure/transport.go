package azure

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// version is that of the protocol.
const version = "2021-08-06"

// transport signs requests and names what was refused.
type transport struct {
	client    *Client
	container string

	mu   sync.Mutex
	etag string
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("x-ms-version", version)
	switch {
	case t.client.key != nil:
		req.Header.Set("x-ms-date", time.Now().UTC().Format(http.TimeFormat))
		req.Header.Set("Authorization", "SharedKey "+t.client.account+":"+t.client.signature(req))
	case len(t.client.sas) > 0:
		query := req.URL.Query()
		maps.Copy(query, t.client.sas)
		req.URL.RawQuery = query.Encode()
	}
	resp, err := t.client.http.Transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 300 {
		t.mu.Lock()
		if t.etag == "" {
			t.etag = strings.Trim(resp.Header.Get("ETag"), `"`)
		}
		t.mu.Unlock()
	}
	resp.Status = fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if says := t.client.refused(resp, t.container); says != "" {
		resp.Status += ": " + says
	}
	return resp, nil
}

// signature is that of the scheme SharedKey, for requests without a body.
func (c *Client) signature(req *http.Request) string {
	var b strings.Builder
	b.WriteString(req.Method)
	for _, name := range []string{
		"Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date",
		"If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range",
	} {
		b.WriteString("\n" + req.Header.Get(name))
	}
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-ms-") {
			b.WriteString("\n" + lower + ":" + strings.TrimSpace(req.Header.Get(name)))
		}
	}
	b.WriteString("\n/" + c.account + req.URL.EscapedPath())
	query := url.Values{}
	for name, values := range req.URL.Query() {
		query[strings.ToLower(name)] = values
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		slices.Sort(query[name])
		b.WriteString("\n" + name + ":" + strings.Join(query[name], ","))
	}
	mac := hmac.New(sha256.New, c.key)
	mac.Write([]byte(b.String()))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// refused says why a request was not answered, by the code of the answer. Its
// text is not passed on: it holds what was signed.
func (c *Client) refused(resp *http.Response, container string) string {
	if resp.StatusCode < 300 || resp.StatusCode >= 500 {
		return ""
	}
	code := resp.Header.Get("x-ms-error-code")
	if unsigned := c.key == nil && len(c.sas) == 0; unsigned && strings.HasPrefix(code, "Auth") {
		code = "NoAuthenticationInformation"
	}
	switch code {
	case "ContainerNotFound":
		return fmt.Sprintf("there is no container %q in the account %q", container, c.account)
	case "BlobNotFound":
		return fmt.Sprintf("there is no such object in the container %q", container)
	case "AuthenticationFailed", "AuthorizationFailure", "InvalidAuthenticationInfo":
		return fmt.Sprintf("wrong key or signature for the account %q", c.account)
	case "NoAuthenticationInformation", "PublicAccessNotPermitted", "ResourceNotFound":
		return fmt.Sprintf("the container %q is not public, or is not there", container)
	case "AuthorizationPermissionMismatch":
		return fmt.Sprintf("access to the container %q denied", container)
	case "":
		if resp.StatusCode == http.StatusNotFound {
			return fmt.Sprintf("there is no such object, or no container %q", container)
		}
	}
	return ""
}
