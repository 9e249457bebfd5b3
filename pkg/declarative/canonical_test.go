package declarative_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// conformance is the folder of documents that pin digests for loaders in other languages, too.
const conformance = "../../test/conformance/document"

// sameDocument compares what documents say, not where they came from.
var sameDocument = cmp.Options{
	cmpopts.IgnoreUnexported(declarative.Document{}),
	cmp.Comparer(func(a, b expr.Source) bool { return a == b }),
}

// sameText compares documents of which one was written in Go, so that its expressions have no paths.
var sameText = cmp.Options{
	cmpopts.IgnoreUnexported(declarative.Document{}),
	cmp.Comparer(func(a, b expr.Source) bool { return a.Text() == b.Text() }),
}

// canonical loads a text, which must be valid, and returns its canonical form.
func canonical(t testing.TB, text []byte) []byte {
	t.Helper()
	doc, list := declarative.Load("x.yaml", text)
	if list.HasErrors() {
		t.Fatalf("%v\n%s", list.Err(), text)
	}
	out, err := declarative.Canonicalize(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestConformanceDocuments(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(conformance, "*.yaml"))
	if err != nil || len(files) < 8 {
		t.Fatalf("%d documents in %s: %v", len(files), conformance, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			text := read(t, file)
			checked, list := check(name+".yaml", text, harness())
			if checked == nil {
				t.Fatalf("findings:\n%s", render(t, list, text))
			}
			out, err := declarative.Canonicalize(checked.Document)
			if err != nil {
				t.Fatal(err)
			}
			base := filepath.Join(conformance, name)
			golden(t, base+".canonical.json", string(out))
			golden(t, base+".sha256", declarative.Digest(out)+"\n")

			if again := canonical(t, out); string(again) != string(out) {
				t.Errorf("the canonical form isn't its own canonical form:\n%s\n%s", out, again)
			}
			if _, list := check(name+".canonical.json", out, harness()); list.HasErrors() {
				t.Errorf("the canonical form isn't valid: %v", list.Err())
			}
		})
	}
}

func TestSameMeaningSameDigest(t *testing.T) {
	minimal, defaults := read(t, filepath.Join(conformance, "minimal.yaml")), read(t, filepath.Join(conformance, "defaults.yaml"))
	if diff := cmp.Diff(string(canonical(t, minimal)), string(canonical(t, defaults))); diff != "" {
		t.Error(diff)
	}
}

