package workflow

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// teamwork is what one attempt of a team has come to.
type teamwork struct {
	in   *instance
	team *Team
	// activations are those of the members, by their place in the team; nil while they don't work.
	activations []*activation
	// lap counts from 1, and next is who is triggered next in it: behind the last member when the lap needs no more. begun
	// are the members that needn't be triggered because they were before the run was taken up: side by side they may start in
	// another order than that of the team.
	lap, next int
	begun     []bool

	last    any            // output of the member that ended last
	outputs map[string]any // of those that work side by side
}

// openTeam makes the inside of a team, in which nobody works yet.
func (in *instance) openTeam() {
	t := in.owner.def.team
	in.team = &teamwork{in: in, team: t, activations: make([]*activation, len(t.members)), lap: 1,
		begun: make([]bool, len(t.members)), outputs: map[string]any{}}
}

// goOn triggers who can begin now. When nobody can, and nobody works, the team is done.
func (w *teamwork) goOn() {
	for w.in.stopping() == nil && (w.in.live == 0 || w.team.way == sideBySide) && w.more() {
		a := w.activation(w.next, w.lap)
		w.next++
		a.input, a.trigger = w.in.owner.input, w.in.run.nextTrigger()
		w.in.count(a.node, 1)
		w.in.run.ready.add(a)
	}
}

// more says that there is a next member. It begins the next lap when one is over and another one is to follow.
func (w *teamwork) more() bool {
	if w.team.way == inLaps && w.in.escalated {
		return false
	}
	if w.next == len(w.team.members) && w.team.way == inLaps && (w.team.maxLaps == 0 || w.lap < w.team.maxLaps) {
		w.lap, w.next = w.lap+1, 0
	}
	for w.team.way == sideBySide && w.next < len(w.begun) && w.begun[w.next] {
		w.next++
	}
	return w.next < len(w.team.members)
}

// activation makes the activation of a member in a lap. Members that work side by side have branches of their own.
func (w *teamwork) activation(member, lap int) *activation {
	owner := w.in.owner
	a := &activation{in: w.in, node: member, def: w.team.members[member], n: w.team.numberOf(member, lap),
		branch: owner.innerBranch()}
	if w.in.run.rec != nil {
		a.from = []string{w.in.prefix + graph.Start}
	}
	a.path = w.in.pathOf(a.def, a.n)
	if w.team.way == sideBySide && len(w.team.members) > 1 {
		a.branch = subBranch(a.branch, a.def, a.n)
	}
	w.activations[member] = a
	return a
}

// done takes the output of a member.
func (w *teamwork) done(a *activation, res Result) {
	w.over(a)
	w.took(a.node, res.Output)
	w.goOn()
}

func (w *teamwork) took(member int, output any) {
	w.last = output
	if output != nil {
		w.outputs[w.team.members[member].name] = output
	}
}

// failed ends the team with the failure of a member.
func (w *teamwork) failed(a *activation, e *NodeError) {
	w.over(a)
	w.in.run.endInner(w.in, &ending{status: journal.Failed, cause: errSiblingFailed, failure: e})
}

// over notes that nothing more comes of a member in its lap.
func (w *teamwork) over(a *activation) { w.activations[a.node] = nil }

// output is that of the team.
func (w *teamwork) output() any {
	if w.team.way == sideBySide {
		return w.outputs
	}
	return w.last
}

// restore takes what is known of an activation of a member.
func (w *teamwork) restore(s *restoring, p *journal.Activation) error {
	name, count, _ := strings.Cut(strings.TrimPrefix(p.Path, w.in.prefix), "@")
	number, err := strconv.Atoi(count)
	member, lap := w.team.find(name, number)
	if err != nil || member < 0 {
		return fmt.Errorf("%s is no member of the team", p.Path)
	}
	if w.team.way == sideBySide {
		w.begun[member] = true
	} else {
		w.lap, w.next = lap, member+1
	}
	switch {
	case p.State.Live():
		a := w.activation(member, lap)
		a.trigger = s.trigger
		return s.started(a, p)
	case p.State == journal.ActivationDone:
		w.took(member, p.Output.Value())
	case w.in.ending == nil: // it failed, or was cancelled because the team was to end
		w.in.ending = &ending{status: journal.Failed, cause: errSiblingFailed, failure: restoredError(p)}
	}
	return nil
}
