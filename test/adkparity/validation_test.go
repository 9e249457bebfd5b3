package adkparity_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
	"github.com/plait-dev/plait/pkg/workflow/graph"
	adkagent "google.golang.org/adk/v2/agent"
	adk "google.golang.org/adk/v2/workflow"

	. "github.com/plait-dev/plait/test/adkparity"
)

// refusal is a graph and why each refuses it: ADK, our engine, and the validator of documents.
type refusal struct {
	name  string
	graph *Graph
	adk   error
	// text is a part of ADK's error where that is no value of its own.
	text     string
	ours     graph.Rule
	document diag.Code // empty: as the engine
}

// refusals are ADK's rules for graphs, and graphs that keep them.
func refusals() []refusal {
	text, whole := map[string]any{"type": "string"}, map[string]any{"type": "integer"}
	ordered := map[string]any{"properties": map[string]any{"a": text, "b": text}, "type": "object"}
	return []refusal{
		{name: "validation/start is absent", graph: Text("a -> b"), adk: adk.ErrNoStartNode, ours: graph.NoStart},
		{name: "validation/an edge into start", graph: Text("START -> a -> START"), adk: adk.ErrNodePointsToStart, ours: graph.EdgeToStart},
		{name: "validation/two edges with the same ends", graph: Text("START -> a -> b; a -> b"), adk: adk.ErrDuplicateEdge, ours: graph.DuplicateEdge},
		{name: "validation/the same with routes", graph: Text("START -> a -[x]-> b; a -[y]-> b"), adk: adk.ErrDuplicateEdge, ours: graph.DuplicateEdge},
		{name: "validation/the same, one without a route", graph: Text("START -> a -[x]-> b; a -> b"), adk: adk.ErrDuplicateEdge, ours: graph.DuplicateEdge},
		{name: "validation/two defaults", graph: Text("START -> a -[DEFAULT]-> b; a -[DEFAULT]-> c"),
			adk: adk.ErrMultipleDefaultRoutes, ours: graph.SeveralDefaults},
		{name: "validation/unreachable", graph: Text("START -> a; b -> c"), adk: adk.ErrNodesNotReachable, ours: graph.Unreachable},
		{name: "validation/a cycle without a route", graph: Text("START -> a -> b -> a; b -[x]-> c"), adk: adk.ErrUnconditionalCycle, ours: graph.UnconditionalCycle},
		{name: "validation/a cycle beside a cycle with a route", graph: Text("START -> a -> b -> a; b -[x]-> c -> a; b -[y]-> d"),
			adk: adk.ErrUnconditionalCycle, ours: graph.UnconditionalCycle},
		{name: "validation/a node that leads to itself", graph: Text("START -> a -> a; a -[x]-> b"), adk: adk.ErrUnconditionalCycle, ours: graph.UnconditionalCycle},
		{name: "validation/schemas that differ", text: "schema mismatch on edge a -> b", document: diag.SchemaMismatch,
			graph: checked(checked(Text("START -> a -> b"), "a", nil, text), "b", whole, nil)},
		{name: "validation/a nested workflow that is named as its own", graph: Text("START -> wf").With("wf", Node{Inner: Text("START -> x")}),
			adk: adk.ErrSubWorkflowNameCollision, document: diag.DuplicateName},
		{name: "validation/an agent in task mode", graph: Text("START -> a").With("a", agent(Agent{Task: true})),
			text: "task", document: diag.BadValue},
		{name: "validation/a chat behind another node", graph: Text("START -> f -> a").With("a", agent(Agent{Chat: true})),
			text: "mode='chat'", document: diag.ChatAfterStart},
		{name: "validation/a chat behind START and another node", graph: Text("START -> f -[x]-> a; START -> a").
			With("a", agent(Agent{Chat: true})), text: "mode='chat'", document: diag.ChatAfterStart},

		{name: "validation/no cycle", graph: Text("START -> a -> b")},
		{name: "validation/a diamond with a join", graph: Text("START -> a -> b -> J; a -> c -> J")},
		{name: "validation/a cycle with a route", graph: Text("START -> a -> b -[x]-> a; b -[y]-> c")},
		{name: "validation/a cycle with a default way out", graph: Text("START -> a -> b -[x]-> a; b -[DEFAULT]-> c")},
		{name: "validation/a cycle over the default", graph: Text("START -> a -> b -[DEFAULT]-> a; b -[x]-> c").Routes("b", "x")},
		{name: "validation/fan-in by routes", graph: Text("START -> a -[x]-> b -[z]-> d; a -[y]-> c -[z]-> d")},
		{name: "validation/a way back into a node", graph: Text("START -> a -> b -> c -[again]-> b; c -[done]-> d").Routes("c", "done")},
		{name: "validation/schemas that agree", graph: checked(checked(Text("START -> a -> b"), "a", nil, text), "b", text, nil)},
		{name: "validation/a schema on one side", graph: checked(Text("START -> a -> b"), "a", nil, text)},
		{name: "validation/schemas in another order", graph: checked(checked(Text("START -> a -> b").
			Does("a", Act{Output: map[string]any{}}), "a", nil, ordered), "b", ordered, nil)},
		{name: "validation/a chat behind START", graph: Text("START -> a").With("a", agent(Agent{Chat: true}))},
	}
}

