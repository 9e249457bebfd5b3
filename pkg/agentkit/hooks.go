package agentkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Decision is what a hook says.
type Decision uint8

// The decisions. A hook narrows what happens and never widens it: Accept means that its list has no objection, not that
// other gates are overruled.
const (
	// Continue leaves the decision to the next hook of the list.
	Continue Decision = iota
	// Accept ends the list without an objection.
	Accept
	// Reject ends the list, and with it what was about to happen.
	Reject
	// Ask ends the list and lets a person decide, see [ApprovalError]. Only hooks before a tool may ask.
	Ask
)

// Verdict is the answer of a hook. The zero Verdict continues.
type Verdict struct {
	Decision Decision
	// Text belongs to Reject: it is the reply of the agent in the place of the model's answer, or the result that the
	// model sees in the place of a tool's. Without one, the text says which rule rejected. With Ask it is what the person
	// is asked.
	Text string
}

// Hook judges one kind of thing. It is safe for concurrent use: the calls of a batch are judged in parallel after they
// ran. It doesn't change what it is shown. A hook that returns an error, or panics, blocks as if it had rejected.
type Hook[In any] interface {
	// Name identifies the hook in the message that says what blocked.
	Name() string
	Check(ctx context.Context, in In) (Verdict, error)
}

// Hooks are the lists of an agent, each judged in order until the first hook that decides.
type Hooks struct {
	BeforeModel []Hook[ModelRequest]
	// AfterModel withholds the model's text until the list has decided: it isn't streamed.
	AfterModel []Hook[ModelResponse]
	// BeforeTool judges every call that passed the checks of its arguments, in call order, before any of the batch runs.
	BeforeTool []Hook[ToolUse]
	AfterTool  []Hook[ToolOutcome]
}

// ModelRequest is what is about to be sent.
type ModelRequest struct {
	Agent   string
	Turn    int // from 1
	Model   string
	Request *core.Request
}

// ModelResponse is what came back.
type ModelResponse struct {
	ModelRequest
	Text  string
	Calls []core.ToolCall
	Stop  core.StopReason
	Usage core.Usage
}

// ToolUse is a call that is about to be made.
type ToolUse struct {
	Agent string
	Spec  core.Spec
	Call  core.Call
}

// ToolOutcome is what a call gave.
type ToolOutcome struct {
	ToolUse
	Result core.Result
}

// CheckCall holds a call against the hooks before tools, as it is done before the call is made. The error is what the
// hook that rejects says; one that asks has no objection. A caller that takes edited arguments from a person checks them
// with it before it accepts them.
func (h Hooks) CheckCall(ctx context.Context, use ToolUse) error {
	if v := judgeAll(ctx, h.BeforeTool, use); v.Decision == Reject {
		return errors.New(v.Text)
	}
	return nil
}

// judge asks the hooks of a list in order. It reports whether one rejected, and the text to put in place.
func judge[In any](ctx context.Context, hooks []Hook[In], in In) (text string, rejected bool) {
	v := judgeAll(ctx, hooks, in)
	if v.Decision == Ask {
		return "blocked: a rule asks for a person's decision, which only rules before a tool may", true
	}
	return v.Text, v.Decision == Reject
}

// judgeAll asks the hooks of a list in order, until one decides. What isn't a decision rejects.
func judgeAll[In any](ctx context.Context, hooks []Hook[In], in In) Verdict {
	for _, h := range hooks {
		v, err := check(ctx, h, in)
		switch {
		case err != nil:
			return rejection("blocked: the rule %q could not be evaluated: %v", h.Name(), err)
		case v.Decision == Reject && v.Text == "":
			return rejection("rejected by the rule %q", h.Name())
		case v.Decision == Reject, v.Decision == Accept, v.Decision == Ask:
			return v
		case v.Decision != Continue:
			return rejection("blocked: the rule %q gave the unknown decision %d", h.Name(), v.Decision)
		}
	}
	return Verdict{}
}

func rejection(format string, args ...any) Verdict {
	return Verdict{Decision: Reject, Text: fmt.Sprintf(format, args...)}
}

// check asks one hook and takes a panic for an error.
func check[In any](ctx context.Context, h Hook[In], in In) (v Verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	return h.Check(ctx, in)
}
