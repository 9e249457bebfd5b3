package google

import (
	"context"
	"net/url"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// BaseURL is the vendor's own.
const BaseURL = "https://generativelanguage.googleapis.com"

// The wire's constants.
const (
	version   = "v1beta"
	longestID = 64
	mostStops = 5
)

// Options configure a model of this wire.
type Options struct {
	provider.Options

	// NoIDs leaves the ids of calls and results out of requests, so that they are paired by position: there are servers
	// that hand ids out and refuse to take them.
	NoIDs bool
}

// New returns a model. With the base URL of Vertex AI, which ends in /publishers/google, it is one of Vertex AI.
func New(opts Options) (*provider.Model, error) {
	return provider.New(&wire{
		model:      opts.Model,
		path:       modelPath(opts.BaseURL, opts.Model),
		generation: generationOf(opts.Model),
		noIDs:      opts.NoIDs,
	}, opts.Options)
}

// modelPath says where a model is found below the base URL. The version belongs to it unless the base names one anywhere:
// that of Vertex AI goes on behind it.
func modelPath(base, model string) string {
	path := "models/"
	if strings.Contains(model, "/") { // tunedModels/x, or models/x as the vendor lists them
		path = ""
	}
	segments := strings.Split(model, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	path += strings.Join(segments, "/")
	if u, err := url.Parse(base); err == nil { // a bad base is reported later
		for s := range strings.SplitSeq(u.Path, "/") {
			if len(s) > 1 && s[0] == 'v' && s[1] >= '0' && s[1] <= '9' {
				return path
			}
		}
	}
	return version + "/" + path
}

// wire is the Gemini API for one model.
type wire struct {
	model      string
	path       string
	generation generation
	noIDs      bool
	tools      provider.ToolCache
}

// Traits returns the wire's constants.
func (w *wire) Traits() provider.Traits {
	return provider.Traits{BaseURL: BaseURL, Framing: provider.FramingSSE, KeyHeader: "X-Goog-Api-Key"}
}

// Decoder returns a decoder for one answer.
func (w *wire) Decoder() provider.Decoder { return &decoder{} }

// Encode writes a request.
func (w *wire) Encode(ctx context.Context, req *core.Request, d *provider.Draft) error {
	e := encoder{Draft: d, wire: w, ids: provider.NewIDs(longestID, "")}
	d.Path = w.path + ":streamGenerateContent?alt=sse"
	if d.Whole {
		d.Path = w.path + ":generateContent"
	}
	d.BeginObject()
	e.settings(req)
	e.system(req.System)
	e.declare(req.Tools)
	if err := e.contents(ctx, req.Messages); err != nil {
		return err
	}
	d.EndObject()
	return nil
}
