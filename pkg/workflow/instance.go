package workflow

import (
	"context"
	"iter"
)

// instance is one execution of one graph, or of the items of one worker. What it knows of nodes, joins and queues begins
// empty and ends with it.
type instance struct {
	run *run
	// owner is the composite that the instance is the inside of, and outer the instance that the owner is part of; nil
	// for the root of a run.
	owner *activation
	outer *instance
	// prefix is what the paths of its activations begin with; empty for the root of a run.
	prefix string

	// ctx is that of its bodies. scope is the same for the inside of a composite, nil for the root, whose context is the
	// run's.
	ctx   context.Context
	scope *scope

	wf    *Workflow // nil for items, children and teams
	nodes []nodeState
	items *items // of a worker
	team  *teamwork
	// children are those of a dynamic node.
	children *children

	live  int   // activations that something may still come of
	armed []int // joins at which something waits
	// executing and leaves count the bodies that workers execute and the activations that hold a slot, those of inner
	// instances included; blocked are ready but for a slot.
	executing int
	leaves    int
	blocked   readyQueue

	ending *ending // of a nested instance that failed
	// escalated says that something in the instance has escalated, see [Result.Escalate].
	escalated bool
	// unsettled says that the run has to look at the instance again, see [run.settle].
	unsettled bool
}

// nodeState is what an instance knows of one node.
type nodeState struct {
	n     int         // activations so far
	live  int         // those that are live
	busy  *activation // the one that holds the node
	queue *fifo[*activation]
	join  *joinState
	gave  *given // the last output of a terminal
}

// given is an output, and the activation that it comes from.
type given struct {
	output any
	by     string
}

// newInstance makes the root of a run.
func newInstance(r *run, w *Workflow) *instance {
	in := &instance{run: r, wf: w, ctx: r.ctx, nodes: make([]nodeState, len(w.nodes))}
	in.makeJoins()
	return in
}

// newInner makes the inside of a composite for its present attempt.
func newInner(a *activation) *instance {
	r := a.in.run
	in := r.instances.take()
	in.run, in.owner, in.outer, in.prefix = r, a, a.in, r.paths.inner(a.path, a.attempt)
	in.scope = r.newScope(a.ctx.Context)
	in.ctx = in.scope
	a.inner = in
	if in.wf = a.def.inner; in.wf != nil {
		in.nodes = make([]nodeState, len(in.wf.nodes))
		in.makeJoins()
	}
	return in
}

func (in *instance) makeJoins() {
	for i, n := range in.wf.nodes {
		if n.kind == kindJoin {
			in.nodes[i].join = &joinState{inlets: make([]inlet, len(in.wf.graph.Sources(i)))}
		}
	}
}

// name is that of the graph or team that the instance is part of.
func (in *instance) name() string {
	for ; in.wf == nil; in = in.outer {
		if in.team != nil {
			return in.team.team.name
		}
	}
	return in.wf.name
}

// stopping returns why the instance comes to an end, nil if it doesn't. What is inside of it matters before what is
// around it.
func (in *instance) stopping() *ending {
	for i := in; i != nil; i = i.outer {
		if i.ending != nil {
			return i.ending
		}
	}
	return in.run.ending
}

// within says that an instance is part of another one, or the same.
func (in *instance) within(other *instance) bool {
	for i := in; i != nil; i = i.outer {
		if i == other {
			return true
		}
	}
	return false
}

// started yields the activations that have started and aren't over, those inside of a composite before the composite.
func (in *instance) started() iter.Seq[*activation] {
	return func(yield func(*activation) bool) { in.eachStarted(yield) }
}

func (in *instance) eachStarted(yield func(*activation) bool) bool {
	for _, a := range in.busy() {
		if a == nil || a.attempt == 0 || !a.status.live() {
			continue
		}
		if a.inner != nil && !a.inner.eachStarted(yield) || !yield(a) {
			return false
		}
	}
	return true
}

// flat is an instance that is no graph: its activations cause nothing but the end of what is around them.
type flat interface {
	// done and failed note the end of an activation, over that nothing more comes of one that was given up.
	done(a *activation, res Result)
	failed(a *activation, e *NodeError)
	over(a *activation)
}

// flat is nil for a graph.
func (in *instance) flat() flat {
	switch {
	case in.items != nil:
		return in.items
	case in.children != nil:
		return in.children
	case in.team != nil:
		return in.team
	default:
		return nil
	}
}

// busy are the activations of the instance that hold a node, are an item or a child.
func (in *instance) busy() []*activation {
	switch {
	case in.items != nil:
		return in.items.activations
	case in.children != nil:
		return in.children.activations
	case in.team != nil:
		return in.team.activations
	}
	busy := make([]*activation, len(in.nodes))
	for i := range in.nodes {
		busy[i] = in.nodes[i].busy
	}
	return busy
}

// trigger queues an activation of a node. Its id is fixed here.
func (in *instance) trigger(node int, a *activation) {
	s := &in.nodes[node]
	s.n++
	a.in, a.node, a.def, a.n = in, node, in.wf.nodes[node], s.n
	a.path = in.pathOf(a.def, a.n)
	a.trigger = in.run.nextTrigger()
	in.enqueue(a)
}

// enqueue makes a queued activation live: ready when its node is free, else behind those before it.
func (in *instance) enqueue(a *activation) {
	in.count(a.node, 1)
	if s := &in.nodes[a.node]; s.busy != nil {
		if s.queue == nil {
			s.queue = &fifo[*activation]{}
		}
		s.queue.push(a)
	} else {
		s.busy = a
		in.run.ready.add(a)
	}
}

// free lets the next activation of a node start.
func (in *instance) free(node int) {
	s := &in.nodes[node]
	s.busy = nil
	if s.queue == nil || s.queue.len() == 0 {
		return
	}
	s.busy = s.queue.pop()
	in.run.ready.add(s.busy)
}

func (in *instance) pathOf(n *node, count int) string {
	if count == 1 && in.prefix == "" {
		return n.firstPath
	}
	return in.run.paths.of(in.prefix, n.firstPath[:len(n.name)+1], count)
}
