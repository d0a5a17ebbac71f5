// Package objects holds what the object stores have in common.
package objects

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/parequet/pare/source"
)

// Page asks for one page of a listing, and again, a few times, if that fails for a
// passing reason. Nobody above can do this: only the listing knows how far it had
// come.
func Page[T any](ctx context.Context, get func() (T, error)) (page T, err error) {
	_, err = source.Retry(ctx, func() (err error) {
		page, err = get()
		return err
	})
	if ctx.Err() != nil && err != nil {
		err = ctx.Err()
	}
	return page, err
}

// Refused is the error of an answer without what was asked for: a passing one for
// 408, 429 and those of 500 and above.
func Refused(resp *http.Response) error {
	err := fmt.Errorf("the server answered %s", resp.Status)
	if c := resp.StatusCode; c >= 500 || c == http.StatusTooManyRequests || c == http.StatusRequestTimeout {
		return &source.Temporary{Err: err, After: source.RetryAfter(resp.Header)}
	}
	return err
}

// EscapeName makes an object's name part of a URL's path. It keeps slashes only;
// dots, which URLs would take for steps, are escaped, too.
func EscapeName(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
		if p == "." || p == ".." {
			parts[i] = strings.ReplaceAll(p, ".", "%2E")
		}
	}
	return strings.Join(parts, "/")
}
