package openai

import (
	"cmp"
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

const (
	endpoint  = "chat/completions"
	longestID = 40
)

// Options configure a model of this wire.
type Options struct {
	provider.Options

	// Profile says whose dialect is spoken, see [ProfileNamed]; the zero Profile means that of BaseURL, see
	// [ProfileAt].
	Profile Profile

	// CacheKey helps the vendor to send requests with the same beginning to the machine that has it cached: give all
	// requests of one agent the same key. Empty sends none.
	CacheKey string
}

// New returns a model.
func New(opts Options) (*provider.Model, error) {
	if opts.Profile.Name == "" {
		opts.Profile = ProfileAt(opts.BaseURL)
	}
	p := opts.Profile
	if err := oai.CheckCacheKey(opts.CacheKey, p.Name, p.CacheKey); err != nil {
		return nil, err
	}
	w := &wire{model: opts.Model, profile: p, cacheKey: opts.CacheKey}
	if p.NamesTell {
		w.known = oai.ModelOf(opts.Model)
	}
	w.path = oai.Path(cmp.Or(opts.BaseURL, p.BaseURL), p.BaseURL, endpoint)
	return provider.New(w, opts.Options)
}

// wire is the API for one model.
type wire struct {
	model    string
	known    oai.Model
	profile  Profile
	cacheKey string
	path     string
	tools    provider.ToolCache
}

// Traits returns the wire's constants.
func (w *wire) Traits() provider.Traits { return oai.Traits(w.profile.BaseURL) }

// Decoder returns a decoder for one answer.
func (w *wire) Decoder() provider.Decoder { return &decoder{profile: &w.profile} }

// Encode writes a request.
func (w *wire) Encode(ctx context.Context, req *core.Request, d *provider.Draft) error {
	e := encoder{wire: w, Encoder: oai.Encoder{Draft: d, IDs: provider.NewIDs(longestID, w.profile.idCharacters()), Model: w.model, Known: w.known,
		NoImages: w.profile.NoImages}}
	d.Path = w.path
	d.BeginObject()
	d.TextField("model", w.model)
	e.delivery()
	e.settings(req)
	e.format(req.OutputSchema)
	e.ShowAll(req.Tools, "this API has no search for tools")
	e.Declare(req.Tools, &w.tools, w.writeTool, nil)
	if err := e.messages(ctx, req); err != nil {
		return err
	}
	d.EndObject()
	return nil
}
