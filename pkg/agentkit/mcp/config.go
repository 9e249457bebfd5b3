package mcp

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ServerConfig says how to reach one server, and what of it is used. Exactly one of Command and URL is set.
type ServerConfig struct {
	// Name is a letter and up to 31 letters, digits and "-"; it is the first part of the tools' qualified names.
	Name string

	// Command starts a server that talks over stdin and stdout: a program and its arguments. The process is a child of
	// ours and ends with the pool.
	Command []string

	// Env is added to the child's environment, which otherwise holds PATH, HOME and their like only.
	Env map[string]string

	// Dir is the child's working directory; empty means ours.
	Dir string

	// URL is the endpoint of a streamable HTTP server, http or https.
	URL string

	// Headers go to the origin of URL with every request, and nowhere else. One with an empty value is left out.
	Headers []Header

	// AllowTools names the tools that may be used; empty means all. A name that the server doesn't offer is an error of
	// [Pool.Connect].
	AllowTools []string

	// Timeout limits one call of a tool, from sending it to its answer; 0 means 60 seconds.
	Timeout time.Duration

	// Lazy leaves the server out of [Pool.Connect]: the first use connects it.
	Lazy bool
}

// Header is one HTTP header whose value has been resolved. It prints without its value.
type Header struct {
	Name  string
	Value string
}

// String returns the name alone: values are credentials more often than not.
func (h Header) String() string { return h.Name + ": (hidden)" }

// GoString keeps the value out of %#v, too.
func (h Header) GoString() string { return "mcp.Header{" + h.String() + "}" }

const defaultCallTimeout = time.Minute

// normalised returns a copy with defaults in place, or every mistake that it found.
func (c ServerConfig) normalised() (*ServerConfig, error) {
	errs := []error{c.checkName(), c.checkEndpoint(), c.checkHeaders(), c.checkEnv()}
	if c.Timeout < 0 {
		errs = append(errs, fmt.Errorf("timeout %v is negative", c.Timeout))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if c.Timeout == 0 {
		c.Timeout = defaultCallTimeout
	}
	c.Command = slices.Clone(c.Command)
	c.Env = maps.Clone(c.Env)
	c.AllowTools = slices.Clone(c.AllowTools)
	c.Headers = slices.DeleteFunc(slices.Clone(c.Headers), func(h Header) bool { return h.Value == "" })
	return &c, nil
}

func (c *ServerConfig) checkName() error {
	valid := len(c.Name) >= 1 && len(c.Name) <= 32
	for i, r := range []byte(c.Name) {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			valid = false
		}
	}
	if !valid {
		return fmt.Errorf("name %q: a server's name is a letter followed by up to 31 letters, digits and \"-\"", c.Name)
	}
	return nil
}

func (c *ServerConfig) checkEndpoint() error {
	switch {
	case len(c.Command) > 0 && c.URL != "":
		return errors.New("both a command and a url are given; a server has one of them")
	case c.URL != "":
		return checkURL(c.URL)
	case len(c.Command) == 0:
		return errors.New("neither a command nor a url is given; a server has one of them")
	case c.Command[0] == "":
		return errors.New("the command's program is empty")
	}
	return nil
}

// checkURL doesn't repeat the URL in full: keys travel in queries.
func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("the url can't be parsed")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the url's scheme is %q; it must be http or https", u.Scheme)
	case u.Host == "" || u.Hostname() == "":
		return errors.New("the url names no host")
	case u.User != nil:
		return errors.New("the url holds a user name or password; use a header")
	}
	return nil
}

func (c *ServerConfig) checkHeaders() error {
	var errs []error
	seen := map[string]bool{}
	for _, h := range c.Headers {
		name := strings.ToLower(h.Name)
		switch {
		case !isToken(h.Name):
			errs = append(errs, fmt.Errorf("header %q: not a header name", h.Name))
		case isReserved(name):
			errs = append(errs, fmt.Errorf("header %q belongs to the protocol and can't be configured", h.Name))
		case seen[name]:
			errs = append(errs, fmt.Errorf("header %q is given twice", h.Name))
		case strings.ContainsFunc(h.Value, isControl):
			errs = append(errs, fmt.Errorf("header %q: its value holds a control character", h.Name))
		}
		seen[name] = true
	}
	return errors.Join(errs...)
}

func (c *ServerConfig) checkEnv() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(c.Env[name], "\x00") {
			errs = append(errs, fmt.Errorf("environment variable %q: a name holds no \"=\", and neither name nor value a NUL", name))
		}
	}
	return errors.Join(errs...)
}

// isReserved reports whether a header (in lower case) is set by the client itself. Setting it would break the protocol,
// or let a document choose another virtual host or a cookie jar's content.
func isReserved(name string) bool {
	switch name {
	case "host", "content-length", "content-type", "accept", "cookie", "connection", "transfer-encoding", "last-event-id":
		return true
	}
	return strings.HasPrefix(name, "mcp-")
}

// isToken reports whether s is a token of RFC 9110.
func isToken(s string) bool {
	for _, r := range s {
		alnum := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return s != ""
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }
