package workflow

import (
	"fmt"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// Problem is one finding about the definition of a workflow.
type Problem = graph.Problem

// BadConfig is the rule of problems in a [NodeConfig]; the rules of the graph are those of package graph.
const BadConfig graph.Rule = "bad-config"

// Workflow is a checked graph of nodes. It is immutable: any number of runs may use it at once.
type Workflow struct {
	name           string
	graph          *graph.Graph
	nodes          []*node
	warnings       []Problem
	maxConcurrency int
	stateCheck     func(key string, value any) error // nil: anything may be written
}

// Option changes how a workflow runs.
type Option interface{ apply(w *Workflow) }

type optionFunc func(*Workflow)

func (f optionFunc) apply(w *Workflow) { f(w) }

// WithMaxConcurrency bounds how many activations do work at once. Joins and pure nodes don't count, nor does an
// activation that waits for its next attempt. 0, the default, is no bound.
func WithMaxConcurrency(n int) Option { return optionFunc(func(w *Workflow) { w.maxConcurrency = n }) }

// New checks a graph and makes a workflow of it. Its nodes are those that the edges name, in the order of their first
// mention. Everything that is wrong is reported at once, in a *[DefinitionError].
func New(name string, edges []Edge, opts ...Option) (*Workflow, error) {
	w := &Workflow{name: name}
	for _, o := range opts {
		o.apply(w)
	}
	spec, problems := w.spec(edges)
	g, found := graph.Compile(spec)
	problems = append(problems, found...)
	for i, n := range w.nodes {
		problems = append(problems, checkConfig(i, n)...)
	}
	isWarning := func(p Problem) bool { return p.Warning }
	w.warnings = slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool { return !isWarning(p) })
	if problems = slices.DeleteFunc(problems, isWarning); len(problems) > 0 {
		return nil, &DefinitionError{Workflow: name, Problems: problems}
	}
	w.graph = g
	return w, nil
}

// Name returns the workflow's name.
func (w *Workflow) Name() string { return w.name }

// Warnings returns what is legal in the graph but probably not meant.
func (w *Workflow) Warnings() []Problem { return slices.Clone(w.warnings) }

// spec collects the nodes and describes the graph to the checks.
func (w *Workflow) spec(edges []Edge) (graph.Spec, []Problem) {
	var spec graph.Spec
	var problems []Problem
	known := map[*node]bool{}
	for i, e := range edges {
		if isNil(e.From) || isNil(e.To) {
			problems = append(problems, Problem{Rule: graph.UnknownReference, Node: -1, Edge: i,
				Message: fmt.Sprintf("edge %d has a nil node as one of its ends", i)})
			continue
		}
		for _, end := range []Node{e.From, e.To} {
			if d := end.definition(); d.kind != kindStart && !known[d] {
				known[d] = true
				w.nodes = append(w.nodes, d)
				spec.Nodes = append(spec.Nodes, graph.Node{ID: d.name, Join: d.kind == kindJoin})
			}
		}
		ge := graph.Edge{From: e.From.Name(), To: e.To.Name()}
		if e.Route != nil {
			ge.Routes = e.Route.texts()
		}
		spec.Edges = append(spec.Edges, ge)
	}
	return spec, problems
}

func isNil(n Node) bool {
	d, ok := n.(*node)
	return n == nil || ok && d == nil
}

// checkConfig reports settings outside their range.
func checkConfig(i int, n *node) []Problem {
	var problems []Problem
	bad := func(setting string, value any, want string) {
		problems = append(problems, Problem{Rule: BadConfig, Node: i, Edge: -1,
			Message: fmt.Sprintf("node %q: %s is %v; it must be %s", n.name, setting, value, want)})
	}
	notNegative := func(setting string, d time.Duration) {
		if d < 0 {
			bad(setting, d, "0 or more")
		}
	}
	notNegative("Timeout", n.cfg.Timeout)
	if n.cfg.MaxVisits < 0 {
		bad("MaxVisits", n.cfg.MaxVisits, "0 or more")
	}
	switch {
	case n.kind == kindWorkflow && n.inner == nil:
		bad("the workflow", "nil", "made by New")
	case n.kind == kindWorker && (n.item == nil || n.item.kind == kindJoin || n.item.kind == kindStart):
		bad("what is done for each item", "missing, a join or START", "a node that can run by itself")
	case n.kind == kindWorker && n.maxConcurrency < 0:
		bad("maxConcurrency", n.maxConcurrency, "0 or more")
	case n.kind == kindWorker:
		problems = append(problems, checkConfig(i, n.item)...)
	case n.kind == kindTeam:
		problems = append(problems, n.team.problems(i, n)...)
	case n.kind == kindDynamic && n.maxChildren < 0:
		bad("MaxChildren", n.maxChildren, "0 or more")
	case n.body == nil && n.kind != kindJoin && n.kind != kindWorkflow:
		bad("the body", "nil", "a function")
	}
	r := n.cfg.Retry
	if r == nil {
		return problems
	}
	if r.MaxAttempts < 0 {
		bad("Retry.MaxAttempts", r.MaxAttempts, "0 or more")
	}
	notNegative("Retry.InitialDelay", r.InitialDelay)
	notNegative("Retry.MaxDelay", r.MaxDelay)
	if r.BackoffFactor < 0 {
		bad("Retry.BackoffFactor", r.BackoffFactor, "0 or more")
	}
	if r.Jitter != nil && (*r.Jitter < 0 || *r.Jitter > 1) {
		bad("Retry.Jitter", *r.Jitter, "from 0 to 1")
	}
	return problems
}
