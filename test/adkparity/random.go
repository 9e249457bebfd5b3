package adkparity

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"
)

// drawing is a random graph under way.
type drawing struct {
	t      *rapid.T
	suffix string
	graph  *Graph
	nodes  []string // those that edges may leave, in the order in which they can be reached
	// always has the nodes with an unconditional edge into them: ADK allows one, but for joins.
	always   map[string]bool
	defaults map[string]bool
	routes   map[string]bool
}

// DrawGraph draws a graph that ADK accepts: functions, joins, nested workflows, workers, routes, retries, failures,
// dynamic nodes, state, loops that end, now and then a cap.
func DrawGraph(t *rapid.T) *Graph {
	g := draw(t, "", 2)
	g.Cap = max(0, rapid.IntRange(-6, 3).Draw(t, "cap"))
	return g
}

func draw(t *rapid.T, suffix string, depth int) *Graph {
	d := &drawing{
		t: t, suffix: suffix, graph: &Graph{Nodes: map[string]Node{}}, nodes: []string{Start},
		always: map[string]bool{}, defaults: map[string]bool{}, routes: map[string]bool{},
	}
	most := 8
	if depth < 2 {
		most = 4
	}
	for i := range rapid.IntRange(1, most).Draw(t, "nodes") {
		d.node(i, depth)
	}
	if rapid.IntRange(0, 2).Draw(t, "loop") == 0 {
		d.loop()
	}
	d.acts()
	d.oneOutput()
	return d.graph
}

// oneIn is true once in n times, and shrinks to false.
func (d *drawing) oneIn(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(d.t, label) == n-1 && n > 1
}

// node adds a node of some kind.
func (d *drawing) node(i, depth int) {
	switch kind := rapid.IntRange(0, 9).Draw(d.t, "kind"); {
	case kind >= 7 && len(d.nodes) > 2:
		d.join(fmt.Sprintf("J%d%s", i, d.suffix))
	case kind == 6 && depth > 0:
		name := fmt.Sprintf("w%d%s", i, d.suffix)
		d.graph.Nodes[name] = Node{Inner: draw(d.t, fmt.Sprintf("%sx%d", d.suffix, i), depth-1)}
		d.link(name)
	case kind == 5:
		d.worker(i, depth)
	case kind == 4:
		d.dynamic(i)
	default:
		d.link(fmt.Sprintf("n%d%s", i, d.suffix))
	}
}

// link gives a node an edge into it, and now and then a second one with a route.
func (d *drawing) link(name string) {
	first := rapid.SampledFrom(d.nodes).Draw(d.t, "from")
	d.edge(first, name)
	if second := rapid.SampledFrom(d.nodes).Draw(d.t, "second"); d.oneIn(8, "fan-in") && second != first && !isJoin(second) {
		if second != Start {
			d.routed(second, name, "a")
		}
	}
	d.nodes = append(d.nodes, name)
}

// join adds a join of two or three nodes.
func (d *drawing) join(name string) {
	sources := d.nodes
	if !d.oneIn(12, "START into join") {
		sources = sources[1:]
	}
	most := min(3, len(sources))
	for _, source := range rapid.SliceOfNDistinct(rapid.SampledFrom(sources), min(2, most), most, rapid.ID).Draw(d.t, "sources") {
		if d.oneIn(5, "routed into join") {
			d.edge(source, name)
		} else {
			d.graph.Edges = append(d.graph.Edges, Edge{From: source, To: name})
		}
	}
	d.nodes = append(d.nodes, name)
}

