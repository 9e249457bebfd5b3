package main

import (
	"fmt"

	"github.com/plait-dev/plait/pkg/workflow"
	adk "google.golang.org/adk/v2/workflow"
)

// benchCase is a graph on both engines, made in the same way: bodies hand their input on.
type benchCase struct {
	name string
	// nodes is how many activations a run has, by which all numbers are divided. Of a worker those are the items.
	nodes int
	// most is the greatest part of ADK's CPU time and allocations that ours may need; 0 is no goal.
	most float64
	// growsFrom names the smaller case, of which the cost of a node may not grow by more than maxGrowth.
	growsFrom string
	// journal keeps ours in a file; ADK keeps nothing.
	journal bool

	adk  func() (*adk.Workflow, error)
	ours func() (*workflow.Workflow, error)
}

// maxGrowth is how much more a node may cost in a graph that is ten times as large.
const maxGrowth = 1.2

func cases() []benchCase {
	const tenth, fifth = 0.1, 0.2
	return []benchCase{
		chainCase(100, tenth, ""),
		chainCase(1000, tenth, "chain of 100"),
		fanCase(100, tenth, ""),
		fanCase(1000, tenth, "fan-out of 100, join"),
		workerCase(100, fifth, ""),
		workerCase(1000, fifth, "worker over 100"),
		loopCase(100, tenth, ""),
		loopCase(1000, tenth, "loop of 100 laps"),
		nestedCase(8, tenth, ""),
		nestedCase(80, tenth, "nested 8 deep"),
		pureCase(),
		journalCase(),
	}
}

func chainCase(n int, most float64, growsFrom string) benchCase {
	return benchCase{
		name: fmt.Sprintf("chain of %d", n), nodes: n, most: most, growsFrom: growsFrom,
		adk: func() (*adk.Workflow, error) { return adk.New("bench", adk.Chain(adkChain(n)...)) },
		ours: func() (*workflow.Workflow, error) {
			return workflow.New("bench", workflow.Chain(ourChain(n, workflow.NodeConfig{})...))
		},
	}
}

// pureCase is a chain of nodes that promise on our side to be pure; ADK has no such promise.
func pureCase() benchCase {
	c := chainCase(100, 0.1, "")
	c.name = "chain of 100, ours of pure nodes"
	c.ours = func() (*workflow.Workflow, error) {
		return workflow.New("bench", workflow.Chain(ourChain(100, workflow.NodeConfig{Pure: true})...))
	}
	return c
}

// journalCase is a chain that is durable on our side alone.
func journalCase() benchCase {
	c := chainCase(100, 1, "")
	c.name, c.journal = "chain of 100, ours with a journal", true
	return c
}

func adkChain(n int) []adk.Node {
	nodes := []adk.Node{adk.Start}
	for i := range n {
		nodes = append(nodes, adkEcho(fmt.Sprint("n", i)))
	}
	return nodes
}

func ourChain(n int, cfg workflow.NodeConfig) []workflow.Node {
	nodes := []workflow.Node{workflow.Start}
	for i := range n {
		nodes = append(nodes, ourFunction(fmt.Sprint("n", i), cfg))
	}
	return nodes
}

func fanCase(n int, most float64, growsFrom string) benchCase {
	return benchCase{
		name: fmt.Sprintf("fan-out of %d, join", n), nodes: n + 1, most: most, growsFrom: growsFrom,
		adk: func() (*adk.Workflow, error) {
			var edges []adk.Edge
			join := adk.NewJoinNode("join")
			for _, node := range adkChain(n)[1:] {
				edges = append(edges, adk.Edge{From: adk.Start, To: node}, adk.Edge{From: node, To: join})
			}
			return adk.New("bench", edges)
		},
		ours: func() (*workflow.Workflow, error) {
			var edges []workflow.Edge
			join := workflow.NewJoinNode("join")
			for _, node := range ourChain(n, workflow.NodeConfig{})[1:] {
				edges = append(edges, workflow.Edge{From: workflow.Start, To: node}, workflow.Edge{From: node, To: join})
			}
			return workflow.New("bench", edges)
		},
	}
}

func workerCase(n int, most float64, growsFrom string) benchCase {
	list := make([]any, n)
	for i := range list {
		list[i] = "item"
	}
	return benchCase{
		name: fmt.Sprintf("worker over %d", n), nodes: n, most: most, growsFrom: growsFrom,
		adk: func() (*adk.Workflow, error) {
			worker, err := adk.NewParallelWorker("worker", adkEcho("item"), 0, adk.NodeConfig{})
			if err != nil {
				return nil, err
			}
			return adk.New("bench", adk.Chain(adk.Start, adkGives("list", list), worker))
		},
		ours: func() (*workflow.Workflow, error) {
			worker := workflow.NewParallelWorker("worker", ourEcho("item"), 0, workflow.NodeConfig{})
			return workflow.New("bench", workflow.Chain(workflow.Start, ourGives("list", list), worker))
		},
	}
}

func loopCase(laps int, most float64, growsFrom string) benchCase {
	return benchCase{
		name: fmt.Sprintf("loop of %d laps", laps), nodes: 2*laps + 1, most: most, growsFrom: growsFrom,
		adk: func() (*adk.Workflow, error) {
			work, gate, end := adkEcho("work"), adkGate("gate", laps), adkEcho("end")
			return adk.New("bench", append(adk.Chain(adk.Start, work, gate),
				adk.Edge{From: gate, To: work, Route: adk.StringRoute(again)},
				adk.Edge{From: gate, To: end, Route: adk.StringRoute(done)}))
		},
		ours: func() (*workflow.Workflow, error) {
			work, gate, end := ourEcho("work"), ourGate("gate", laps), ourEcho("end")
			return workflow.New("bench", append(workflow.Chain(workflow.Start, work, gate),
				workflow.Edge{From: gate, To: work, Route: workflow.StringRoute(again)},
				workflow.Edge{From: gate, To: end, Route: workflow.StringRoute(done)}))
		},
	}
}

func nestedCase(depth int, most float64, growsFrom string) benchCase {
	return benchCase{
		name: fmt.Sprintf("nested %d deep", depth), nodes: depth + 1, most: most, growsFrom: growsFrom,
		adk: func() (*adk.Workflow, error) {
			node := adkEcho("n")
			for level := depth; level > 0; level-- {
				nested, err := adk.NewWorkflowNode(fmt.Sprint("w", level), adk.Chain(adk.Start, node))
				if err != nil {
					return nil, err
				}
				node = nested
			}
			return adk.New("bench", adk.Chain(adk.Start, node))
		},
		ours: func() (*workflow.Workflow, error) {
			node := ourEcho("n")
			for level := depth; level > 0; level-- {
				name := fmt.Sprint("w", level)
				inner, err := workflow.New(name, workflow.Chain(workflow.Start, node))
				if err != nil {
					return nil, err
				}
				node = workflow.NewWorkflowNode(name, inner, workflow.NodeConfig{})
			}
			return workflow.New("bench", workflow.Chain(workflow.Start, node))
		},
	}
}
