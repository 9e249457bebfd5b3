package provider

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Options say which model of a vendor is called, and how it is reached. They are the same for all wires.
type Options struct {
	// Model is the model's name as the vendor spells it.
	Model string

	// BaseURL replaces the vendor's own, for gateways and private deployments. The version (/v1) may be part of it or not.
	BaseURL string

	// Known is what a catalog says of the model: requests are kept within its limits, which is reported, and answers tell
	// what they cost by its prices unless the vendor says so itself. The zero value bounds nothing. Prices are those of the
	// vendor's own API; whether they hold behind another BaseURL is the caller's to know.
	Known catalog.Found

	// Credentials prove the right to call; nil sends none.
	Credentials Credentials

	// Headers are added to every request. They replace what the wire sets, the credential included, or delete it.
	Headers []Header

	// Client is the way to the vendor; nil means one of its own with the zero [ClientOptions].
	Client *Client

	// Whole asks for answers in one piece, for gateways that can't stream.
	Whole bool

	// MaxEvent and MaxBody bound an event of a stream and an answer in one piece, in bytes; default 16 MiB and 64 MiB.
	MaxEvent int
	MaxBody  int
}

// Model is a model behind a wire.
type Model struct {
	opts   Options
	wire   Wire
	traits Traits
	base   *url.URL
	size   atomic.Int64 // of the last body: the next one is about as large
}

var _ core.Priced = (*Model)(nil)

// New returns the model that the options name. The error says what in them can't be used. Nothing is sent yet.
func New(wire Wire, opts Options) (*Model, error) {
	m := &Model{opts: opts, wire: wire, traits: wire.Traits()}
	if opts.Model == "" {
		return nil, errors.New("model: the vendor's name of the model is missing")
	}
	if err := checkHeaders(opts.Headers); err != nil {
		return nil, err
	}
	address := opts.BaseURL
	if address == "" {
		address = m.traits.BaseURL
	}
	var err error
	if m.base, err = parseBase(address); err != nil {
		return nil, err
	}
	if m.opts.Client == nil {
		if m.opts.Client, err = NewClient(ClientOptions{}); err != nil {
			return nil, err
		}
	}
	if m.opts.MaxEvent <= 0 {
		m.opts.MaxEvent = 16 << 20
	}
	if m.opts.MaxBody <= 0 {
		m.opts.MaxBody = 64 << 20
	}
	return m, nil
}

// Name returns the vendor's name of the model.
func (m *Model) Name() string { return m.opts.Model }

// Known returns what the model was made with.
func (m *Model) Known() catalog.Found { return m.opts.Known }

// Price implements [core.Priced].
func (m *Model) Price(u core.Usage) (usd float64, known bool) {
	return m.opts.Known.Tariff.Of(u), m.opts.Known.Tariff.Known()
}

// BaseURL returns what requests go to: the configured URL or the vendor's own.
func (m *Model) BaseURL() string { return m.base.String() }

// Check returns what of a request can't be honoured, as its answer would tell in warnings, without sending it.
func (m *Model) Check(ctx context.Context, req *core.Request) ([]string, error) {
	d, err := m.draft(ctx, req)
	if err != nil {
		return nil, err
	}
	return d.warnings, nil
}

// Stream sends the request and yields the answer as it arrives. It doesn't repeat anything: whether a failure is worth a
// second try is the caller's decision, see [core.Transient].
func (m *Model) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		out := &Out{yield: yield, tariff: &m.opts.Known.Tariff}
		err := m.call(ctx, req, out)
		switch {
		case err == nil || out.over():
		case ctx.Err() != nil:
			yield(core.Delta{}, context.Cause(ctx))
		default:
			yield(core.Delta{}, err)
		}
	}
}

// call makes one request and reads its answer to the end. A credential that is refused is renewed once, if it can be.
func (m *Model) call(ctx context.Context, req *core.Request, out *Out) error {
	d, err := m.draft(ctx, req)
	if err != nil {
		return err
	}
	credential, err := m.credential(ctx)
	if err != nil {
		return err
	}
	err = m.attempt(ctx, d, credential, out)
	renewable, ok := m.opts.Credentials.(Renewable)
	if e, is := errors.AsType[*core.ProviderError](err); !ok || !is || e.Status != http.StatusUnauthorized {
		return err
	}
	if credential, err = checked(renewable.Refused(ctx, credential)); err != nil {
		return err
	}
	return m.attempt(ctx, d, credential, out)
}

// attempt sends a request once.
func (m *Model) attempt(ctx context.Context, d *Draft, credential Credential, out *Out) error {
	secrets := append(m.secrets(), credential.secret)
	x, err := m.opts.Client.post(ctx, join(m.base, d.Path), m.headers(d, credential), d.Bytes(), secrets)
	defer x.close()
	if err != nil {
		return err
	}
	if x.res.StatusCode != http.StatusUnauthorized { // the second attempt tells them, if there is one
		for _, w := range d.warnings {
			out.Warn(w)
		}
	}
	a := answer{exchange: x, out: out, decoder: m.wire.Decoder(), model: m, secrets: secrets}
	err = a.read()
	if e, ok := errors.AsType[*core.ProviderError](err); ok {
		e.Message = brief(Redact(e.Message, secrets...))
	}
	return err
}

// secrets are those in the configured headers.
func (m *Model) secrets() []string {
	var all []string
	for _, h := range m.opts.Headers {
		if h.Secret {
			all = append(all, h.Value)
		}
	}
	return all
}

// draft writes the request.
func (m *Model) draft(ctx context.Context, req *core.Request) (*Draft, error) {
	last := int(m.size.Load())
	d := &Draft{Whole: m.opts.Whole, image: req.Image}
	d.Grow(last + last/8 + 1<<10)
	if err := m.wire.Encode(ctx, m.bounded(req, d), d); err != nil {
		if _, ok := errors.AsType[*core.ProviderError](err); !ok {
			err = &core.ProviderError{Class: core.ClassBadRequest, Err: err}
		}
		return nil, err
	}
	m.size.Store(int64(len(d.Bytes())))
	return d, nil
}

// headers puts the layers together: the wire's own, the credential, what the request needs, and the configured ones.
func (m *Model) headers(d *Draft, credential Credential) http.Header {
	accept := string(m.traits.Framing)
	if d.Whole {
		accept = "application/json"
	}
	base := []Header{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: accept},
		{Name: "User-Agent", Value: "plait-agentkit"}}
	var auth []Header
	if m.opts.Credentials != nil {
		auth = []Header{m.traits.place(credential)}
	}
	return merge(base, m.traits.Headers, auth, d.Headers, m.opts.Headers)
}

// credential is that of the next request; zero when none is sent.
func (m *Model) credential(ctx context.Context) (Credential, error) {
	if m.opts.Credentials == nil {
		return Credential{}, nil
	}
	return checked(m.opts.Credentials.Credential(ctx))
}

// checked refuses what can't be sent.
func checked(c Credential, err error) (Credential, error) {
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return c, &core.ProviderError{Class: core.ClassAuth, Err: fmt.Errorf("credential: %w", err)}
	}
	return c, nil
}

// place says which header carries a credential.
func (t Traits) place(c Credential) Header {
	if c.bearer {
		return Header{Name: "Authorization", Value: "Bearer " + c.secret}
	}
	return Header{Name: t.KeyHeader, Value: t.KeyPrefix + c.secret}
}
