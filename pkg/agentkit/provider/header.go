package provider

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
)

// Header is a header of a request, or the wish that none of this name is sent.
type Header struct {
	Name  string
	Value string

	// Secret says that the value is one: it is removed from what a vendor says about a request.
	Secret bool

	// Delete takes away what an earlier layer set. An empty Value without it is sent as it is.
	Delete bool
}

// merge returns the headers of all layers. A later layer replaces what an earlier one set under the same name, and
// within a layer the later header does.
func merge(layers ...[]Header) http.Header {
	all := http.Header{}
	for _, layer := range layers {
		for _, h := range layer {
			if h.Delete {
				all.Del(h.Name)
			} else {
				all.Set(h.Name, h.Value)
			}
		}
	}
	return all
}

// checkHeaders refuses headers that can't be sent, and those that are the transport's own business. Values, which may be
// secret, aren't repeated.
func checkHeaders(headers []Header) error {
	for _, h := range headers {
		switch name := textproto.CanonicalMIMEHeaderKey(h.Name); {
		case !isToken(h.Name):
			return fmt.Errorf("header %q: a name consists of letters, digits and !#$%%&'*+-.^_`|~", h.Name)
		case !isHeaderValue(h.Value):
			return fmt.Errorf("header %s: its value holds a control character", h.Name)
		case name == "Host" || name == "Content-Length" || name == "Transfer-Encoding" || name == "Connection":
			return fmt.Errorf("header %s: it is set by the transport and can't be configured", h.Name)
		}
	}
	return nil
}

// isToken knows the names of headers (RFC 9110, 5.6.2).
func isToken(name string) bool {
	for _, c := range []byte(name) {
		alphanumeric := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alphanumeric && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return name != ""
}

func isHeaderValue(value string) bool {
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
