package adkparity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"go.yaml.in/yaml/v3"
	adkagent "google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	adk "google.golang.org/adk/v2/workflow"

	. "github.com/plait-dev/plait/test/adkparity"
)

// example is where the support-triage example is.
const example = "../../examples/support-triage"

// readYAML reads a file of the example as the value that JSON would give.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(example, name))
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(value); err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// goTool is a tool in Go for both sides.
type goTool struct {
	name, property string
	more           string // a second property
	run            func(args map[string]any) map[string]any
}

var _ core.Tool = goTool{}

func (g goTool) schema() string {
	properties := fmt.Sprintf(`%q:{"type":"string"}`, g.property)
	if g.more != "" {
		properties += fmt.Sprintf(`,%q:{"type":"string"}`, g.more)
	}
	return `{"type":"object","properties":{` + properties + `}}`
}

func (g goTool) Spec() core.Spec {
	return core.Spec{Name: g.name, Description: g.name, InputSchema: json.RawMessage(g.schema())}
}

func (g goTool) Run(_ context.Context, call core.Call) (core.Result, error) {
	var args map[string]any
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return core.Result{}, err
	}
	text, err := json.Marshal(g.run(args))
	return core.Result{Text: string(text), Structured: text}, err
}

func (g goTool) adk() (tool.Tool, error) {
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(g.schema()), schema); err != nil {
		return nil, err
	}
	return functiontool.New(functiontool.Config{Name: g.name, Description: g.name, InputSchema: schema},
		func(_ adkagent.Context, args map[string]any) (map[string]any, error) { return g.run(args), nil })
}

func lookupCustomer() goTool {
	return goTool{name: "crm__lookup_customer", property: "query", run: func(args map[string]any) map[string]any {
		return map[string]any{"customer": "Ada Lovett", "plan": "pro", "about": args["query"]}
	}}
}

func writeFile() goTool {
	return goTool{name: "write_file", property: "path", more: "content", run: func(args map[string]any) map[string]any {
		return map[string]any{"wrote": args["path"], "bytes": len(args["content"].(string))}
	}}
}

// crm is the example's server.
type crm struct{}

var _ build.Servers = crm{}

func (crm) Connect(context.Context) error { return nil }

func (crm) Call(_ context.Context, _, _ string, args map[string]any, _ mcp.CallOptions) (mcp.Result, error) {
	text, err := json.Marshal(lookupCustomer().run(args))
	return mcp.Result{Structured: text}, err
}

func (crm) CoreTools(context.Context, string, ...string) ([]core.Tool, error) {
	return []core.Tool{lookupCustomer()}, nil
}

// support is the document of the example, with the server in Go. Its twin is written by hand.
func support(t *testing.T) Pair {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(example, "agentsystem.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	doc, found := declarative.Load("agentsystem.yaml", text)
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	var prompts struct{ Data map[string]string }
	readYAML(t, "prompts.yaml", &prompts)
	declarative.InlinePrompts(doc, func(_, key string) (string, error) { return prompts.Data[key], nil })
	var script faux.Script
	readYAML(t, "model.yaml", &script)
	model, err := faux.New("scripted", script)
	if err != nil {
		t.Fatal(err)
	}
	return Pair{Document: doc, Model: model, Options: build.Options{
		Servers: crm{}, HarnessToolNames: []string{"write_file"},
		HarnessTools: func(string) ([]core.Tool, error) { return []core.Tool{writeFile()}, nil },
	}, Edges: func(w *Watch) ([]adk.Edge, error) { return supportTwin(w, strings.TrimSpace(prompts.Data["answer"])) }}
}

// supportTwin is the graph of the example on ADK.
func supportTwin(w *Watch, instruction string) ([]adk.Edge, error) {
	billing := regexp.MustCompile(`\b(invoice|refund|charged)\b`)
	classify := twin("classify", func(_ adkagent.Context, input any) (result, error) {
		text := strings.ToLower(input.(string))
		switch {
		case billing.MatchString(text):
			return result{output: input, routes: []string{"BILLING"}}, nil
		case strings.HasSuffix(text, "?"):
			return result{output: input, routes: []string{"QUESTION"}}, nil
		}
		return result{output: input}, nil
	})
	lookup := twin("lookup", func(_ adkagent.Context, input any) (result, error) {
		return result{output: map[string]any{"output": lookupCustomer().run(map[string]any{"query": input})}}, nil
	})
	reply := twin("reply", func(_ adkagent.Context, input any) (result, error) {
		return result{output: fmt.Sprintf("Plan: %v", input.(map[string]any)["output"].(map[string]any)["plan"])}, nil
	})
	answer, err := answerTwin(w, instruction)
	return []adk.Edge{
		{From: adk.Start, To: classify},
		{From: classify, To: lookup, Route: adk.StringRoute("BILLING")}, {From: lookup, To: reply},
		{From: classify, To: answer, Route: adk.StringRoute("QUESTION")},
		{From: classify, To: pure("fallback", func(string) any { return "Please rephrase." }), Route: adk.Default},
	}, err
}

// answerTwin is the agent of the example, with its guardrail as a callback.
func answerTwin(w *Watch, instruction string) (adk.Node, error) {
	var tools []tool.Tool
	for _, g := range []goTool{lookupCustomer(), writeFile()} {
		t, err := g.adk()
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	answers := regexp.MustCompile(`^answers/[a-z0-9-]+[.]json$`)
	guard := func(_ adkagent.Context, t tool.Tool, args map[string]any) (map[string]any, error) {
		if path, _ := args["path"].(string); t.Name() == "write_file" && !answers.MatchString(path) {
			return map[string]any{"error": "Answers are kept as answers/NAME.json; choose such a path."}, nil
		}
		return nil, nil
	}
	a, err := llmagent.New(llmagent.Config{Name: "answer", Model: w.For("answer"), Instruction: instruction, Tools: tools,
		BeforeToolCallbacks: []llmagent.BeforeToolCallback{guard}})
	if err != nil {
		return nil, err
	}
	return adk.NewAgentNode(a, adk.NodeConfig{})
}

// The example of the product does what its twin on ADK does: the ways through the graph, what the model is sent, what the
// guardrail refuses.
func TestConformance_support_triage(t *testing.T) {
	pair := support(t)
	for input, want := range map[string]struct {
		last     string
		requests int
	}{
		"I was charged twice, invoice 1042": {`reply gives "Plan: pro"`, 0},
		"Hello":                             {`fallback gives "Please rephrase."`, 0},
		"What is my plan?":                  {`answer gives "Please tell me the e-mail address of your account, then I can look it up."`, 1},
		"What is the plan of ada@lovett.example, and why?": {
			`answer gives "I found ada@lovett.example in the CRM and kept the record in answers/customer.json."`, 3},
	} {
		theirs, ours := pair.ADK(t.Context(), input), pair.Ours(t.Context(), input)
		if theirs.Err != nil || ours.Err != nil {
			t.Fatalf("%q: ADK: %v, ours: %v", input, theirs.Err, ours.Err)
		}
		if diff := theirs.Diff(ours); diff != "" {
			t.Errorf("%q (-ADK +ours):\n%s", input, diff)
		}
		if got := ours.Gave[len(ours.Gave)-1]; got != want.last || len(ours.Prompts) != want.requests {
			t.Errorf("%q: %s after %d requests, want %s after %d", input, got, len(ours.Prompts), want.last, want.requests)
		}
	}
}
