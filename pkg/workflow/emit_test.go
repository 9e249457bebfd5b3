package workflow_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/plait-dev/plait/pkg/workflow"
)

// Progress is seen in order, and the node goes on when it was seen.
func TestEmit_waits_for_the_watcher(t *testing.T) {
	seen := 0
	node := workflow.NewEmittingFunctionNode("a", func(_ *workflow.Context, in string, emit func(workflow.Progress)) (string, error) {
		for i := range 3 {
			emit(workflow.Progress{Text: fmt.Sprint(i)})
			if seen != i+1 {
				return "", fmt.Errorf("%d were seen when %d was emitted", seen, i)
			}
		}
		return in, nil
	}, workflow.NodeConfig{})
	w, err := workflow.New("test", workflow.Chain(workflow.Start, node))
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range w.Run(context.Background(), workflow.RunRequest{Input: "x"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == workflow.Progressed {
			if e.Progress.Text != fmt.Sprint(seen) || e.Path != "a@1" {
				t.Errorf("progress %d is %v of %s", seen, e.Progress, e.Path)
			}
			seen++
		}
	}
	if seen != 3 {
		t.Errorf("saw %d", seen)
	}
}

// A caller that breaks off in the middle of progress gets its goroutine back, and so does the body.
func TestEmit_and_a_caller_that_breaks_off(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			for ctx.Err() == nil {
				ctx.Emit(workflow.Progress{})
			}
			ended = true
			return workflow.Result{}, ctx.Err()
		})
		for e := range l.build(t, "START -> a").Run(t.Context(), workflow.RunRequest{}) {
			if e.Kind == workflow.Progressed {
				break
			}
		}
		if !ended {
			t.Error("the body still runs")
		}
	})
}
