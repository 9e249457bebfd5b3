package workflow

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// CodeReplayMismatch is the failure of a dynamic node whose body, when its run was taken up, asked for other children than
// those that were recorded.
const CodeReplayMismatch Code = "replay-mismatch"

// NoteUnclaimedChild warns of a recorded child that the body didn't ask for again.
const NoteUnclaimedChild = "unclaimed-child"

var errParentReturned = errors.New("the body of the node around it has returned")

// replay is what was recorded of the children of a dynamic node before its run was taken up.
type replay struct {
	children *children
	past     *restoring
	recorded []*recordedChild
	// parked are requests that fit no recorded child of their name while there are some that nobody has asked for: another
	// goroutine of the body may do that yet.
	parked []*childRequest
}

type recordedChild struct {
	*journal.Activation
	id      string
	trigger int
	wrote   delta
	claimed bool
}

// gone says that a child was cancelled: its parent was about to end when its process did. Nothing can be taken from it; a
// child that is asked for in its place is a new one.
func (c *recordedChild) gone() bool { return c.State == journal.ActivationCanceled }

// answer answers a request from what was recorded. It returns false when the child is a new one.
func (p *replay) answer(q *childRequest) bool {
	child := p.find(q)
	switch {
	case child != nil && child.InputDigest != q.digest:
		p.mismatch(q, child)
	case child != nil:
		p.claim(child, q)
	case !q.named && p.unclaimed(q.node.name) != nil:
		p.park(q)
	default:
		return false
	}
	return true
}

// find returns the recorded child that a request is for: that of its id, else the first with its name and input.
func (p *replay) find(q *childRequest) *recordedChild {
	for _, child := range p.recorded {
		if child.claimed || journal.NodeOf(child.Path) != q.node.name || child.gone() && !q.named {
			continue
		}
		if q.named && child.id == q.id || !q.named && child.InputDigest == q.digest {
			return child
		}
	}
	return nil
}

// unclaimed returns a recorded child of that name that nobody has asked for.
func (p *replay) unclaimed(name string) *recordedChild {
	for _, child := range p.recorded {
		if !child.claimed && journal.NodeOf(child.Path) == name && !child.gone() {
			return child
		}
	}
	return nil
}

// claim answers a request with a recorded child: what it gave, or what it goes on to give.
func (p *replay) claim(child *recordedChild, q *childRequest) {
	child.claimed = true
	c := p.children
	named := q.named
	q.id, q.named = child.id, true
	a := c.activation(q)
	q.named = named
	c.wrote[a.node] = child.wrote
	c.in.escalated = c.in.escalated || child.Escalate
	a.trigger = child.trigger
	switch {
	case child.State == journal.ActivationDone:
		c.done(a, Result{Output: child.Output.Value(), Routes: child.Routes})
	case child.State == journal.ActivationFailed:
		c.failed(a, restoredError(child.Activation))
	case child.State.Live():
		if err := p.past.goOnWith(a, child.Activation); err != nil {
			c.failed(a, &NodeError{Code: CodeReplayMismatch, Message: err.Error(), Node: q.node.name, Path: a.path, cause: err})
		}
	default: // it was cancelled when the body returned, which it hadn't when its process died
		c.failed(a, &NodeError{Code: CodeCanceled, Message: "canceled", Node: q.node.name, Path: a.path})
	}
	p.unpark(q.node.name)
}

// park lets a request wait for the recorded children of its name to be asked for. If that doesn't happen the body asks
// for something else than before.
func (p *replay) park(q *childRequest) {
	r := p.children.in.run
	p.children.outstanding++
	p.parked = append(p.parked, q)
	r.after(r.env.Grace, message{kind: unclaimed, ctx: p.children.in.owner.ctx, child: q})
}

// unpark begins the requests whose name has no recorded child left that nobody asked for.
func (p *replay) unpark(name string) {
	if p.unclaimed(name) != nil {
		return
	}
	parked := p.parked
	p.parked = nil
	for _, q := range parked {
		if q.node.name != name {
			p.parked = append(p.parked, q)
			continue
		}
		p.children.outstanding--
		p.children.begin(q)
	}
}

// giveUp fails a request that has waited long enough.
func (p *replay) giveUp(q *childRequest) {
	for i, parked := range p.parked {
		if parked == q {
			p.parked = append(p.parked[:i], p.parked[i+1:]...)
			p.children.outstanding--
			p.unknown(q)
			return
		}
	}
}

// unknown deals with a request that fits nothing that was recorded. In a run that retries another one that is no mistake of
// the body: a child that failed then may succeed now, and what comes of it is new.
func (p *replay) unknown(q *childRequest) {
	if len(p.children.in.run.lineage) > 1 {
		p.children.begin(q)
		return
	}
	p.mismatch(q, p.unclaimed(q.node.name))
}

// mismatch fails a request, and with it the node, whatever the body makes of it.
func (p *replay) mismatch(q *childRequest, child *recordedChild) {
	err := Terminal(Errorf(CodeReplayMismatch,
		"the body ran %s with the input %s when the run was taken up, but %s was recorded with the input %s; its inputs must not depend "+
			"on time or chance, or WithRunID must name the child", q.node.name, q.digest, child.Path, child.InputDigest))
	if p.children.broken == nil {
		p.children.broken = err
	}
	q.result <- childResult{err: err}
}

