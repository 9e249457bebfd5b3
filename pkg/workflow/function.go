package workflow

import (
	"encoding/json"
	"fmt"

	"github.com/plait-dev/plait/pkg/journal"
)

// NewFunctionNode makes a node of a Go function. The input is handed over as it is if it is an In; else it goes through
// JSON, so that a map fits a struct and a whole number an int. No input is the zero In. A nil result is no output.
func NewFunctionNode[In, Out any](name string, fn func(*Context, In) (Out, error), cfg NodeConfig) Node {
	return NewNode(name, func(ctx *Context, input any) (Result, error) {
		in, err := convert[In](input)
		if err != nil {
			return Result{}, err
		}
		out, err := fn(ctx, in)
		return Result{Output: any(out)}, err
	}, cfg)
}

// NewEmittingFunctionNode is [NewFunctionNode] for functions that show progress on their way, see [Context.Emit].
func NewEmittingFunctionNode[In, Out any](
	name string, fn func(ctx *Context, input In, emit func(Progress)) (Out, error), cfg NodeConfig,
) Node {
	return NewFunctionNode(name, func(ctx *Context, in In) (Out, error) { return fn(ctx, in, ctx.Emit) }, cfg)
}

// convert makes a T of a value of the run.
func convert[T any](v any) (T, error) {
	if t, ok := v.(T); ok || v == nil {
		return t, nil
	}
	return throughJSON[T](v)
}

// throughJSON makes a T of what v is in JSON. A value that doesn't fit is an input error: trying again would not help.
func throughJSON[T any](v any) (T, error) {
	var to T
	text, err := journal.EncodeValue(v)
	if err == nil {
		err = json.Unmarshal(text, &to)
	}
	if err != nil {
		return to, Terminal(Errorf(CodeInputSchema, "the input is %T, the function wants %T: %w", v, to, err))
	}
	return to, nil
}

// Tool is what a tool node runs.
type Tool interface {
	// Name names the tool in errors; it is the node's id unless another one is given.
	Name() string

	// Run carries out the tool. [Context.IdempotencyKey] tells repetitions of one call apart from new calls.
	Run(ctx *Context, args map[string]any) (any, error)
}

// NewToolNode makes a node of a tool, with the tool's name.
func NewToolNode(t Tool, cfg NodeConfig) Node { return NewNamedToolNode(t.Name(), t, cfg) }

// NewNamedToolNode makes a node of a tool. The input is its arguments: a map, a string that holds a JSON object, or
// nothing. An error without a code of its own is a [CodeToolError].
func NewNamedToolNode(name string, t Tool, cfg NodeConfig) Node {
	body := func(ctx *Context, input any) (Result, error) {
		args, err := toolArgs(t.Name(), input)
		if err != nil {
			return Result{}, err
		}
		out, err := t.Run(ctx, args)
		return Result{Output: out}, withCode(err, CodeToolError)
	}
	return newNode(name, kindTool, body, cfg)
}

func toolArgs(tool string, input any) (map[string]any, error) {
	switch v := input.(type) {
	case nil:
		return map[string]any{}, nil
	case map[string]any:
		return v, nil
	case string:
		parsed, err := journal.DecodeValue([]byte(v))
		if args, ok := parsed.(map[string]any); ok && err == nil {
			return args, nil
		}
	}
	return nil, Terminal(Errorf(CodeInputSchema,
		"the tool %s wants a map of arguments, or a JSON object as text, not %s", tool, describe(input)))
}

// describe says of what type a value of the run is.
func describe(v any) string {
	switch v.(type) {
	case string:
		return "other text"
	case []any:
		return "a list"
	case bool:
		return "a boolean"
	default:
		return fmt.Sprintf("a %T", v)
	}
}

// Agent is what an agent node runs.
type Agent interface {
	Name() string

	// Run answers the input. It commits each finished turn by [Context.Commit] and goes on from the last one that
	// [Context.Session] holds, so that neither a crash nor a retry repeats a turn.
	Run(ctx *Context, input any) (Result, error)
}

// NewAgentNode makes a node of an agent, with the agent's name.
func NewAgentNode(a Agent, cfg NodeConfig) Node { return NewNamedAgentNode(a.Name(), a, cfg) }

// NewNamedAgentNode makes a node of an agent.
func NewNamedAgentNode(name string, a Agent, cfg NodeConfig) Node {
	n := newNode(name, kindAgent, a.Run, cfg)
	n.speaks = true
	return n
}

// NewManagingAgentNode makes a node of an agent that runs other nodes by [RunNode], as a dynamic node does: for a call of its
// model, say. Such an agent holds no concurrency slot; the children do.
//
// When its run is taken up, an agent goes on after its last finished turn and asks again only for the children that it
// waits for. So it names each by [WithRunID].
func NewManagingAgentNode(name string, a Agent, cfg DynamicConfig) Node {
	n := newNode(name, kindDynamic, a.Run, cfg.NodeConfig)
	n.maxChildren, n.speaks = orDefault(cfg.MaxChildren, defaultMaxChildren), true
	return n
}
