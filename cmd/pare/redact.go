package main

import (
	"net/url"
	"regexp"
	"strings"
)

// redact is a name as messages show it: a URL without user, password and query, which
// may hold keys.
func redact(name string) string {
	from, rest, ok := strings.Cut(name, "://")
	if from := scheme(name); !ok || from == "s3" || from == "gs" {
		return name
	}
	if !strings.ContainsAny(rest, "?@") {
		return name
	}
	u, err := url.Parse(name)
	if err != nil || u.Host == "" {
		rest, _, _ = strings.Cut(rest[strings.LastIndexByte(rest, '@')+1:], "?")
		return from + "://" + rest
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment, u.ForceQuery = nil, "", "", "", false
	return u.String()
}

// Secrets in a text that quotes URLs: what is before an @, and what is behind a ?.
var (
	urls  = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^'"\s]*`)
	users = regexp.MustCompile(`://[^'"\s]*@`) // a password may hold anything
	query = regexp.MustCompile(`\?.*`)
)

// mask is redact for the URLs in a text, whose length stays, so that places in it do.
// Those of S3 and Google's store have no queries: there a ? is a part of the name.
func mask(text string) string {
	stars := func(s string) string { return strings.Repeat("*", len(s)) }
	return urls.ReplaceAllStringFunc(text, func(u string) string {
		u = users.ReplaceAllStringFunc(u, func(s string) string { return "://" + stars(s[3:len(s)-1]) + "@" })
		if from := scheme(u); from == "s3" || from == "gs" {
			return u
		}
		return query.ReplaceAllStringFunc(u, func(s string) string { return "?" + stars(s[1:]) })
	})
}
