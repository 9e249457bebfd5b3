package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// turns is an agent of several turns, each with a tool call, that goes on from the last turn that is recorded.
type turns struct {
	n      int
	called []string // calls that were carried out
	fail   int      // the turn in which the first attempt fails
}

func (a *turns) Name() string { return "agent" }

func (a *turns) Run(ctx *workflow.Context, input any) (workflow.Result, error) {
	own := ctx.Session().Own
	for turn := len(own) / 2; turn < a.n; turn++ {
		if turn+1 == a.fail && ctx.Attempt() == 1 {
			return workflow.Result{}, errors.New("the provider is down")
		}
		id := fmt.Sprintf("c%d", turn+1)
		wish := journal.Msg{Role: journal.RoleModel, Author: "agent", Parts: []journal.Part{journal.ToolCall{ID: id, Name: "tool"}}}
		if err := ctx.Commit(wish, journal.Call{ID: id, Tool: "tool"}); err != nil {
			return workflow.Result{}, err
		}
		a.called = append(a.called, id)
		if err := ctx.State().Set("last", id); err != nil {
			return workflow.Result{}, err
		}
		result := journal.Msg{Role: journal.RoleTool, Parts: []journal.Part{journal.ToolResult{ID: id, Text: "done"}}}
		if err := ctx.Commit(result); err != nil {
			return workflow.Result{}, err
		}
	}
	return workflow.Result{Output: fmt.Sprintf("%v after %d turns", input, a.n)}, nil
}

func agentWorkflow(t *testing.T, a workflow.Agent, cfg workflow.NodeConfig) *workflow.Workflow {
	t.Helper()
	w, err := workflow.New("test", workflow.Chain(workflow.Start, workflow.NewAgentNode(a, cfg)))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A retry of an agent goes on from its last finished turn, with or without a store.
func TestE35_T2_a_retry_goes_on_from_the_last_turn(t *testing.T) {
	for _, store := range []journal.Store{nil, memory.New()} {
		synctest.Test(t, func(t *testing.T) {
			a := &turns{n: 3, fail: 3}
			got := run(agentWorkflow(t, a, retrying()), workflow.RunRequest{Store: store, Input: "in"})
			if got.output != "in after 3 turns" || got.err != nil {
				t.Errorf("output %v, %v", got.output, got.err)
			}
			if diff := cmp.Diff([]string{"c1", "c2", "c3"}, a.called); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An agent's turns are durable and seen one by one; the state of a turn is part of its last message.
func TestE54_each_turn_is_a_commit(t *testing.T) {
	store := memory.New()
	got := run(agentWorkflow(t, &turns{n: 1}, workflow.NodeConfig{}),
		workflow.RunRequest{Store: store, Session: "s", Message: &journal.Msg{Role: journal.RoleUser, ID: "m0"}, Env: workflow.Env{IDs: ids()}})
	want := []string{"session", "run | msg | start agent@1 from [START]", "msg | call", "msg", "end agent@1 next [] | done completed"}
	if diff := cmp.Diff(want, written(t, store, "s")); diff != "" {
		t.Error(diff)
	}
	kinds := got.of(workflow.MessageAdded, workflow.CallIntended)
	if diff := cmp.Diff([]string{"message agent@1", "call agent@1", "message agent@1"}, kinds); diff != "" {
		t.Error(diff)
	}
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	thread := fold.Thread(fold.Tip, "")
	if len(thread) != 3 || thread[0].ID != "m0" || thread[1].Parent != "m0" || thread[2].Parent != thread[1].ID {
		t.Errorf("the messages don't follow each other: %v", thread)
	}
	if m, _ := thread[2].Record.(journal.Msg); m.Path != "agent@1" || !cmp.Equal(m.Set, map[string]any{"last": "c1"}) {
		t.Errorf("the last message is %v", m)
	}
}

// Whenever the process dies, no turn that is recorded is repeated, and a call whose result isn't known is told.
func TestCrash_at_every_append_of_an_agent(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for _, m := range []storetest.Moment{storetest.Before, storetest.After} {
			store := memory.New()
			first := &turns{n: 2}
			run(agentWorkflow(t, first, workflow.NodeConfig{}),
				workflow.RunRequest{Store: storetest.NewFaulty(store, n, m), Session: "s", Run: "r", Input: "in"})
			second := &turns{n: 2}
			got := resume(agentWorkflow(t, second, workflow.NodeConfig{}), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
			if codeOf(got.err) == workflow.CodeRequest {
				continue // nothing of the run was written
			}
			if got.output != "in after 2 turns" {
				t.Errorf("crash %s append %d: output %v, %v", m, n, got.output, got.err)
			}
		}
	}
}

func TestSession_open_calls_are_told(t *testing.T) {
	store := memory.New()
	first := &turns{n: 1}
	// session, start, wish and call, result: dies before the result
	run(agentWorkflow(t, first, workflow.NodeConfig{}),
		workflow.RunRequest{Store: storetest.NewFaulty(store, 4, storetest.Before), Session: "s", Run: "r"})
	probe := agentFunc(func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		var open []string
		for _, c := range ctx.Session().Calls {
			open = append(open, c.Call.ID)
		}
		return workflow.Result{Output: open}, nil
	})
	got := resume(agentWorkflow(t, probe, workflow.NodeConfig{}), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
	if diff := cmp.Diff(any([]any{"c1"}), got.output); diff != "" || got.err != nil {
		t.Errorf("%s%v", diff, got.err)
	}
}

// agentFunc makes an agent of a function.
type agentFunc body

func (agentFunc) Name() string { return "agent" }

func (f agentFunc) Run(ctx *workflow.Context, input any) (workflow.Result, error) {
	return f(ctx, input)
}

func TestCommit_refuses_what_is_not_an_agents(t *testing.T) {
	for _, tc := range []struct {
		name   string
		record journal.Record
		cfg    workflow.NodeConfig
	}{
		{"the engine's records", journal.End{Path: "agent@1"}, workflow.NodeConfig{}},
		{"pure nodes", journal.Msg{Role: journal.RoleModel}, pure()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := agentFunc(func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{}, ctx.Commit(tc.record)
			})
			if got := run(agentWorkflow(t, a, tc.cfg), workflow.RunRequest{Store: memory.New()}); codeOf(got.err) != workflow.CodeJournal {
				t.Errorf("%v", got.err)
			}
		})
	}
}

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
		time.Sleep(time.Second)
	})
}

