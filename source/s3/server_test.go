package s3

import (
	"bytes"
	"testing"

	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/parequet/pare/source/s3/s3test"
)

// servers are the real server and the one in this process, by name; each is
// started when it is asked for.
var servers = map[string]func(t testing.TB) string{"gofakes3": s3test.Fake, "versitygw": s3test.Versity}

// onServers runs a test against every server that is there.
func onServers(t *testing.T, test func(t *testing.T, url string)) {
	for name, start := range servers {
		t.Run(name, func(t *testing.T) {
			s3test.Environment(t)
			test(t, start(t))
		})
	}
}

func client(t *testing.T, opt Options) *Client {
	t.Helper()
	c, err := NewClient(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bucket makes a bucket with objects.
func bucket(t *testing.T, url, name string, objects map[string][]byte) *Bucket {
	t.Helper()
	c := client(t, Options{Endpoint: url})
	if _, err := c.sdk.CreateBucket(t.Context(), &sdk.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	for key, b := range objects {
		put(t, c, name, key, b)
	}
	return c.Bucket(name)
}

func put(t *testing.T, c *Client, bucket, key string, b []byte) {
	t.Helper()
	if _, err := c.sdk.PutObject(t.Context(), &sdk.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader(b)}); err != nil {
		t.Fatal(err)
	}
}
