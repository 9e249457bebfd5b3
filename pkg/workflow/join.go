package workflow

import (
	"slices"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// arrival is a value that waits on an edge into a join.
type arrival struct {
	value  any
	path   string // the activation it comes from
	branch string
	failed bool // the activation failed, and this came by its ERROR edge
}

// joinState is what has arrived at one join of an instance. It is armed while anything waits.
type joinState struct {
	inlets []inlet // by incoming edge
	filled int     // inlets that hold something
	// live counts, while the join is armed, the live activations from which something may still arrive.
	live int
}

// inlet is an edge into a join. Rarely more than one arrival waits there.
type inlet struct {
	first  arrival
	filled bool
	behind *fifo[arrival]
}

func (j *joinState) armed() bool { return j.filled > 0 }

// complete says that something has arrived on every edge.
func (j *joinState) complete() bool { return j.filled == len(j.inlets) }

func (j *joinState) add(slot int, a arrival) {
	i := &j.inlets[slot]
	if !i.filled {
		i.first, i.filled = a, true
		j.filled++
		return
	}
	if i.behind == nil {
		i.behind = &fifo[arrival]{}
	}
	i.behind.push(a)
}

// take removes the oldest arrival of an edge that has one.
func (j *joinState) take(slot int) arrival {
	i := &j.inlets[slot]
	a := i.first
	if i.behind != nil && i.behind.len() > 0 {
		i.first = i.behind.pop()
		return a
	}
	i.first, i.filled = arrival{}, false
	j.filled--
	return a
}

// arrive puts an arrival on an edge into a join.
func (in *instance) arrive(out graph.Out, a arrival) {
	j := in.nodes[out.To].join
	if !j.armed() {
		in.arm(out.To, j)
	}
	j.add(out.Slot, a)
}

// arm begins to count what is live upstream of a join.
func (in *instance) arm(node int, j *joinState) {
	in.armed = append(in.armed, node)
	in.run.unsettle(in)
	j.live = 0
	upstream := in.wf.graph.Upstream(node)
	for n := range in.nodes {
		if live := in.nodes[n].live; live > 0 && upstream.Has(n) {
			j.live += live
		}
	}
}

// count notes that an activation of a node became live (1) or ceased to be (-1).
func (in *instance) count(node, change int) {
	in.live += change
	if change < 0 {
		in.run.unsettle(in)
	}
	if in.wf == nil {
		return
	}
	in.nodes[node].live += change
	for _, join := range in.armed {
		if in.wf.graph.Upstream(join).Has(node) {
			in.nodes[join].join.live += change
		}
	}
}

// fireComplete fires the joins that have something on every edge, the one declared first first.
func (in *instance) fireComplete() {
	for {
		next := -1
		for _, node := range in.armed {
			if in.nodes[node].join.complete() && (next < 0 || node < next) {
				next = node
			}
		}
		if next < 0 {
			return
		}
		in.fire(next)
	}
}

// quiescent returns the join to fire with what it has because nothing more can arrive there, or -1. Of several it is
// one that no other lies upstream of, unless each lies upstream of the other; among equals the one declared first.
// Which one was armed first doesn't count, as that depends on timing.
func (in *instance) quiescent() int {
	best := -1
	for _, node := range in.armed {
		if in.nodes[node].join.live == 0 && in.heads(node) && (best < 0 || node < best) {
			best = node
		}
	}
	return best
}

// heads says that no other armed join lies upstream of this one alone.
func (in *instance) heads(node int) bool {
	g := in.wf.graph
	for _, other := range in.armed {
		if other != node && g.Upstream(node).Has(other) && !g.Upstream(other).Has(node) {
			return false
		}
	}
	return true
}

// fire triggers a join with the oldest arrival of each edge that has one.
func (in *instance) fire(node int) {
	j := in.nodes[node].join
	taken := in.run.taken[:0]
	input := make(map[string]any, j.filled)
	sources := in.wf.graph.Sources(node)
	for slot := range j.inlets {
		if j.inlets[slot].filled {
			arrived := j.take(slot)
			taken = append(taken, arrived)
			input[in.wf.graph.ID(sources[slot])] = arrived.value
		}
	}
	if !j.armed() {
		in.disarm(node)
	}
	a := in.run.activations.take()
	a.input, a.branch = input, commonBranch(taken)
	a.recorded = slices.ContainsFunc(taken, func(a arrival) bool { return a.failed })
	if in.run.rec != nil {
		a.from = pathsOf(taken)
	}
	in.trigger(node, a)
	clear(taken)
	in.run.taken = taken
}

// pathsOf lists the activations that arrivals come from.
func pathsOf(arrivals []arrival) []string {
	from := make([]string, len(arrivals))
	for i, a := range arrivals {
		from[i] = a.path
	}
	return from
}

func (in *instance) disarm(node int) {
	for i, n := range in.armed {
		if n == node {
			in.armed = append(in.armed[:i], in.armed[i+1:]...)
			return
		}
	}
}
