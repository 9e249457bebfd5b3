package build

import (
	"encoding/json"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// needsPeople reports a part of the document that asks a person where nobody can be asked.
func (b *builder) needsPeople(at, what string) {
	if !b.opts.People {
		b.notInThisBuild(at, what)
	}
}

// approvals makes the rule by which calls of an agent wait for a person; nil when none does.
func (b *builder) approvals(at string, names []string) func(agentkit.ToolUse) bool {
	if len(names) == 0 {
		return nil
	}
	b.needsPeople(at+".approval", "approval")
	listed := map[string]bool{}
	for _, name := range names {
		listed[name] = true
	}
	return func(u agentkit.ToolUse) bool {
		return listed[declarative.ApprovalAlways] || listed[documentName(u.Spec)]
	}
}

// documentName is how a document names a tool.
func documentName(s core.Spec) string {
	if s.Server != "" {
		return s.Server + "/" + s.ServerTool
	}
	return s.Name
}

// specOf is what is known of a tool by the name that a document gives it.
func specOf(name string) core.Spec {
	server, tool, isServerTool := strings.Cut(name, "/")
	if !isServerTool {
		return core.Spec{Name: name}
	}
	return core.Spec{Name: mcp.QualifiedName(server, tool), Server: server, ServerTool: tool}
}

// requestApproval lets an agent wait for decisions about calls.
func (a *llmAgent) requestApproval(e *agentkit.ApprovalError) error {
	approvals := make([]workflow.Approval, len(e.Requests))
	for i, r := range e.Requests {
		approvals[i] = workflow.Approval{Call: r.Call.ID, Tool: documentName(r.Spec), Args: r.Call.Args, Message: r.Message,
			Schema: a.schemas.shown(r.Spec.InputSchema)}
	}
	return workflow.RequestApproval(approvals...)
}

// decisions looks up what was decided about the calls of an activation.
func decisions(ctx *workflow.Context) func(string) (agentkit.CallDecision, bool) {
	return func(call string) (agentkit.CallDecision, bool) {
		d, decided := ctx.Decision(call)
		out := agentkit.CallDecision{Approved: d.Approved, Reason: d.Reason}
		if d.Edited {
			out.Args = d.Args
		}
		return out, decided
	}
}

// checkEdit holds arguments that a person wrote against the agent's rules before tools.
func (a *llmAgent) checkEdit(ctx *workflow.Context, ask journal.Ask, args json.RawMessage) error {
	spec := specOf(ask.Tool)
	return a.hooks.bind(ctx, ctx.Input()).CheckCall(ctx, agentkit.ToolUse{Agent: a.name, Spec: spec,
		Call: core.Call{ID: ask.Call, Name: spec.Name, Args: args}})
}

// approvedArgs returns the arguments that a tool node may call its tool with; the first time it asks a person.
func (c *toolCall) approvedArgs(ctx *workflow.Context, input any) (map[string]any, error) {
	d, decided := ctx.Decision("")
	switch {
	case !decided:
		return nil, c.requestApproval(ctx, input)
	case !d.Approved:
		return nil, c.rejected(d)
	}
	value, err := journal.DecodeValue(d.Args)
	args, _ := value.(map[string]any) // only objects are accepted
	return args, err
}

func (c *toolCall) requestApproval(ctx *workflow.Context, input any) error {
	args, err := toolArgs(ctx, c.tool, c.body, c.args, input)
	if err != nil {
		return err
	}
	if args == nil {
		args = map[string]any{}
	}
	text, err := journal.EncodeValue(args)
	if err != nil {
		return badArgs(err.Error())
	}
	schema, err := c.tool.schema(ctx)
	if err != nil {
		return err
	}
	return workflow.RequestApproval(workflow.Approval{Tool: c.name, Args: text, Schema: c.b.schemas.shown(schema)})
}

func (c *toolCall) rejected(d workflow.Decision) error {
	message := "a person rejected the call of " + c.name
	if d.Reason != "" {
		message += ": " + d.Reason
	}
	return workflow.Terminal(workflow.Errorf(workflow.CodeRejected, "%s", message))
}
