package source_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parequet/pare/source"
)

func TestRetry(t *testing.T) {
	failing := errors.New("busy")
	for name, c := range map[string]struct {
		errs     []error // of each try, then nil
		deadline time.Duration
		retries  int
		least    time.Duration // that it takes
		most     time.Duration
		says     string // "" for success
	}{
		"success":            {},
		"lasting fault":      {errs: []error{failing}, says: "busy"},
		"passing fault":      {errs: []error{&source.Temporary{Err: failing}}, retries: 1, least: 50 * time.Millisecond, most: 100 * time.Millisecond},
		"four":               {errs: many(4, 0), retries: 4, least: 750 * time.Millisecond, most: 1500 * time.Millisecond},
		"five":               {errs: many(5, 0), retries: 4, least: 750 * time.Millisecond, most: 1500 * time.Millisecond, says: "busy"},
		"asked to wait":      {errs: many(2, 3*time.Second), retries: 2, least: 6 * time.Second, most: 7 * time.Second},
		"asked for too much": {errs: many(1, time.Minute), says: "busy, and asks to wait 1m0s"},
		"no time for it":     {errs: many(1, 20*time.Second), deadline: time.Second, retries: 1, least: time.Second, most: time.Second, says: "deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.deadline > 0 {
					var cancel func()
					ctx, cancel = context.WithTimeout(ctx, c.deadline)
					defer cancel()
				}
				start, tries := time.Now(), 0
				retries, err := source.Retry(ctx, func() error {
					tries++
					if tries > len(c.errs) {
						return nil
					}
					return c.errs[tries-1]
				})
				if d := time.Since(start); d < c.least || d > c.most {
					t.Errorf("took %v", d)
				}
				if retries != c.retries || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("%d retries, %v", retries, err)
				}
			})
		})
	}
}

func many(n int, after time.Duration) (out []error) {
	for range n {
		out = append(out, &source.Temporary{Err: errors.New("busy"), After: after})
	}
	return out
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // its clock begins at a whole second
		for text, want := range map[string]time.Duration{
			"": 0, "7": 7 * time.Second, "0": 0, "-1": 0, "soon": 0, "99999999999999": 0,
			time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat): 90 * time.Second,
			time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat):       0,
		} {
			h := http.Header{}
			h.Set("Retry-After", text)
			if got := source.RetryAfter(h); got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	})
}
