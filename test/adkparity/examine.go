package adkparity

import (
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Findings are what a run of ours tells about the run of ADK.
type Findings struct {
	// IDs are those of the declared differences that ADK may show, in some order of events.
	IDs map[string]bool
	// Parallel is set when two activations of one graph were alive at once.
	Parallel bool
	// Impossible names an activation that no edge led to: not a difference but a bug of ours.
	Impossible string
}

// Examine asks of a run of ours what ADK, which has other rules for joins and for nodes that are triggered while they
// run, would have done. It looks at causes, not at times: a rule that decides differently in any order of events that
// the causes allow is flagged. Where nothing is flagged, every order gives the same on ADK, and the same as ours.
func Examine(g *Graph, trace Trace) Findings {
	x := &examiner{
		found: Findings{IDs: map[string]bool{}}, instances: map[string]*instance{}, ran: map[string]int{}, items: map[string]int{}, root: g,
	}
	for _, e := range trace {
		switch e.Kind {
		case workflow.NodeStarted:
			x.enter(journal.InstanceOf(e.Path))
			if isItem(e) {
				x.items[journal.InstanceOf(e.Path)]++
			}
		case workflow.NodeCompleted:
			x.ran[e.Node]++
			x.enter(journal.InstanceOf(e.Path)).complete(e)
		default: // tells nothing of the order
		}
	}
	for path, in := range x.instances {
		in.late()
		outputs := 0
		for _, gave := range in.gave {
			if gave {
				outputs++
			}
		}
		if outputs > 1 {
			x.found.IDs["X1"] = true
			x.found.IDs["X1 nested"] = x.found.IDs["X1 nested"] || path != ""
		}
	}
	for _, started := range x.items {
		x.found.IDs["X16"] = x.found.IDs["X16"] || started == 1
	}
	x.static(g)
	maps.DeleteFunc(x.found.IDs, func(_ string, flagged bool) bool { return !flagged })
	return x.found
}

// examiner follows all instances of a run.
type examiner struct {
	found     Findings
	instances map[string]*instance
	ran       map[string]int // activations that ended, by node
	items     map[string]int // items that started, by list
	root      *Graph
}

// deed is an activation that ended.
type deed struct {
	node   string
	silent bool
	// causes are the deeds that triggered it, past those and all before them.
	causes []*deed
	past   map[*deed]bool
}

func newDeed(node string, silent bool, causes []*deed) *deed {
	d := &deed{node: node, silent: silent, causes: causes, past: map[*deed]bool{}}
	for _, cause := range causes {
		maps.Copy(d.past, cause.past)
		d.past[cause] = true
	}
	return d
}

// after reports whether all of the deeds had ended when d began, in every order of events.
func (d *deed) after(all []*deed) bool {
	return !slices.ContainsFunc(all, func(other *deed) bool { return !d.past[other] })
}

// instance is one execution of a graph.
type instance struct {
	*examiner

	graph *Graph
	alive int
	// triggers are the causes of a node's activations, done those that ended; both in their order.
	triggers map[string][][]*deed
	done     map[string][]*deed
	// queues are the arrivals at joins by source and join; refused has by join those that ended and did not lead to it.
	queues  map[[2]string][]*deed
	refused map[string][]*deed
	// gave tells of terminals that ran whether one of their activations had an output.
	gave map[string]bool
}

// enter finds the instance whose paths begin so, and begins it.
func (x *examiner) enter(prefix string) *instance {
	if in := x.instances[prefix]; in != nil {
		return in
	}
	in := &instance{
		examiner: x, graph: x.graphOf(prefix), triggers: map[string][][]*deed{}, done: map[string][]*deed{},
		queues: map[[2]string][]*deed{}, refused: map[string][]*deed{}, gave: map[string]bool{},
	}
	x.instances[prefix] = in
	if in.graph != nil {
		in.end(newDeed(Start, false, nil), nil)
	}
	return in
}

// graphOf is the graph of the instance whose paths begin so; a list of functions has none, nor have children.
func (x *examiner) graphOf(prefix string) *Graph {
	around, g := x.root, x.root
	for part := range strings.SplitSeq(strings.TrimSuffix(prefix, "/"), "/") {
		name, _, isNode := strings.Cut(part, "@")
		if part == "" || !isNode { // the number of an item: its graph is known already
			continue
		}
		n := around.Nodes[name]
		if n.Item != "" {
			n = around.Nodes[n.Item]
		}
		g = n.Inner
		if g != nil { // else the parts that follow are children, which are nodes of the graph around them
			around = g
		}
	}
	return g
}

// complete follows the end of an activation.
func (in *instance) complete(e workflow.Event) {
	if in.graph == nil || isItem(e) {
		return
	}
	if isJoin(e.Node) {
		in.joined(e)
	}
	if len(in.triggers[e.Node]) <= len(in.done[e.Node]) {
		in.found.Impossible = e.Path
		return
	}
	in.alive--
	causes := in.triggers[e.Node][len(in.done[e.Node])]
	d := newDeed(e.Node, e.Output == nil, causes)
	in.done[e.Node] = append(in.done[e.Node], d)
	if in.graph.isTerminal(e.Node) {
		in.gave[e.Node] = in.gave[e.Node] || !d.silent
		// What a child of a nested workflow's end gave counts as the end's own.
		in.flag("D24", in.graph != in.root && d.silent && len(in.graph.Nodes[e.Node].Children) > 0)
	}
	in.end(d, e.Routes)
}

// isItem reports whether an event is about an item of a list.
func isItem(e workflow.Event) bool {
	return !strings.Contains(strings.TrimPrefix(e.Path, journal.InstanceOf(e.Path)), "@")
}

// end takes the edges of an activation.
func (in *instance) end(d *deed, routes []string) {
	fired := in.graph.fired(d.node, routes)
	for _, e := range in.graph.Edges {
		taken := slices.ContainsFunc(fired, func(f Edge) bool { return f.To == e.To })
		if e.From == d.node && isJoin(e.To) && !taken {
			in.refused[e.To] = append(in.refused[e.To], d)
		}
	}
	joins := 0
	for _, e := range fired {
		if isJoin(e.To) {
			joins++
			in.arrive(e, d)
			continue
		}
		if n := len(in.triggers[e.To]); n > 0 {
			ended := len(in.done[e.To]) == n && (d.past[in.done[e.To][n-1]] || d == in.done[e.To][n-1])
			in.flag("D1", !ended)
		}
		in.trigger(e.To, []*deed{d})
	}
	in.flag("X17", joins > 0 && len(fired) == joins+1)
	in.found.Parallel = in.found.Parallel || in.alive > 1
}

func (in *instance) trigger(node string, causes []*deed) {
	in.triggers[node] = append(in.triggers[node], causes)
	in.alive++
}

func (in *instance) flag(id string, on bool) { in.found.IDs[id] = in.found.IDs[id] || on }

// arrive notes that an edge into a join was taken. When each source has brought something, both engines fire the join;
// of ADK that is sure only if no source has ended or begun anew without regard to the others.
func (in *instance) arrive(e Edge, d *deed) {
	in.flag("D23", e.From == Start)
	key := [2]string{e.From, e.To}
	in.queues[key] = append(in.queues[key], d)
	var came []*deed
	for _, source := range in.graph.sources(e.To) {
		queue := in.queues[[2]string{source, e.To}]
		if len(queue) == 0 {
			return
		}
		came = append(came, queue[0])
	}
	in.take(e.To)
	before := in.triggers[e.To]
	in.trigger(e.To, came)
	for i, d := range came {
		in.flag("D20", d.silent && slices.ContainsFunc(in.done[d.node], func(old *deed) bool { return !old.silent }))
		if len(before) == 0 {
			continue
		}
		in.flag("D20", !d.after(before[len(before)-1]))
		for j, other := range came {
			in.flag("D20", i != j && !other.after(d.causes))
		}
	}
}

// take uses up the oldest arrivals of a join.
func (in *instance) take(join string) {
	for key, queue := range in.queues {
		if key[1] == join && len(queue) > 0 {
			in.queues[key] = queue[1:]
		}
	}
}

// joined checks a firing of ours: ADK's joins fire for all sources or not at all.
func (in *instance) joined(e workflow.Event) {
	values, _ := e.Output.(map[string]any)
	sources := in.graph.sources(e.Node)
	if len(values) == len(sources) {
		return
	}
	in.flag("D18", len(in.refused[e.Node]) == 0)
	var came []*deed
	for _, source := range sources {
		if queue := in.queues[[2]string{source, e.Node}]; len(queue) > 0 {
			came = append(came, queue[0])
		}
	}
	in.take(e.Node)
	in.trigger(e.Node, came)
}

// late flags joins that a source did not lead to, unless it is sure that it ended after they had fired.
func (in *instance) late() {
	for join, refused := range in.refused {
		for _, d := range refused {
			for _, firing := range in.done[join] {
				in.flag("D19", !d.past[firing])
			}
		}
	}
}

// static flags what the nodes alone tell.
func (x *examiner) static(g *Graph) {
	for name, n := range g.Nodes {
		if n.Inner != nil {
			x.static(n.Inner)
		}
		if len(n.Children) > 0 && x.ran[name] > 1 {
			x.found.IDs["D2"] = true
		}
		early := func(a Act) bool { return a.Fails > 0 && len(a.Early) > 0 }
		x.found.IDs["X4"] = x.found.IDs["X4"] || slices.ContainsFunc(n.Acts, early)
		if n.Item != "" && writes(g.Nodes[n.Item]) {
			x.found.IDs["D15"] = true
		}
	}
}

// writes reports whether anything in a node writes to the state.
func writes(n Node) bool {
	if n.Inner != nil && slices.ContainsFunc(slices.Collect(maps.Values(n.Inner.Nodes)), writes) {
		return true
	}
	return slices.ContainsFunc(n.Acts, func(a Act) bool { return len(a.State)+len(a.Early)+len(a.Direct) > 0 })
}
