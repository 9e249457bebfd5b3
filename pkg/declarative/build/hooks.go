package build

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// rule is one rule of a hook list.
type rule struct {
	path     string
	when     *expr.Program // nil: always
	decision agentkit.Decision
	literal  string        // the text of a rejection or a question,
	text     *expr.Program // or the expression that gives it

	hook   *Hook // decides in place of all that
	config any
}

// hookLists are the rules of an agent, before they know the activation that they judge.
type hookLists struct {
	beforeModel, afterModel, beforeTool, afterTool []rule
	people                                         bool // somebody can be asked
}

// The names of the lists.
const (
	beforeModel = "before_model"
	afterModel  = "after_model"
	beforeTool  = "before_tool"
	afterTool   = "after_tool"
)

func (b *builder) hooks(at string, body *declarative.LLM) hookLists {
	return hookLists{
		beforeModel: b.rules(at, beforeModel, body.BeforeModel),
		afterModel:  b.rules(at, afterModel, body.AfterModel),
		beforeTool:  b.rules(at, beforeTool, body.BeforeTool),
		afterTool:   b.rules(at, afterTool, body.AfterTool),
		people:      b.opts.People,
	}
}

func (b *builder) rules(at, list string, all []declarative.HookRule) []rule {
	rules := make([]rule, 0, len(all))
	for i, r := range all {
		path := fmt.Sprintf("%s.%s[%d]", at, list, i)
		out := rule{path: path, when: b.program(r.When), decision: agentkit.Accept}
		switch {
		case r.Hook != "":
			out.hook, out.config = b.goHook(path+".hook", list, r.Hook), r.Config
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
	n := judging{node: ctx, base: activation(ctx, input), people: h.people}
	return agentkit.Hooks{
		BeforeModel: bind(h.beforeModel, n, place[agentkit.ModelRequest]{
			copied: copiedRequest,
			of:     func(h *Hook) judge[agentkit.ModelRequest] { return h.BeforeModel },
			set: func(act *expr.Activation, in agentkit.ModelRequest) error {
				act.Request = requestVar(in)
				return nil
			},
		}),
		AfterModel: bind(h.afterModel, n, place[agentkit.ModelResponse]{
			copied: copiedResponse,
			of:     func(h *Hook) judge[agentkit.ModelResponse] { return h.AfterModel },
			set: func(act *expr.Activation, in agentkit.ModelResponse) error {
				act.Response = responseVar(in)
				return nil
			},
		}),
		BeforeTool: bind(h.beforeTool, n, place[agentkit.ToolUse]{
			copied: copiedUse,
			of:     func(h *Hook) judge[agentkit.ToolUse] { return h.BeforeTool },
			set: func(act *expr.Activation, in agentkit.ToolUse) (err error) {
				act.Tool, err = toolVar(in)
				return err
			},
		}),
		AfterTool: bind(h.afterTool, n, place[agentkit.ToolOutcome]{
			copied: copiedOutcome,
			of:     func(h *Hook) judge[agentkit.ToolOutcome] { return h.AfterTool },
			set: func(act *expr.Activation, in agentkit.ToolOutcome) (err error) {
				if act.Tool, err = toolVar(in.ToolUse); err == nil {
					act.Result, err = resultVar(in.Result)
				}
				return err
			},
		}),
	}
}

// judging is the activation that rules judge in.
type judging struct {
	node   *workflow.Context
	base   *expr.Activation // the variables of the node
	people bool
}

// place is where a list stands: what is judged there, for expressions and for Go code.
type place[In any] struct {
	set    func(*expr.Activation, In) error // adds it to the variables of the node
	of     func(*Hook) judge[In]
	copied func(In) In
}

// bind makes a list of hooks.
func bind[In any](rules []rule, n judging, p place[In]) []agentkit.Hook[In] {
	hooks := make([]agentkit.Hook[In], 0, len(rules))
	for _, r := range rules {
		if r.hook != nil {
			hooks = append(hooks, boundHook[In]{path: r.path, decide: p.of(r.hook), copied: p.copied, people: n.people,
				judged: Judged[In]{Config: r.config, Node: n.node}})
			continue
		}
		hooks = append(hooks, celHook[In]{rule: r, base: n.base, set: p.set})
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
