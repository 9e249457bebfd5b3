package main

import (
	"context"
	"encoding/json"
	"iter"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// scripted makes a model that answers with these turns.
func scripted(turns ...faux.Turn) (core.Model, error) {
	return faux.New("scripted", faux.Script{Turns: turns})
}

// call is a scripted tool call.
func call(name, args string) faux.Call { return faux.Call{Name: name, Args: json.RawMessage(args)} }

// agent makes an agent of a model and tools.
func agent(name string, m core.Model, tools ...core.Tool) (*agentkit.Agent, error) {
	return agentkit.New(agentkit.Config{Name: name, Model: m, Tools: tools})
}

// path is what the tools of the demo take.
type path struct {
	Path string `json:"path"`
}

// tool makes a tool of a function.
func tool(name string, run func(ctx context.Context, path string) (string, error)) (core.Tool, error) {
	return agentkit.NewTool(core.Spec{Name: name, Description: "Demonstrates a tool."},
		func(ctx context.Context, _ core.Call, in path) (core.Result, error) {
			text, err := run(ctx, in.Path)
			return core.TextResult(text), err
		})
}

// counter is a tool that counts how often it is run.
type counter struct {
	core.Tool

	mu   sync.Mutex
	runs int
}

func counted(t core.Tool) *counter { return &counter{Tool: t} }

// Run counts and passes on.
func (c *counter) Run(ctx context.Context, call core.Call) (core.Result, error) {
	c.mu.Lock()
	c.runs++
	c.mu.Unlock()
	return c.Tool.Run(ctx, call)
}

// spy is a model that keeps the last prompt.
type spy struct {
	core.Model

	prompt []core.Message
}

// Stream keeps the prompt and passes on.
func (s *spy) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	s.prompt = req.Messages
	return s.Model.Stream(ctx, req)
}

// file is a tool that does something with files that aren't there, successfully.
func file(name string) (*counter, error) {
	t, err := tool(name, func(_ context.Context, path string) (string, error) { return "the text of " + path, nil })
	return counted(t), err
}
