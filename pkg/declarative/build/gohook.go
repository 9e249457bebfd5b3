package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Hook is Go code that a rule of a document may name (`hook: NAME`). It has a function for each list in which it may
// stand, and nil for the others; a document that names it elsewhere is refused.
//
// A function continues, accepts, rejects or asks like any other rule; only before a tool it may ask. An error blocks, and so
// does a panic. What it judges is a copy: changing that changes nothing. It is safe for concurrent use.
type Hook struct {
	BeforeModel func(ctx context.Context, j Judged[agentkit.ModelRequest]) (agentkit.Verdict, error)
	AfterModel  func(ctx context.Context, j Judged[agentkit.ModelResponse]) (agentkit.Verdict, error)
	BeforeTool  func(ctx context.Context, j Judged[agentkit.ToolUse]) (agentkit.Verdict, error)
	AfterTool   func(ctx context.Context, j Judged[agentkit.ToolOutcome]) (agentkit.Verdict, error)
}

// judge is one function of a [Hook].
type judge[In any] = func(ctx context.Context, j Judged[In]) (agentkit.Verdict, error)

// Judged is what a [Hook] decides about.
type Judged[In any] struct {
	In     In
	Config any // of the rule, as JSON values; nil when it has none

	// Node is the activation of the agent: its input, the state and who speaks.
	Node *workflow.Context
}

// has says whether the hook may stand in a list.
func (h *Hook) has(list string) bool {
	switch list {
	case beforeModel:
		return h.BeforeModel != nil
	case afterModel:
		return h.AfterModel != nil
	case beforeTool:
		return h.BeforeTool != nil
	default:
		return h.AfterTool != nil
	}
}

// goHook finds a registered hook for a rule of a list.
func (b *builder) goHook(at, list, name string) *Hook {
	h, ok := b.opts.Hooks[name]
	switch {
	case !ok:
		b.report(at, diag.UnknownRef, fmt.Sprintf("%q is not a hook of this program", name), unknownHint("hooks", name, b.opts.Hooks))
	case !h.has(list):
		var lists []string
		for _, l := range []string{beforeModel, afterModel, beforeTool, afterTool} {
			if h.has(l) {
				lists = append(lists, l)
			}
		}
		b.report(at, diag.UnknownRef, fmt.Sprintf("the hook %q of this program is not one for %s", name, list),
			"it is one for "+strings.Join(lists, ", "))
	}
	return &h
}

// boundHook judges by Go code.
type boundHook[In any] struct {
	path   string
	decide judge[In]
	copied func(In) In
	judged Judged[In]
	people bool
}

// Name implements [agentkit.Hook].
func (h boundHook[In]) Name() string { return h.path }

// Check implements [agentkit.Hook].
func (h boundHook[In]) Check(ctx context.Context, in In) (agentkit.Verdict, error) {
	j := h.judged
	j.In = h.copied(in)
	v, err := h.decide(ctx, j)
	if err == nil && v.Decision == agentkit.Ask && !h.people {
		err = errors.New("it asks for a person's decision, and nobody can be asked here")
	}
	return v, err
}

func copiedRequest(in agentkit.ModelRequest) agentkit.ModelRequest {
	req := *in.Request
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		req.Messages[i].Parts = slices.Clone(req.Messages[i].Parts)
	}
	req.Tools = slices.Clone(req.Tools)
	for i := range req.Tools {
		req.Tools[i] = copiedSpec(req.Tools[i])
	}
	req.OutputSchema = bytes.Clone(req.OutputSchema)
	in.Request = &req
	return in
}

func copiedResponse(in agentkit.ModelResponse) agentkit.ModelResponse {
	in.ModelRequest = copiedRequest(in.ModelRequest)
	in.Calls = slices.Clone(in.Calls)
	return in
}

func copiedUse(in agentkit.ToolUse) agentkit.ToolUse {
	in.Spec = copiedSpec(in.Spec)
	in.Call.Args = bytes.Clone(in.Call.Args)
	in.Call.Transcript = slices.Clone(in.Call.Transcript)
	return in
}

func copiedOutcome(in agentkit.ToolOutcome) agentkit.ToolOutcome {
	in.ToolUse = copiedUse(in.ToolUse)
	in.Result.Structured = bytes.Clone(in.Result.Structured)
	in.Result.Images = slices.Clone(in.Result.Images)
	in.Result.Set = copiedState(in.Result.Set)
	in.Result.Delete = slices.Clone(in.Result.Delete)
	return in
}

func copiedSpec(s core.Spec) core.Spec {
	s.InputSchema = bytes.Clone(s.InputSchema)
	return s
}

// copiedState are state values as the journal will have them; what it can't keep is refused behind the hooks, and isn't shown.
func copiedState(set map[string]any) map[string]any {
	if len(set) == 0 {
		return nil
	}
	text, err := journal.EncodeValue(set)
	if err != nil {
		return nil
	}
	value, _ := journal.DecodeValue(text) // it was encoded just now
	copied, _ := value.(map[string]any)
	return copied
}
