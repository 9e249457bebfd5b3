package workflow

import (
	"slices"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// outcome is what the edges of an ended activation hand on.
type outcome struct {
	path, branch string
	value        any
	routes       []string
	failed       bool
	next         []string // what was caused, for the journal
	fired        int
}

// fireEdges triggers the successors of an activation, or of START, in edge order.
func (in *instance) fireEdges(node int, o *outcome) {
	outs := in.wf.graph.Out(node)
	fired := in.run.fired[:0]
	for i := range outs {
		if o.fires(outs, i) {
			fired = append(fired, outs[i])
		}
	}
	in.run.fired = fired
	o.fired = len(fired)
	fanOut := in.ordinary(fired) > 1
	for _, out := range fired {
		to := in.wf.nodes[out.To]
		if to.kind == kindJoin {
			in.arrive(out, arrival{value: o.value, path: o.path, branch: o.branch, failed: o.failed})
			in.caused(o, func() string { return in.prefix + to.name + "<" + in.wf.graph.ID(node) })
			continue
		}
		a := &activation{source: o.path, arrived: o.value, recorded: o.failed, branch: o.branch}
		if fanOut {
			a.branch = subBranch(o.branch, to, in.nodes[out.To].n+1)
		}
		in.trigger(out.To, a)
		in.caused(o, func() string { return a.path })
	}
}

// caused notes what an outcome led to, if someone is going to read it.
func (in *instance) caused(o *outcome, what func() string) {
	if in.run.rec != nil {
		o.next = append(o.next, what())
	}
}

// ordinary counts the edges that don't lead to joins.
func (in *instance) ordinary(outs []graph.Out) int {
	n := 0
	for _, out := range outs {
		if in.wf.nodes[out.To].kind != kindJoin {
			n++
		}
	}
	return n
}

// fires says whether the edge at i fires.
func (o *outcome) fires(outs []graph.Out, i int) bool {
	out := &outs[i]
	if o.failed {
		return out.Failure
	}
	return out.Always || o.matches(out) || out.Fallback && !o.matchesAny(outs)
}

func (o *outcome) matches(out *graph.Out) bool {
	for _, r := range out.Routes {
		if slices.Contains(o.routes, r) {
			return true
		}
	}
	return false
}

func (o *outcome) matchesAny(outs []graph.Out) bool {
	for i := range outs {
		if o.matches(&outs[i]) {
			return true
		}
	}
	return false
}
