package intake

import (
	"slices"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// Outline is what a view of runs has to know of the document that they execute and their journal doesn't say.
type Outline struct {
	// Terminals are the nodes that the output of a run comes from, in the order of the document.
	Terminals []Terminal

	// Several says that one run can have the outputs of several terminals, as when branches run side by side. It follows
	// from the edges; a Go function that produces several routes at once can bring the same about without it.
	Several bool
}

// Terminal is a node behind which nothing follows.
type Terminal struct {
	Node string

	// Text says that the output is the text of a model, which is of use to a reader while it is being written.
	Text bool
}

// Terminal returns the terminal of that name.
func (o Outline) Terminal(node string) (Terminal, bool) {
	i := slices.IndexFunc(o.Terminals, func(t Terminal) bool { return t.Node == node })
	if i < 0 {
		return Terminal{}, false
	}
	return o.Terminals[i], true
}

// ReadOutline returns the outline of a config's document. The config needn't be one that can run here.
func ReadOutline(config []byte) (Outline, error) {
	cfg, err := decode(config)
	if err != nil {
		return Outline{}, err
	}
	doc, found := declarative.Load("document", []byte(cfg.GetWorkflow().GetDocumentJson()))
	if err := found.Err(); err != nil {
		return Outline{}, err
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if err := found.Err(); err != nil {
		return Outline{}, err
	}
	return outlineOf(checked), nil
}

func outlineOf(c *declarative.Checked) Outline {
	if c.Root.Graph == nil {
		return Outline{Terminals: []Terminal{{Node: c.Root.Name, Text: isText(c.Root.LLM)}}}
	}
	compiled, problems := graph.Compile(c.Root.Graph.Spec())
	var o Outline
	o.Several = slices.ContainsFunc(problems, func(p graph.Problem) bool { return p.Rule == graph.SeveralOutputs })
	for _, i := range compiled.Terminals() {
		id := compiled.ID(i)
		o.Terminals = append(o.Terminals, Terminal{Node: id, Text: writesText(c, id)})
	}
	return o
}

// writesText reports whether a node of the root agent gives the text of a model.
func writesText(c *declarative.Checked, id string) bool {
	nodes := c.Root.Graph.Nodes
	n := nodes[slices.IndexFunc(nodes, func(n declarative.Node) bool { return n.ID == id })]
	if n.OutputSchema != nil {
		return false
	}
	switch body := n.Body.(type) {
	case *declarative.LLM:
		return isText(body)
	case *declarative.AgentRef:
		agents := c.Document.Agents
		i := slices.IndexFunc(agents, func(a declarative.Agent) bool { return a.Name == body.Agent })
		return i >= 0 && isText(agents[i].LLM)
	default:
		return false
	}
}

// isText reports whether an agent answers with text rather than with a value of a schema.
func isText(llm *declarative.LLM) bool { return llm != nil && llm.OutputSchema == nil }
