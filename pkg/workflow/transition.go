package workflow

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// The codes of notes.
const (
	NoteUnmatchedRoute = "unmatched-route" // a branch ended because no edge took what its node produced
	NoteStateConflict  = "state-conflict"  // two activations wrote a key without knowing of each other
	NoteRetryWhen      = "retry-when"      // RetryConfig.When could not be evaluated
	NoteAbandoned      = "abandoned"       // a body did not return when its context was done
	NoteNoOutput       = "no-output"       // the run gave nothing because a branch ended early
)

// start begins an attempt of an activation that is ready.
func (r *run) start(a *activation) {
	if a.status == waiting {
		r.reenter(a)
		return
	}
	if a.attempt == 0 && r.exceeds(a) || !a.in.admit(a) {
		return
	}
	if a.attempt == 0 {
		r.steps++
	}
	a.attempt++
	a.pause = nil // an answer belongs to the attempt that asked
	a.become(running)
	a.startCommit = *r.state.commits
	ctx := a.begin(a.attempt)
	err := ctx.shape()
	if a.attempt == 1 {
		a.isolate()
	}
	at := -1
	if r.rec != nil {
		at = r.record(a.startRecord())
	}
	r.announceStart(ctx, at)
	switch {
	case err != nil:
		a.began = r.now
		a.in.leave(a)
		r.fail(ctx, err)
	case a.def.composite():
		r.enter(a)
	case a.def.kind == kindDynamic:
		ctx.state.shared = newValues(a.values().snapshot())
		r.launch = append(r.launch, a)
	case a.leaf():
		r.launch = append(r.launch, a)
	default:
		r.pure.push(a)
	}
}

func (a *activation) startRecord() journal.Start {
	s := journal.Start{Path: a.path, Attempt: a.attempt, Branch: a.branch}
	if a.attempt > 1 {
		return s
	}
	s.Isolated = a.own != nil
	if children := a.in.children; children != nil {
		s.InputDigest = children.requests[a.node].digest
	}
	s.From = a.from
	if a.recorded && (a.input != nil || s.From != nil) {
		s.Input = journal.Some(a.input)
	}
	return s
}

// exceeds ends the run when one more activation would break a limit.
func (r *run) exceeds(a *activation) bool {
	visits := orDefault(a.def.cfg.MaxVisits, r.env.Limits.MaxVisits)
	if a.in.wf == nil && a.in.team == nil {
		visits = a.n // lists and dynamic nodes have bounds of their own
	}
	switch {
	case r.steps >= r.env.Limits.MaxSteps:
		r.exceeded(a.path, "limits.max_steps", fmt.Sprintf("max_steps is %d, and %s would be one activation more",
			r.env.Limits.MaxSteps, a.path))
	case a.n > visits:
		r.exceeded(a.path, a.def.visitsField(), fmt.Sprintf("max_visits of %s is %d, and %s would be one more", a.def.name, visits, a.path))
	default:
		return false
	}
	return true
}

// finish ends an attempt whose body has returned.
func (r *run) finish(ctx *Context, res Result, err error) {
	if ctx.limit != nil {
		ctx.limit.release()
	}
	if ctx.expired() && err == nil {
		err = ctx.Err()
	}
	if err != nil && r.ending == nil && isContextError(err) {
		r.checkContext() // it may be the caller's cancellation that the body reports
	}
	switch e := ctx.act.stopping(); {
	case e != nil:
		r.wrapUp(ctx, e, res, err)
	case err != nil:
		r.failOrAsk(ctx, err)
	default:
		r.complete(ctx, res)
	}
}

// failOrAsk ends an attempt with an error, which may be a question to a person.
func (r *run) failOrAsk(ctx *Context, err error) {
	if question, asks := errors.AsType[*interrupt](err); asks {
		r.interrupted(ctx, question)
		return
	}
	r.fail(ctx, err)
}

