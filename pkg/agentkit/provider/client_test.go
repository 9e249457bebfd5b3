package provider_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

func TestTraceHeadersOnlyWhenAsked(t *testing.T) {
	var got http.Header
	var url string
	s := serve(t, sse(&got, &url))
	c := newClient(t, provider.ClientOptions{Trace: func(_ context.Context, h http.Header) { h.Set("Traceparent", "00-x") }})
	if _, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: c})); err != nil {
		t.Fatal(err)
	}
	if got.Get("Traceparent") != "00-x" {
		t.Errorf("headers %v", got)
	}
}

func TestTimeoutsOfThePhases(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request, sent string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(sent))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	const soon = 30 * time.Millisecond
	for want, c := range map[string]struct {
		opts provider.ClientOptions
		sent string
	}{
		"the first byte of the answer did not come within 30ms": {provider.ClientOptions{FirstByte: soon}, ""},
		"more of the answer did not come within 30ms":           {provider.ClientOptions{Idle: soon}, "data: {\"text\":\"hi\"}\n\n"},
		"context deadline exceeded": {provider.ClientOptions{Connect: soon,
			Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }}, ""},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { hang(w, r, c.sent) })
		_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: newClient(t, c.opts)}))
		if err == nil || err.Error() != want || !core.Transient(err) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

// The time that the caller takes for a delta is its own.
func TestAPatientCallerIsNoIdleVendor(t *testing.T) {
	const idle = 50 * time.Millisecond
	next := make(chan struct{}, 8)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			answer(w, "text/event-stream", "data: {\"text\":\"hi\"}\n\n")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
		answer(w, "text/event-stream", done)
	})
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: newClient(t, provider.ClientOptions{Idle: idle})})
	for _, err := range m.Stream(t.Context(), &core.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(2 * idle)
		next <- struct{}{}
	}
}

func TestProxyAndCertificatesByConfigurationOnly(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, "text/event-stream", done) }))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL}))
	if _, unknown := errors.AsType[*tls.CertificateVerificationError](err); !unknown {
		t.Errorf("without its CA: %v", err)
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	c := newClient(t, provider.ClientOptions{CA: ca})
	if _, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: c})); err != nil {
		t.Errorf("with its CA: %v", err)
	}
	var asked string
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		answer(w, "text/event-stream", done)
	})
	c = newClient(t, provider.ClientOptions{Proxy: proxy.URL})
	_, err = ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: "http://vendor.example", Client: c}))
	if err != nil || asked != "http://vendor.example/v1/echo?x=1" {
		t.Errorf("the proxy was asked for %q, err %v", asked, err)
	}
}

// The connection is used again although something follows the terminal event.
func TestConnectionsAreUsedAgain(t *testing.T) {
	addresses := map[string]bool{}
	over := make(chan struct{}, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		answer(w, "text/event-stream", done)
		_ = http.NewResponseController(w).Flush()
		<-over
		_, _ = w.Write([]byte(": bye\n\n"))
	})
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL})
	for range 5 {
		for d, err := range m.Stream(t.Context(), &core.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
			if d.Kind == core.Done {
				over <- struct{}{}
			}
		}
	}
	if len(addresses) != 1 {
		t.Errorf("%d connections", len(addresses))
	}
}
