package build

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// rule is one CEL rule of a hook list.
type rule struct {
	path     string
	when     *expr.Program // nil: always
	decision agentkit.Decision
	literal  string        // the text of a rejection or a question,
	text     *expr.Program // or the expression that gives it
}

// hookLists are the rules of an agent, before they know the activation that they judge.
type hookLists struct{ beforeModel, afterModel, beforeTool, afterTool []rule }

func (b *builder) hooks(at string, body *declarative.LLM) hookLists {
	return hookLists{
		beforeModel: b.rules(at+".before_model", body.BeforeModel),
		afterModel:  b.rules(at+".after_model", body.AfterModel),
		beforeTool:  b.rules(at+".before_tool", body.BeforeTool),
		afterTool:   b.rules(at+".after_tool", body.AfterTool),
	}
}

func (b *builder) rules(at string, list []declarative.HookRule) []rule {
	rules := make([]rule, 0, len(list))
	for i, r := range list {
		path := fmt.Sprintf("%s[%d]", at, i)
		out := rule{path: path, when: b.program(r.When), decision: agentkit.Accept}
		switch {
		case r.Hook != "":
			b.report(path+".hook", diag.UnknownRef, fmt.Sprintf("%q is not a hook of this program", r.Hook), "")
		case r.Ask != nil:
			b.needsPeople(path+".ask", "ask")
			out.decision, out.literal, out.text = agentkit.Ask, r.Ask.Literal, b.program(r.Ask.Expr)
		case r.Reject != nil:
			out.decision, out.literal, out.text = agentkit.Reject, r.Reject.Literal, b.program(r.Reject.Expr)
		}
		rules = append(rules, out)
	}
	return rules
}

// bind makes the SDK's hooks for one activation.
func (h hookLists) bind(ctx *workflow.Context, input any) agentkit.Hooks {
	base := activation(ctx, input)
	return agentkit.Hooks{
		BeforeModel: bind(h.beforeModel, base, func(act *expr.Activation, in agentkit.ModelRequest) error {
			act.Request = requestVar(in)
			return nil
		}),
		AfterModel: bind(h.afterModel, base, func(act *expr.Activation, in agentkit.ModelResponse) error {
			act.Response = responseVar(in)
			return nil
		}),
		BeforeTool: bind(h.beforeTool, base, func(act *expr.Activation, in agentkit.ToolUse) (err error) {
			act.Tool, err = toolVar(in)
			return err
		}),
		AfterTool: bind(h.afterTool, base, func(act *expr.Activation, in agentkit.ToolOutcome) (err error) {
			if act.Tool, err = toolVar(in.ToolUse); err == nil {
				act.Result, err = resultVar(in.Result)
			}
			return err
		}),
	}
}

// bind makes a list of hooks; set adds what is judged to the variables of the node.
func bind[In any](rules []rule, base *expr.Activation, set func(*expr.Activation, In) error) []agentkit.Hook[In] {
	hooks := make([]agentkit.Hook[In], 0, len(rules))
	for _, r := range rules {
		hooks = append(hooks, celHook[In]{rule: r, base: base, set: set})
	}
	return hooks
}

// celHook judges by a rule of the document.
type celHook[In any] struct {
	rule
	base *expr.Activation
	set  func(*expr.Activation, In) error
}

// Name implements [agentkit.Hook].
func (h celHook[In]) Name() string { return h.path }

// Check implements [agentkit.Hook]. An error blocks: a rule that can't be evaluated never lets anything through.
func (h celHook[In]) Check(ctx context.Context, in In) (agentkit.Verdict, error) {
	act := *h.base
	if err := h.set(&act, in); err != nil {
		return agentkit.Verdict{}, err
	}
	if h.when != nil {
		holds, err := evalBool(ctx, h.when, &act)
		if err != nil || !holds {
			return agentkit.Verdict{}, err
		}
	}
	verdict := agentkit.Verdict{Decision: h.decision, Text: h.literal}
	if h.text != nil {
		value, err := h.text.Eval(ctx, &act)
		if err != nil {
			return agentkit.Verdict{}, err
		}
		verdict.Text, _ = value.(string) // the program was compiled for text
	}
	return verdict, nil
}

// toolVar is the variable tool.
func toolVar(in agentkit.ToolUse) (*expr.Tool, error) {
	args := map[string]any{}
	if len(in.Call.Args) > 0 {
		value, err := journal.DecodeValue(in.Call.Args)
		if err != nil {
			return nil, fmt.Errorf("the arguments of %s: %w", in.Call.Name, err)
		}
		object, ok := value.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("the arguments of %s are no JSON object", in.Call.Name)
		}
		args = object
	}
	return &expr.Tool{Name: in.Call.Name, Server: in.Spec.Server, Args: args}, nil
}

// resultVar is the variable result: the machine-readable form if the tool has one, else the text.
func resultVar(r core.Result) (any, error) {
	if len(r.Structured) == 0 {
		return r.Text, nil
	}
	return journal.DecodeValue(r.Structured)
}

// requestVar is the variable request.
func requestVar(in agentkit.ModelRequest) *expr.Request {
	out := &expr.Request{Model: in.Model, System: in.Request.System}
	for _, m := range in.Request.Messages {
		out.Messages = append(out.Messages, map[string]any{"role": string(m.Role), "text": core.TextOf(m)})
	}
	for _, t := range in.Request.Tools {
		out.Tools = append(out.Tools, t.Name)
	}
	return out
}

// responseVar is the variable response.
func responseVar(in agentkit.ModelResponse) *expr.Response {
	out := &expr.Response{
		Text:       in.Text,
		StopReason: string(in.Stop),
		Usage:      map[string]any{"input_tokens": in.Usage.Input, "output_tokens": in.Usage.Output},
	}
	for _, c := range in.Calls {
		out.ToolCalls = append(out.ToolCalls, map[string]any{"id": c.ID, "name": c.Name, "args": c.Args})
	}
	return out
}
