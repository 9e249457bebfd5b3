package workflow

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// restore rebuilds the instances from the fold of the journal. Nothing is decided here: edges, ids, firings and delays are
// as they were recorded. What was executing is for [restoring.rerun].
func (r *run) restore(past *journal.RunState) (*restoring, error) {
	restored := &restoring{run: r, past: past, instances: map[string]*instance{"": r.root}, begun: map[*instance]bool{},
		deadly: deadly(past)}
	restored.states()
	for i, p := range past.Activations {
		r.triggers, restored.trigger = i+1, i+1
		if p.Attempt > 0 {
			r.steps++
		}
		in := restored.instances[journal.InstanceOf(p.Path)]
		if in == nil {
			continue // its composite is over
		}
		restored.begun[in] = true
		if err := restored.activation(in, p); err != nil {
			return nil, err
		}
	}
	for _, arrived := range past.Arrivals {
		if err := restored.arrival(arrived); err != nil {
			return nil, err
		}
	}
	restored.goOn()
	return restored, nil
}

// restoring is the rebuilding of a run.
type restoring struct {
	run       *run
	past      *journal.RunState
	instances map[string]*instance // those that aren't over, by prefix
	own       map[string]*values   // of isolated activations
	inner     []*instance          // those of composites, outer ones first
	begun     map[*instance]bool
	executing []*activation
	answered  []*activation // answered, and not gone on with
	trigger   int           // of the activation that is restored
	deadly    map[string]bool
}

// activation restores what is known of one activation of an instance that isn't over.
func (s *restoring) activation(in *instance, p *journal.Activation) error {
	in.escalated = in.escalated || p.Escalate
	switch {
	case journal.NodeOf(p.Path) == graph.Start:
		return nil
	case in.items != nil:
		return s.item(in.items, p)
	case in.team != nil:
		return in.team.restore(s, p)
	}
	node, n, err := in.locate(p.Path)
	if err != nil {
		return err
	}
	in.nodes[node].n = n
	if !p.State.Live() {
		s.over(in, node, p)
		return nil
	}
	a := &activation{in: in, node: node, def: in.wf.nodes[node], n: n, path: p.Path, trigger: s.trigger, branch: p.Branch}
	if p.State == journal.ActivationQueued {
		cause := s.handed(p.From[0])
		a.from, a.input, a.recorded, a.branch = p.From, cause.value, cause.failed, cause.branchOf(a)
		in.enqueue(a)
		return nil
	}
	in.nodes[node].busy = a
	return s.started(a, p)
}

// over takes what counts of an activation that has ended.
func (s *restoring) over(in *instance, node int, p *journal.Activation) {
	if out := p.Output.Value(); out != nil && slices.Contains(in.wf.graph.Terminals(), node) {
		in.nodes[node].gave = &given{out, p.Path}
	}
	if p.State == journal.ActivationFailed && !p.Handled() && in.owner != nil && in.ending == nil {
		in.ending = &ending{status: journal.Failed, cause: errSiblingFailed, failure: restoredError(p)}
	}
}

// item restores what is known of an item of a worker.
func (s *restoring) item(l *items, p *journal.Activation) error {
	n, err := strconv.Atoi(strings.TrimPrefix(p.Path, l.in.prefix))
	if err != nil || n < 1 || n > len(l.inputs) {
		return fmt.Errorf("%s is no item of a list of %d", p.Path, len(l.inputs))
	}
	l.next = max(l.next, n)
	switch p.State {
	case journal.ActivationDone:
		l.outputs[n-1] = p.Output.Value()
	case journal.ActivationFailed:
		if l.first == nil || n-1 < l.lowest {
			l.lowest, l.first = n-1, restoredError(p)
		}
		l.ending = &ending{status: journal.Failed, cause: errItemFailed}
	default:
		if p.State.Live() {
			a := l.activation(n - 1)
			a.trigger = s.trigger
			return s.started(a, p)
		}
	}
	return nil
}

// started restores an activation that had started, and for a composite what is around its inside.
func (s *restoring) started(a *activation, p *journal.Activation) error {
	a.attempt, a.input, a.from = p.Attempt, p.Input, p.From
	a.in.count(a.node, 1)
	if own := s.own[p.Path]; own != nil {
		a.own = &ownSession{values: own, id: s.run.ownSessionID(p.Path)}
	}
	a.startCommit = a.values().commitsBefore(p.Started)
	a.begin(a.attempt)
	switch p.State {
	case journal.ActivationRunning:
		a.status = running
		if value, ok := answerTo(p); ok {
			a.pause = &pause{answer: value}
			if !a.def.cfg.RerunOnResume {
				a.status = waiting // for what the answer leads to
				s.run.noteStatus(waiting, 1)
				s.answered = append(s.answered, a)
				return nil
			}
		}
		a.began = s.run.now
		if a.def.composite() {
			return s.composite(a)
		}
		s.executing = append(s.executing, a)
		if a.def.kind == kindDynamic {
			return s.dynamic(a, p)
		}
	case journal.ActivationWaiting:
		a.status = waiting
		s.run.noteStatus(waiting, 1)
		a.pause = &pause{}
		for _, i := range s.past.Interrupts {
			if i.Path == p.Path {
				a.pause.open = append(a.pause.open, i.Ask)
			}
		}
		if len(a.pause.open) == 0 {
			return fmt.Errorf("%s waits for nothing", p.Path)
		}
		s.run.expect(a)
	case journal.ActivationBackoff:
		a.status = backoff
		s.run.noteStatus(backoff, 1)
		s.run.wake(a, p.Due.Sub(s.run.env.Clock.Now()))
	default:
		return fmt.Errorf("%s is %s", p.Path, p.State)
	}
	return nil
}

