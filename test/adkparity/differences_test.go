package adkparity_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/plait-dev/plait/test/adkparity"
)

var update = flag.Bool("update", false, "write docs/adk-differences.md and SCENARIOS.md")

const docs = "../../docs/adk-differences.md"

// Each declared difference shows, exactly as declared.
func TestDifferences_show(t *testing.T) {
	for _, d := range Differences() {
		if d.Graph == nil {
			continue
		}
		t.Run(d.ID+"/"+d.What, func(t *testing.T) {
			var theirs, ours []string
			for range max(1, d.Runs) {
				if d.Alone {
					theirs = append(theirs, alone(t, d))
				} else {
					theirs = append(theirs, d.Look(bubbles{t}.ADK(d.Graph, 0)))
				}
				o, _ := bubbles{t}.Ours(d.Graph, 0)
				ours = append(ours, d.Look(o))
			}
			if diff := cmp.Diff([]string{d.ADK, d.Ours}, []string{together(theirs), together(ours)}); diff != "" || d.ADK == d.Ours {
				t.Errorf("declared (-) and seen (+), ADK's first:\n%s", diff)
			}
		})
	}
}

// together lists what was seen, each once.
func together(seen []string) string {
	slices.Sort(seen)
	return strings.Join(slices.Compact(seen), ", ")
}

const childGraph = "ADKPARITY_GRAPH"

// alone runs a graph on ADK in a process of its own.
func alone(t *testing.T, d Difference) string {
	graph, err := json.Marshal(d.Graph)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), childGraph+"="+string(graph))
	out, err := cmd.CombinedOutput()
	if _, died := err.(*exec.ExitError); died && strings.Contains(string(out), "panic: script") { //nolint:errorlint // as returned
		return "the process died"
	}
	_, seen, _ := strings.Cut(string(out), "seen: ")
	seen, _, _ = strings.Cut(seen, "\n")
	return seen
}

// TestChild is what the process of its own does.
func TestChild(t *testing.T) {
	graph := os.Getenv(childGraph)
	if graph == "" {
		t.Skip("runs as a child of TestDifferences_show")
	}
	var g Graph
	if err := json.Unmarshal([]byte(graph), &g); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("seen: %s\n", bubbles{t}.ADK(&g, 0).Class)
}

// Each number of the two lists has a row: D1 to D38, X1 to X42.
func TestDifferences_are_complete(t *testing.T) {
	rows := map[string]bool{}
	for _, d := range Differences() {
		rows[d.ID] = true
		if (d.Graph == nil) == (d.Why == "") {
			t.Errorf("%s: a row has a graph or a reason", d.ID)
		}
	}
	for kind, last := range map[string]int{"D": 38, "X": 42} {
		for n := 1; n <= last; n++ {
			if id := fmt.Sprint(kind, n); !rows[id] {
				t.Errorf("%s has no row", id)
			}
		}
	}
}

// Each decision of ours has a reason, and each reason belongs to a row.
func TestDifferences_have_reasons(t *testing.T) {
	decided := map[string]bool{}
	for _, d := range Differences() {
		decided[d.ID] = true
		if _, ok := Reasons()[d.ID]; !ok && d.ID[0] == 'X' {
			t.Errorf("%s has no reason", d.ID)
		}
	}
	for id := range Reasons() {
		if !decided[id] {
			t.Errorf("%s has a reason and no row", id)
		}
	}
}

func TestDifferences_page(t *testing.T) { checkPage(t, docs, Page()) }

// checkPage holds a page that is written from code against what the code says, or writes it.
func checkPage(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run go test -update in test/adkparity (-want +got):\n%s", diff)
	}
}