func TestE56_branches(t *testing.T) {
	for _, tc := range []struct {
		name, graph string
		want        map[string]string
	}{
		{"a chain stays on the trunk", "START -> a -> b", map[string]string{"a@1": "", "b@1": ""}},
		{"fan-out", "START -> a -> b -> c; a -> d", map[string]string{"a@1": "", "b@1": "b@1", "c@1": "b@1", "d@1": "d@1"}},
		{"below a fan-out", "START -> a -> c -> J -> e; a -> d -> J; START -> b",
			map[string]string{"a@1": "a@1", "b@1": "b@1", "c@1": "a@1.c@1", "d@1": "a@1.d@1", "e@1": "a@1"}},
		{"a join back on the trunk", "START -> a -> J -> c; START -> b -> J", map[string]string{"c@1": ""}},
		{"a join doesn't count as a successor", "START -> a -> b; a -> J -> c", map[string]string{"b@1": "", "c@1": ""}},
		{"names that begin alike", "START -> a -> J -> c; START -> ab -> J", map[string]string{"c@1": ""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			if got := run(l.build(t, tc.graph), workflow.RunRequest{}); got.err != nil {
				t.Fatal(got.err)
			}
			for _, c := range l.calls {
				if want, ok := tc.want[c.path]; ok && c.branch != want {
					t.Errorf("%s is on %q, want %q", c.path, c.branch, want)
				}
			}
		})
	}
}

// Ordinals are those of the activation, not always 1.
func TestE56_ordinals(t *testing.T) {
	l := newLab().routes("g", "again")
	run(l.build(t, "START -> a -> b -> J -> g -[again]-> a; a -> c -> J; g -[done]-> end"), workflow.RunRequest{})
	for _, c := range l.calls {
		if c.path == "b@2" && c.branch != "b@2" {
			t.Errorf("b@2 is on %q", c.branch)
		}
	}
}
