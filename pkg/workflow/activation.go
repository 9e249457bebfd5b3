package workflow

import (
	"slices"
	"strconv"
	"time"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// activation is one execution of a node, from its trigger to its end.
type activation struct {
	in      *instance
	node    int
	def     *node
	n       int    // counts the activations of the node in its instance from 1
	path    string // the id
	trigger int    // orders the activations of the run
	status  status
	branch  string

	// source is the activation whose end triggered this one; a join has consumed arrivals instead.
	source   string
	consumed []arrival
	// arrived is what its trigger brought; input is what bodies get: the same, or what the node's Input made of it.
	// recorded says that the journal needs the input, because it isn't the output of the source.
	arrived  any
	input    any
	recorded bool

	attempt     int
	startCommit int // how many state commits there were when the attempt began
	began       time.Time
	due         time.Time
	stopPause   func() bool // stops the timer of a pause between attempts
	worker      *worker     // executes the present attempt; nil when none does
	scan        int         // see inbox
	ctx         *Context    // that of the present attempt
	first       Context     // that of the first attempt
}

func (a *activation) become(s status) {
	if !a.status.mayBecome(s) {
		//nolint:forbidigo // only a mistake in this package leads here
		panic("workflow: " + a.path + " can't become " + s.String() + ", it is " + a.status.String())
	}
	a.status = s
}

// from lists the activations that caused this one.
func (a *activation) from() []string {
	if a.consumed == nil {
		return []string{a.source}
	}
	from := make([]string, len(a.consumed))
	for i, c := range a.consumed {
		from[i] = c.path
	}
	return from
}

// leaf says that the activation holds a concurrency slot while it executes.
func (a *activation) leaf() bool { return !a.def.pure() }

// instance is one execution of one graph. What it knows of nodes, joins and queues begins empty and ends with it.
type instance struct {
	run *run
	wf  *Workflow
	// prefix is what the paths of its activations begin with; empty for the root of a run.
	prefix string

	nodes  []nodeState
	live   int   // activations that something may still come of
	armed  []int // joins at which something waits
	leaves int   // activations that hold a slot
	// blocked are ready but for a slot.
	blocked readyQueue
}

// nodeState is what an instance knows of one node.
type nodeState struct {
	n     int         // activations so far
	live  int         // those that are live
	busy  *activation // the one that holds the node
	queue []*activation
	join  *joinState
	// output is the last one that the node gave, and outputBy the activation that gave it; for terminals only.
	output   any
	outputBy string
}

func newInstance(r *run, w *Workflow, prefix string) *instance {
	in := &instance{run: r, wf: w, prefix: prefix, nodes: make([]nodeState, len(w.nodes))}
	for i, n := range w.nodes {
		if n.kind == kindJoin {
			in.nodes[i].join = &joinState{slots: make([][]arrival, len(w.graph.Sources(i)))}
		}
	}
	return in
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
		s.queue = append(s.queue, a)
	} else {
		s.busy = a
		in.run.ready.add(a)
	}
}

// free lets the next activation of a node start.
func (in *instance) free(node int) {
	s := &in.nodes[node]
	s.busy = nil
	if len(s.queue) == 0 {
		return
	}
	s.busy = s.queue[0]
	s.queue[0] = nil
	if s.queue = s.queue[1:]; len(s.queue) == 0 {
		s.queue = nil
	}
	in.run.ready.add(s.busy)
}

// admit takes a slot for an activation if it needs one; if there is none it waits for its turn.
func (in *instance) admit(a *activation) bool {
	if !a.leaf() {
		return true
	}
	if limit := in.wf.maxConcurrency; limit > 0 && in.leaves >= limit {
		in.blocked.add(a)
		return false
	}
	in.leaves++
	return true
}

// leave gives the slot of an activation back.
func (in *instance) leave(a *activation) {
	if !a.leaf() {
		return
	}
	in.leaves--
	if len(in.blocked) > 0 {
		in.run.ready.add(in.blocked.next())
	}
}

func (in *instance) pathOf(n *node, count int) string {
	if count == 1 && in.prefix == "" {
		return n.firstPath
	}
	var buf [64]byte
	path := append(append(buf[:0], in.prefix...), n.name...)
	return string(strconv.AppendInt(append(path, '@'), int64(count), 10))
}

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
