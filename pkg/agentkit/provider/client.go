package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// ClientOptions configure a [Client]. The zero value reaches any vendor directly, with the system's certificates.
type ClientOptions struct {
	// Proxy is the URL of a proxy for all requests; empty means none. The environment isn't asked.
	Proxy string

	// CA holds certificates in PEM that are trusted in place of those of the system.
	CA []byte

	// Certificate is shown to vendors that ask for one; nil means none.
	Certificate *tls.Certificate

	// Dial replaces how a connection is opened, for callers that guard the addresses that may be reached. With a Proxy it
	// is the proxy that is dialled.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Connect bounds the opening of a connection and, once more, the TLS handshake; default 15 s. It binds Dial only as
	// far as that obeys its context.
	Connect time.Duration

	// FirstByte bounds the time from the beginning of a request to the first byte of its answer's body; default 10 min,
	// because an answer that comes in one piece begins when the model has ended.
	FirstByte time.Duration

	// Idle bounds the time between two reads of the body; default 5 min, because some models think without a sign of
	// life. The time that the caller takes for what it was given doesn't count.
	Idle time.Duration

	// Between stands between the models and the network, for recordings of their traffic: it returns what send does, or an
	// answer of its own. Nil sends every request.
	Between Between

	// Trace adds headers to each request, such as traceparent; nil adds none. Vendors learn nothing about a trace unless
	// they are told.
	Trace func(ctx context.Context, header http.Header)
}

// ProxyError says that the proxy refused to connect to the vendor.
type ProxyError struct{ Status int }

// Error tells the status.
func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy refused to connect: status %d", e.Status)
}

// Client is the way to vendors: connections are kept and shared by all models that use it. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	first time.Duration
	idle  time.Duration
	trace func(context.Context, http.Header)

	between Between
}

// NewClient returns a client. The error says which option can't be used.
func NewClient(opts ClientOptions) (*Client, error) {
	connect := orDefault(opts.Connect, 15*time.Second)
	dial := opts.Dial
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	}
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, connect)
			defer cancel()
			return dial(ctx, network, address)
		},
		TLSHandshakeTimeout: connect,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
		// Without pings a connection that was lost on the way looks like a vendor that thinks.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		// A compressed stream is held back until a block is full, and a small one may become a large one.
		DisableCompression: true,
	}
	if opts.Proxy != "" {
		proxy, err := url.Parse(opts.Proxy)
		if err != nil || proxy.Host == "" {
			return nil, errors.New("proxy: a URL such as http://proxy.example.com:3128 is expected")
		}
		t.Proxy = http.ProxyURL(proxy)
		t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
			if res.StatusCode != http.StatusOK {
				return &ProxyError{Status: res.StatusCode}
			}
			return nil
		}
	}
	if len(opts.CA) > 0 {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(opts.CA) {
			return nil, errors.New("CA: no certificate in PEM was found")
		}
		t.TLSClientConfig.RootCAs = pool
	}
	if opts.Certificate != nil {
		t.TLSClientConfig.Certificates = []tls.Certificate{*opts.Certificate}
	}
	return &Client{
		http: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect would take the credential and the prompt somewhere else
		}},
		first: orDefault(opts.FirstByte, 10*time.Minute),
		idle:  orDefault(opts.Idle, 5*time.Minute),
		trace: opts.Trace,

		between: opts.Between,
	}, nil
}

// CloseIdle closes the connections that nobody uses.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

func orDefault(d, fallback time.Duration) time.Duration {
	if d <= 0 {
		return fallback
	}
	return d
}
