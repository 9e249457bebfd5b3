package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
	"github.com/plait-dev/plait/pkg/declarative"
)

// Model is what a model of a config comes to.
type Model struct {
	Name    string // that the document uses
	Config  *adkconfigv1.Model
	BaseURL string // that requests go to; empty for a script, and where there is none
	Profile string // the dialect of an OpenAI API
	Known   catalog.Found

	// Reported is what the agents of the document ask for and the model can't take.
	Reported []Reported

	// Err says why it can't be called, if that is so.
	Err error

	// Model makes calls; nil when Err says why not. Neither limits nor stand-ins are part of it.
	Model core.Model
}

// Reported is what a model can't take of an agent's settings.
type Reported struct {
	Agent string
	Text  string
}

// Models are the models of a config, by their names in order, without taking the rest of the config in. What is wrong with
// one is said there; the error is about the config as a whole. Nothing is sent. The caller calls done when it has no more
// use for them.
func Models(config []byte, env Environment) (models []Model, done func(), err error) {
	cfg, err := decode(config)
	if err != nil {
		return nil, nil, err
	}
	doc, found := declarative.Load("document", []byte(cfg.GetWorkflow().GetDocumentJson()))
	if doc == nil {
		return nil, nil, fmt.Errorf("agent config: the document can't be read: %s", found[0].Message)
	}
	t := &taking{cfg: cfg, env: env, clients: clients{}}
	for _, name := range slices.Sorted(maps.Keys(cfg.GetModels())) {
		models = append(models, t.described(name, doc))
	}
	return models, t.clients.close, nil
}

func (t *taking) described(name string, doc *declarative.Document) Model {
	cfg := t.cfg.GetModels()[name]
	d := Model{Name: name, Config: cfg}
	if !slices.Contains(wires.Names(), cfg.GetProvider()) {
		d.Model, d.Err = t.model(cfg)
		return d
	}
	opts, err := t.options(cfg)
	made, makeErr := wires.New(cfg.GetProvider(), opts)
	if d.Err = errors.Join(err, makeErr); made.Model == nil {
		return d
	}
	d.BaseURL, d.Profile, d.Known = made.BaseURL(), made.Profile, made.Known()
	d.Reported = reported(made.Model, name, doc)
	if d.Err == nil {
		d.Model = made
	}
	return d
}

// reported asks the model about each agent and llm node that uses it.
func reported(m *provider.Model, name string, doc *declarative.Document) []Reported {
	var all []Reported
	ask := func(agent string, llm *declarative.LLM) {
		if cmp.Or(llm.Model, declarative.DefaultModel) != name {
			return
		}
		texts, err := m.Check(context.Background(), probe(llm))
		if err != nil {
			texts = []string{err.Error()}
		}
		for _, text := range texts {
			all = append(all, Reported{Agent: agent, Text: text})
		}
	}
	for i := range doc.Agents {
		a := &doc.Agents[i]
		if a.LLM != nil {
			ask(a.Name, a.LLM)
		}
		inGraph(a.Graph, a.Name, ask)
	}
	return all
}

// inGraph visits the llm nodes of a graph and of those within it, each as AGENT/NODE.
func inGraph(g *declarative.Graph, name string, visit func(string, *declarative.LLM)) {
	if g == nil {
		return
	}
	for i := range g.Nodes {
		node := name + "/" + g.Nodes[i].ID
		switch body := g.Nodes[i].Body.(type) {
		case *declarative.LLM:
			visit(node, body)
		case *declarative.Subgraph:
			inGraph(body.Graph, node, visit)
		}
	}
}

// probe is a request with the settings of an agent.
func probe(llm *declarative.LLM) *core.Request {
	req := &core.Request{
		Turn: 1, Attempt: 1, Messages: []core.Message{core.UserMessage("hello")}, Generate: core.Generate(llm.Generate),
	}
	if len(llm.Tools) > 0 {
		req.Tools = []core.Spec{{Name: "tool"}}
	}
	return req
}
