package provider

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// AnswerError returns the error that stands in a vendor's JSON, or nil if there is none: a member error that is an object
// or a text, as all vendors have it in the bodies of refusals, in events, and some in an answer with status 200. It
// understands {"error": {"type", "code", "status", "message"}}, {"error": "…"}, and a list around one of them.
func AnswerError(status int, data []byte) *core.ProviderError {
	r := jsonx.NewReader(data)
	var e *core.ProviderError
	switch r.Peek() {
	case '{':
		e = errorMember(r)
	case '[':
		for a := r.Array(); a.Next(); {
			if r.Peek() == '{' && e == nil {
				e = errorMember(r)
			}
		}
	default:
		return nil
	}
	if r.End() == nil && e != nil {
		e.Status = status
		return Classified(e)
	}
	return nil // what isn't JSON says nothing
}

// errorMember reads an object and returns what its member error says.
func errorMember(r *jsonx.Reader) *core.ProviderError {
	var e *core.ProviderError
	for o := r.Object(); o.Next(); {
		if string(o.Key()) == "error" {
			e = errorValue(r)
		}
	}
	return e
}

func errorValue(r *jsonx.Reader) *core.ProviderError {
	switch r.Peek() {
	case '"':
		return &core.ProviderError{Message: r.Text()}
	case '{':
		return ReadError(r)
	}
	return nil
}

// ReadError reads an object with the members type, code, status and message. Wires whose error events have these at another
// place use it, and [Classified] on the result.
func ReadError(r *jsonx.Reader) *core.ProviderError {
	e := &core.ProviderError{}
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type", "status":
			e.Type = word(r, e.Type)
		case "code":
			e.Code = word(r, "")
		case "message":
			e.Message = word(r, "")
		case "details":
			e.RetryAfter = retryInfo(r)
		}
	}
	return e
}

// retryInfo reads how long to wait from a list of details, where Google has it: {"@type": "…RetryInfo", "retryDelay": "34.07s"}.
func retryInfo(r *jsonx.Reader) (wait time.Duration) {
	if r.Peek() != '[' {
		return 0
	}
	for a := r.Array(); a.Next(); {
		if r.Peek() != '{' {
			continue
		}
		for o := r.Object(); o.Next(); {
			if string(o.Key()) == "retryDelay" {
				d, _ := time.ParseDuration(word(r, "")) // what can't be read isn't said
				wait = max(wait, d)
			}
		}
	}
	return wait
}

// word reads a text or a number, or passes over something else.
func word(r *jsonx.Reader, otherwise string) string {
	switch c := r.Peek(); {
	case c == '"':
		return r.Text()
	case c == '-' || '0' <= c && c <= '9':
		return string(r.Raw())
	}
	return otherwise
}

// Classified returns e with the class that its status, words and message show.
func Classified(e *core.ProviderError) *core.ProviderError {
	e.Class = classify(e)
	return e
}

// refusal is the error of an answer whose status isn't 2xx.
func refusal(res *http.Response, body []byte) *core.ProviderError {
	e := AnswerError(res.StatusCode, body)
	if e == nil {
		e = Classified(&core.ProviderError{Status: res.StatusCode, Message: excerpt(body)})
	}
	if e.Message == "" {
		e.Message = excerpt(body)
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		e.Message = "the vendor redirects, which isn't followed: set the base URL to where it really is"
	}
	e.RetryAfter = cmp.Or(retryAfter(res.Header, time.Now()), e.RetryAfter)
	return e
}

// excerpt is the beginning of a body that isn't understood, on one line.
func excerpt(body []byte) string {
	const enough = 300
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), enough)]), "")), " ")
	switch {
	case text == "":
		return "the body is empty"
	case len(body) > enough:
		text += "…"
	}
	return text
}

// brief bounds what a vendor says about an error: it ends up in journals and on screens.
func brief(message string) string {
	const enough = 2 << 10
	if len(message) <= enough {
		return message
	}
	return strings.ToValidUTF8(message[:enough], "") + "…"
}

// unreadable is the error of an answer that makes no sense.
func unreadable(status int, message string) *core.ProviderError {
	return &core.ProviderError{Status: status, Class: core.ClassBadAnswer, Message: message}
}
