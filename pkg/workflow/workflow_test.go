package workflow_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/workflow"
)

// Everything that is wrong is reported at once (D29, D35).
func TestNew_reports_all_problems(t *testing.T) {
	half := 1.5
	l := newLab()
	l.config["bad@name"] = workflow.NodeConfig{Timeout: -time.Second, MaxVisits: -1, Retry: &workflow.RetryConfig{
		MaxAttempts: -1, InitialDelay: -1, MaxDelay: -1, BackoffFactor: -1, Jitter: &half}}
	edges := l.edges("START -> bad@name -> a -> a; a -> b; island -> b")
	edges = append(edges, workflow.Edge{From: workflow.Start}, workflow.Edge{From: workflow.NewNode("empty", nil, workflow.NodeConfig{}), To: edges[0].To},
		workflow.Edge{From: workflow.NewJoinNode("a"), To: edges[0].To})
	_, err := workflow.New("test", edges)
	var def *workflow.DefinitionError
	if !errors.As(err, &def) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range def.Problems {
		got = append(got, string(p.Rule))
	}
	want := []string{"unknown-reference", "bad-name", "duplicate-name", "unconditional-cycle", "unreachable"}
	for _, rule := range want {
		if !strings.Contains(fmt.Sprint(got), rule) {
			t.Errorf("%s is missing in %v", rule, got)
		}
	}
	for _, text := range []string{"workflow test:\n", `node "bad@name": Timeout is -1s; it must be 0 or more`, "MaxVisits is -1",
		"Retry.MaxAttempts is -1", "Retry.InitialDelay is -1ns", "Retry.MaxDelay is -1ns", "Retry.BackoffFactor is -1",
		"Retry.Jitter is 1.5; it must be from 0 to 1", `node "empty": the body is nil; it must be a function`, "edge 5 has a nil node"} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q is missing in\n%v", text, err)
		}
	}
}

func TestNew_warnings_are_no_errors(t *testing.T) {
	w := newLab().build(t, "START -> a -[x]-> b")
	var rules []string
	for _, p := range w.Warnings() {
		rules = append(rules, string(p.Rule))
	}
	if diff := cmp.Diff([]string{"no-default"}, rules); diff != "" || w.Name() != "test" {
		t.Errorf("%s: %s", w.Name(), diff)
	}
}

// A node may stand in several workflows, and a workflow may run many times at once.
func TestWorkflow_is_immutable(t *testing.T) {
	l := newLab()
	shared := l.node("a")
	var outputs [8]any
	done := make(chan int)
	for i := range outputs {
		w, err := workflow.New(fmt.Sprint("w", i%2), workflow.Chain(workflow.Start, shared))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			outputs[i] = run(w, workflow.RunRequest{}).output
			done <- i
		}()
	}
	for range outputs {
		<-done
	}
	for i, out := range outputs {
		if out != "a@1" {
			t.Errorf("run %d gave %v", i, out)
		}
	}
}

func TestChain(t *testing.T) {
	l := newLab()
	a, b := l.node("a"), l.node("b")
	if edges := workflow.Chain(workflow.Start, a, b); len(edges) != 2 || edges[1].From != a || edges[1].To != b {
		t.Errorf("%v", edges)
	}
	if edges := workflow.Chain(a); len(edges) != 0 {
		t.Errorf("%v", edges)
	}
}
