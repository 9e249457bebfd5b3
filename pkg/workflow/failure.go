package workflow

import (
	"context"
	"errors"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// fail ends an attempt with a failure. It is tried again if it may be; else its ERROR edges take over; else it ends the
// run.
func (r *run) fail(ctx *Context, err error) {
	a := ctx.act
	e := ctx.failure(err)
	if r.worthRetrying(ctx, e, err) {
		r.pause(a, e)
		return
	}
	a.become(failed)
	a.in.count(a.node, -1)
	o := outcome{path: a.path, branch: a.branch, failed: true}
	if a.in.wf != nil && a.in.wf.handlesFailure(a.node) {
		o.value = e.value()
		a.in.fireEdges(a.node, &o)
	}
	r.failed(a, e, journal.Fail{Next: o.next})
	if o.fired == 0 {
		r.failInstance(a.in, a, e)
		return
	}
	a.in.free(a.node)
	a.in.fireComplete()
}

// worthRetrying decides whether a failed attempt is repeated.
func (r *run) worthRetrying(ctx *Context, e *NodeError, err error) bool {
	retry := ctx.act.def.cfg.Retry
	timedOut := ctx.expired()
	if retry == nil || ctx.attempt >= retry.maxAttempts() || !timedOut && isTerminal(err) {
		return false
	}
	if retry.When == nil {
		return true
	}
	again, err := retry.ask(r.judging(ctx), e)
	if err != nil {
		r.note(journal.Note{Path: e.Path, Code: NoteRetryWhen,
			Text: "the condition for another attempt could not be evaluated, so there is none: " + err.Error()})
		return false
	}
	return again
}

// judging is the context in which a failed attempt is judged: what it wrote to the state is gone, and so is its deadline,
// which may be what it failed by.
func (r *run) judging(ctx *Context) *Context {
	return &Context{Context: r.ctx, act: ctx.act, attempt: ctx.attempt, state: State{shared: ctx.act.values()}}
}

func (r *RetryConfig) ask(ctx *Context, e *NodeError) (again bool, err error) {
	defer contain(&err)
	return r.When(ctx, e)
}

// pause lets an activation wait for its next attempt. It keeps its node, but no slot.
func (r *run) pause(a *activation, e *NodeError) {
	delay := a.def.cfg.Retry.delay(a.attempt, 2*r.env.Rand()-1)
	a.become(backoff)
	r.failed(a, e, journal.Fail{Due: r.env.Clock.Now().Add(delay)})
	paused := r.told[len(r.told)-1].whole
	paused.Kind, paused.Delay = NodeRetrying, delay
	r.wake(a, delay)
}

// wake makes an activation ready again after a pause.
func (r *run) wake(a *activation, delay time.Duration) {
	ctx := a.ctx
	a.stopPause = r.env.Clock.AfterFunc(max(delay, 0), func() { r.mail.put(message{kind: due, ctx: ctx}) })
}

// failed records and tells that an attempt failed.
func (r *run) failed(a *activation, e *NodeError, fail journal.Fail) {
	at := -1
	if r.rec != nil {
		fail.Path, fail.Attempt = a.path, a.attempt
		fail.Err = journal.Failure{Type: e.Type, Code: string(e.Code), Message: e.Message, Field: e.Field}
		at = r.record(fail)
	}
	r.announce(Event{Kind: NodeFailed, Path: a.path, Node: a.def.name, Attempt: a.attempt, Err: e,
		Duration: r.now - a.began}, at)
}

// handlesFailure says that a node has ERROR edges.
func (w *Workflow) handlesFailure(node int) bool {
	for _, out := range w.graph.Out(node) {
		if out.Failure {
			return true
		}
	}
	return false
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