// worker adds a node that gives a list, and one that works on it.
func (d *drawing) worker(i, depth int) {
	list, name, item := fmt.Sprintf("l%d%s", i, d.suffix), fmt.Sprintf("p%d%s", i, d.suffix), fmt.Sprintf("i%d%s", i, d.suffix)
	d.link(list)
	d.graph.Edges = append(d.graph.Edges, Edge{From: list, To: name})
	d.always[name] = true
	n := rapid.IntRange(0, 4).Draw(d.t, "elements")
	d.graph.Does(list, Act{List: &n})
	d.graph.Nodes[name] = Node{Item: item, Max: rapid.IntRange(0, 2).Draw(d.t, "max")}
	switch rapid.IntRange(0, 5).Draw(d.t, "body") {
	case 5:
		if depth > 0 {
			d.graph.Nodes[item] = Node{Inner: Text(fmt.Sprintf("START -> a%[1]s -> J%[1]s; START -> b%[1]s -> J%[1]s", item))}
		}
	case 4:
		p := d.graph.Nodes[name]
		p.Attempts, p.Pause = 3, time.Millisecond
		d.graph.Nodes[name] = p
		d.graph.Nodes[item] = Node{Acts: []Act{{}, {Fails: 2}, {Fails: 1}}}
	case 3:
		d.graph.Nodes[item] = Node{Acts: []Act{{}, {Silent: true}, {}}}
	}
	if d.oneIn(16, "items write") && d.graph.Nodes[item].Inner == nil {
		d.graph.Does(item, Act{State: map[string]any{"s." + item: 1}})
	}
	d.nodes = append(d.nodes, name)
}

// dynamic adds a node with children, of which one may do something special.
func (d *drawing) dynamic(i int) {
	name := fmt.Sprintf("d%d%s", i, d.suffix)
	var children []string
	for c := range rapid.IntRange(1, 3).Draw(d.t, "children") {
		children = append(children, fmt.Sprintf("c%d%c%s", i, 'a'+c, d.suffix))
	}
	special := children[rapid.IntRange(0, len(children)-1).Draw(d.t, "child")]
	switch rapid.IntRange(0, 12).Draw(d.t, "mood of the child") {
	case 1, 2:
		d.graph.Does(special, Act{State: map[string]any{"s." + special: 1}})
	case 3, 4:
		d.graph.Does(special, Act{Silent: true})
	case 5:
		d.graph.Nodes[special] = Node{Inner: Text(fmt.Sprintf("START -> x%[1]s -> J%[1]s; START -> y%[1]s -> J%[1]s", special))}
	case 12:
		d.graph.Does(special, Act{Fails: Forever})
	}
	d.graph.Nodes[name] = Node{Children: children}
	d.link(name)
}

// edge draws when an edge fires, and adds it.
func (d *drawing) edge(from, to string) {
	arrow := rapid.IntRange(0, 9).Draw(d.t, "arrow")
	plain := from == Start || isJoin(from) || d.graph.Nodes[from].isComposite()
	switch {
	case arrow == 9 && from != Start && !d.defaults[from]:
		d.defaults[from] = true
		d.graph.Edges = append(d.graph.Edges, Edge{From: from, To: to, On: []string{Default}})
	case arrow == 8 && !plain:
		d.routed(from, to, "a")
	case arrow == 7 && !plain:
		d.routed(from, to, "b")
	case arrow == 6 && !plain:
		d.routed(from, to, "b", "7", "true")
	default:
		d.graph.Edges = append(d.graph.Edges, Edge{From: from, To: to})
		d.always[to] = true
	}
}

func (d *drawing) routed(from, to string, on ...string) {
	d.routes[from] = true
	d.graph.Edges = append(d.graph.Edges, Edge{From: from, To: to, On: on})
}

// loop adds an edge back that is taken a few times.
func (d *drawing) loop() {
	if len(d.nodes) < 2 {
		return
	}
	gate, end := "g"+d.suffix, "e"+d.suffix
	last := rapid.SampledFrom(d.nodes[1:]).Draw(d.t, "last of the loop")
	back := rapid.SampledFrom(d.ancestors(last)).Draw(d.t, "first of the loop")
	d.graph.Edges = append(d.graph.Edges, Edge{From: last, To: gate},
		Edge{From: gate, To: back, On: []string{"again"}}, Edge{From: gate, To: end, On: []string{"done"}})
	laps := rapid.IntRange(1, 3).Draw(d.t, "laps")
	acts := slices.Repeat([]Act{{Routes: []string{"again"}}}, laps)
	d.graph.Does(gate, append(acts, Act{Routes: []string{"done"}})...)
	d.nodes = append(d.nodes, end)
}

