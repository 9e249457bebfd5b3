package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

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
		workflow.RunRequest{Store: store, Session: "s", Message: &journal.Msg{Role: journal.RoleUser, ID: "m0"}, Env: workflow.Env{IDs: ids("1")}})
	want := []string{"session", "run | msg | start agent@1 from [START]", "msg | call", "msg", "end agent@1 next [] | done completed"}
	if diff := cmp.Diff(want, written(t, store)); diff != "" {
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
	thread := fold.Thread(fold.Tip, journal.View{})
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

// A transcript tells an activation's own messages and calls apart from those of others: of another run of the session,
// and of another agent that works at the same time.
func TestSession_own_and_others(t *testing.T) {
	store := memory.New()
	before := single(t, workflow.NewNamedAgentNode("a", &turns{n: 1}, workflow.NodeConfig{}))
	if got := run(before, workflow.RunRequest{Store: store, Session: "s", Run: "r1"}); got.err != nil {
		t.Fatal(got.err)
	}
	leavesOpen := func(call string, barrier chan struct{}) agentFunc {
		return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if n := len(ctx.Session().Own); n != 0 {
				t.Errorf("%s begins with %d messages", ctx.Path(), n)
			}
			err := ctx.Commit(journal.Msg{Role: journal.RoleModel}, journal.Call{ID: call, Tool: "tool"})
			barrier <- struct{}{}
			<-barrier
			tr := ctx.Session()
			if len(tr.Own) != 1 || len(tr.Calls) != 1 || tr.Calls[0].Call.ID != call {
				t.Errorf("%s sees %v and %v", ctx.Path(), tr.Own, tr.Calls)
			}
			return workflow.Result{}, err
		}
	}
	first, second := make(chan struct{}), make(chan struct{})
	a := workflow.NewNamedAgentNode("a", leavesOpen("c1", first), workflow.NodeConfig{})
	b := workflow.NewNamedAgentNode("b", leavesOpen("c1b", second), workflow.NodeConfig{})
	w, err := workflow.New("test", append(workflow.Chain(workflow.Start, a), workflow.Chain(workflow.Start, b)...))
	if err != nil {
		t.Fatal(err)
	}
	go func() { // both have committed before either looks
		<-first
		<-second
		first <- struct{}{}
		second <- struct{}{}
	}()
	if got := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r2"}); got.err != nil {
		t.Error(got.err)
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

// A checkpoint stands in the thread like a message, a note is a warning of the run, and a message may carry state of
// its own.
func TestCommit_checkpoints_notes_and_state(t *testing.T) {
	store := memory.New()
	a := agentFunc(func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		first := journal.Msg{ID: "m1", Role: journal.RoleModel, Set: map[string]any{"k": int64(1), "old": true}}
		second := journal.Msg{Role: journal.RoleModel, Set: map[string]any{"k": int64(2)}, Delete: []string{"old"}}
		if err := ctx.Commit(first, journal.Sum{Text: "so far", Upto: "m1"}, journal.Note{Code: "odd"}, second); err != nil {
			return workflow.Result{}, err
		}
		thread := ctx.Session().Thread
		if len(thread) != 2 || thread[0].Record.Kind() != journal.KindSum || thread[1].Parent != thread[0].ID {
			t.Errorf("the thread is %v", thread)
		}
		return workflow.Result{Output: ctx.State().All()}, nil
	})
	got := run(agentWorkflow(t, a, workflow.NodeConfig{}), workflow.RunRequest{Store: store, Session: "s"})
	if diff := cmp.Diff(any(map[string]any{"k": int64(2)}), got.output); diff != "" || got.err != nil {
		t.Errorf("%s%v", diff, got.err)
	}
	if diff := cmp.Diff([]string{"odd agent@1"}, got.notes()); diff != "" {
		t.Error(diff)
	}
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil || !cmp.Equal(fold.State, map[string]any{"k": int64(2)}) {
		t.Errorf("state %v, %v", fold.State, err)
	}
}

// Without a store only agent nodes have a transcript.
func TestCommit_without_a_store(t *testing.T) {
	l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if len(ctx.Session().Thread) != 0 {
			t.Error("there is a transcript")
		}
		return workflow.Result{}, ctx.Commit(journal.Msg{Role: journal.RoleModel})
	})
	if got := run(l.build(t, "START -> a"), workflow.RunRequest{}); codeOf(got.err) != workflow.CodeJournal {
		t.Error(got.err)
	}
}

// What a run consumed is summed up at its end.
func TestUsage_of_a_run(t *testing.T) {
	a := agentFunc(func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		for range 2 {
			if err := ctx.Commit(journal.Msg{Role: journal.RoleModel, Usage: &journal.Usage{Input: 10, Output: 3, Cost: 0.5}}); err != nil {
				return workflow.Result{}, err
			}
		}
		return workflow.Result{}, nil
	})
	got := run(agentWorkflow(t, a, workflow.NodeConfig{}), workflow.RunRequest{})
	done, _ := got.last().Record.(journal.Done)
	if diff := cmp.Diff(&journal.Usage{Input: 20, Output: 6, Cost: 1}, done.Usage); diff != "" {
		t.Error(diff)
	}
}

// What was written between two commits is part of the last message of the second.
func TestCommit_state_goes_with_the_last_message(t *testing.T) {
	store := memory.New()
	a := agentFunc(func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if err := ctx.State().Set("k", "v"); err != nil {
			return workflow.Result{}, err
		}
		return workflow.Result{}, ctx.Commit(journal.Msg{Role: journal.RoleModel}, journal.Msg{Role: journal.RoleTool})
	})
	var sets []map[string]any
	for _, e := range run(agentWorkflow(t, a, workflow.NodeConfig{}), workflow.RunRequest{Store: store}).events {
		if m, ok := e.Record.(journal.Msg); ok {
			sets = append(sets, m.Set)
		}
	}
	if diff := cmp.Diff([]map[string]any{nil, {"k": "v"}}, sets); diff != "" {
		t.Error(diff)
	}
}
