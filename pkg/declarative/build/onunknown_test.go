package build_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// pay is a tool with an effect, which fails its first calls.
type pay struct{ calls, failures int }

func (*pay) Spec() core.Spec { return core.Spec{Name: "pay"} }

func (p *pay) Run(context.Context, core.Call) (core.Result, error) {
	if p.calls++; p.calls <= p.failures {
		return core.Result{}, errors.New("the bank is closed")
	}
	return core.TextResult("paid"), nil
}

// paying makes a workflow of one tool node with an ERROR edge.
func paying(t *testing.T, onUnknown string, tool core.Tool) *workflow.Workflow {
	t.Helper()
	doc, found := declarative.Load("document.yaml", fmt.Appendf(nil, `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: flow
    agent_class: Workflow
    nodes:
      - { id: pay, type: tool, tool: pay, args: {}, on_unknown: %s, retry: { initial_delay: 1ms } }
      - { id: failed, type: cel, output: input.code }
    edges:
      - { from: START, to: pay }
      - { from: pay, to: failed, route: ERROR }
`, onUnknown))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	system, found := build.Build(checked, build.Options{Tools: map[string]core.Tool{"pay": tool}})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	return system.Workflow()
}

// output plays a run to its end. The process dies at the n-th append, if n isn't 0, before anything is written.
func output(t *testing.T, wf *workflow.Workflow, n int) any {
	t.Helper()
	healthy := memory.New()
	var out any
	see := func(e workflow.Event, err error) {
		if e.Kind == workflow.RunCompleted {
			out = e.Output
		} else if err != nil && n == 0 {
			t.Fatal(err)
		}
	}
	req := workflow.RunRequest{Store: healthy, Session: "s", Run: "r", Input: "x"}
	if n > 0 {
		req.Store = storetest.NewFaulty(healthy, n, storetest.Before)
	}
	for e, err := range wf.Run(t.Context(), req) {
		see(e, err)
	}
	if n > 0 {
		for e, err := range wf.Resume(t.Context(), workflow.ResumeRequest{Store: healthy, Session: "s", Run: "r"}) {
			see(e, err)
		}
	}
	return out
}

func TestAToolWhoseOutcomeIsUnknown(t *testing.T) {
	for _, c := range []struct {
		onUnknown string
		failures  int
		dies      int // at this append
		want      string
		calls     int
	}{
		{"fail", 0, 0, "map[output:paid]", 1},
		{"fail", 2, 0, "map[output:paid]", 3},  // the outcome of an attempt that failed is known
		{"fail", 0, 3, "map[output:paid]", 1},  // before its intent was recorded
		{"fail", 0, 4, "outcome-unknown", 1},   // before its end was
		{"retry", 0, 3, "map[output:paid]", 2}, // there is no intent
	} {
		tool := &pay{failures: c.failures}
		got := fmt.Sprint(output(t, paying(t, c.onUnknown, tool), c.dies))
		if got != c.want || tool.calls != c.calls {
			t.Errorf("%+v: the output is %s after %d calls", c, got, tool.calls)
		}
	}
}

func TestAToolWhoseOutcomeIsUnknownWithoutAStore(t *testing.T) {
	for e, err := range paying(t, "fail", &pay{}).Run(t.Context(), workflow.RunRequest{Input: "x"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == workflow.RunCompleted && fmt.Sprint(e.Output) != "map[output:paid]" {
			t.Errorf("the output is %v", e.Output)
		}
	}
}
