package workflow_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// works is an agent that takes its time, in so many pieces, as one of a part.
type works struct {
	part   workflow.Part
	pieces int
}

const piece = 10 * time.Second

func (*works) Name() string { return "agent" }

func (a *works) Run(ctx *workflow.Context, _ any) (workflow.Result, error) {
	inside, leave := ctx.Enter(a.part)
	defer leave()
	for range a.pieces {
		select {
		case <-time.After(piece):
		case <-inside.Done():
			return workflow.Result{}, context.Cause(inside)
		}
		if err := ctx.Commit(journal.Msg{Role: journal.RoleModel, Author: "agent"}); err != nil {
			return workflow.Result{}, err
		}
	}
	return workflow.Result{Output: "done"}, nil
}

func lasting(d time.Duration) workflow.Part {
	return workflow.Part{Name: "the agent", Author: "agent", Limits: workflow.PartLimits{MaxDuration: d}}
}

// The time of a part is that in which an activation of it executes, over all of them.
func TestPart_executes_for_too_long(t *testing.T) {
	cases := []struct {
		name  string
		graph string
		limit time.Duration
		want  string // the error, empty for none
		after time.Duration
	}{
		{"in time", "START -> x", 30 * time.Second, "", 20 * time.Second},
		{"too long", "START -> x", 15 * time.Second, "x@1: limit max_duration reached: 15s of 15s used", 15 * time.Second},
		{"one after the other", "START -> x -> y", 35 * time.Second, "y@1: limit max_duration reached: 35s of 35s used", 35 * time.Second},
		{"at the same time", "START -> x, START -> y", 30 * time.Second, "", 20 * time.Second},
		{"both at once too long", "START -> x, START -> y", 15 * time.Second, "@1: limit max_duration reached: 15s of 15s used", 15 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab()
				for _, node := range []string{"x", "y"} {
					l.does(node, (&works{part: lasting(c.limit), pieces: 2}).Run)
				}
				w, began := l.build(t, c.graph), time.Now()
				got := run(w, workflow.RunRequest{Store: memory.New(), Session: "s", Run: "r"})
				if took := time.Since(began); took != c.after {
					t.Errorf("it took %v", took)
				}
				switch {
				case c.want == "" && got.err != nil:
					t.Error(got.err)
				case c.want != "" && (codeOf(got.err) != workflow.CodeLimit || !strings.HasSuffix(got.err.Error(), c.want)):
					t.Errorf("it ended with %v", got.err)
				}
			})
		})
	}
}

// A child keeps the time of the agent that called it.
func TestPart_ends_what_is_below_it(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		child := workflow.NewNamedAgentNode("child", &works{pieces: 9}, workflow.NodeConfig{})
		parent := workflow.NewManagingAgentNode("agent", callsChild{child}, workflow.DynamicConfig{MaxChildren: 1})
		w, err := workflow.New("test", workflow.Chain(workflow.Start, parent))
		if err != nil {
			t.Fatal(err)
		}
		got := run(w, workflow.RunRequest{Store: memory.New(), Session: "s", Run: "r"})
		var failed *workflow.RunError
		want := "agent@1: child: limit max_duration of the agent reached: 15s of 15s used"
		if !errors.As(got.err, &failed) || got.err.Error() != want || failed.Code != workflow.CodeLimit {
			t.Errorf("it ended with %v", got.err)
		}
	})
}

// callsChild is an agent that has another one do its work.
type callsChild struct{ child workflow.Node }

func (callsChild) Name() string { return "agent" }

func (a callsChild) Run(ctx *workflow.Context, _ any) (workflow.Result, error) {
	_, leave := ctx.Enter(lasting(15 * time.Second))
	defer leave()
	_, err := workflow.RunNode(ctx, a.child, nil)
	if failed, ok := errors.AsType[*workflow.NodeError](err); ok {
		return workflow.Result{}, workflow.Errorf(failed.Code, "child: %s", failed.Message)
	}
	return workflow.Result{}, err
}

// What earlier processes executed counts, up to their last entry; that nobody executed in between doesn't.
func TestPart_time_over_processes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.Store(memory.New())
		a := &works{part: lasting(25 * time.Second), pieces: 9}
		w := agentWorkflow(t, a, workflow.NodeConfig{})
		run(w, workflow.RunRequest{Store: storetest.NewFaulty(store, 4, storetest.Before), Session: "s", Run: "r"})
		time.Sleep(time.Hour)
		began := time.Now()
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if took := time.Since(began); codeOf(got.err) != workflow.CodeLimit || took >= 25*time.Second || took < 5*time.Second {
			t.Errorf("it ended after %v more with %v", took, got.err)
		}
	})
}
