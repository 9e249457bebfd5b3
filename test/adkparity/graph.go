package adkparity

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Start is the source of the edges to the nodes that run first.
const Start = "START"

// Routes of edges that name a rule and no route.
const (
	Default = "DEFAULT"
	Error   = "ERROR"
)

// Graph is a workflow that both engines can run.
type Graph struct {
	Edges []Edge `json:"edges"`
	// Nodes says what is special about nodes. One that isn't named is a function, or a join if its name begins with a
	// capital letter.
	Nodes map[string]Node `json:"nodes"`
	// Cap bounds how much executes at once; 0 is no bound.
	Cap int `json:"cap,omitempty"`
	// Turns are the messages that answer questions: each lists the nodes whose oldest open question it answers. A node
	// named "?" stands for a question that nobody asked, and one with "!" behind it for the question that was answered last.
	Turns [][]string `json:"turns,omitempty"`
	// Tools are what agents and tool nodes may call.
	Tools map[string]Tool `json:"tools,omitempty"`
	// Apart writes the agents of a document apart from the nodes that run them.
	Apart bool `json:"apart,omitempty"`
	// Talk are further messages of the user: each begins a run of its own in the same session.
	Talk []string `json:"talk,omitempty"`
	// Stop is when the caller's context ends: canceled, or at a deadline. Leave is the node after whose output the caller
	// doesn't listen any more.
	Stop     time.Duration `json:"stop,omitempty"`
	Deadline bool          `json:"deadline,omitempty"`
	Leave    string        `json:"leave,omitempty"`
	// State is what the session's state begins with.
	State map[string]any `json:"state,omitempty"`
}

// Edge leads from one node to another.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	// On are the routes that the edge fires for; none means always.
	On []string `json:"on,omitempty"`
	// Type makes the routes numbers, "int", or truth values, "bool".
	Type string `json:"type,omitempty"`
}

// Node says what a node is and does.
type Node struct {
	// Inner makes the node a nested workflow. Ref makes that an agent of its own, which the node refers to.
	Inner *Graph `json:"inner,omitempty"`
	Ref   bool   `json:"ref,omitempty"`
	// Item makes the node a parallel worker and names its body, Max bounds how many items execute at once.
	Item string `json:"item,omitempty"`
	Max  int    `json:"max,omitempty"`

	// Children make the node dynamic: its body runs these nodes one after the other, each with what the one before gave,
	// and gives what the last one gave. Delegated leaves that to the engine: the last one's output is to be its own.
	// Apart asks for a branch for each child.
	Children  []string `json:"children,omitempty"`
	Delegated bool     `json:"delegated,omitempty"`
	Apart     bool     `json:"apart,omitempty"`

	// Team makes the node an agent of agents, which work in one of the ways; Members are those agents, Laps bounds a loop.
	Team    Team     `json:"team,omitempty"`
	Members []string `json:"members,omitempty"`
	Laps    int      `json:"laps,omitempty"`

	// Agent makes the node an LLM agent, Tool one that calls the tool of that name.
	Agent *Agent `json:"agent,omitempty"`
	Tool  string `json:"tool,omitempty"`

	// In and Out are the JSON Schemas of its input and its output.
	In  map[string]any `json:"in,omitempty"`
	Out map[string]any `json:"out,omitempty"`

	// Acts are what the activations of a function do, in turn; what the last one does all further ones do, too. For
	// the body of a worker they are those of the elements of the list, by their number.
	Acts []Act `json:"acts,omitempty"`
	// Rerun executes a body again when its question was answered, and takes from it what it gives.
	Rerun bool `json:"rerun,omitempty"`
	// Attempts bounds the attempts of one activation, or of each item of a worker; 0 is one. Pause is the delay before
	// each further one, give or take Jitter times itself and at most Pause.
	Attempts int           `json:"attempts,omitempty"`
	Pause    time.Duration `json:"pause,omitempty"`
	Jitter   float64       `json:"jitter,omitempty"`
	Timeout  time.Duration `json:"timeout,omitempty"`
}

// Act is what one activation does. The zero value gives an output that is made of the node's name and its input.
type Act struct {
	Routes []string `json:"routes,omitempty"`
	// Silent gives no output. List gives a list of so many elements, if it isn't nil; Output, if it isn't nil, itself.
	// Split makes the routes an event of their own, Shows shows so much progress first.
	Split  bool `json:"split,omitempty"`
	Shows  int  `json:"shows,omitempty"`
	Silent bool `json:"silent,omitempty"`
	List   *int `json:"list,omitempty"`
	Output any  `json:"output,omitempty"`
	// State is written by the attempt that succeeds, Early by each that fails. Direct is written through the context
	// instead of with the result.
	State  map[string]any `json:"state,omitempty"`
	Early  map[string]any `json:"early,omitempty"`
	Direct map[string]any `json:"direct,omitempty"`
	// Fails is how many attempts fail before one succeeds, How in which way.
	Fails int     `json:"fails,omitempty"`
	How   Failure `json:"how,omitempty"`
	// Takes is how long each attempt takes, in addition to what the schedule says. A Deaf body doesn't notice that its
	// context ends.
	Takes time.Duration `json:"takes,omitempty"`
	Deaf  bool          `json:"deaf,omitempty"`
	// Asks puts a question to a person, whose answer is the output. Wants is the JSON Schema of an answer.
	Asks  bool           `json:"asks,omitempty"`
	Wants map[string]any `json:"wants,omitempty"`
}

