package draw

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// Graph is boxes and the arrows between them.
type Graph struct {
	Items []Item
	Edges []Edge
}

// Item is one box: an agent, a node, or START.
type Item struct {
	// Path names the item in the document, agents and nodes separated by slashes; that of START ends in START.
	Path string
	// Title is the name or id, Kind the class or type, Detail what it refers to; both may be empty.
	Title, Kind, Detail string
	// Inside is the graph within the box, or nil.
	Inside *Graph
}

// KindStart is the kind of the item that marks where a graph is entered.
const KindStart = "start"

// Edge is an arrow between two items of one graph.
type Edge struct {
	From, To int // indexes into Items
	Label    string
	Style    Style
}

// Style says what an edge means.
type Style int

// The styles.
const (
	Flow    Style = iota // the next node
	Failure              // the next node when this one failed
	Refers               // an agent or node that may be run from here
)

// Of draws a document: a box for each agent, in which the nodes of a workflow are. Ends of edges and references that lead
// nowhere are left out.
func Of(doc *declarative.Document) *Graph {
	g := &Graph{}
	index := map[string]int{}
	for i := range doc.Agents {
		a := &doc.Agents[i]
		item := Item{Path: a.Name, Title: a.Name, Kind: string(cmp.Or(a.Class, declarative.LlmAgent))}
		if a.LLM != nil {
			item.Detail = a.LLM.Model
		}
		if a.Graph != nil {
			item.Inside = workflow(a.Graph, a.Name)
		}
		index[a.Name] = i
		g.Items = append(g.Items, item)
	}
	for i := range doc.Agents {
		for _, r := range references(&doc.Agents[i]) {
			if to, ok := index[r.agent]; ok {
				g.refer(i, to, r.label)
			}
		}
	}
	return g
}

// refer adds a reference, or a label to the one that is there.
func (g *Graph) refer(from, to int, label string) {
	for i := range g.Edges {
		if e := &g.Edges[i]; e.From == from && e.To == to {
			e.Label = strings.Trim(e.Label+", "+label, ", ")
			return
		}
	}
	g.Edges = append(g.Edges, Edge{From: from, To: to, Label: label, Style: Refers})
}

// workflow draws the graph of a Workflow agent or a workflow node.
func workflow(w *declarative.Graph, path string) *Graph {
	g := &Graph{Items: []Item{{Path: path + "/" + graph.Start, Title: graph.Start, Kind: KindStart}}}
	index := map[string]int{graph.Start: 0}
	for i := range w.Nodes {
		index[w.Nodes[i].ID] = len(g.Items)
		g.Items = append(g.Items, node(&w.Nodes[i], path))
	}
	for _, e := range w.Spec().Edges {
		from, okFrom := index[e.From]
		to, okTo := index[e.To]
		if okFrom && okTo {
			g.Edges = append(g.Edges, flow(from, to, e.Routes))
		}
	}
	for i := range w.Nodes {
		d, ok := w.Nodes[i].Body.(*declarative.Dynamic)
		for c := 0; ok && c < len(d.Children); c++ {
			if to, known := index[d.Children[c].ID]; known {
				g.refer(i+1, to, "")
			}
		}
	}
	return g
}

func flow(from, to int, routes []string) Edge {
	style := Flow
	if len(routes) == 1 && routes[0] == graph.Error {
		style = Failure
	}
	return Edge{From: from, To: to, Label: strings.Join(routes, ", "), Style: style}
}

func node(n *declarative.Node, path string) Item {
	item := Item{Path: path + "/" + n.ID, Title: n.ID, Kind: string(n.Type)}
	switch b := n.Body.(type) {
	case *declarative.Function:
		item.Detail = b.Function
	case *declarative.Tool:
		item.Detail = strings.TrimPrefix(b.Server+"/"+b.Tool, "/")
	case *declarative.LLM:
		item.Detail = b.Model
	case *declarative.AgentRef:
		item.Detail = b.Agent
	case *declarative.Subgraph:
		if item.Detail = b.Agent; b.Agent == "" {
			item.Inside = workflow(b.Graph, item.Path)
		}
	case *declarative.Worker:
		item.Inside = &Graph{Items: []Item{node(&b.Worker, item.Path)}}
		item.Inside.Items[0].Title = "each item"
	case *declarative.Dynamic:
		item.Detail = b.Function
		item.Inside = inline(b, item.Path)
	}
	return item
}

// inline draws the children of a dynamic node that are written in it.
func inline(d *declarative.Dynamic, path string) *Graph {
	var g Graph
	for _, c := range d.Children {
		if c.Inline != nil {
			g.Items = append(g.Items, node(c.Inline, path))
		}
	}
	if g.Items == nil {
		return nil
	}
	return &g
}

// reference is how an agent gets to another one.
type reference struct{ agent, label string }

func references(a *declarative.Agent) []reference {
	var all []reference
	for i, s := range a.SubAgents {
		label := ""
		if a.Class == declarative.SequentialAgent || a.Class == declarative.LoopAgent {
			label = strconv.Itoa(i + 1)
		}
		all = append(all, reference{s.Name, label})
	}
	if a.LLM != nil {
		all = append(all, tools(a.LLM, "tool")...)
	}
	if a.Graph != nil {
		all = append(all, ofNodes(a.Graph.Nodes)...)
	}
	return all
}

func tools(llm *declarative.LLM, label string) []reference {
	var all []reference
	for _, t := range llm.Tools {
		if t.Agent != "" {
			all = append(all, reference{t.Agent, label})
		}
	}
	return all
}

func ofNodes(nodes []declarative.Node) []reference {
	var all []reference
	for i := range nodes {
		all = append(all, ofNode(&nodes[i])...)
	}
	return all
}

func ofNode(n *declarative.Node) []reference {
	switch b := n.Body.(type) {
	case *declarative.AgentRef:
		return []reference{{b.Agent, n.ID}}
	case *declarative.LLM:
		return tools(b, n.ID)
	case *declarative.Subgraph:
		if b.Agent != "" {
			return []reference{{b.Agent, n.ID}}
		}
		return ofNodes(b.Graph.Nodes)
	case *declarative.Worker:
		worker := b.Worker
		worker.ID = n.ID
		return ofNode(&worker)
	case *declarative.Dynamic:
		var all []reference
		for _, c := range b.Children {
			if c.Inline != nil {
				all = append(all, ofNode(c.Inline)...)
			}
		}
		return all
	}
	return nil
}
