package workflow_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plait-dev/plait/pkg/workflow"
)

// started runs a graph and returns what its last node, "count", was told of the goroutines of the run.
func started(t *testing.T, edges func(count workflow.Node) []workflow.Edge) int {
	t.Helper()
	got := 0
	count := workflow.NewFunctionNode("count", func(ctx *workflow.Context, _ any) (any, error) {
		got = workflow.Goroutines(ctx)
		return got, nil
	}, workflow.NodeConfig{})
	w, err := workflow.New("test", edges(count))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range w.Run(context.Background(), workflow.RunRequest{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func echo(name string) workflow.Node {
	return workflow.NewFunctionNode(name, func(_ *workflow.Context, in any) (any, error) { return in, nil }, workflow.NodeConfig{})
}

// One after the other needs one goroutine, however many there are.
func TestCrew_a_chain_is_one_goroutine(t *testing.T) {
	got := started(t, func(count workflow.Node) []workflow.Edge {
		nodes := []workflow.Node{workflow.Start}
		for i := range 500 {
			nodes = append(nodes, echo(fmt.Sprint("n", i)))
		}
		return workflow.Chain(append(nodes, count)...)
	})
	if got != 1 {
		t.Errorf("%d goroutines", got)
	}
}

// Many bodies that don't block need few goroutines.
func TestCrew_bodies_that_return_share_goroutines(t *testing.T) {
	const n = 2000
	got := started(t, func(count workflow.Node) []workflow.Edge {
		list := workflow.NewFunctionNode("list", func(*workflow.Context, any) (any, error) { return make([]any, n), nil }, workflow.NodeConfig{})
		return workflow.Chain(workflow.Start, list, workflow.NewParallelWorker("each", echo("item"), 0, workflow.NodeConfig{}), count)
	})
	t.Log(got, "goroutines")
	if most := n / 10; got > most {
		t.Errorf("%d goroutines for %d items, at most %d", got, n, most)
	}
}

// No body waits for one that blocks: all of them have begun before any of them returns.
func TestCrew_bodies_that_block_delay_none(t *testing.T) {
	const n = 300
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		all.Add(n)
		got := started(t, func(count workflow.Node) []workflow.Edge {
			join := workflow.NewJoinNode("join")
			edges := workflow.Chain(join, count)
			for i := range n {
				node := workflow.NewFunctionNode(fmt.Sprint("n", i), func(*workflow.Context, any) (any, error) {
					all.Done()
					all.Wait()
					return nil, nil
				}, workflow.NodeConfig{})
				edges = append(edges, workflow.Edge{From: workflow.Start, To: node}, workflow.Edge{From: node, To: join})
			}
			return edges
		})
		if got < n || got > n+1 {
			t.Errorf("%d goroutines for %d bodies that block", got, n)
		}
	})
}

// A body that takes its goroutine with it, by ending it or by never returning, takes no other body with it.
func TestCrew_goroutines_that_are_lost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ends", func(*workflow.Context, any) (workflow.Result, error) {
			runtime.Goexit()
			return workflow.Result{}, nil
		})
		l.does("deaf", func(*workflow.Context, any) (workflow.Result, error) {
			time.Sleep(24 * time.Hour)
			return workflow.Result{}, nil
		})
		l.config["deaf"] = workflow.NodeConfig{Timeout: time.Minute}
		got := run(l.build(t, "START -> ends -[ERROR]-> deaf -[ERROR]-> a -> b"), workflow.RunRequest{})
		if got.output != "b@1" || got.err != nil {
			t.Errorf("output %v, %v", got.output, got.err)
		}
		time.Sleep(48 * time.Hour) // the deaf one ends
	})
}
