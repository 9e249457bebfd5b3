package adkparity_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	. "github.com/plait-dev/plait/test/adkparity"
)

// branchScenario is a graph and where its nodes stand, on both engines and in ADK's spelling.
type branchScenario struct {
	name  string
	graph *Graph
	want  string
}

// Random graphs have all of this, too; these say what it is that both do.
func branchScenarios() []branchScenario {
	list := func(n int) Act { return Act{List: &n} }
	silent := Act{Silent: true}
	return []branchScenario{
		{"branches/a chain", Text("START -> a -> b"), "a on ; b on "},
		{"branches/a fan-out of three", Text("START -> a -> J; START -> b -> J; START -> c -> J"), "J on ; a on a@1; b on b@1; c on c@1"},
		{"branches/what follows a join", Text("START -> a -> J -> c; START -> b -> J"), "J on ; a on a@1; b on b@1; c on "},
		{"branches/a fan-out behind one node", Text("START -> r -> a -> J; r -> b -> J"), "J on ; a on a@1; b on b@1; r on "},
		{"branches/a fan-out below a fan-out", Text("START -> a -> c -> J -> e -> K; a -> d -> J; START -> b -> K"),
			"J on a@1; K on ; a on a@1; b on b@1; c on a@1.c@1; d on a@1.d@1; e on a@1"},
		{"branches/a join of different depths", Text("START -> a -> c -> d -> J; a -> e -> J; START -> b -> K; J -> K"),
			"J on a@1; K on ; a on a@1; b on b@1; c on a@1.c@1; d on a@1.c@1; e on a@1.e@1"},
		{"branches/names that begin alike", Text("START -> a -> J; START -> ab -> J"), "J on ; a on a@1; ab on ab@1"},
		{"branches/several routes", Text("START -> r -[x]-> a; r -[y]-> b; r -[z]-> c").Routes("r", "x,y").Does("a", silent),
			"a on a@1; b on b@1; r on "},
		{"branches/one route of several", Text("START -> r -[x]-> a; r -[y]-> b").Routes("r", "x"), "a on ; r on "},
		{"branches/a fan-out without a join", Text("START -> a -> c -> d; START -> b").Does("b", silent),
			"a on a@1; b on b@1; c on a@1; d on a@1"},
		{"branches/a loop on a branch", Text("START -> a -> g -[again]-> a; g -[done]-> e; START -> b").Does("b", silent).
			Routes("g", "again", "done"), "a on a@1; b on b@1; e on a@1; g on a@1"},
		{"branches/a retry", Text("START -> a -> J; START -> b -> J").With("a", Node{Attempts: 2, Acts: []Act{{Fails: 1}}}),
			"J on ; a on a@1; b on b@1"},
		{"branches/a nested workflow", Text("START -> w -> J; START -> b -> J").With("w", Node{Inner: Text("START -> x -> K; START -> y -> K")}),
			"J on ; b on b@1; w on w@1; x on w@1.x@1; y on w@1.y@1"},
		{"branches/a child", Text("START -> d -> J; START -> b -> J").With("d", Node{Children: []string{"c"}}),
			"J on ; b on b@1; c on d@1; d on d@1"},
		{"branches/items", Text("START -> l -> w").Does("l", list(3)).With("w", Node{Item: "i"}),
			"i on i@1; i on i@2; i on i@3; l on ; w on "},
		{"branches/items on a branch, with retries", Text("START -> l -> w -> J; START -> b -> J").Does("l", list(2)).
			With("w", Node{Item: "i", Attempts: 2, Pause: time.Second}).Does("i", Act{Fails: 1}),
			"J on ; b on b@1; i on l@1.i@1; i on l@1.i@2; l on l@1; w on l@1"},
		{"branches/items that are workflows", Text("START -> l -> w").Does("l", list(2)).With("w", Node{Item: "i"}).
			With("i", Node{Inner: Text("START -> x -> y")}),
			"l on ; w on ; x on i@1; x on i@2; y on i@1; y on i@2"},
		{"branches/behind an answer", Text("START -> ask -> c; START -> b").Does("ask", Act{Asks: true}).Does("b", silent).
			Answered([]string{"ask"}), "ask on ask@1; b on b@1; c on ask@1"},
	}
}

func TestConformance_branches(t *testing.T) {
	for _, tc := range branchScenarios() {
		t.Run(tc.name, func(t *testing.T) {
			ours, _ := bubbles{t}.Ours(tc.graph, 0)
			for engine, o := range map[string]Outcome{"ADK": bubbles{t}.ADK(tc.graph, 0), "ours": ours.AsADK(tc.graph)} {
				got := strings.Join(slices.Sorted(maps.Keys(o.Branches)), "; ")
				if diff := cmp.Diff(tc.want, got); diff != "" || o.Class != Completed {
					t.Errorf("%s, %v (-want +got):\n%s", engine, o.Err, diff)
				}
			}
		})
	}
}
