package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	smithy "github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/internal/objects"
)

// Texts of servers and of the SDK are never passed on: they may hold the key,
// the signature, or the query of a request. Only error codes and regions are.

var errPastEnd = errors.New("bytes past the object's end were asked for")

// ready gets the credentials, so that their absence is not taken for a fault
// of the store. They are kept until they expire.
func (c *Client) ready(ctx context.Context) error {
	if c.anonymous {
		return ctx.Err()
	}
	_, err := c.creds.Retrieve(ctx)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or AWS_NO_SIGN_REQUEST=true for what is public (%s)", innermost(err))
}

// explain says in one line what went wrong, and marks what may pass.
func (c *Client) explain(ctx context.Context, err error, bucket string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var resp *smithyhttp.ResponseError
	if !errors.As(err, &resp) || resp.Response == nil || resp.HTTPStatusCode() == 0 {
		var sent *smithyhttp.RequestSendError
		if errors.As(err, &sent) {
			return noAnswer(c.endpoint, sent.Err)
		}
		return errors.New(innermost(err))
	}
	code, message := "", ""
	var api smithy.APIError
	if errors.As(err, &api) {
		code, message = word(api.ErrorCode()), api.ErrorMessage()
	}
	switch status := resp.HTTPStatusCode(); {
	case status < 300:
		return &source.Temporary{Err: errors.New("the answer broke off")}
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, code == "RequestTimeout", code == "SlowDown":
		return &source.Temporary{Err: answered(status, code), After: source.RetryAfter(resp.Response.Header)}
	case status == http.StatusPreconditionFailed:
		return errChanged
	case status == http.StatusRequestedRangeNotSatisfiable:
		return errPastEnd
	default:
		return c.refused(status, code, bucket, region(resp.Response.Header, message))
	}
}

// noAnswer names the server that did not answer.
func noAnswer(endpoint string, err error) error {
	err = objects.NoAnswer(err)
	named := fmt.Errorf("no answer from %s: %w", endpoint, err)
	if source.IsTemporary(err) {
		return &source.Temporary{Err: named}
	}
	return named
}

// refused explains an answer that will be the same next time.
func (c *Client) refused(status int, code, bucket, region string) error {
	says := ""
	switch {
	case code == "NoSuchBucket":
		return fmt.Errorf("there is no bucket %q at %s", bucket, c.endpoint)
	case code == "NoSuchKey":
		return fmt.Errorf("there is no such object in the bucket %q", bucket)
	case code == "InvalidAccessKeyId", code == "XAdminUserNotFound": // of versitygw, a 404
		says = "wrong access key, the server does not know it"
	case status == http.StatusNotFound:
		return fmt.Errorf("there is no such object, or no bucket %q", bucket)
	case code == "SignatureDoesNotMatch":
		says = "wrong secret key, it does not fit the access key"
	case code == "ExpiredToken", code == "InvalidToken", code == "TokenRefreshRequired":
		says = "the session token is not valid, or no longer"
	case code == "RequestTimeTooSkewed":
		says = "the clock of this machine is wrong"
	case wrongRegion(status, code, region, c.region):
		says = fmt.Sprintf("wrong region %q for the bucket %q, set AWS_REGION", c.region, bucket)
		if region != "" && region != c.region {
			says = fmt.Sprintf("wrong region: the bucket %q is in %q, not in %q; set AWS_REGION", bucket, region, c.region)
		}
	case status == http.StatusForbidden && c.anonymous:
		says = fmt.Sprintf("access denied without a key: the object in the bucket %q is not public, or is not there", bucket)
	case status == http.StatusForbidden:
		says = fmt.Sprintf("access denied: the key may not read this from the bucket %q, or it is not there", bucket)
	default:
		return answered(status, code)
	}
	return fmt.Errorf("%s (%w)", says, answered(status, code))
}

// wrongRegion tells answers of another region. A HEAD request has no code, but
// AWS names the bucket's region.
func wrongRegion(status int, code, is, asked string) bool {
	switch code {
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
		return true
	}
	return status == http.StatusMovedPermanently || status == http.StatusTemporaryRedirect ||
		status == http.StatusBadRequest && is != "" && is != asked
}

var (
	expecting = regexp.MustCompile(`expecting ['"]([a-z0-9-]{1,40})['"]`)
	regions   = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
)

// region is where a bucket is, if the server says so.
func region(h http.Header, message string) string {
	if r := h.Get("x-amz-bucket-region"); regions.MatchString(r) {
		return r
	}
	if m := expecting.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

func answered(status int, code string) error {
	text := http.StatusText(status)
	if code != "" && code != strings.ReplaceAll(text, " ", "") {
		text = code
	}
	return fmt.Errorf("the server answered %d %s", status, text)
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// word keeps what an error code consists of.
func word(s string) string {
	s = notWord.ReplaceAllString(s, "")
	return s[:min(len(s), 60)]
}

// innermost is the first cause in one line; of a service's error its code.
func innermost(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return word(api.ErrorCode())
	}
	err = objects.Bare(err)
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}
