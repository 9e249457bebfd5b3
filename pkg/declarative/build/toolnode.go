package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// tool is one tool as a tool node calls it, wherever it lives.
type tool interface {
	// schema is the JSON Schema of the arguments.
	schema(ctx *workflow.Context) (json.RawMessage, error)
	call(ctx *workflow.Context, args map[string]any) (workflow.Result, error)
}

func (b *builder) toolNode(at string, n *declarative.Node, body *declarative.Tool) workflow.Node {
	if body.Approval {
		b.needsPeople(at+".approval", "approval")
	}
	call := &toolCall{b: b, at: at, tool: b.tool(at, body), name: documentName(core.Spec{Name: body.Tool, Server: body.Server,
		ServerTool: body.Tool}), body: body, args: b.named(body.Args)}
	return workflow.NewNode(n.ID, call.run, b.nodeConfig(at, n))
}

// toolCall is what a tool node does.
type toolCall struct {
	b    *builder
	at   string // the path of the node
	tool tool
	name string // as documents write it
	body *declarative.Tool
	args []celNamed
}

func (c *toolCall) run(ctx *workflow.Context, input any) (workflow.Result, error) {
	res, err := c.call(ctx, input)
	if coded, ok := errors.AsType[workflow.Coded](err); ok {
		err = workflow.InField(err, c.field(coded.ErrorCode()))
	}
	return res, err
}

// field is the field that a failure of the call comes from; "" when it names one itself.
func (c *toolCall) field(code workflow.Code) string {
	switch {
	case code == workflow.CodeInputSchema && c.body.HasArgs:
		return c.at + ".args"
	case code == workflow.CodeInputSchema:
		return c.at // which has no args
	case code == workflow.CodeToolError, code == workflow.CodeTimeout:
		return c.at + ".tool"
	case code == workflow.CodeRejected:
		return c.at + ".approval"
	default:
		return ""
	}
}

func (c *toolCall) call(ctx *workflow.Context, input any) (workflow.Result, error) {
	var args map[string]any
	var err error
	if c.body.Approval {
		args, err = c.approvedArgs(ctx, input)
	} else {
		args, err = toolArgs(ctx, c.tool, c.body, c.args, input)
	}
	switch {
	case err != nil:
		return workflow.Result{}, err
	case c.body.OnUnknown == declarative.OnUnknownFail:
		return once(ctx, c.name, func() (workflow.Result, error) { return c.tool.call(ctx, args) })
	default:
		return c.tool.call(ctx, args)
	}
}

// tool finds the tool that a node names.
func (b *builder) tool(at string, body *declarative.Tool) tool {
	if body.Server != "" {
		b.checks = append(b.checks, toolCheck{path: at, server: body.Server, tools: []string{body.Tool}})
		return &serverTool{servers: b.opts.Servers, server: body.Server, name: body.Tool}
	}
	if t, ok := b.opts.Tools[body.Tool]; ok {
		return localTool{func(string) (core.Tool, error) { return t, nil }, b.schemas}
	}
	if slices.Contains(b.opts.HarnessToolNames, body.Tool) {
		return localTool{func(session string) (core.Tool, error) { return b.harnessTool(session, body.Tool) }, b.schemas}
	}
	b.unknownTool(at+".tool", body.Tool)
	return nil
}

func (b *builder) unknownTool(at, name string) {
	known := slices.Concat(sortedKeys(b.opts.Tools), b.opts.HarnessToolNames)
	b.report(at, diag.UnknownRef, fmt.Sprintf("%q is neither a registered tool nor a harness tool that may be used here", name),
		listHint("tools", name, known))
}

// harnessTool makes a harness tool for the workspace of a session.
func (b *builder) harnessTool(session, name string) (core.Tool, error) {
	tools, err := b.opts.HarnessTools(session)
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		if t.Spec().Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("the harness has no tool %q", name)
}

// toolArgs makes the arguments of a call: those that the node gives as expressions, or the input by the rules of the
// format. Text becomes the only required string parameter where there is exactly one, so that what a user wrote is
// never read as arguments unless the tool takes nothing else.
func toolArgs(
	ctx *workflow.Context, t tool, body *declarative.Tool, args []celNamed, input any,
) (map[string]any, error) {
	if body.HasArgs {
		values, err := evalNamed(ctx, activation(ctx, input), args)
		if err != nil {
			return nil, celError(err)
		}
		return values, nil
	}
	switch v := input.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	case string:
		return textArgs(ctx, t, v)
	}
	return nil, badArgs("the input is neither a map nor text; give the node args")
}

