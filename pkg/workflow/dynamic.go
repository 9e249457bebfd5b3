package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/plait-dev/plait/pkg/journal"
)

// defaultMaxChildren bounds what one activation of a dynamic node may schedule.
const defaultMaxChildren = 100

// DynamicConfig is what dynamic nodes have beside a [NodeConfig].
type DynamicConfig struct {
	NodeConfig

	// MaxChildren bounds the children of one activation; 0 is 100.
	MaxChildren int
}

// NewDynamicNode makes a node whose body schedules other nodes by [RunNode], as many as it likes, in loops and in
// goroutines of its own. The body is no work by itself and holds no concurrency slot; its children do.
//
// When a run is taken up, the body runs again from the top, with the input and the state that it began with. Children
// that it schedules again are found by their name and input: what is done gives its result at once, what was under way
// goes on. So a body must schedule the same children with the same inputs, whatever the time and chance; where inputs
// have to differ, [WithRunID] names the child. A retry begins with no children.
func NewDynamicNode(name string, body func(*Context, any) (Result, error), cfg DynamicConfig) Node {
	n := newNode(name, kindDynamic, body, cfg.NodeConfig)
	n.maxChildren = orDefault(cfg.MaxChildren, defaultMaxChildren)
	return n
}

// NewDynamicFunctionNode is [NewDynamicNode] for a function of Go types, as [NewFunctionNode] takes them.
func NewDynamicFunctionNode[In, Out any](name string, fn func(*Context, In) (Out, error), cfg DynamicConfig) Node {
	return NewDynamicNode(name, func(ctx *Context, input any) (Result, error) {
		in, err := convert[In](input)
		if err != nil {
			return Result{}, err
		}
		out, err := fn(ctx, in)
		return Result{Output: any(out)}, err
	}, cfg)
}

// Hold says that the body of a dynamic node does something beside waiting for its children, until release is called: then
// the run isn't put to rest when all of those wait for people. Bodies that do nothing for more than a second while their
// children run needn't say so.
func (c *Context) Hold() (release func()) {
	c.busy.Add(1)
	return func() {
		if c.busy.Add(-1) == 0 {
			c.run().mail.put(message{kind: eased, ctx: c})
		}
	}
}

// RunOption changes how [RunNode] runs a child.
type RunOption interface{ applyToChild(q *childRequest) }

type runOptionFunc func(*childRequest)

func (f runOptionFunc) applyToChild(q *childRequest) { f(q) }

// WithRunID names the child instead of counting it: node@id. An id is used once in an activation, and consists of
// letters, digits, "_" and "-".
func WithRunID(id string) RunOption {
	return runOptionFunc(func(q *childRequest) { q.id, q.named = id, true })
}

// WithOwnBranch gives the child a branch of the transcript of its own, below that of the dynamic node: node@id.
func WithOwnBranch() RunOption { return runOptionFunc(func(q *childRequest) { q.ownBranch = true }) }

// UseAsOutput makes the output of the child that of the dynamic node, whatever its body returns.
func UseAsOutput() RunOption { return runOptionFunc(func(q *childRequest) { q.asOutput = true }) }

// RunNode runs a node as a child of the dynamic node whose context it is given, and waits for its output. The child is an
// activation like any other: it is recorded, has its own retry and timeout, and counts in limits. Its failure is a
// *[NodeError], and nothing happens to the parent unless the body returns it. RunNode may be called from several
// goroutines; the body has to wait for them.
func RunNode(ctx *Context, child Node, input any, opts ...RunOption) (any, error) {
	res, err := RunNodeResult(ctx, child, input, opts...)
	return res.Output, err
}

// RunNodeResult is [RunNode] for a body that wants to know which routes the child produced, too. What the child wrote to the
// state applies already, and isn't in the result.
func RunNodeResult(ctx *Context, child Node, input any, opts ...RunOption) (Result, error) {
	switch {
	case ctx.act.def.kind != kindDynamic:
		return Result{}, Terminal(Errorf(CodeError, "%s is no dynamic node, and has no children", ctx.Path()))
	case isNil(child) || child.definition().kind == kindJoin || child.definition().kind == kindStart:
		return Result{}, Terminal(Errorf(CodeError, "%s: a child is a node that can run by itself", ctx.Path()))
	}
	value, err := journal.Normalize(input)
	if err != nil {
		return Result{}, Terminal(Errorf(CodeOutputValue, "%s: input of %s: %w", ctx.Path(), child.Name(), err))
	}
	q := &childRequest{node: child.definition(), input: value, result: make(chan childResult, 1)}
	for _, o := range opts {
		o.applyToChild(q)
	}
	if q.named && !isRunID(q.id) {
		return Result{}, Terminal(Errorf(CodeError, "%s: the run id %q of %s must be letters, digits, \"_\" and \"-\"", ctx.Path(), q.id,
			child.Name()))
	}
	if q.digest, err = digestOf(value); err != nil {
		return Result{}, err
	}
	if !ctx.run().mail.put(message{kind: spawned, ctx: ctx, child: q}) {
		return Result{}, errRunOver
	}
	select {
	case r := <-q.result:
		ctx.run().env.handOver()
		return r.result, r.err
	case <-ctx.Done():
		return Result{}, context.Cause(ctx)
	}
}

// childRequest is a call of RunNode.
type childRequest struct {
	node     *node
	input    any
	digest   string
	id       string
	named    bool // by the body
	asOutput bool
	// ownBranch says that the child doesn't share the branch of its parent.
	ownBranch bool
	result    chan childResult
}

type childResult struct {
	result Result // its output and its routes
	err    error
}

func isRunID(id string) bool {
	for _, c := range []byte(id) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return id != ""
}

// digestOf names an input.
func digestOf(value any) (string, error) {
	text, err := journal.EncodeValue(value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
