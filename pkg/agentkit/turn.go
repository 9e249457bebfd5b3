package agentkit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// takeTurn calls the model once and does what it asks for. It returns the result when that ends the run.
func (r *run) takeTurn(ctx context.Context) (*Result, error) {
	if err := r.allowed(); err != nil {
		return nil, err
	}
	req, err := r.request()
	if err != nil {
		return nil, err
	}
	asked := ModelRequest{Agent: r.cfg.Name, Turn: r.turn + 1, Model: r.cfg.Model.Name(), Request: req}
	if text, rejected := judge(ctx, r.cfg.Hooks.BeforeModel, asked); rejected {
		return r.reply(ctx, text, nil, nil)
	}
	answer, err := r.ask(ctx, req)
	if err != nil {
		return nil, &ModelError{Model: asked.Model, Err: err}
	}
	usage, notes := r.consumed(req, &answer)
	msg := r.message(core.RoleModel, answer.Parts...)
	msg.Stop, msg.Model, msg.Usage = string(answer.Stop), cmp.Or(answer.Model, asked.Model), &usage
	calls := core.CallsOf(msg)
	if len(r.cfg.Hooks.AfterModel) > 0 {
		got := ModelResponse{ModelRequest: asked, Text: core.TextOf(msg), Calls: calls, Stop: answer.Stop, Usage: usage}
		if text, rejected := judge(ctx, r.cfg.Hooks.AfterModel, got); rejected {
			return r.reply(ctx, text, &usage, notes)
		}
		r.emitParts(answer.Parts)
	}
	if err := ctx.Err(); err != nil { // a hook that was cut short must not decide anything
		return nil, err
	}
	switch {
	case len(calls) > 0:
		return r.act(ctx, msg, notes)
	case answer.Stop == core.StopPaused:
		return nil, r.goOn(ctx, msg, notes)
	default:
		return r.answer(ctx, msg, notes)
	}
}

// request assembles what the model is sent. Its messages are shared with later turns, which only append.
func (r *run) request() (*core.Request, error) {
	system, err := r.system.text(r)
	if err != nil {
		return nil, err
	}
	req := &core.Request{
		Agent:        r.cfg.Name,
		Turn:         r.turn + 1,
		Attempt:      r.in.Attempt,
		System:       system,
		Messages:     r.prompt(),
		Tools:        r.specs,
		Generate:     r.cfg.Generate,
		OutputSchema: r.cfg.OutputSchema,
	}
	if blobs := r.in.Blobs; blobs != nil {
		req.Image = func(ctx context.Context, img core.Image) ([]byte, error) { return blobs.GetBlob(ctx, img.Digest) }
	}
	return req, nil
}

// attempt streams one answer. Nothing of an answer that doesn't come to its end is used.
func (r *run) attempt(ctx context.Context, req *core.Request) (core.Answer, error) {
	c := &r.answering
	c.Reset()
	clear(r.writing)
	for d, err := range r.cfg.Model.Stream(ctx, req) {
		if err != nil {
			return core.Answer{}, err
		}
		if err := c.Add(d); err != nil {
			return core.Answer{}, err
		}
		if len(r.cfg.Hooks.AfterModel) == 0 {
			r.emitDelta(d)
		}
		if ctx.Err() != nil {
			return core.Answer{}, context.Cause(ctx)
		}
	}
	answer, err := c.Answer()
	if err == nil && (answer.Stop == core.StopError || answer.Stop == core.StopAborted) {
		err = &core.ProviderError{Type: string(answer.Stop), Message: "the answer did not come to its end"}
	}
	return answer, err
}

// consumed counts what a call consumed, and returns the remarks that the answer gives rise to.
func (r *run) consumed(req *core.Request, answer *core.Answer) (core.Usage, []journal.Record) {
	var notes []journal.Record
	for _, w := range answer.Warnings {
		if !slices.Contains(r.warned, w) {
			r.warned = append(r.warned, w)
			notes = append(notes, r.note("provider-warning", w))
		}
	}
	usage := answer.Usage
	if answer.Saved != nil {
		r.saved = r.saved.Add(*answer.Saved)
		notes = append(notes, r.savedNote(*answer.Saved))
	} else if usage == (core.Usage{}) {
		usage = estimate(r.cfg.Model, req, answer)
		notes = append(notes, r.note("usage-estimated",
			fmt.Sprintf("the provider reported no usage; %d tokens are counted by the length of the texts", usage.Tokens())))
	}
	r.charge(usage)
	return usage, notes
}

// estimate guesses what a call consumed, for a model that didn't say.
func estimate(m core.Model, req *core.Request, answer *core.Answer) core.Usage {
	u := core.EstimateUsage(req, answer)
	u.Cost, _ = core.PriceOf(m, u)
	return u
}

// reply ends the run with a text that a hook put in the place of the model's answer.
func (r *run) reply(ctx context.Context, text string, usage *core.Usage, notes []journal.Record) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	msg := r.message(core.RoleModel, core.Text{Text: text})
	msg.Stop, msg.Usage = string(core.StopRejected), usage
	if err := r.commit(ctx, append([]journal.Record{msg}, notes...)); err != nil {
		return nil, err
	}
	r.emitDelta(core.Delta{Kind: core.TextDelta, Text: text})
	r.show(msg)
	r.turn++
	return r.result(msg, core.StopRejected), nil
}

// ModelError says that a model call failed.
type ModelError struct {
	Model string
	Err   error // often a *[core.ProviderError] or [core.ErrCutStream]
}

// Error names the model.
func (e *ModelError) Error() string { return fmt.Sprintf("model %s: %v", e.Model, e.Err) }

// Unwrap returns the cause.
func (e *ModelError) Unwrap() error { return e.Err }

// Code returns "model-error".
func (e *ModelError) Code() string { return "model-error" }
