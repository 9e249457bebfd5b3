package adkparity_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/workflow"
	adkagent "google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/session"
	adk "google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"

	. "github.com/plait-dev/plait/test/adkparity"
)

// pairing is a document of testdata and its twin.
type pairing struct {
	name, file string
	edges      func(*Watch) ([]adk.Edge, error)
	functions  map[string]build.Function
	script     faux.Script
	inputs     []string
	// last is what the last input leads to, of the last node that gives something.
	last string
}

// result is what a function of a twin gives.
type result struct {
	output any
	routes []string
	state  map[string]any
}

// twin makes a node of ADK of a function.
func twin(name string, fn func(ctx adkagent.Context, input any) (result, error)) adk.Node {
	return adk.NewFunctionNode(name, func(ctx adkagent.Context, input any) (*session.Event, error) {
		r, err := fn(ctx, input)
		if err != nil {
			return nil, err
		}
		ev := session.NewEvent(ctx, ctx.InvocationID())
		ev.Output, ev.Routes = r.output, r.routes
		maps.Copy(ev.Actions.StateDelta, r.state)
		return ev, nil
	}, adk.NodeConfig{})
}

// pure makes a node of ADK of a function of a text.
func pure(name string, fn func(string) any) adk.Node {
	return twin(name, func(_ adkagent.Context, input any) (result, error) {
		text, _ := input.(string)
		return result{output: fn(text)}, nil
	})
}

func pairings() []pairing {
	return []pairing{
		{name: "documents/chain", file: "chain", inputs: []string{"hello"}, last: `done gives "HELLO done"`,
			edges: func(*Watch) ([]adk.Edge, error) {
				return adk.Chain(adk.Start, pure("loud", func(s string) any { return strings.ToUpper(s) }),
					pure("done", func(s string) any { return s + " done" })), nil
			}},
		triage(), loop(), failure(), worker(), rating(),
	}
}

func triage() pairing {
	record := map[string]any{"name": "Ada", "plan": "gold"}
	edges := func(*Watch) ([]adk.Edge, error) {
		classify := twin("classify", func(_ adkagent.Context, input any) (result, error) {
			text := strings.ToLower(input.(string))
			r := result{output: input, state: map[string]any{"text": text}}
			switch {
			case strings.Contains(text, "invoice") || strings.Contains(text, "refund"):
				r.routes = []string{"BILLING"}
			case strings.HasPrefix(text, "thank"):
				r.routes = []string{"THANKS"}
			}
			return r, nil
		})
		lookup := twin("lookup", func(adkagent.Context, any) (result, error) { return result{output: record}, nil })
		reply := twin("reply", func(ctx adkagent.Context, input any) (result, error) {
			text, err := ctx.Session().State().Get("text")
			return result{output: fmt.Sprintf("Plan %v: %v", input.(map[string]any)["plan"], text)}, err
		})
		note := twin("note", func(adkagent.Context, any) (result, error) {
			return result{output: "noted", state: map[string]any{"thanks": true}}, nil
		})
		return []adk.Edge{
			{From: adk.Start, To: classify},
			{From: classify, To: lookup, Route: adk.StringRoute("BILLING")}, {From: lookup, To: reply},
			{From: classify, To: note, Route: adk.StringRoute("THANKS")},
			{From: classify, To: pure("fallback", func(string) any { return "Please rephrase." }), Route: adk.Default},
		}, nil
	}
	return pairing{name: "documents/triage", file: "triage", edges: edges, last: `reply gives "Plan gold: where is my refund"`,
		inputs: []string{"hm", "Thanks a lot", "My INVOICE", "Where is my refund"},
		functions: map[string]build.Function{"lookup": func(*workflow.Context, any, any) (workflow.Result, error) {
			return workflow.Result{Output: record}, nil
		}}}
}

func loop() pairing {
	return pairing{name: "documents/loop", file: "loop", inputs: []string{"long enough", "abc"}, last: `publish gives "published: abc..."`,
		edges: func(*Watch) ([]adk.Edge, error) {
			draft := pure("draft", func(s string) any { return s + "." })
			review := twin("review", func(_ adkagent.Context, input any) (result, error) {
				r := result{output: input, state: map[string]any{"length": len(input.(string))}}
				if len(input.(string)) < 6 {
					r.routes = []string{"again"}
				}
				return r, nil
			})
			return []adk.Edge{
				{From: adk.Start, To: draft}, {From: draft, To: review}, {From: review, To: draft, Route: adk.StringRoute("again")},
				{From: review, To: pure("publish", func(s string) any { return "published: " + s }), Route: adk.Default},
			}, nil
		}}
}

