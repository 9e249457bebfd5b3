package workflow

import (
	"slices"

	"github.com/plait-dev/plait/pkg/journal"
)

// NewWorkflowNode makes a node of a whole workflow. Its input is the inner workflow's, and its output the inner output.
// The inner graph has activations, joins and counts of its own, and the state, the transcript and the limits of the run.
//
// A retry runs the whole inner graph again, and the timeout bounds all of it. A failure inside that no ERROR edge takes
// is a failure of the node.
func NewWorkflowNode(name string, w *Workflow, cfg NodeConfig) Node {
	n := newNode(name, kindWorkflow, nil, cfg)
	n.inner = w
	return n
}

// enter begins the inside of a composite whose start was recorded.
func (r *run) enter(a *activation) {
	a.began = r.now
	if err := a.ctx.checkInput(); err != nil {
		r.fail(a.ctx, err)
		return
	}
	a.ctx.startTimeout()
	in := newInner(a)
	switch a.def.kind {
	case kindWorkflow:
		r.seed(in)
	case kindTeam:
		in.openTeam()
		in.team.goOn()
	default:
		if err := in.openList(); err != nil {
			r.leaveComposite(in, Result{}, err)
			return
		}
		in.items.fill()
	}
	r.unsettle(in)
}

// leaveComposite ends the attempt of a composite whose inside has ended.
func (r *run) leaveComposite(in *instance, res Result, err error) {
	a := in.owner
	if in.ending != nil {
		r.cancelComposites(in, in.ending.cause)
	}
	a.inner = nil
	a.ctx.end()
	in.scope.close()
	if in.escalated && (in.team == nil || in.team.team.way != inLaps) {
		res.Escalate = true
	}
	if err == nil && a.def.composite() {
		err = res.settle(a.def)
	}
	r.finish(a.ctx, res, err)
}

// unsettle has the run look at an instance again: something of it ended, so that a join may fire, or all of it is over.
func (r *run) unsettle(in *instance) {
	if !in.unsettled {
		in.unsettled = true
		r.unsettled = append(r.unsettled, in)
	}
}

// settle takes the next step that follows from nothing being able to arrive any more: it fires a join, or ends the
// inside of a composite. It returns false when there is none.
func (r *run) settle() bool {
	for len(r.unsettled) > 0 {
		last := len(r.unsettled) - 1
		in := r.unsettled[last]
		if r.settleOne(in) {
			return true
		}
		in.unsettled = false
		r.unsettled = r.unsettled[:last]
	}
	return false
}

func (r *run) settleOne(in *instance) bool {
	if in.owner != nil && in.owner.inner != in {
		return false // it is over
	}
	if e := in.stopping(); e != nil {
		if in.ending == nil || in.executing > 0 {
			return false
		}
		if in.children == nil {
			r.leaveComposite(in, Result{}, in.ending.failure)
		} else if returned := in.children.returned; returned != nil {
			r.leaveComposite(in, returned.res, returned.err)
		}
		return true
	}
	if join := in.quiescent(); join >= 0 {
		in.fire(join)
		return true
	}
	if in.owner == nil || in.live > 0 || in.children != nil {
		return false
	}
	switch {
	case in.items != nil:
		r.leaveComposite(in, Result{Output: in.items.outputs}, in.items.failure())
	case in.team != nil:
		r.leaveComposite(in, Result{Output: in.team.output()}, nil)
	default:
		r.leaveComposite(in, Result{Output: in.output()}, nil)
	}
	return true
}

// failInstance is what an unhandled failure leads to: the end of the run, of a composite, or of the items of a worker.
func (r *run) failInstance(in *instance, a *activation, e *NodeError) {
	switch f := in.flat(); {
	case f != nil:
		f.failed(a, e)
	case in.owner != nil:
		r.endInner(in, &ending{status: journal.Failed, cause: errSiblingFailed, failure: e})
	default:
		r.end(&ending{status: journal.Failed, cause: errSiblingFailed,
			err: &RunError{Code: e.Code, Path: e.Path, Field: e.Field, Message: e.Error(), Err: e}})
	}
}

// endInner ends the inside of a composite before everything in it is done.
func (r *run) endInner(in *instance, e *ending) {
	if in.ending != nil {
		return
	}
	if e.failure == nil {
		e.failure = e.cause
	}
	in.ending = e
	in.scope.giveUp(e.cause)
	r.halt(in)
	if in.executing > 0 {
		r.after(r.env.Grace, message{kind: overdue, in: in})
	}
	r.unsettle(in)
}

// cancelComposites records that the composites inside of an instance come to nothing. Their bodies have returned.
func (r *run) cancelComposites(in *instance, cause error) {
	for _, a := range slices.Collect(in.started()) {
		if a.inner != nil {
			a.inner = nil
			r.canceled(a, cause)
		}
	}
}
