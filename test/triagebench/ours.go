package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// documentFile is the example, as seen from the folder of this module.
const documentFile = "../../examples/support-triage/agentsystem.yaml"

// onOurs builds the example with its tools in Go. Each run has a session of its own in memory, as on the other side.
func onOurs(m message) (answering, error) {
	checked, err := document()
	if err != nil {
		return nil, err
	}
	model := &ourModel{}
	sys, found := build.Build(checked, build.Options{
		Tools:  map[string]core.Tool{lookupName: ourTool{lookupName, "query"}, writeName: ourTool{writeName, "path"}},
		Models: map[string]core.Model{"default": model},
	})
	if found.HasErrors() {
		return nil, found.Err()
	}
	return func(ctx context.Context) (string, error) {
		model.asked = false
		req := workflow.RunRequest{Store: memory.New(), Session: "session", Input: m.text, Message: userMessage(m.text),
			Env: workflow.Env{Limits: sys.Limits()}}
		for e, err := range sys.Workflow().Run(ctx, req) {
			switch {
			case err != nil:
				return "", err
			case e.Kind == workflow.RunCompleted:
				text, _ := e.Output.(string)
				return text, nil
			}
		}
		return "", errors.New("the run has no end")
	}, nil
}

func userMessage(text string) *core.Message {
	m := core.UserMessage(text)
	m.Author = "user"
	return &m
}

// document is the example with the tools of its server as registered ones, and its prompt in place.
func document() (*declarative.Checked, error) {
	text, err := os.ReadFile(documentFile)
	if err != nil {
		return nil, err
	}
	doc, found := declarative.Load(documentFile, text)
	if found.HasErrors() {
		return nil, found.Err()
	}
	if _, found := declarative.InlinePrompts(doc, func(string, string) (string, error) { return prompt, nil }); found.HasErrors() {
		return nil, found.Err()
	}
	doc.MCPServers = nil
	changed := 0
	for i := range doc.Agents[0].Graph.Nodes {
		switch body := doc.Agents[0].Graph.Nodes[i].Body.(type) {
		case *declarative.Tool:
			body.Server = ""
			changed++
		case *declarative.LLM:
			body.Tools[0].Name = lookupName
			changed++
		}
	}
	if changed != 2 {
		return nil, fmt.Errorf("%s has %d nodes that look customers up, not 2", documentFile, changed)
	}
	return reload(doc)
}

// reload checks the document as it is now.
func reload(doc *declarative.Document) (*declarative.Checked, error) {
	canonical, err := declarative.Canonicalize(doc)
	if err != nil {
		return nil, err
	}
	doc, found := declarative.Load("", canonical)
	if found.HasErrors() {
		return nil, found.Err()
	}
	checked, more := declarative.Validate(doc, declarative.Options{})
	return checked, more.Err()
}

// ourTool is one of the two tools.
type ourTool struct{ name, parameter string }

// Spec implements [core.Tool].
func (t ourTool) Spec() core.Spec {
	return core.Spec{Name: t.name, Description: "Does what its name says.", ReadOnly: true, InputSchema: []byte(
		`{"type":"object","properties":{"` + t.parameter + `":{"type":"string"}},"required":["` + t.parameter + `"]}`)}
}

// Run implements [core.Tool]. A registered tool's result is its own object; the example's reply looks for that of a server.
func (ourTool) Run(context.Context, core.Call) (core.Result, error) {
	return core.Result{Text: plan, Structured: []byte(`{"output":{"plan":"` + plan + `"}}`)}, nil
}

// ourModel calls the tool, and then answers.
type ourModel struct{ asked bool }

func (*ourModel) Name() string { return "scripted" }

func (m *ourModel) Stream(context.Context, *core.Request) iter.Seq2[core.Delta, error] {
	usage := core.Usage{Input: 100, Output: 20}
	said := []core.Delta{{Kind: core.TextDelta, Text: said}, {Kind: core.Done, Stop: core.StopEnd, Usage: usage}}
	if !m.asked {
		said = []core.Delta{{Kind: core.CallStart, ID: callID, Name: lookupName},
			{Kind: core.CallDelta, Text: `{"query":"` + who + `"}`}, {Kind: core.Done, Stop: core.StopToolUse, Usage: usage}}
	}
	m.asked = true
	return func(yield func(core.Delta, error) bool) {
		for _, d := range said {
			if !yield(d, nil) {
				return
			}
		}
	}
}
