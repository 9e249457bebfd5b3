package mcp

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// origin is what the configured headers may be sent to: scheme, host and port.
type origin string

func originOf(u *url.URL) origin {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return origin(u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port))
}

// check refuses a URL elsewhere, which a redirect may have named. Its path and query stay out of the error.
func (o origin) check(u *url.URL) error {
	if other := originOf(u); other != o {
		return fmt.Errorf("the server redirects from %s to %s: another origin doesn't get this server's headers; configure that URL",
			o, other)
	}
	return nil
}
