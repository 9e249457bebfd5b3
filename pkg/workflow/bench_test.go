package workflow_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// chainOf is a chain of nodes that hand their input on.
func chainOf(tb testing.TB, n int, cfg workflow.NodeConfig) *workflow.Workflow {
	nodes := []workflow.Node{workflow.Start}
	for i := range n {
		nodes = append(nodes, workflow.NewFunctionNode(fmt.Sprintf("n%d", i),
			func(_ *workflow.Context, in any) (any, error) { return in, nil }, cfg))
	}
	w, err := workflow.New("chain", workflow.Chain(nodes...))
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// fanOf is a fan-out to n nodes and a join.
func fanOf(tb testing.TB, n int) *workflow.Workflow {
	join := workflow.NewJoinNode("join")
	var edges []workflow.Edge
	for i := range n {
		node := workflow.NewFunctionNode(fmt.Sprintf("n%d", i),
			func(_ *workflow.Context, in any) (any, error) { return in, nil }, workflow.NodeConfig{})
		edges = append(edges, workflow.Edge{From: workflow.Start, To: node}, workflow.Edge{From: node, To: join})
	}
	w, err := workflow.New("fan", edges)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// loopOf is a loop of n laps.
func loopOf(tb testing.TB, n int) *workflow.Workflow {
	work := workflow.NewFunctionNode("work", func(_ *workflow.Context, in any) (any, error) { return in, nil }, workflow.NodeConfig{})
	again, leave := []string{"again"}, []string{"leave"}
	gate := workflow.NewNode("gate", func(ctx *workflow.Context, in any) (workflow.Result, error) {
		if visit(ctx) < n {
			return workflow.Result{Output: in, Routes: again}, nil
		}
		return workflow.Result{Output: in, Routes: leave}, nil
	}, workflow.NodeConfig{})
	end := workflow.NewFunctionNode("end", func(_ *workflow.Context, in any) (any, error) { return in, nil }, workflow.NodeConfig{})
	w, err := workflow.New("loop", append(workflow.Chain(workflow.Start, work, gate),
		workflow.Edge{From: gate, To: work, Route: workflow.StringRoute("again")},
		workflow.Edge{From: gate, To: end, Route: workflow.StringRoute("leave")}))
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// listOf is a worker over n items.
func listOf(tb testing.TB, n int) *workflow.Workflow {
	item := workflow.NewFunctionNode("item", func(_ *workflow.Context, in any) (any, error) { return in, nil }, workflow.NodeConfig{})
	list := make([]any, n)
	w, err := workflow.New("list", workflow.Chain(workflow.Start,
		workflow.NewParallelWorker("each", item, 0, workflow.NodeConfig{Input: func(*workflow.Context) (any, error) { return list, nil }})))
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// nestedOf is a node below n graphs in each other.
func nestedOf(tb testing.TB, n int) *workflow.Workflow {
	node := workflow.NewFunctionNode("leaf", func(_ *workflow.Context, in any) (any, error) { return in, nil }, workflow.NodeConfig{})
	var w *workflow.Workflow
	for range n {
		var err error
		if w, err = workflow.New("w", workflow.Chain(workflow.Start, node)); err != nil {
			tb.Fatal(err)
		}
		node = workflow.NewWorkflowNode("w", w, workflow.NodeConfig{})
	}
	return w
}

// consume ranges over a run and fails if it doesn't complete.
func consume(tb testing.TB, w *workflow.Workflow, req workflow.RunRequest) {
	for _, err := range w.Run(context.Background(), req) {
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for _, bench := range []struct {
		name     string
		workflow *workflow.Workflow
		nodes    int
		stored   bool
	}{
		{"chain-100", chainOf(b, 100, workflow.NodeConfig{}), 100, false},
		{"chain-100-pure", chainOf(b, 100, workflow.NodeConfig{Pure: true}), 100, false},
		{"chain-100-memory", chainOf(b, 100, workflow.NodeConfig{}), 100, true},
		{"fan-100", fanOf(b, 100), 101, false},
		{"fan-1000", fanOf(b, 1000), 1001, false},
		{"loop-500", loopOf(b, 500), 1001, false},
		{"list-100", listOf(b, 100), 100, false},
		{"list-1000", listOf(b, 1000), 1000, false},
		{"nested-8", nestedOf(b, 8), 8, false},
		{"nested-80", nestedOf(b, 80), 80, false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := workflow.RunRequest{Input: "x"}
				if bench.stored {
					req.Store = memory.New()
				}
				consume(b, bench.workflow, req)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*bench.nodes), "ns/node")
		})
	}
}

// The engine is frugal: an activation of a chain costs few allocations, and twice as many nodes cost twice as much.
func TestCost_allocations_per_node(t *testing.T) {
	allocs := func(w *workflow.Workflow) float64 {
		return testing.AllocsPerRun(20, func() { consume(t, w, workflow.RunRequest{Input: "x"}) })
	}
	for _, tc := range []struct {
		name         string
		small, large *workflow.Workflow
		added        float64
		most         float64
	}{
		{"chain", chainOf(t, 100, workflow.NodeConfig{}), chainOf(t, 200, workflow.NodeConfig{}), 100, 0.5},
		{"pure chain", chainOf(t, 100, workflow.NodeConfig{Pure: true}), chainOf(t, 200, workflow.NodeConfig{Pure: true}), 100, 0.5},
		{"loop", loopOf(t, 100), loopOf(t, 200), 200, 1},
		{"fan-out and join", fanOf(t, 100), fanOf(t, 200), 100, 1},
		{"list", listOf(t, 100), listOf(t, 200), 100, 1},
		{"nested", nestedOf(t, 8), nestedOf(t, 16), 8, 6},
	} {
		if per := (allocs(tc.large) - allocs(tc.small)) / tc.added; per > tc.most {
			t.Errorf("%s: %.1f allocations per node, at most %.1f", tc.name, per, tc.most)
		}
	}
}
