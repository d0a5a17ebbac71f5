package s3

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
)

// Bucket is the store of a bucket's objects.
type Bucket struct {
	client *Client
	name   string
	page   int32 // keys of a page; zero is the server's choice, 1,000
}

// String is s3://bucket.
func (b *Bucket) String() string { return "s3://" + b.name }

// Open implements [source.Store]. Nothing is requested yet.
func (b *Bucket) Open(_ context.Context, name string) (source.Source, error) {
	return b.client.Open(b.name, name), nil
}

// List implements [source.Store], a request for each 1,000 objects. A page that
// fails for a passing reason is asked for again; a server that lists in another
// order (directory buckets do) is an error.
func (b *Bucket) List(ctx context.Context, prefix string, f func(source.Object) error) error {
	in := &sdk.ListObjectsV2Input{Bucket: &b.name, Prefix: &prefix}
	if b.page > 0 {
		in.MaxKeys = &b.page
	}
	last := ""
	for {
		out, err := b.list(ctx, in)
		if err != nil {
			return fmt.Errorf("listing %s/%s: %w", b, prefix, err)
		}
		for i := range out.Contents {
			o := object(&out.Contents[i])
			o.Key = b.client.endpoint + " " + b.client.region + " " + b.String() + "/" + o.Name
			if o.Name <= last {
				return fmt.Errorf("listing %s/%s: the server does not list names in their order: %q after %q", b, prefix, o.Name, last)
			}
			last = o.Name
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(o); err != nil {
				return err
			}
		}
		if !aws.ToBool(out.IsTruncated) {
			return nil
		}
		if aws.ToString(out.NextContinuationToken) == "" {
			return fmt.Errorf("listing %s/%s: the server does not say where the listing goes on", b, prefix)
		}
		in.ContinuationToken = out.NextContinuationToken
	}
}

func object(o *types.Object) source.Object {
	id := strings.Trim(aws.ToString(o.ETag), `"`)
	return source.Object{Name: aws.ToString(o.Key), Size: aws.ToInt64(o.Size), Identity: id}
}

func (b *Bucket) list(ctx context.Context, in *sdk.ListObjectsV2Input) (*sdk.ListObjectsV2Output, error) {
	return objects.Page(ctx, func() (*sdk.ListObjectsV2Output, error) {
		if err := b.client.ready(ctx); err != nil {
			return nil, err
		}
		out, err := b.client.sdk.ListObjectsV2(ctx, in)
		if err != nil {
			return nil, b.client.explain(ctx, err, b.name)
		}
		return out, nil
	})
}