// complete ends an activation with success: its state applies, its edges fire, and joins that have everything fire.
func (r *run) complete(ctx *Context, res Result) {
	a := ctx.act
	conflicts, set, del := r.settleState(a, ctx.state.takeWith(res.State))
	a.become(done)
	a.in.count(a.node, -1)
	a.in.escalated = a.in.escalated || res.Escalate
	o := outcome{path: a.path, branch: a.branch, value: res.Output, routes: res.Routes}
	if a.in.wf != nil {
		a.in.fireEdges(a.node, &o)
	}
	if o.next == nil {
		o.next = []string{}
	}
	r.completed(a, res, set, del, o.next)
	for _, c := range conflicts {
		r.noteConflict(c)
	}
	if f := a.in.flat(); f != nil {
		f.done(a, res)
		return
	}
	if o.fired == 0 {
		r.deadEnd(a, res)
	}
	a.in.free(a.node)
	a.in.fireComplete()
}

// settleState commits writes of an activation and returns what is to be recorded of them.
func (r *run) settleState(a *activation, d delta) (conflicts []conflict, set map[string]any, del []string) {
	if len(d) == 0 {
		return nil, nil, nil
	}
	applied, conflicts := a.values().commit(a, d)
	noteWrites(a, applied)
	if r.shared != nil {
		r.writes = append(r.writes, applied)
	}
	set, del = applied.split()
	return conflicts, set, del
}

// completed records and tells the success of an activation.
func (r *run) completed(a *activation, res Result, set map[string]any, del, next []string) {
	took := r.now - a.began
	at := -1
	if r.rec != nil {
		end := journal.End{Path: a.path, Routes: res.Routes, Set: set, Delete: del, Next: next, Escalate: res.Escalate, Took: took}
		if res.Output != nil {
			end.Output = journal.Some(res.Output)
		}
		if len(set)+len(del) > 0 {
			end.Within = a.within()
		}
		at = r.record(end)
	}
	r.announceEnd(a.ctx, res, took, at)
}

// deadEnd is what happens when no edge fired: a terminal's output counts, and any other node's routes missed.
func (r *run) deadEnd(a *activation, res Result) {
	var offered []string
	terminal := true
	for _, out := range a.in.wf.graph.Out(a.node) {
		offered = append(offered, out.Routes...)
		terminal = terminal && out.Failure && !out.Fallback && len(out.Routes) == 0
	}
	if terminal {
		if res.Output != nil {
			a.in.nodes[a.node].gave = &given{res.Output, a.path}
		}
		return
	}
	r.note(journal.Note{Path: a.path, Code: NoteUnmatchedRoute,
		Text: fmt.Sprintf("%s produced %s, but its edges take %s: the branch ends here", a.def.name,
			listed(res.Routes, "no route"), listed(offered, "none")),
		Data: map[string]any{"produced": texts(res.Routes), "offered": texts(offered)}})
}

func (r *run) noteConflict(c conflict) {
	r.note(journal.Note{Path: c.loser, Code: NoteStateConflict,
		Text: fmt.Sprintf("%s and %s wrote the state %q at the same time; the value of %s stays",
			c.winner, c.loser, c.key, c.winner),
		Data: map[string]any{"key": c.key, "winner": c.winner, "loser": c.loser}})
}

func listed(routes []string, none string) string {
	if len(routes) == 0 {
		return none
	}
	return strings.Join(routes, ", ")
}

func texts(routes []string) []any {
	list := make([]any, len(routes))
	for i, r := range routes {
		list[i] = r
	}
	return list
}

// seed fires the edges of START of an instance.
func (r *run) seed(in *instance) {
	start := in.wf.graph.Start()
	o := outcome{path: graph.Start, value: r.input}
	if r.rec != nil {
		o.path = in.prefix + graph.Start
	}
	if in.owner != nil {
		o.value, o.branch = in.owner.input, in.owner.innerBranch()
	}
	in.fireEdges(start, &o)
	if r.rec != nil && in.delayed(start) {
		r.record(journal.End{Path: o.path, Next: o.next})
	}
}

// delayed says that something that START triggers doesn't start at once: only then is START's end worth a record.
func (in *instance) delayed(start int) bool {
	leaves := 0
	for _, out := range in.wf.graph.Out(start) {
		to := in.wf.nodes[out.To]
		if to.kind == kindJoin {
			return true
		}
		if to.leaf() {
			leaves++
		}
	}
	if in.outer == nil {
		return in.wf.maxConcurrency > 0 && leaves > in.wf.maxConcurrency
	}
	for i := in; i != nil && leaves > 0; i = i.outer {
		if i.maxConcurrency() > 0 {
			return true // others may take the slots in the same transition
		}
	}
	return false
}
