package objects

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/parequet/pare/source"
)

// Bare drops the URL, which may hold credentials, and addresses from an error of
// net/http.
func Bare(err error) error {
	for {
		var ue *url.Error
		if !errors.As(err, &ue) {
			break
		}
		err = ue.Err
	}
	if strings.Contains(err.Error(), "Location header") { // it repeats it
		return errRedirect
	}
	var oe *net.OpError
	if errors.As(err, &oe) {
		return fmt.Errorf("%s: %w", oe.Op, oe.Err)
	}
	return err
}

var (
	errRedirect  = errors.New("the server redirects to what is no URL")
	errRedirects = errors.New("the server redirects again and again")
)

// NoAnswer is the error of a request that net/http could not do: a passing one, but
// where the next try would fail as well.
func NoAnswer(err error) error {
	bare := Bare(err)
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	switch {
	case strings.Contains(bare.Error(), "stopped after 10 redirects"):
		return errRedirects
	case bare == errRedirect, errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &dns) && dns.IsNotFound,
		strings.Contains(bare.Error(), "unsupported protocol scheme"), strings.Contains(bare.Error(), "server gave HTTP response to HTTPS client"):
		return bare
	}
	return &source.Temporary{Err: bare}
}