// answerTo is the answer to what the present attempt asked as [RequestInput] does, if there is one.
func answerTo(p *journal.Activation) (value journal.Optional, ok bool) {
	n := len(p.Answered)
	if n == 0 || p.Answered[n-1].Ask.Kind == journal.AskApproval {
		return value, false
	}
	return p.Answered[n-1].Answer.Value, true
}

// composite makes the inside of a composite, whose activations come later.
func (s *restoring) composite(a *activation) error {
	a.ctx.startTimeout()
	in := newInner(a)
	s.instances[in.prefix] = in
	s.inner = append(s.inner, in)
	switch a.def.kind {
	case kindWorker:
		return in.openList()
	case kindTeam:
		in.openTeam()
	default:
	}
	return nil
}

// goOn takes the steps that may have been cut off: an instance may not have begun, items not have been started, joins not
// have fired, and composites not have ended.
func (s *restoring) goOn() {
	r := s.run
	if !s.begun[r.root] {
		r.seed(r.root)
	}
	for _, in := range s.inner {
		switch {
		case in.items != nil && in.items.ending != nil:
			in.items.giveUpRest()
		case in.items != nil:
			in.items.fill()
		case in.ending != nil:
			in.scope.giveUp(in.ending.cause)
			r.halt(in)
		case in.team != nil:
			in.team.goOn()
		case !s.begun[in]:
			r.seed(in)
		default:
			in.fireComplete()
		}
		r.unsettle(in)
	}
}

// locate finds the node of a path and the number of the activation.
func (in *instance) locate(path string) (node, n int, err error) {
	id, count, _ := strings.Cut(strings.TrimPrefix(path, in.prefix), "@")
	node, ok := in.wf.graph.Index(id)
	if !ok {
		return 0, 0, fmt.Errorf("there is no node %s", id)
	}
	n, err = strconv.Atoi(count)
	return node, n, err
}

// handed is what an activation that has ended handed on.
func (s *restoring) handed(path string) handedOn {
	a := s.past.Activation(path)
	if a.State == journal.ActivationFailed {
		return handedOn{value: restoredError(a).value(), failed: true, branch: a.Branch, next: a.Next}
	}
	branch := a.Branch
	if owner := s.past.Activation(journal.ParentOf(path)); owner != nil && journal.NodeOf(path) == graph.Start {
		if branch = owner.Branch; owner.Isolated {
			branch = ""
		}
	}
	return handedOn{value: a.Output.Value(), branch: branch, next: a.Next}
}

type handedOn struct {
	value  any
	failed bool
	branch string
	next   []string
}

// branchOf is the branch of an activation that was triggered and hasn't started.
func (h handedOn) branchOf(a *activation) string {
	ordinary := 0
	for _, next := range h.next {
		if !strings.Contains(next, "<") {
			ordinary++
		}
	}
	if ordinary < 2 {
		return h.branch
	}
	return subBranch(h.branch, a.def, a.n)
}

// arrival restores a value that waits at a join.
func (s *restoring) arrival(waiting journal.Arrival) error {
	prefix := journal.InstanceOf(waiting.Join)
	in := s.instances[prefix]
	if in == nil {
		return nil // its composite is over
	}
	join, isNode := in.wf.graph.Index(strings.TrimPrefix(waiting.Join, prefix))
	source, isSource := in.wf.graph.Index(waiting.Source)
	if !isNode || !isSource || in.nodes[join].join == nil {
		return fmt.Errorf("there is no join %s that %s leads to", waiting.Join, waiting.Source)
	}
	slot := slices.Index(in.wf.graph.Sources(join), source)
	if slot < 0 {
		return errors.New("no edge leads from " + waiting.Source + " to " + waiting.Join)
	}
	from := s.handed(waiting.From)
	in.arrive(graph.Out{To: join, Slot: slot},
		arrival{value: from.value, path: waiting.From, branch: from.branch, failed: from.failed})
	return nil
}

// states restores the states that isolated activations have of their own, and who wrote which key of a state in this run,
// and in which order.
func (s *restoring) states() {
	r := s.run
	s.own = map[string]*values{}
	type written struct {
		key string
		journal.Write
		in *values
	}
	var writes []written
	for key, w := range r.rec.fold.Written {
		if w.Run == s.past.ID {
			writes = append(writes, written{key, w, r.state})
		}
	}
	triggers := make(map[string]int, len(s.past.Activations))
	for i, a := range s.past.Activations {
		triggers[a.Path] = i + 1
		if a.Own == nil {
			continue
		}
		own := r.state.isolated(maps.Clone(a.Own.State))
		s.own[a.Path] = own
		for key, w := range a.Own.Written {
			writes = append(writes, written{key, w, own})
		}
	}
	slices.SortFunc(writes, func(a, b written) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.key, b.key))
	})
	for _, w := range writes {
		w.in.restoreWrite(w.key, w.Write, triggers[w.Path])
	}
}