func textArgs(ctx *workflow.Context, t tool, text string) (map[string]any, error) {
	schema, err := t.schema(ctx)
	if err != nil {
		return nil, err
	}
	if name, ok := onlyStringParameter(schema); ok {
		return map[string]any{name: text}, nil
	}
	value, err := journal.DecodeValue([]byte(text))
	if object, ok := value.(map[string]any); ok && err == nil {
		return object, nil
	}
	return nil, badArgs("the input is text, the tool doesn't have exactly one required string parameter, " +
		"and the text isn't a JSON object; give the node args")
}

func badArgs(message string) error {
	return workflow.Terminal(workflow.Errorf(workflow.CodeInputSchema, "%s", message))
}

// onlyStringParameter returns the required parameter of a schema, if there is exactly one and it takes text.
func onlyStringParameter(schema json.RawMessage) (string, bool) {
	var s struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Required) != 1 {
		return "", false
	}
	name := s.Required[0]
	return name, s.Properties[name].Type == "string"
}

// serverTool is a tool of an MCP server.
type serverTool struct {
	servers      Servers
	server, name string
}

func (t *serverTool) schema(ctx *workflow.Context) (json.RawMessage, error) {
	tools, err := t.servers.CoreTools(ctx, t.server, t.name)
	if err != nil {
		return nil, toolError(ctx, err)
	}
	return tools[0].Spec().InputSchema, nil
}

func (t *serverTool) call(ctx *workflow.Context, args map[string]any) (workflow.Result, error) {
	res, err := t.servers.Call(ctx, t.server, t.name, args, mcp.CallOptions{IdempotencyKey: ctx.IdempotencyKey()})
	switch {
	case err != nil:
		return workflow.Result{}, toolError(ctx, err)
	case res.IsError:
		return workflow.Result{}, workflow.Errorf(workflow.CodeToolError, "%s of server %s: %s", t.name, t.server, res.Text())
	}
	return workflow.Result{Output: map[string]any{"output": res.Output()}}, nil
}

// toolError gives a failed call its code. A server's own time limit is a timeout to retry.when as the node's is.
func toolError(ctx context.Context, err error) error {
	if ctx.Err() == nil && timedOut(err) {
		return workflow.Errorf(workflow.CodeTimeout, "%w", err)
	}
	return workflow.Errorf(workflow.CodeToolError, "%w", err)
}

// localTool is a registered tool, or one of the harness.
type localTool struct {
	find    func(session string) (core.Tool, error)
	schemas agentkit.Schemas
}

func (t localTool) schema(ctx *workflow.Context) (json.RawMessage, error) {
	found, err := t.find(ctx.SessionID())
	if err != nil {
		return nil, toolError(ctx, err)
	}
	return found.Spec().InputSchema, nil
}

func (t localTool) call(ctx *workflow.Context, args map[string]any) (workflow.Result, error) {
	found, err := t.find(ctx.SessionID())
	if err != nil {
		return workflow.Result{}, toolError(ctx, err)
	}
	text, err := journal.EncodeValue(args)
	if err != nil {
		return workflow.Result{}, badArgs(err.Error())
	}
	if err := t.check(found.Spec(), text); err != nil {
		return workflow.Result{}, err
	}
	name := found.Spec().Name
	res, err := found.Run(ctx, core.Call{ID: ctx.Path(), Name: name, Args: text, Key: ctx.IdempotencyKey()})
	switch {
	case err != nil:
		return workflow.Result{}, toolError(ctx, err)
	case res.IsError:
		return workflow.Result{}, workflow.Errorf(workflow.CodeToolError, "%s: %s", name, res.Text)
	}
	return localResult(res)
}

// check holds the arguments against the tool's schema, which a tool relies on.
func (t localTool) check(spec core.Spec, args json.RawMessage) error {
	if len(spec.InputSchema) == 0 {
		return nil
	}
	check, err := t.schemas.Compile(spec.InputSchema)
	if err != nil {
		return workflow.Terminal(workflow.Errorf(workflow.CodeToolError, "the input schema of tool %s: %w", spec.Name, err))
	}
	if err := check(args); err != nil {
		return badArgs(fmt.Sprintf("the arguments don't fit the schema of tool %s: %v", spec.Name, err))
	}
	return nil
}

// localResult is the tool's own result object; a tool that gives text alone has it under output, as MCP tools do.
func localResult(res core.Result) (workflow.Result, error) {
	out := workflow.Result{Output: map[string]any{"output": res.Text}, State: map[string]any{}}
	if len(res.Structured) > 0 {
		value, err := journal.DecodeValue(res.Structured)
		if err != nil {
			return workflow.Result{}, workflow.Errorf(workflow.CodeToolError, "the tool's result is no JSON: %w", err)
		}
		out.Output = value
	}
	maps.Copy(out.State, res.Set)
	for _, key := range res.Delete {
		out.State[key] = nil
	}
	return out, nil
}