// What one refuses the other refuses for the same reason, and what one takes the other takes. Where that is not so, a
// row of the table of differences says so. Some rules only our documents have, which have more to look at than the
// engine.
func TestConformance_validation(t *testing.T) {
	for _, tc := range refusals() {
		t.Run(tc.name, func(t *testing.T) {
			theirs := bubbles{t}.ADK(tc.graph, 0)
			if (theirs.Class == Refused) != (tc.adk != nil || tc.text != "") || !errors.Is(theirs.Err, tc.adk) && tc.text == "" ||
				tc.text != "" && !strings.Contains(fmt.Sprint(theirs.Err), tc.text) {
				t.Errorf("ADK: %v, want %v %s", theirs.Err, tc.adk, tc.text)
			}
			document, _ := bubbles{t}.Document(tc.graph, 0)
			checkDiagnostic(t, document.Err, cmp.Or(tc.document, diag.Code(tc.ours)))
			if tc.graph.NeedsDocument() {
				return
			}
			ours, _ := bubbles{t}.Ours(tc.graph, 0)
			definition, refused := errors.AsType[*workflow.DefinitionError](ours.Err)
			if refused != (tc.ours != "") {
				t.Fatalf("ours: %v, want %q", ours.Err, tc.ours)
			}
			if refused && !slices.ContainsFunc(definition.Problems, func(p workflow.Problem) bool { return p.Rule == tc.ours }) {
				t.Errorf("ours: %v, want %q", ours.Err, tc.ours)
			}
		})
	}
}

// checkDiagnostic wants a diagnostic with a code among what is wrong with a document, or nothing.
func checkDiagnostic(t *testing.T, err error, code diag.Code) {
	t.Helper()
	switch {
	case code == "" && err == nil:
	case code == "" || err == nil || !strings.Contains(err.Error(), "error["+string(code)+"]"):
		t.Errorf("document: %v, want %q", err, code)
	}
}

// Two nodes of one name are refused by both. A graph of this package can't have them.
func TestConformance_one_name_for_two(t *testing.T) {
	theirs := func() adk.Node {
		return adk.NewFunctionNode("a", func(adkagent.Context, any) (any, error) { return nil, nil }, adk.NodeConfig{})
	}
	if _, err := adk.New("wf", []adk.Edge{{From: adk.Start, To: theirs()}, {From: adk.Start, To: theirs()}}); !errors.Is(err, adk.ErrDuplicateNodeName) {
		t.Errorf("ADK: %v", err)
	}
	ours := func() workflow.Node {
		return workflow.NewFunctionNode("a", func(*workflow.Context, any) (any, error) { return nil, nil }, workflow.NodeConfig{})
	}
	_, err := workflow.New("wf", []workflow.Edge{{From: workflow.Start, To: ours()}, {From: workflow.Start, To: ours()}})
	definition, refused := errors.AsType[*workflow.DefinitionError](err)
	if !refused || !slices.ContainsFunc(definition.Problems, func(p workflow.Problem) bool { return p.Rule == graph.DuplicateName }) {
		t.Errorf("ours: %v", err)
	}
}
