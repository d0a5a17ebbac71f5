// Package s3 reads objects from AWS S3 and from what speaks its protocol:
// MinIO, R2 and others. It is a module of its own, so that only who uses it
// downloads the SDK.
package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/stall"
)

// Options configures a Client. What is empty comes from where the AWS tools
// take it: the environment (AWS_REGION, AWS_PROFILE, AWS_ENDPOINT_URL_S3, …),
// the shared configuration, then the role of the machine.
type Options struct {
	Endpoint    string        // scheme and host of another store than AWS
	Region      string        // in the end us-east-1
	Profile     string        // of the shared configuration
	Anonymous   bool          // requests are not signed; AWS_NO_SIGN_REQUEST=true says the same
	VirtualHost bool          // a custom endpoint has the bucket in the host's name, not in the path
	Stall       time.Duration // how long a server may send nothing; in the end 30 seconds
}

// Client reads from one store with one key. Sources of one client share its
// credentials and connections.
type Client struct {
	sdk       *sdk.Client
	creds     aws.CredentialsProvider
	anonymous bool
	region    string
	endpoint  string // for errors: scheme and host, or AWS
}

// NewClient reads the configuration. It makes no request.
func NewClient(ctx context.Context, opt Options) (*Client, error) {
	anonymous := opt.Anonymous
	if v, err := strconv.ParseBool(os.Getenv("AWS_NO_SIGN_REQUEST")); err == nil && v {
		anonymous = true
	}
	load := []func(*config.LoadOptions) error{
		config.WithLogger(logging.Nop{}),
		config.WithResponseChecksumValidation(aws.ResponseChecksumValidationWhenRequired),
		config.WithDefaultRegion("us-east-1"),
	}
	if opt.Region != "" {
		load = append(load, config.WithRegion(opt.Region))
	}
	if opt.Profile != "" {
		load = append(load, config.WithSharedConfigProfile(opt.Profile))
	}
	if anonymous {
		load = append(load, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	cfg, err := config.LoadDefaultConfig(ctx, load...)
	if err != nil {
		return nil, configError(err)
	}
	c := &Client{creds: cfg.Credentials, anonymous: anonymous}
	c.sdk = sdk.NewFromConfig(cfg, func(o *sdk.Options) {
		if opt.Endpoint != "" {
			o.BaseEndpoint = aws.String(opt.Endpoint)
		}
		o.Retryer = aws.NopRetryer{} // pare's fetcher tries again, and counts it
		o.HTTPClient = stall.Client(transport(cfg), opt.Stall)
		o.UsePathStyle = o.BaseEndpoint != nil && !opt.VirtualHost
	})
	c.region, c.endpoint = c.sdk.Options().Region, "AWS"
	if e := c.sdk.Options().BaseEndpoint; e != nil {
		u, err := url.Parse(*e)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("the S3 endpoint is not a URL that begins with http:// or https://")
		}
		c.endpoint = u.Scheme + "://" + u.Host
	}
	return c, nil
}

// transport is that of the configuration: with AWS_CA_BUNDLE it trusts others.
// The configuration takes no client of ours, for it could not add these.
func transport(cfg aws.Config) *http.Transport {
	if b, ok := cfg.HTTPClient.(*awshttp.BuildableClient); ok {
		return b.GetTransport()
	}
	return nil
}

// configError says what is wrong with the configuration without its text,
// which may hold keys.
func configError(err error) error {
	var profile config.SharedConfigProfileNotExistError
	if errors.As(err, &profile) {
		return fmt.Errorf("no profile %q in the shared AWS configuration", profile.Profile)
	}
	var file config.SharedConfigLoadError
	if errors.As(err, &file) {
		return fmt.Errorf("the shared AWS configuration cannot be read: %s", file.Filename)
	}
	return fmt.Errorf("AWS configuration: %s", innermost(err))
}

// ParseURL takes s3://bucket/key apart. Keys are taken as they are: no
// escapes, no query.
func ParseURL(raw string) (bucket, key string, err error) {
	rest, ok := strings.CutPrefix(raw, "s3://")
	bucket, key, _ = strings.Cut(rest, "/")
	if !ok || bucket == "" {
		return "", "", errors.New("not of the form s3://bucket/key")
	}
	return bucket, key, nil
}

// Open makes the source of an object. Nothing is requested yet.
func (c *Client) Open(bucket, key string) *Source {
	return &Source{client: c, bucket: bucket, key: key, gauge: source.Origin(c.endpoint + " " + c.region + " s3://" + bucket)}
}

// Bucket is the store of a bucket's objects. Nothing is requested yet.
func (c *Client) Bucket(name string) *Bucket { return &Bucket{client: c, name: name} }

var (
	_ source.Source     = (*Source)(nil)
	_ source.TailReader = (*Source)(nil)
	_ source.Identifier = (*Source)(nil)
	_ source.Hinter     = (*Source)(nil)
	_ source.Store      = (*Bucket)(nil)
)