func TestCanonicalFormLoadsAsTheSameDocument(t *testing.T) {
	for _, name := range []string{"every-field", "minimal", "text-and-numbers"} {
		t.Run(name, func(t *testing.T) {
			text := read(t, filepath.Join(conformance, name+".yaml"))
			doc, _ := declarative.Load("x.yaml", text)
			again, list := declarative.Load("x.json", canonical(t, text))
			if list.HasErrors() {
				t.Fatal(list.Err())
			}
			for i := range doc.Agents {
				expandEdges(doc.Agents[i].Graph)
			}
			if diff := cmp.Diff(doc, again, sameDocument); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// expandEdges writes one edge for each pair of ends, as the canonical form does.
func expandEdges(g *declarative.Graph) {
	if g == nil {
		return
	}
	var edges []declarative.Edge
	for _, e := range g.Edges {
		for _, from := range e.From {
			for _, to := range e.To {
				edges = append(edges, declarative.Edge{From: []string{from}, To: []string{to}, Routes: e.Routes})
			}
		}
	}
	g.Edges = edges
	for _, n := range g.Nodes {
		if sub, ok := n.Body.(*declarative.Subgraph); ok {
			expandEdges(sub.Graph)
		}
	}
}

func TestDigest(t *testing.T) {
	const want = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	if got := declarative.Digest([]byte("{}")); got != want {
		t.Errorf("got %s", got)
	}
}

// What changes the meaning changes the digest.
func TestOtherMeaningOtherDigest(t *testing.T) {
	const base = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: a, type: llm, tools: [read_file, write_file] }
      - { id: b, type: tool, tool: geocode, args: {} }
      - { id: c, type: parallel_worker, worker: { type: agent, agent: helper }, items: "[1]" }
    edges:
      - { from: START, to: [a, b] }
      - { from: a, to: c, route: X }
  - { name: helper, instruction: Help. }
`
	changes := map[string][2]string{
		"order of a list":     {"[read_file, write_file]", "[write_file, read_file]"},
		"order of edges":      {"to: [a, b]", "to: [b, a]"},
		"no args":             {", args: {}", ""},
		"a route":             {", route: X", ""},
		"a retry":             {"id: a,", "id: a, retry: {},"},
		"space in text":       {"Help.", "'Help. '"},
		"an expression":       {`"[1]"`, `"[ 1 ]"`},
		"the root":            {"kind: AgentSystem", "kind: AgentSystem\nroot_agent: helper"},
		"a mode":              {"instruction: Help.", "instruction: Help., mode: chat"},
		"isolation":           {"agent: helper", "agent: helper, isolation: Isolated"},
		"an empty config":     {"tool: geocode", "tool: geocode, on_unknown: fail"},
		"a description":       {"instruction: Help.", "instruction: Help., description: Helps."},
		"an always-true loop": {"id: a,", "id: a, max_visits: 1000,"},
	}
	want := declarative.Digest(canonical(t, []byte(base)))
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(base, c[0], c[1], 1)
			if text == base {
				t.Fatal("nothing changed")
			}
			if got := declarative.Digest(canonical(t, []byte(text))); got == want {
				t.Error("the digest is the same")
			}
		})
	}
}

func TestModeIsADefaultByPlace(t *testing.T) {
	agents := map[string]string{
		"root":                      "  - { name: a, MODE }\n",
		"sub-agent of an LlmAgent":  "  - { name: root, sub_agents: [a] }\n  - { name: a, MODE }\n",
		"sub-agent of a sequence":   "  - { name: root, agent_class: SequentialAgent, sub_agents: [a] }\n  - { name: a, MODE }\n",
		"tool":                      "  - { name: root, tools: [{ agent: a }] }\n  - { name: a, MODE }\n",
		"both":                      "  - { name: root, sub_agents: [a], tools: [{ agent: a }] }\n  - { name: a, MODE }\n",
		"root that says so, in use": "  - { name: b, tools: [{ agent: a }] }\n  - { name: a, MODE }\nroot_agent: a\n",
	}
	want := map[string][2]bool{ // whether single_turn and chat are what holds anyway
		"root":                      {false, true},
		"sub-agent of an LlmAgent":  {false, true},
		"sub-agent of a sequence":   {true, false},
		"tool":                      {true, false},
		"both":                      {false, false},
		"root that says so, in use": {false, false},
	}
	for name, text := range agents {
		t.Run(name, func(t *testing.T) {
			text = "apiVersion: adk.declarative/v0.2\nkind: AgentSystem\nagents:\n" + text
			digest := func(mode string) string {
				return declarative.Digest(canonical(t, []byte(strings.Replace(text, "MODE", mode, 1))))
			}
			none := digest("description: ''")
			if got := [2]bool{digest("mode: single_turn") == none, digest("mode: chat") == none}; got != want[name] {
				t.Errorf("got %v, want %v", got, want[name])
			}
		})
	}
}

func TestCanonicalizeRefusesWhatItCantWrite(t *testing.T) {
	node := declarative.Node{ID: "a", Type: declarative.TypeCEL}
	doc := &declarative.Document{Agents: []declarative.Agent{{Name: "a", Class: declarative.WorkflowAgent,
		Graph: &declarative.Graph{Nodes: []declarative.Node{node}}}}}
	if _, err := declarative.Canonicalize(doc); err == nil || !strings.Contains(err.Error(), `"a" of type "cel" has no body`) {
		t.Errorf("got %v", err)
	}
	long := &declarative.Document{Agents: []declarative.Agent{{Name: "a", LLM: &declarative.LLM{Instruction: strings.Repeat("x", 1<<20)}}}}
	if _, err := declarative.Canonicalize(long); err == nil || !strings.Contains(err.Error(), "a document may have 1048576") {
		t.Errorf("got %v", err)
	}
	function := declarative.Node{ID: "a", Type: declarative.TypeFunction, Body: &declarative.Function{Function: "f", Config: func() {}}}
	doc.Agents[0].Graph.Nodes[0] = function
	if _, err := declarative.Canonicalize(doc); err == nil {
		t.Error("a function is no JSON value")
	}
}
