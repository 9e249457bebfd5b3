package mcp

import (
	"context"
	"net/http"
	"net/url"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpLink talks to a streamable HTTP server. It has connections of its own: nothing of one server is shared with
// another.
type httpLink struct {
	endpoint string
	limit    int
	base     *http.Transport
	client   *http.Client
	end      context.CancelFunc
}

func dialHTTP(cfg *ServerConfig, opts *PoolOptions) (*httpLink, error) {
	endpoint, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	guard := addressGuard{refuseLoopback: opts.RefuseLoopback}
	base := &http.Transport{
		// No proxy: it would dial in our place, where the guard can't see the address.
		DialContext:            guard.dialer().DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    16,
		MaxResponseHeaderBytes: 64 << 10,
	}
	life, end := context.WithCancel(context.Background())
	trip := &roundTripper{
		next: base, life: life, origin: originOf(endpoint), headers: cfg.Headers,
		limit: opts.MaxMessageBytes, probe: opts.ProbeTimeout,
	}
	return &httpLink{
		endpoint: cfg.URL, limit: opts.MaxMessageBytes, base: base, client: &http.Client{Transport: trip}, end: end,
	}, nil
}

// transport sets the SDK's own limit on events, whose default is none; quoting may double what has passed ours. The
// standalone stream is off: nothing that comes on it is waited for, and its loss would end the session.
func (l *httpLink) transport() sdk.Transport {
	return &sdk.StreamableClientTransport{
		Endpoint:             l.endpoint,
		HTTPClient:           l.client,
		MaxEventSize:         8 * l.limit,
		DisableStandaloneSSE: true,
	}
}

func (l *httpLink) settle() {}

// diagnose has nothing to add to what the exchange knows, and no second attempt is worth it: whatever the probe came to,
// the SDK has gone on with the older handshake on the same link.
func (l *httpLink) diagnose(err error) (cause error, older bool) { return err, false }

func (l *httpLink) ended() bool { return false }

func (l *httpLink) close() {
	l.end()
	l.base.CloseIdleConnections()
}
