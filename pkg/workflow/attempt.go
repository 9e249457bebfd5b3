package workflow

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// call executes the body of the attempt between the checks of its input and its output.
func (c *Context) call() (res Result, err error) {
	defer c.ended(&err)
	n := c.act.def
	if err := c.checkInput(); err != nil {
		return Result{}, err
	}
	if n.kind == kindJoin {
		res.Output = c.act.input
		return res, res.checkOutput(n)
	}
	if res, err = n.body(c, c.act.input); err != nil {
		return Result{}, err
	}
	if err := res.settle(n); err != nil {
		return res, err
	}
	return res, c.checkState(res.State)
}

// checkInput holds the input against the node's schema.
func (c *Context) checkInput() error {
	schema := c.act.def.cfg.InputSchema
	if schema == nil {
		return nil
	}
	if err := schema.Validate(c.act.input); err != nil {
		return Terminal(Errorf(CodeInputSchema, "input: %w", err))
	}
	return nil
}

// checkOutput holds the output, if there is one, against the node's schema.
func (res *Result) checkOutput(n *node) error {
	if n.cfg.OutputSchema == nil || res.Output == nil {
		return nil
	}
	if err := n.cfg.OutputSchema.Validate(res.Output); err != nil {
		return Errorf(CodeOutputSchema, "output: %w", err)
	}
	return nil
}

// settle makes normal values of what a body returned and checks them.
func (res *Result) settle(n *node) (err error) {
	if res.Output, err = journal.Normalize(res.Output); err != nil {
		return Terminal(Errorf(CodeOutputValue, "output: %w", err))
	}
	if err := res.checkOutput(n); err != nil {
		return err
	}
	for _, r := range res.Routes {
		if r == graph.Default || r == graph.Error {
			return Errorf(CodeReservedRoute, "the node produced the route %q, which is reserved for edges", r)
		}
	}
	if len(res.State) == 0 {
		return nil
	}
	state, err := journal.Normalize(res.State)
	if err != nil {
		return Terminal(Errorf(CodeOutputValue, "state: %w", err))
	}
	res.State, _ = state.(map[string]any)
	return nil
}

// begin makes the context of the next attempt. The first one lives inside the activation.
func (a *activation) begin(attempt int) *Context {
	parent := a.in.ctx
	if a.scope != nil {
		parent = a.scope
	}
	c := &a.first
	if a.ctx != nil {
		c = &Context{}
	}
	c.Context, c.act, c.attempt = parent, a, attempt
	c.state.shared = a.values()
	a.ctx = c
	return c
}

// startTimeout starts the attempt's timeout, if it has one. When it passes the context is done at once; the attempt has failed then, whatever
// the body still returns.
func (c *Context) startTimeout() {
	timeout, r := c.act.def.cfg.Timeout, c.run()
	if timeout == 0 {
		return
	}
	ctx, cancel := context.WithCancelCause(c.Context)
	c.Context = ctx
	c.limit = &limit{}
	if _, ok := r.env.Clock.(systemClock); ok {
		c.limit.deadline = r.env.Clock.Now().Add(timeout)
	}
	stop := r.env.Clock.AfterFunc(timeout, func() {
		if !c.act.def.composite() { // of a composite the loop knows whether it is over
			if !c.expire() {
				return
			}
			cancel(context.DeadlineExceeded)
		}
		r.mail.put(message{kind: timedOut, ctx: c})
	})
	c.limit.release = func() {
		stop()
		cancel(context.Canceled)
	}
}

// expectReturn gives the body of an attempt that has timed out the grace time to return.
func (c *Context) expectReturn() {
	r, cancel := c.run(), c.limit.release
	stop := r.env.Clock.AfterFunc(r.env.Grace, func() { r.mail.put(message{kind: overdue, ctx: c}) })
	c.limit.release = func() {
		stop()
		cancel()
	}
}

// shape evaluates the node's Input when an activation starts. As that happens once, against the state of that moment, a
// failure is not worth another attempt.
func (c *Context) shape() error {
	a := c.act
	if c.attempt > 1 || a.def.cfg.Input == nil {
		return nil
	}
	v, err := c.evaluateInput()
	if err != nil {
		return Terminal(err)
	}
	a.input, a.recorded = v, true
	return nil
}

func (c *Context) evaluateInput() (v any, err error) {
	defer contain(&err)
	if v, err = c.act.def.cfg.Input(c); err != nil {
		return nil, err
	}
	return journal.Normalize(v)
}

// failure describes the error of an attempt.
func (c *Context) failure(err error) *NodeError {
	e := &NodeError{Code: CodeError, Type: typeName(err), Message: err.Error(), Node: c.act.def.name, Path: c.act.path,
		Attempts: c.attempt, Input: c.act.input, cause: err}
	var coded Coded
	switch {
	case c.expired():
		e.Code, e.cause = CodeTimeout, context.DeadlineExceeded
		e.Message = fmt.Sprintf("the attempt took longer than its timeout of %v", c.act.def.cfg.Timeout)
	case errors.As(err, &coded) && coded.ErrorCode() != CodeCanceled: // in the journal that is what the engine did
		e.Code = coded.ErrorCode()
	}
	e.Field = e.field(c.act.def.cfg.Blame)
	e.Message = strings.TrimPrefix(e.Message, e.Field+": ") // Error says it
	return e
}

// field is where in the document the cause of a failure is: what failed inside of a composite knows it best.
func (e *NodeError) field(blame func(Code) string) string {
	if inner, ok := errors.AsType[*NodeError](e.cause); ok && inner.Field != "" {
		return inner.Field
	}
	if in, ok := errors.AsType[*fieldError](e.cause); ok {
		return in.field
	}
	if blame == nil {
		return ""
	}
	return blame(e.Code)
}

// typeName is the first type in the chain of an error that says something: not a mark of this package, and not a type
// that only holds a text.
func typeName(err error) string {
	for ; err != nil; err = errors.Unwrap(err) {
		name := fmt.Sprintf("%T", err)
		switch {
		case strings.HasPrefix(name, "*errors."), strings.HasPrefix(name, "*fmt."):
		case name == "*workflow.terminalError", name == "*workflow.codedError", name == "*workflow.fieldError":
		default:
			return name
		}
	}
	return "error"
}
