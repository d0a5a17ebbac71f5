// Package objects holds what the object stores have in common.
package objects

import (
	"context"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"github.com/parequet/pare/source"
)

// Page asks for one page of a listing, and again, a few times, if that fails for a
// passing reason. Nobody above can do this: only the listing knows how far it had
// come.
func Page[T any](ctx context.Context, get func() (T, error)) (T, error) {
	for pause := 100 * time.Millisecond; ; pause *= 2 {
		page, err := get()
		if err == nil {
			return page, nil
		}
		var none T
		if ctx.Err() != nil {
			return none, ctx.Err()
		}
		if !source.IsTemporary(err) || pause > time.Second {
			return none, err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return none, ctx.Err()
		}
	}
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
