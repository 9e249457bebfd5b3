package workflow

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// restore rebuilds the instance from the fold of the journal. Nothing is decided here: edges, ids, firings and delays
// are as they were recorded. It returns the activations that were executing.
func (r *run) restore(past *journal.RunState) ([]*activation, error) {
	r.restoreWriters(past)
	var executing []*activation
	for i, p := range past.Activations {
		r.triggers = i + 1
		if p.Attempt > 0 {
			r.steps++
		}
		if journal.NodeOf(p.Path) == graph.Start {
			continue
		}
		a, err := r.restoreActivation(past, p)
		if err != nil {
			return nil, err
		}
		if a != nil && a.status == running {
			executing = append(executing, a)
		}
	}
	for _, arrived := range past.Arrivals {
		if err := r.restoreArrival(past, arrived); err != nil {
			return nil, err
		}
	}
	if len(past.Activations) == 0 {
		r.seed()
	}
	return executing, nil
}

// restoreActivation restores what is known of one activation; nil when nothing is left to do for it.
func (r *run) restoreActivation(past *journal.RunState, p *journal.Activation) (*activation, error) {
	node, n, err := r.root.locate(p.Path)
	if err != nil {
		return nil, err
	}
	s := &r.root.nodes[node]
	s.n = n
	if !p.State.Live() {
		if out, ok := p.Output.Get(); ok && slices.Contains(r.wf.graph.Terminals(), node) {
			s.output, s.outputBy = out, p.Path
		}
		return nil, nil
	}
	a := &activation{in: r.root, node: node, def: r.wf.nodes[node], n: n, path: p.Path, trigger: r.triggers,
		branch: p.Branch}
	if p.State == journal.ActivationQueued {
		cause := r.handed(past, p.From[0])
		a.source, a.arrived, a.recorded, a.branch = p.From[0], cause.value, cause.failed, cause.branchOf(a)
		r.root.enqueue(a)
		return a, nil
	}
	a.attempt, a.input = p.Attempt, p.Input
	s.busy = a
	r.root.count(node, 1)
	a.startCommit = r.state.commitsBefore(p.Started)
	a.begin(r.ctx, a.attempt)
	switch p.State {
	case journal.ActivationRunning:
		a.status = running
		a.began = r.env.Clock.Now()
	case journal.ActivationBackoff:
		a.status = backoff
		a.due = p.Due
		r.wake(a, a.due.Sub(r.env.Clock.Now()))
	default:
		return nil, fmt.Errorf("%s is %s", p.Path, p.State)
	}
	return a, nil
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
func (r *run) handed(past *journal.RunState, path string) handedOn {
	a := past.Activation(path)
	if a.State == journal.ActivationFailed {
		return handedOn{value: restoredError(a).value(), failed: true, branch: a.Branch, next: a.Next}
	}
	return handedOn{value: a.Output.Value(), branch: a.Branch, next: a.Next}
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

func (r *run) restoreArrival(past *journal.RunState, waiting journal.Arrival) error {
	join, isNode := r.wf.graph.Index(strings.TrimPrefix(waiting.Join, r.root.prefix))
	source, isSource := r.wf.graph.Index(waiting.Source)
	if !isNode || !isSource || r.root.nodes[join].join == nil {
		return fmt.Errorf("there is no join %s that %s leads to", waiting.Join, waiting.Source)
	}
	slot := slices.Index(r.wf.graph.Sources(join), source)
	if slot < 0 {
		return errors.New("no edge leads from " + waiting.Source + " to " + waiting.Join)
	}
	from := r.handed(past, waiting.From)
	r.root.arrive(graph.Out{To: join, Slot: slot},
		arrival{value: from.value, path: waiting.From, branch: from.branch, failed: from.failed})
	return nil
}

// restoreWriters restores who wrote which key of the state in this run, and in which order.
func (r *run) restoreWriters(past *journal.RunState) {
	type written struct {
		key string
		journal.Write
	}
	var writes []written
	for key, w := range r.rec.fold.Written {
		if w.Run == past.ID {
			writes = append(writes, written{key, w})
		}
	}
	slices.SortFunc(writes, func(a, b written) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.key, b.key))
	})
	triggers := make(map[string]int, len(past.Activations))
	for i, a := range past.Activations {
		triggers[a.Path] = i + 1
	}
	for _, w := range writes {
		r.state.restoreWrite(w.key, w.Write, triggers[w.Path])
	}
}