// Team is a way in which agents work together.
type Team string

// The ways to work together.
const (
	Sequence Team = "SequentialAgent"
	Parallel Team = "ParallelAgent"
	Loop     Team = "LoopAgent"
)

// Failure is a way to fail.
type Failure string

// The ways to fail.
const (
	Fails   Failure = ""         // return an error
	Panics  Failure = "panic"    // panic
	Cancels Failure = "canceled" // return an error that wraps context.Canceled
	Exceeds Failure = "timeout"  // block until the timeout
)

// Forever as [Act.Fails] lets no attempt succeed.
const Forever = 1 << 20

var arrowPattern = regexp.MustCompile(`-(?:\[([^\]]*)\])?->|->`)

// Text makes a graph of lines such as "START -> c -[A]-> a -> J", parted by line ends or semicolons. The name of an edge
// may list several routes, parted by commas.
func Text(text string) *Graph {
	g := &Graph{Nodes: map[string]Node{}}
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		ends := arrowPattern.Split(line, -1)
		for i, arrow := range arrowPattern.FindAllStringSubmatch(line, -1) {
			e := Edge{From: strings.TrimSpace(ends[i]), To: strings.TrimSpace(ends[i+1])}
			if arrow[1] != "" {
				e.On = strings.Split(arrow[1], ",")
			}
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// With says what is special about a node.
func (g *Graph) With(name string, n Node) *Graph {
	g.Nodes[name] = n
	return g
}

// Does says what the activations of a node do, in turn.
func (g *Graph) Does(name string, acts ...Act) *Graph {
	n := g.Nodes[name]
	n.Acts = acts
	return g.With(name, n)
}

// Routes says which routes the activations of a node produce, in turn, several parted by commas.
func (g *Graph) Routes(name string, each ...string) *Graph {
	acts := make([]Act, len(each))
	for i, routes := range each {
		if routes != "" {
			acts[i].Routes = strings.Split(routes, ",")
		}
	}
	return g.Does(name, acts...)
}

// Typed makes the routes of all edges numbers, "int", or truth values, "bool".
func (g *Graph) Typed(typ string) *Graph {
	for i := range g.Edges {
		g.Edges[i].Type = typ
	}
	return g
}

// Capped bounds how much executes at once.
func (g *Graph) Capped(n int) *Graph {
	g.Cap = n
	return g
}

// Hears gives further messages of the user.
func (g *Graph) Hears(texts ...string) *Graph {
	g.Talk = texts
	return g
}

// Knows says what the session's state begins with.
func (g *Graph) Knows(state map[string]any) *Graph {
	g.State = state
	return g
}

// Answered says which questions are answered together, message by message.
func (g *Graph) Answered(turns ...[]string) *Graph {
	g.Turns = turns
	return g
}

// String shows the graph as text and what is special about its nodes.
func (g *Graph) String() string {
	var b strings.Builder
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%s %s %s\n", e.From, e.arrow(), e.To)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Nodes)) {
		n := g.Nodes[name]
		inner := n.Inner
		n.Inner = nil
		if special := jsonText(n); special != "{}" {
			fmt.Fprintf(&b, "%s: %s\n", name, special)
		}
		if inner != nil {
			fmt.Fprintf(&b, "%s is {\n%s}\n", name, inner)
		}
	}
	if g.Cap > 0 {
		fmt.Fprintf(&b, "cap %d\n", g.Cap)
	}
	return b.String()
}

func (e Edge) arrow() string {
	if len(e.On) == 0 {
		return "->"
	}
	return "-[" + strings.Join(e.On, ",") + "]->"
}

// isJoin reports whether a node of this name is a join.
func isJoin(name string) bool { return name != Start && 'A' <= name[0] && name[0] <= 'Z' }

// isComposite reports whether a node runs others.
func (n Node) isComposite() bool { return n.Inner != nil || n.Item != "" || len(n.Children) > 0 }

// names lists the nodes in the order of their first mention.
func (g *Graph) names() []string {
	var names []string
	for _, e := range g.Edges {
		for _, end := range []string{e.From, e.To} {
			if end != Start && !slices.Contains(names, end) {
				names = append(names, end)
			}
		}
	}
	return names
}

// sources lists the nodes with an edge to a node.
func (g *Graph) sources(of string) []string {
	var from []string
	for _, e := range g.Edges {
		if e.To == of {
			from = append(from, e.From)
		}
	}
	return from
}

// isTerminal reports whether no edge but ERROR edges leaves a node.
func (g *Graph) isTerminal(node string) bool {
	return !slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.From == node && !slices.Contains(e.On, Error) })
}

// fired lists the edges that an activation takes that produced these routes. Both engines have this rule.
func (g *Graph) fired(node string, routes []string) []Edge {
	var fired []Edge
	concrete := false
	var fallback *Edge
	for _, e := range g.Edges {
		switch {
		case e.From != node || slices.Contains(e.On, Error):
		case len(e.On) == 0:
			fired = append(fired, e)
		case e.On[0] == Default:
			fallback = &e
		case slices.ContainsFunc(e.On, func(r string) bool { return slices.Contains(routes, r) }):
			fired = append(fired, e)
			concrete = true
		}
	}
	if fallback != nil && !concrete {
		fired = append(fired, *fallback)
	}
	return fired
}
