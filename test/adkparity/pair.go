package adkparity

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	adk "google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"
)

// Pair is a document, as an author writes it, beside the same graph on ADK, built in Go.
type Pair struct {
	Document *declarative.Document
	Options  build.Options
	// Edges builds the graph on ADK.
	Edges func(*Watch) ([]adk.Edge, error)
	// Model is the model of both, of which the accounts tell what it was sent.
	Model core.Model
}

// Watch notes what a model is sent.
type Watch struct {
	Model   core.Model
	prompts []Prompt
}

// Account is what happened on one side.
type Account struct {
	// Gave are the outputs of the nodes of the root, in order.
	Gave    []string
	State   map[string]any
	Prompts []Prompt
	Said    []string
	Err     error
}

// Diff tells how two accounts differ.
func (a Account) Diff(other Account) string {
	normal := func(a Account) Account {
		a.Gave = slices.Sorted(slices.Values(a.Gave)) // what runs side by side ends in any order
		for i, p := range a.Prompts {
			a.Prompts[i] = p.neutral()
		}
		if a.Err != nil {
			a.Err = errBroken
		}
		a.State, _ = plain(a.State).(map[string]any)
		return a
	}
	equal := cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) })
	return cmp.Diff(normal(a), normal(other), equal)
}

// ADK runs the graph on ADK, with an input.
func (p Pair) ADK(ctx context.Context, input string) (a Account) {
	w := &Watch{Model: p.Model}
	edges, err := p.Edges(w)
	if err != nil {
		return Account{Err: err}
	}
	root, err := workflowagent.New(workflowagent.Config{Name: rootName, Edges: edges})
	if err != nil {
		return Account{Err: err}
	}
	sessions := session.InMemoryService()
	r, err := runner.New(runner.Config{AppName: "app", Agent: root, SessionService: sessions, AutoCreateSession: true})
	if err != nil {
		return Account{Err: err}
	}
	b := &adkBuilder{newScript(Delays(0))}
	a.Err = b.turn(ctx, &Graph{}, r, genai.NewContentFromText(input, genai.RoleUser))
	a.Gave, a.Said, a.Prompts = b.script.outcome.Gave, slices.Sorted(maps.Keys(b.script.outcome.Said)), w.prompts
	stored, err := sessions.Get(ctx, &session.GetRequest{AppName: "app", UserID: "user", SessionID: "s"})
	if err != nil {
		return Account{Err: err}
	}
	a.State = maps.Collect(stored.Session.State().All())
	return a
}

// Ours runs the document.
func (p Pair) Ours(ctx context.Context, input string) (a Account) {
	w := &Watch{Model: p.Model}
	opts := p.Options
	opts.Models = map[string]core.Model{"default": w}
	checked, found := declarative.Validate(p.Document, declarative.Options{})
	if found.HasErrors() {
		return Account{Err: found.Err()}
	}
	system, found := build.Build(checked, opts)
	if found.HasErrors() {
		return Account{Err: found.Err()}
	}
	store, b := memory.New(), newOurs(Delays(0))
	b.root = system.Root()
	_, a.Err = b.watch(&Graph{}, system.Workflow().Run(ctx, spoken(workflow.RunRequest{
		Store: store, Session: sessionID, Run: "r", Input: input, Env: workflow.Env{Limits: system.Limits()},
	})))
	a.Gave, a.Said, a.Prompts = b.script.outcome.Gave, slices.Sorted(maps.Keys(b.script.outcome.Said)), w.prompts
	fold, err := journal.Load(ctx, store, sessionID)
	if err != nil {
		return Account{Err: err}
	}
	a.State = fold.State
	return a
}

// top is the node of a path at the root, and whether it is one.
func top(path string) (string, bool) {
	path = strings.TrimPrefix(path, rootName+"@1/")
	node, _, _ := strings.Cut(path, "@")
	return node, node != "" && !strings.Contains(path, "/")
}
