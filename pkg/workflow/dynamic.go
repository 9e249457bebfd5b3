package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strconv"

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

// RunOption changes how [RunNode] runs a child.
type RunOption interface{ applyToChild(q *childRequest) }

type runOptionFunc func(*childRequest)

func (f runOptionFunc) applyToChild(q *childRequest) { f(q) }

// WithRunID names the child instead of counting it: node@id. An id is used once in an activation, and consists of
// letters, digits, "_" and "-".
func WithRunID(id string) RunOption {
	return runOptionFunc(func(q *childRequest) { q.id, q.named = id, true })
}

// UseAsOutput makes the output of the child that of the dynamic node, whatever its body returns.
func UseAsOutput() RunOption { return runOptionFunc(func(q *childRequest) { q.asOutput = true }) }

// RunNode runs a node as a child of the dynamic node whose context it is given, and waits for its output. The child is an
// activation like any other: it is recorded, has its own retry and timeout, and counts in limits. Its failure is a
// *[NodeError], and nothing happens to the parent unless the body returns it. RunNode may be called from several
// goroutines; the body has to wait for them.
func RunNode(ctx *Context, child Node, input any, opts ...RunOption) (any, error) {
	switch {
	case ctx.act.def.kind != kindDynamic:
		return nil, Terminal(Errorf(CodeError, "%s is no dynamic node, and has no children", ctx.Path()))
	case isNil(child) || child.definition().kind == kindJoin || child.definition().kind == kindStart:
		return nil, Terminal(Errorf(CodeError, "%s: a child is a node that can run by itself", ctx.Path()))
	}
	value, err := journal.Normalize(input)
	if err != nil {
		return nil, Terminal(Errorf(CodeOutputValue, "%s: input of %s: %w", ctx.Path(), child.Name(), err))
	}
	q := &childRequest{node: child.definition(), input: value, result: make(chan childResult, 1)}
	for _, o := range opts {
		o.applyToChild(q)
	}
	if q.named && !isRunID(q.id) {
		return nil, Terminal(Errorf(CodeError, "%s: the run id %q of %s must be letters, digits, \"_\" and \"-\"", ctx.Path(), q.id,
			child.Name()))
	}
	if q.digest, err = digestOf(value); err != nil {
		return nil, err
	}
	if !ctx.run().mail.put(message{kind: spawned, ctx: ctx, child: q}) {
		return nil, errRunOver
	}
	select {
	case r := <-q.result:
		ctx.run().env.handOver()
		return r.value, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
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
	result   chan childResult
}

type childResult struct {
	value any
	err   error
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

// children are what one attempt of a dynamic node has scheduled.
type children struct {
	in          *instance
	view        *values // the state that the body sees: as it was at its start, and what its children wrote
	counts      map[string]int
	ids         map[string]bool
	total       int
	activations []*activation // nil when they are over
	requests    []*childRequest
	wrote       []delta
	outstanding int // requests without an answer
	output      journal.Optional

	replay   *replay // nil when there is nothing to replay
	broken   error   // the replay went wrong
	returned *returnedBody
}

// returnedBody is what a body returned while children of it executed.
type returnedBody struct {
	res Result
	err error
}

func newChildren(in *instance) *children {
	return &children{in: in, counts: map[string]int{}, ids: map[string]bool{}}
}

// spawn answers a call of RunNode: by a child that was recorded, or by a new one.
func (r *run) spawn(ctx *Context, q *childRequest) {
	c := ctx.act.inner.children
	if c.replay != nil {
		if answered := c.replay.answer(q); answered {
			return
		}
	}
	c.begin(q)
}

// begin triggers a new child.
func (c *children) begin(q *childRequest) {
	owner := c.in.owner
	switch {
	case c.total >= owner.def.maxChildren:
		q.result <- childResult{err: Terminal(Errorf(CodeLimit, "%s may have %d children, and %s would be one more",
			owner.path, owner.def.maxChildren, q.node.name))}
		return
	case q.named && c.ids[q.node.name+"@"+q.id]:
		q.result <- childResult{err: Terminal(Errorf(CodeError, "%s has a child %s@%s already", owner.path, q.node.name, q.id))}
		return
	}
	a := c.activation(q)
	a.trigger = c.in.run.nextTrigger()
	a.arrived = q.input
	c.in.count(a.node, 1)
	c.in.run.ready.add(a)
}

// activation makes the activation of a child. Its id is the one that the body gave, else the next number that is free.
func (c *children) activation(q *childRequest) *activation {
	for !q.named && (q.id == "" || c.ids[q.node.name+"@"+q.id]) {
		c.counts[q.node.name]++
		q.id = strconv.Itoa(c.counts[q.node.name])
	}
	c.total++
	c.ids[q.node.name+"@"+q.id] = true
	c.outstanding++
	a := &activation{in: c.in, node: len(c.activations), def: q.node, path: c.in.prefix + q.node.name + "@" + q.id,
		n: c.counts[q.node.name], recorded: true, branch: c.in.owner.branch, digest: q.digest}
	c.activations = append(c.activations, a)
	c.requests = append(c.requests, q)
	c.wrote = append(c.wrote, nil)
	return a
}

// done notes that a child gave a result. Its parent gets it when it is durable.
func (c *children) done(a *activation, res Result) {
	if c.requests[a.node].asOutput && res.Output != nil {
		c.output = journal.Some(res.Output)
	}
	c.answer(a, childResult{value: res.Output})
}

// failed notes that a child failed for good.
func (c *children) failed(a *activation, e *NodeError) { c.answer(a, childResult{err: e}) }

func (c *children) answer(a *activation, res childResult) {
	q := c.requests[a.node]
	c.view.apply(a.path, a.trigger, c.wrote[a.node])
	c.over(a)
	c.in.run.answers = append(c.in.run.answers, answer{c, q, res})
}

// over notes that nothing more comes of a child.
func (c *children) over(a *activation) { c.activations[a.node] = nil }

// noteWrites lets the bodies of dynamic nodes around an activation see what it wrote, once their child is over.
func noteWrites(a *activation, d delta) {
	for i := a; i != nil; i = i.in.owner {
		if c := i.in.children; c != nil {
			c.wrote[i.node] = joinDeltas(c.wrote[i.node], d)
		}
	}
}

// joinDeltas is what two writes come to, one after the other.
func joinDeltas(first, second delta) delta {
	joined := make(delta, len(first)+len(second))
	maps.Copy(joined, first)
	maps.Copy(joined, second)
	return joined
}

// answer is a result that a body gets when it is durable.
type answer struct {
	children *children
	request  *childRequest
	result   childResult
}

// giveAnswers hands results to the bodies that wait for them, or, when they could not be recorded, the failure.
func (r *run) giveAnswers(failure error) {
	for _, a := range r.answers {
		a.children.outstanding--
		if failure != nil {
			a.result = childResult{err: failure}
		}
		a.request.result <- a.result
	}
	r.answers = r.answers[:0]
}

// bodyReturned ends an attempt whose body has returned. Children that it left behind are cancelled and awaited first.
func (r *run) bodyReturned(ctx *Context, res Result, err error) {
	in := ctx.act.inner
	if in == nil {
		r.finish(ctx, res, err)
		return
	}
	c := in.children
	if c.broken != nil {
		res, err = Result{}, c.broken
	}
	if out, delegated := c.output.Get(); delegated && err == nil {
		res.Output = out
	}
	if e := ctx.act.stopping(); in.live > 0 && e != nil && e.goesOn() {
		return // it runs again, and its children go on, when the run is taken up
	}
	if in.live == 0 {
		c.warnUnclaimed(err)
		r.leaveComposite(in, res, err)
		return
	}
	c.returned = &returnedBody{res, err}
	r.endInner(in, &ending{status: journal.Failed, cause: errParentReturned})
}