// failure is as near as ADK comes to an ERROR edge: a node that notices that it failed and produces a route. A retry it
// can't have then, so it tries twice by itself.
func failure() pairing {
	declined := errors.New("declined")
	charge := func(input string, attempt int) error {
		if input == "broke" || input == "slow" && attempt == 1 {
			return declined
		}
		return nil
	}
	return pairing{name: "documents/a failure that is handled", file: "failure", inputs: []string{"rich", "slow", "broke"}, last: `excuse gives "not paid"`,
		functions: map[string]build.Function{"charge": func(ctx *workflow.Context, input, _ any) (workflow.Result, error) {
			return workflow.Result{Output: input}, charge(input.(string), ctx.Attempt())
		}},
		edges: func(*Watch) ([]adk.Edge, error) {
			node := twin("charge", func(_ adkagent.Context, input any) (result, error) {
				if charge(input.(string), 1) == nil || charge(input.(string), 2) == nil {
					return result{output: input}, nil
				}
				return result{routes: []string{"failed"}}, nil
			})
			return []adk.Edge{
				{From: adk.Start, To: node},
				{From: node, To: pure("receipt", func(s string) any { return "paid " + s }), Route: adk.Default},
				{From: node, To: pure("excuse", func(string) any { return "not paid" }), Route: adk.StringRoute("failed")},
			}, nil
		}}
}

func worker() pairing {
	return pairing{name: "documents/worker and join", file: "worker", inputs: []string{"one", "to be or not"}, last: `sum gives "12: [2,2,2,3]"`,
		functions: map[string]build.Function{"size": func(_ *workflow.Context, input, _ any) (workflow.Result, error) {
			return workflow.Result{Output: len(input.(string))}, nil
		}},
		edges: func(*Watch) ([]adk.Edge, error) {
			split := pure("split", func(s string) any {
				var words []any
				for word := range strings.FieldsSeq(s) {
					words = append(words, word)
				}
				return words
			})
			count, err := adk.NewParallelWorker("count", pure("word", func(s string) any { return len(s) }), 2, adk.NodeConfig{})
			whole, both := pure("whole", func(s string) any { return len(s) }), adk.NewJoinNode("both")
			sum := twin("sum", func(_ adkagent.Context, input any) (result, error) {
				m := input.(map[string]any)
				return result{output: fmt.Sprintf("%v: %s", m["whole"], strings.ReplaceAll(fmt.Sprint(m["count"]), " ", ","))}, nil
			})
			return []adk.Edge{
				{From: adk.Start, To: split}, {From: adk.Start, To: whole}, {From: split, To: count},
				{From: count, To: both}, {From: whole, To: both}, {From: both, To: sum},
			}, err
		}}
}

func rating() pairing {
	return pairing{name: "documents/llm", file: "llm", inputs: []string{"a text", "another"}, last: `show gives "4 stars: it is about another"`,
		script: faux.Script{Rules: []faux.Rule{{When: faux.When{Agent: "rate"}, Reply: &faux.Turn{Text: `{"stars": 4, "why": "it is about {{user}}"}`}}}},
		edges: func(w *Watch) ([]adk.Edge, error) {
			a, err := llmagent.New(llmagent.Config{Name: "rate", Model: w.For("rate"), Instruction: "Rate the text for {who}{title?}.", OutputKey: "rating",
				OutputSchema: &genai.Schema{Type: "object", Required: []string{"stars", "why"}, Properties: map[string]*genai.Schema{
					"stars": {Type: "integer"}, "why": {Type: "string"}}}})
			if err != nil {
				return nil, err
			}
			rate, err := adk.NewAgentNode(a, adk.NodeConfig{})
			greet := twin("greet", func(_ adkagent.Context, input any) (result, error) {
				return result{output: input, state: map[string]any{"who": "Ada"}}, nil
			})
			show := twin("show", func(ctx adkagent.Context, input any) (result, error) {
				rating, err := ctx.Session().State().Get("rating")
				if err != nil {
					return result{}, err
				}
				return result{output: fmt.Sprintf("%v stars: %v", input.(map[string]any)["stars"], rating.(map[string]any)["why"])}, nil
			})
			return adk.Chain(adk.Start, greet, rate, show), err
		}}
}

func (p pairing) pair(t *testing.T) Pair {
	t.Helper()
	file := filepath.Join("testdata", p.file+".yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, found := declarative.Load(file, text)
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	model, err := faux.New("scripted", p.script)
	if err != nil {
		t.Fatal(err)
	}
	return Pair{Document: doc, Options: build.Options{Functions: p.functions}, Edges: p.edges, Model: core.Model(model)}
}

// Documents as their authors write them do what the same graphs do on ADK.
func TestConformance_documents(t *testing.T) {
	for _, p := range pairings() {
		t.Run(p.name, func(t *testing.T) {
			pair := p.pair(t)
			for i, input := range p.inputs {
				theirs, ours := pair.ADK(t.Context(), input), pair.Ours(t.Context(), input)
				if theirs.Err != nil || ours.Err != nil {
					t.Fatalf("%q: ADK: %v, ours: %v", input, theirs.Err, ours.Err)
				}
				if diff := theirs.Diff(ours); diff != "" {
					t.Fatalf("%q (-ADK +ours):\n%s", input, diff)
				}
				if last := ours.Gave[len(ours.Gave)-1]; i == len(p.inputs)-1 && last != p.last {
					t.Errorf("%q: %s, want %s", input, last, p.last)
				}
			}
		})
	}
}