// ancestors lists a node and those that lead to it and take any input.
func (d *drawing) ancestors(node string) []string {
	list := []string{node}
	for i := 0; i < len(list); i++ {
		for _, source := range d.graph.sources(list[i]) {
			if source != Start && !slices.Contains(list, source) {
				list = append(list, source)
			}
		}
	}
	list = slices.DeleteFunc(list, func(n string) bool { return d.graph.Nodes[n].Item != "" })
	if len(list) == 0 { // nothing but a worker: its list is made before it
		list = d.graph.sources(node)
	}
	return list
}

// acts says what functions do.
func (d *drawing) acts() {
	for _, name := range d.graph.names() {
		n := d.graph.Nodes[name]
		if isJoin(name) || n.isComposite() || name == "g"+d.suffix {
			continue
		}
		if len(n.Acts) == 0 {
			n.Acts = []Act{{}}
		}
		if d.routes[name] {
			choice := [][]string{{"a"}, {"b"}, {"a", "b"}, {"7"}, nil}
			n.Acts = slices.Repeat(n.Acts, 3)
			for i := range n.Acts {
				n.Acts[i].Routes = rapid.SampledFrom(choice).Draw(d.t, "routes of "+name)
			}
		}
		d.mood(name, &n)
		d.graph.Nodes[name] = n
	}
}

// mood makes some functions silent, forgetful, shaky or broken.
func (d *drawing) mood(name string, n *Node) {
	act := &n.Acts[rapid.IntRange(0, len(n.Acts)-1).Draw(d.t, "activation")]
	switch rapid.IntRange(0, 40).Draw(d.t, "mood of "+name) {
	case 1, 2, 3, 4:
		act.State = map[string]any{"s." + name: name, "app:" + name: 1}
	case 5, 6:
		act.State = map[string]any{"shared": name}
	case 7, 8, 9:
		n.Attempts, n.Pause, act.Fails = 3, time.Second, rapid.IntRange(1, 2).Draw(d.t, "fails")
	case 10:
		n.Attempts, n.Pause, act.Fails, act.How = 2, time.Second, 1, Panics
	case 11:
		n.Attempts, n.Timeout, act.Fails, act.How = 2, time.Minute, 1, Exceeds
	case 12:
		n.Attempts, act.Fails, act.Early = 2, 1, map[string]any{"early." + name: 1}
	case 13, 14:
		act.Silent = act.List == nil
	case 40:
		n.Attempts, act.Fails = rapid.IntRange(1, 2).Draw(d.t, "attempts"), Forever
		act.How = rapid.SampledFrom([]Failure{Fails, Fails, Panics}).Draw(d.t, "how")
	}
}

// oneOutput silences most terminals but one: ADK fails when two give an output.
func (d *drawing) oneOutput() {
	if d.oneIn(10, "several outputs") {
		return
	}
	var terminals []string
	for _, name := range d.graph.names() {
		if d.graph.isTerminal(name) {
			terminals = append(terminals, name)
		}
	}
	if len(terminals) == 0 {
		return
	}
	speaker := rapid.SampledFrom(terminals).Draw(d.t, "speaker")
	for _, name := range terminals {
		n := d.graph.Nodes[name]
		switch {
		case name == speaker:
		case isJoin(name) || n.isComposite():
			d.graph.Edges = append(d.graph.Edges, Edge{From: name, To: "q" + name})
			d.graph.Does("q"+name, Act{Silent: true})
		default:
			n.Acts = slices.Clone(n.Acts)
			if len(n.Acts) == 0 {
				n.Acts = []Act{{}}
			}
			for i := range n.Acts {
				n.Acts[i].Silent, n.Acts[i].List = true, nil
			}
			d.graph.Nodes[name] = n
		}
	}
}
