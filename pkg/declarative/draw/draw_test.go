package draw_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/draw"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func load(t *testing.T, file string) *declarative.Document {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, list := declarative.Load(file, text)
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	return doc
}

// drawn are the documents of the golden files.
func drawn(t *testing.T) map[string]*declarative.Document {
	t.Helper()
	files := map[string]string{
		"support-triage": "../../../examples/support-triage/agentsystem.yaml",
		"every-field":    "../../../test/conformance/document/every-field.yaml",
	}
	own, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(own) == 0 {
		t.Fatalf("no documents in testdata: %v", err)
	}
	for _, file := range own {
		files[strings.TrimSuffix(filepath.Base(file), ".yaml")] = file
	}
	docs := map[string]*declarative.Document{}
	for name, file := range files {
		docs[name] = load(t, file)
	}
	return docs
}

func TestGolden(t *testing.T) {
	for name, doc := range drawn(t) {
		g := draw.Of(doc)
		golden(t, "testdata/"+name+".mmd", draw.Mermaid(g))
		golden(t, "testdata/"+name+".svg", draw.SVG(g))
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got), run the test with -update if that is right:\n%s", file, diff)
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	for name, doc := range drawn(t) {
		dec := xml.NewDecoder(strings.NewReader(draw.SVG(draw.Of(doc))))
		for {
			_, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestTextMeansNothing draws names that are made to be more than text.
func TestTextMeansNothing(t *testing.T) {
	hostile := `"]; click n0 href "javascript:x" %% <script>&amp;` + "`\n#quot;"
	g := &draw.Graph{
		Items: []draw.Item{{Path: hostile, Title: hostile, Kind: "cel", Detail: hostile}, {Path: "b", Title: "b", Kind: "tool"}},
		Edges: []draw.Edge{{From: 0, To: 1, Label: hostile}},
	}
	for _, text := range []string{draw.Mermaid(g), draw.SVG(g)} {
		for _, part := range []string{`"]; click`, "<script", "`", "#quot;", "%%"} {
			if i := strings.Index(text, part); i >= 0 && !(strings.HasPrefix(text, "<svg") && (part == "`" || part == "%%" || part == "#quot;")) {
				t.Errorf("%q stands in the picture: %s", part, text[i:min(len(text), i+60)])
			}
		}
	}
	if lines := strings.Count(draw.Mermaid(g), "\n"); lines != 4 {
		t.Errorf("%d lines, want the chart, two items and an edge", lines)
	}
}

// TestBoxesDontOverlap looks at all pairs of boxes: one is inside the other, or they have no point in common.
func TestBoxesDontOverlap(t *testing.T) {
	rect := regexp.MustCompile(`<rect x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)" rx`)
	for name, doc := range drawn(t) {
		var boxes [][4]int
		for _, m := range rect.FindAllStringSubmatch(draw.SVG(draw.Of(doc)), -1) {
			var n [4]int
			for i := range n {
				n[i], _ = strconv.Atoi(m[i+1])
			}
			boxes = append(boxes, [4]int{n[0], n[1], n[0] + n[2], n[1] + n[3]})
		}
		for i, a := range boxes {
			for _, b := range boxes[i+1:] {
				apart := a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]
				if !apart && !contains(a, b) && !contains(b, a) {
					t.Errorf("%s: %v and %v overlap", name, a, b)
				}
			}
		}
	}
}

func contains(a, b [4]int) bool { return a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3] }

func TestBrokenReferencesAreLeftOut(t *testing.T) {
	doc := &declarative.Document{Agents: []declarative.Agent{
		{Name: "a", Class: declarative.WorkflowAgent, Graph: &declarative.Graph{
			Nodes: []declarative.Node{{ID: "n", Type: declarative.TypeCEL, Body: &declarative.CEL{}}, {ID: "broken"}},
			Edges: []declarative.Edge{{From: []string{"START"}, To: []string{"n", "gone"}}},
		}},
		{Name: "b", LLM: &declarative.LLM{}, SubAgents: []declarative.SubAgent{{Name: "gone"}, {Name: "a"}}},
	}}
	want := `flowchart TB
  subgraph n0["a · Workflow"]
    n0_0(["START"])
    n0_1["n<br/>cel"]
    n0_2["broken<br/>"]
    n0_0 --> n0_1
  end
  n1("b<br/>LlmAgent")
  n1 -.-> n0
`
	if diff := cmp.Diff(want, draw.Mermaid(draw.Of(doc))); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyGraph(t *testing.T) {
	if got := draw.Mermaid(&draw.Graph{}); got != "flowchart TB\n" {
		t.Errorf("got %q", got)
	}
	if got := draw.SVG(&draw.Graph{}); !strings.HasSuffix(got, "</svg>\n") {
		t.Errorf("got %q", got)
	}
}

// TestLargeGraph draws the largest graph of the format: a long line of nodes, and edges from the first to all others.
func TestLargeGraph(t *testing.T) {
	g := &draw.Graph{}
	for i := range declarative.MaxNodes {
		g.Items = append(g.Items, draw.Item{Path: strconv.Itoa(i), Title: strconv.Itoa(i), Kind: "cel"})
		if i > 0 {
			g.Edges = append(g.Edges, draw.Edge{From: i - 1, To: i})
		}
	}
	for i := range declarative.MaxEdges - len(g.Edges) {
		g.Edges = append(g.Edges, draw.Edge{From: i % 500, To: 500 + (i*7)%500, Label: "x"})
	}
	first := draw.SVG(g)
	if first != draw.SVG(g) {
		t.Error("two pictures of one graph differ")
	}
}
