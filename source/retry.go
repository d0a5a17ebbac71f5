package source

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Temporary marks an error after which the same request may succeed.
type Temporary struct {
	Err   error
	After time.Duration // how long the server asks to wait before; 0 if it does not say
}

func (t *Temporary) Error() string { return t.Err.Error() }

// Unwrap returns the cause.
func (t *Temporary) Unwrap() error { return t.Err }

// IsTemporary reports whether a request may be tried again.
func IsTemporary(err error) bool {
	var t *Temporary
	return errors.As(err, &t)
}

// Retries: how often a request is tried again, how long the first pause is, and the
// longest that a server may ask for.
const (
	maxRetries = 4
	firstPause = 100 * time.Millisecond
	mostPause  = 30 * time.Second
)

// Retry repeats what fails for a passing reason, up to four times, with exponential
// backoff and jitter; where the server asks for a longer pause, with that. It never
// outlives ctx. It returns how often it tried again.
func Retry(ctx context.Context, do func() error) (retries int, err error) {
	for pause := firstPause; ; pause *= 2 {
		err = do()
		var t *Temporary
		if err == nil || retries == maxRetries || !errors.As(err, &t) {
			return retries, err
		}
		if t.After > mostPause {
			return retries, fmt.Errorf("%v, and asks to wait %v", err, t.After) // no passing fault any more
		}
		retries++
		select {
		case <-time.After(t.After + pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return retries, context.Cause(ctx)
		}
	}
}

// RetryAfter is what an answer says in its header of that name, in seconds or as a
// date (RFC 9110, 10.2.3); 0 if it says nothing.
func RetryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
