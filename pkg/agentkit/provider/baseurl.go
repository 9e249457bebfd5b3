package provider

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// parseBase checks a base URL.
func parseBase(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return nil, errors.New("base URL: none is configured, and this provider has none of its own")
	case err != nil:
		return nil, errors.New("base URL: it can't be parsed; a URL such as https://example.com/v1 is expected")
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return nil, fmt.Errorf("base URL %q: https:// or http:// and a host are expected", u.Redacted())
	case u.User != nil:
		return nil, fmt.Errorf("base URL %q: a user and password aren't taken from a URL; set a header", u.Redacted())
	case u.Fragment != "":
		return nil, fmt.Errorf("base URL %q: a fragment (#) is never sent", u.Redacted())
	}
	return u, nil
}

// join returns the URL of an endpoint such as "v1/messages" or "models/x:generate?alt=sse" below a base URL. What the
// base already has of the endpoint's beginning isn't repeated: vendors disagree about whether the version belongs to the
// base, and so do the people who write it down. Queries of both are kept.
func join(base *url.URL, endpoint string) string {
	u := *base
	endpoint, query, _ := strings.Cut(endpoint, "?")
	have := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	add := strings.Split(endpoint, "/")
	for n := min(len(have), len(add)); n > 0; n-- {
		if slices.Equal(have[len(have)-n:], add[:n]) {
			add = add[n:]
			break
		}
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if len(add) > 0 {
		path += "/" + strings.Join(add, "/")
	}
	raw := u.RawQuery
	if raw != "" && query != "" {
		raw += "&"
	}
	out := u.Scheme + "://" + u.Host + path
	if raw += query; raw != "" {
		out += "?" + raw
	}
	return out
}
