package ollama

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// The wire's constants.
const (
	chat      = "api/chat"
	longestID = 64
)

// Options configure a model of this wire. There is no vendor whose base URL could be the default.
type Options struct {
	provider.Options

	// ContextTokens is the size of the context with which the server loads the model (num_ctx); 0 leaves it to the server
	// and the model's own file. What a request needs beyond it is refused with [core.ClassContext].
	ContextTokens int
}

// New returns a model.
func New(opts Options) (*provider.Model, error) {
	return provider.New(&wire{model: opts.Model, context: opts.ContextTokens}, opts.Options)
}

// wire is the chat API for one model.
type wire struct {
	model   string
	context int
	tools   provider.ToolCache
}

// Traits returns the wire's constants. A key is of use with the vendor's cloud and with proxies only.
func (w *wire) Traits() provider.Traits {
	return provider.Traits{Framing: provider.FramingLines, KeyHeader: "Authorization", KeyPrefix: "Bearer "}
}

// Decoder returns a decoder for one answer.
func (w *wire) Decoder() provider.Decoder { return &decoder{} }

// Encode writes a request. Whether a model stays loaded afterwards (keep_alive) is the server's matter.
func (w *wire) Encode(ctx context.Context, req *core.Request, d *provider.Draft) error {
	e := encoder{Draft: d, wire: w, ids: provider.NewIDs(longestID, "")}
	d.Path = chat
	d.BeginObject()
	d.TextField("model", w.model)
	d.Key("stream")
	d.Bool(!d.Whole)
	e.wholePrompt()
	e.settings(req)
	e.declare(req.Tools)
	if err := e.messages(ctx, req); err != nil {
		return err
	}
	d.EndObject()
	return nil
}
