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
	ordinary := 0 // those that don't lead to joins
	for i := range outs {
		if o.fires(outs, i) {
			fired = append(fired, &outs[i])
			if in.wf.nodes[outs[i].To].kind != kindJoin {
				ordinary++
			}
		}
	}
	in.run.fired = fired
	o.fired = len(fired)
	for _, out := range fired {
		to := in.wf.nodes[out.To]
		if to.kind == kindJoin {
			in.arrive(*out, arrival{value: o.value, path: o.path, branch: o.branch, failed: o.failed})
			if in.run.rec != nil {
				o.next = append(o.next, in.prefix+to.name+"<"+in.wf.graph.ID(node))
			}
			continue
		}
		a := in.run.activations.take()
		a.input, a.recorded, a.branch = o.value, o.failed, o.branch
		if ordinary > 1 {
			a.branch = subBranch(o.branch, to, in.nodes[out.To].n+1)
		}
		in.trigger(out.To, a)
		if in.run.rec != nil {
			a.from = []string{o.path}
			o.next = append(o.next, a.path)
		}
	}
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
