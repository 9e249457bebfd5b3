package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// maxRefusalBytes is read of the body of a refusal: enough for a JSON-RPC error or a proxy's sentence.
const maxRefusalBytes = 64 << 10

// roundTripper stands between the SDK and the network: requests leave with the configured headers and only to the
// configured origin; of the answers the SDK sees what has passed the screen.
type roundTripper struct {
	next    http.RoundTripper
	life    context.Context // of the link; ends every request
	origin  origin
	headers []Header
	limit   int           // bytes of one message
	probe   time.Duration // how long server/discover may stay unanswered
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	x := exchangeOf(req.Context())
	if err := t.origin.check(req.URL); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		x.refuse(err)
		return nil, err
	}
	ctx, done := t.lifetime(req)
	resp, err := t.next.RoundTrip(t.outgoing(ctx, req))
	if err != nil {
		done()
		return nil, err
	}
	resp.Body = &body{ReadCloser: resp.Body, done: done}
	return t.admit(req, resp, x)
}

// lifetime bounds a request by the link's life, and the probe by its own limit: when that runs out the SDK goes on with
// the handshake of the older revisions.
func (t *roundTripper) lifetime(req *http.Request) (context.Context, func()) {
	limit := noLimit
	if req.Header.Get("Mcp-Method") == methodDiscover {
		limit = t.probe
	}
	ctx, cancel := context.WithTimeout(req.Context(), limit)
	stop := context.AfterFunc(t.life, cancel)
	return ctx, func() { stop(); cancel() }
}

func (t *roundTripper) outgoing(ctx context.Context, req *http.Request) *http.Request {
	out := req.Clone(ctx)
	for _, h := range t.headers {
		out.Header.Set(h.Name, h.Value)
	}
	if name, ok := out.Header["Mcp-Name"]; ok {
		out.Header.Set("Mcp-Name", encodeName(name[0]))
	}
	return out
}

// admit replaces the body of a response by one that holds screened messages only.
func (t *roundTripper) admit(req *http.Request, resp *http.Response, x *exchange) (*http.Response, error) {
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var err error
	switch code := resp.StatusCode; {
	case code >= http.StatusBadRequest:
		t.admitRefusal(req, resp, x)
	case code == http.StatusAccepted, code == http.StatusNoContent, code >= http.StatusMultipleChoices,
		req.Method == http.MethodDelete:
		x.answered(code, "", false)
		replaceBody(resp, nil)
	case mediaType == "text/event-stream":
		x.answered(code, "", false)
		resp.Body = newEventScreen(resp.Body, t.limit, x)
	default:
		x.answered(code, "", false)
		err = t.admitMessage(resp, mediaType)
	}
	var v *violation
	switch {
	case errors.As(err, &v) && isNotification(req):
		replaceBody(resp, nil)
	case err != nil:
		_ = resp.Body.Close()
		if v != nil {
			x.refuse(err)
		}
		return nil, err
	}
	return resp, nil
}

// isNotification reports whether nobody waits for the answer to a request. Servers put all sorts of things there.
func isNotification(req *http.Request) bool {
	if req.GetBody == nil {
		return false
	}
	body, err := req.GetBody()
	if err != nil {
		return false
	}
	defer func() { _ = body.Close() }()
	var msg struct {
		ID json.RawMessage `json:"id"`
	}
	return json.NewDecoder(body).Decode(&msg) == nil && msg.ID == nil
}

// admitMessage reads a whole body. A declared length buys no memory: what is allocated follows what arrives.
func (t *roundTripper) admitMessage(resp *http.Response, mediaType string) error {
	if resp.ContentLength > int64(t.limit) {
		return &violation{rule: fmt.Sprintf("response is longer than %d bytes", t.limit)}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, int64(t.limit)+1))
	switch {
	case err != nil:
		return fmt.Errorf("read the response: %w", err)
	case len(data) > t.limit:
		return &violation{rule: fmt.Sprintf("response is longer than %d bytes", t.limit)}
	case len(data) > 0 && mediaType != "application/json":
		return &violation{rule: fmt.Sprintf("response of type %q, not JSON or an event stream", mediaType), msg: data}
	case len(data) > 0:
		if data, err = screen(data); err != nil {
			return err
		}
	}
	replaceBody(resp, data)
	return nil
}

// admitRefusal notes why the server refused. The SDK looks into the body for a JSON-RPC error, so one that passes the
// screen stays. A session that the server no longer knows is told apart here: servers answer it with a JSON-RPC error,
// too, which the SDK takes for an answer of a live session.
func (t *roundTripper) admitRefusal(req *http.Request, resp *http.Response, x *exchange) {
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusalBytes))
	if err != nil {
		data = nil
	}
	clean, err := screen(data)
	if err != nil {
		clean = nil
	}
	lost := resp.StatusCode == http.StatusNotFound && req.Header.Get("Mcp-Session-Id") != ""
	x.answered(resp.StatusCode, shorten(printable(string(data)), 200), lost)
	replaceBody(resp, clean)
}

func replaceBody(resp *http.Response, data []byte) {
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(data))
	resp.ContentLength = int64(len(data))
	resp.Header.Set("Content-Length", strconv.Itoa(len(data)))
}

// body ends what its request holds when it is closed.
type body struct {
	io.ReadCloser
	done func()
}

func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
