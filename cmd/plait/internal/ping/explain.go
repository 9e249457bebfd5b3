package ping

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// Target is what was called, for the words.
type Target struct {
	Provider string
	Model    string
	BaseURL  string
	Proxy    string // empty when there is none
	Key      string // where the key comes from, such as "variable KEY"; empty when there is none
}

// Explain says what is wrong, and what could be done about it.
func Explain(err error, t Target) string {
	var pe *core.ProviderError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s didn't answer in time", t.BaseURL)
	case !errors.As(err, &pe):
		return err.Error()
	case pe.Status == 0 && pe.Err != nil && pe.Class == core.ClassUnavailable:
		return t.unreached(pe.Err)
	}
	return t.refused(pe)
}

// unreached explains why there was no answer.
func (t Target) unreached(err error) string {
	if e, ok := errors.AsType[*provider.ProxyError](err); ok {
		return t.proxied(e.Status)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		return fmt.Sprintf("the proxy %s isn't reached: %v", t.Proxy, op.Err)
	}
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("the name %s can't be resolved (DNS): check the base URL %s", dns.Name, t.BaseURL)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("the connection is refused: nothing listens at %s", t.BaseURL)
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, new(tls.RecordHeaderError)):
		return fmt.Sprintf("the server doesn't speak TLS: %s may have to begin with http://", t.BaseURL)
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return fmt.Sprintf("the certificate of %s is signed by nobody that this machine trusts: %v", t.BaseURL, err)
	case isCertificate(err):
		return fmt.Sprintf("the certificate isn't good for %s: %v", t.BaseURL, err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("%s doesn't answer: %v", t.BaseURL, err)
	case isHangUp(err):
		return fmt.Sprintf("%s closes the connection without an answer: does it expect https://, or is it another kind of server?", t.BaseURL)
	}
	return fmt.Sprintf("%s isn't reached: %v", t.BaseURL, err)
}

// isHangUp says that the server closed the connection: while it was sent the request, or before. Of the latter net/http has
// an error without a name.
func isHangUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		strings.Contains(err.Error(), "server closed idle connection")
}

func isCertificate(err error) bool {
	return errors.As(err, new(x509.HostnameError)) || errors.As(err, new(x509.CertificateInvalidError)) ||
		errors.As(err, new(*tls.CertificateVerificationError))
}

func (t Target) proxied(status int) string {
	if status == http.StatusProxyAuthRequired {
		return fmt.Sprintf("the proxy %s asks for a login (status 407)", t.Proxy)
	}
	return fmt.Sprintf("the proxy %s doesn't let the connection to %s through (status %d)", t.Proxy, t.BaseURL, status)
}

// refused explains an answer that isn't one. The vendor's own words follow.
func (t Target) refused(e *core.ProviderError) string {
	own := e.Type != "" || e.Code != "" // the vendor's error, not a page of something in between
	says := "; it says: " + e.Message
	switch {
	case isPage(e.Message):
		return fmt.Sprintf("a web page came in the place of an answer (status %d): %s is no API, or something in between answers for it",
			e.Status, t.BaseURL)
	case e.Status == http.StatusProxyAuthRequired:
		return t.proxied(e.Status)
	case e.Class == core.ClassQuota:
		return fmt.Sprintf("the account has nothing left to spend (status %d)", e.Status) + says
	case e.Class == core.ClassAuth && e.Status == http.StatusForbidden:
		return fmt.Sprintf("the key isn't allowed to do this (status %d): %s", e.Status, t.keyHint()) + says
	case e.Class == core.ClassAuth:
		return fmt.Sprintf("the key isn't accepted (status %d): %s", e.Status, t.keyHint()) + says
	case e.Class == core.ClassRateLimited:
		return fmt.Sprintf("there are too many requests at the moment (status %d)", e.Status) + says
	case e.Class == core.ClassOverloaded:
		return fmt.Sprintf("the vendor is short of capacity (status %d)", e.Status) + says
	case e.Status == http.StatusNotFound && own:
		return fmt.Sprintf("the vendor doesn't know the model %s (status 404), or not for this key", t.Model) + says
	case e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed,
		e.Class == core.ClassBadAnswer:
		return fmt.Sprintf("%s doesn't speak the API of the provider %s (status %d): check base URL and provider", t.BaseURL, t.Provider, e.Status) + says
	case e.Class == core.ClassCut:
		return "the answer broke off before its end"
	}
	return fmt.Sprintf("the call failed (status %d)", e.Status) + says
}

func (t Target) keyHint() string {
	if t.Key == "" {
		return "none was sent, and the config names none"
	}
	return "it comes from the " + t.Key
}

func isPage(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "<html") || strings.Contains(message, "<!doctype html") || strings.Contains(message, `"text/html`)
}
