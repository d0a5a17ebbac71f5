package s3

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/sourcetest"
)

var content = bytes.Repeat([]byte("0123456789abcde"), 300)

func TestSource(t *testing.T) {
	onServers(t, func(t *testing.T, url string) {
		b := bucket(t, url, "bucket", map[string][]byte{"a/key ü+%.parquet": content, "empty": nil})
		open := func() source.Source { return b.client.Open("bucket", "a/key ü+%.parquet") }
		sourcetest.Run(t, open, content)
		empty := b.client.Open("bucket", "empty")
		if _, _, err := empty.ReadTail(t.Context(), make([]byte, 10)); err != nil && !errors.Is(err, source.ErrTailRefused) {
			t.Errorf("tail of an empty object: %v", err)
		}
		if size, err := empty.Size(t.Context()); size != 0 || err != nil {
			t.Errorf("size of an empty object: %d, %v", size, err)
		}
	})
}

func TestFaultsOfServers(t *testing.T) {
	onServers(t, func(t *testing.T, url string) {
		t.Setenv("AWS_MAX_ATTEMPTS", "5") // which the fetcher's own attempts would multiply
		b := bucket(t, url, "bucket", map[string][]byte{"key": content})
		sourcetest.RunRemote(t, sourcetest.Remote{
			URL: url, Object: content,
			Open: func(t *testing.T, url string) source.Source {
				return client(t, Options{Endpoint: url, Stall: 300 * time.Millisecond}).Open("bucket", "key")
			},
			Replace: func(t *testing.T, content []byte) { put(t, b.client, "bucket", "key", content) },
		})
	})
}

func TestBucket(t *testing.T) {
	onServers(t, func(t *testing.T, url string) {
		objects := sourcetest.Objects()
		b := bucket(t, url, "bucket", objects)
		for _, page := range []int32{0, 1, 5} {
			b.page = page
			sourcetest.RunStore(t, b, objects)
		}
	})
}

func TestListingTriesAgain(t *testing.T) {
	onServers(t, func(t *testing.T, url string) {
		bucket(t, url, "bucket", map[string][]byte{"a": nil, "b": nil})
		proxy := sourcetest.NewProxy(t, url)
		b := client(t, Options{Endpoint: proxy.URL}).Bucket("bucket")
		b.page = 1
		proxy.Fail(sourcetest.Status(503))
		time.AfterFunc(120*time.Millisecond, func() { proxy.Fail("") })
		n := 0
		err := b.List(t.Context(), "", func(source.Object) error { n++; return nil })
		if err != nil || n != 2 || proxy.Requests() < 3 {
			t.Errorf("%d objects in %d requests, %v", n, proxy.Requests(), err)
		}
	})
}

func TestEnvironment(t *testing.T) {
	onServers(t, func(t *testing.T, url string) {
		bucket(t, url, "bucket", map[string][]byte{"key": content})
		t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
		t.Setenv("AWS_ENDPOINT_URL_S3", url)
		if n, err := client(t, Options{}).Open("bucket", "key").Size(t.Context()); n != int64(len(content)) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func TestParseURL(t *testing.T) {
	for raw, want := range map[string][2]string{
		"s3://b/k": {"b", "k"}, "s3://b/a/b%20?c#d": {"b", "a/b%20?c#d"}, "s3://b": {"b", ""}, "s3://b/": {"b", ""},
		"s3:///k": {}, "http://b/k": {}, "s3:/b/k": {},
	} {
		bucket, key, err := ParseURL(raw)
		if [2]string{bucket, key} != want || (err != nil) != (want[0] == "") {
			t.Errorf("%s: %q, %q, %v", raw, bucket, key, err)
		}
	}
	if s := (&Client{}).Open("b", "a/k").String(); s != "s3://b/a/k" || !strings.HasPrefix(s, (&Client{}).Bucket("b").String()) {
		t.Error(s)
	}
}