// warnUnclaimed tells of recorded children that the body didn't ask for again.
func (c *children) warnUnclaimed(err error) {
	if c.replay == nil || err != nil || c.in.owner.def.speaks { // an agent has the results of the others in its turns
		return
	}
	for _, child := range c.replay.recorded {
		if !child.claimed && !child.gone() {
			c.in.run.note(journal.Note{Path: child.Path, Code: NoteUnclaimedChild,
				Text: fmt.Sprintf("%s was run before the run was taken up, and not asked for again", child.Path)})
		}
	}
}

// dynamic prepares the replay of a dynamic node whose body was executing: its children are restored when the body asks for
// them.
func (s *restoring) dynamic(a *activation, p *journal.Activation) error {
	prefix := s.run.paths.inner(a.path, a.attempt)
	view, wrote, err := s.run.stateAt(a, p, prefix)
	if err != nil {
		return err
	}
	a.ctx.state.shared = newValues(view)
	a.replay = &replay{past: s}
	for i, child := range s.past.Activations {
		if journal.InstanceOf(child.Path) == prefix {
			_, id, _ := strings.Cut(child.Path[len(prefix):], "@")
			a.replay.recorded = append(a.replay.recorded,
				&recordedChild{Activation: child, id: id, trigger: i + 1, wrote: wrote[child.Path]})
		}
	}
	return nil
}

// goOnWith restores a child of a dynamic node that was under way, with everything below it.
func (s *restoring) goOnWith(a *activation, p *journal.Activation) error {
	s.executing, s.inner, s.answered = nil, nil, nil
	if err := s.started(a, p); err != nil {
		return err
	}
	for i, below := range s.past.Activations {
		in := s.instances[journal.InstanceOf(below.Path)]
		if in == nil || in == s.run.root || !isInside(below.Path, a.path) {
			continue
		}
		s.trigger = i + 1
		s.begun[in] = true
		if err := s.activation(in, below); err != nil {
			return err
		}
	}
	for _, arrived := range s.past.Arrivals {
		if isInside(arrived.Join, a.path) {
			if err := s.arrival(arrived); err != nil {
				return err
			}
		}
	}
	s.goOn()
	s.rerun()
	s.run.lapseAll()
	return nil
}

// stateAt returns the state of the session as it was when the present attempt of an activation started, be it in this run
// or in one that this run retries, and what the children with that prefix have written since, by their paths. Within an
// isolated activation it is the state of that.
func (r *run) stateAt(a *activation, p *journal.Activation, prefix string) (map[string]any, map[string]delta, error) {
	fold := journal.NewSessionState(r.session.ID)
	wrote := map[string]delta{}
	startedIn := ""
	for e, err := range r.reread() {
		if err != nil {
			return nil, nil, err
		}
		before := len(e.Records)
		if startedIn != "" {
			before = 0
		} else if i := startOf(p, e); i >= 0 && r.includes(e.Run) {
			before, startedIn = i+1, e.Run // an isolated activation has its state from its start on
		}
		if r.includes(e.Run) {
			collectWrites(wrote, prefix, a.within(), e.Records[before:])
		}
		if before > 0 {
			first := *e
			first.Records = e.Records[:before]
			if err := fold.Apply(&first); err != nil {
				return nil, nil, err
			}
		}
	}
	if startedIn == "" { // in the session that this one was forked from, whose state it began with
		return a.values().snapshot(), wrote, nil
	}
	state, temp := fold.State, fold.Run(startedIn).Temp
	if i := fold.Run(startedIn).Activation(a.within()); i != nil {
		state, temp = i.Own.State, nil
	}
	state = maps.Clone(state)
	maps.Copy(state, temp)
	return state, wrote, r.shared.load(r.rec.ctx, state)
}

// startOf returns where an entry says that an attempt starts, -1 where it doesn't.
func startOf(p *journal.Activation, e *journal.Entry) int {
	return slices.IndexFunc(e.Records, func(rec journal.Record) bool {
		start, ok := rec.(journal.Start)
		return ok && start.Path == p.Path && start.Attempt == p.Attempt
	})
}

// collectWrites adds what records say that children wrote: to the state within an isolated activation, or beyond it.
func collectWrites(wrote map[string]delta, prefix, within string, records []journal.Record) {
	for _, rec := range records {
		var path, of string
		var d delta
		switch rec := rec.(type) {
		case journal.End:
			path, of, d = rec.Path, rec.Within, joinDelta(rec.Set, rec.Delete)
		case journal.Msg:
			path, of, d = rec.Path, rec.Within, joinDelta(rec.Set, rec.Delete)
		}
		if of != within {
			d = d.sharedOnly()
		}
		rest, below := strings.CutPrefix(path, prefix)
		if !below || len(d) == 0 {
			continue
		}
		child := rest
		if end := strings.IndexAny(rest, "/~"); end >= 0 {
			child = rest[:end]
		}
		wrote[prefix+child] = joinDeltas(wrote[prefix+child], d)
	}
}
