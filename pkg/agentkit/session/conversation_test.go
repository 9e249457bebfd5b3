package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// clerk is an agent that counts with a tool and answers. Its tool counts how often it works.
func clerk(t *testing.T, worked *int) *agentkit.Agent {
	t.Helper()
	m, err := faux.New("m", faux.Script{Turns: []faux.Turn{
		{Text: "Wait.", Calls: []faux.Call{{Name: "count", Args: []byte(`{}`)}}}, {Text: "{{user}} {{result}}"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	count, err := agentkit.NewTool(core.Spec{Name: "count"}, func(context.Context, core.Call, struct{}) (core.Result, error) {
		*worked++
		return core.Result{Text: "7", Set: map[string]any{"n": 7.5}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agentkit.New(agentkit.Config{Name: "clerk", Model: m, Tools: []core.Tool{count}, Instruction: "n is {n?}"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// process opens a conversation as a fresh process does, and brings its run to an end: the one that an earlier process
// left, or one with the given question.
func process(t *testing.T, log journal.Log, a *agentkit.Agent, question string) (string, error) {
	t.Helper()
	ctx := t.Context()
	c, err := session.Open(ctx, log, "talk")
	if err != nil {
		return "", err
	}
	run := c.Unfinished()
	if run == nil {
		if run, err = c.Ask(ctx, a.Name(), question); err != nil {
			return "", err
		}
	}
	res, err := a.Run(ctx, agentkit.RunInput{History: run.History(), View: session.ViewSession, Path: run.Path(), Log: run,
		Progress: run.Progress(), State: run.State, Started: run.Started()})
	if err != nil {
		return "", err
	}
	return res.Text, run.Finish(ctx, res.Text)
}

func outline(msgs []core.Message) string {
	var all []string
	for _, m := range msgs {
		text := core.TextOf(m)
		if r, ok := core.ResultOf(m); ok {
			text = r.Text
		}
		all = append(all, string(m.Role)+" "+text)
	}
	return strings.Join(all, "\n")
}

func TestAConversationIsKept(t *testing.T) {
	store, err := jsonl.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	worked := 0
	for _, q := range []string{"one", "two"} {
		if text, err := process(t, store, clerk(t, &worked), q); err != nil || text != q+" 7" {
			t.Fatalf("%q, %v", text, err)
		}
	}
	c, err := session.Open(t.Context(), store, "talk")
	if err != nil {
		t.Fatal(err)
	}
	want := "user one\nmodel Wait.\ntool 7\nmodel one 7\nuser two\nmodel Wait.\ntool 7\nmodel two 7"
	if diff := cmp.Diff(want, outline(c.Messages())); diff != "" || worked != 2 {
		t.Errorf("the tool worked %d times, transcript (-want +got):\n%s", worked, diff)
	}
	state, err := journal.Load(t.Context(), store, "talk")
	if err != nil || len(state.Runs) != 2 || state.State["n"] != 7.5 {
		t.Fatalf("err %v, %d runs, state %v", err, len(state.Runs), state.State)
	}
	r := state.Runs[1]
	out, _ := r.Done.Output.Get()
	if r.Run.Root != "clerk" || r.Done.Status != journal.Completed || out != "two 7" || r.Activations[0].State != journal.ActivationDone {
		t.Errorf("the run is %+v", r)
	}
}

func TestAConversationGoesOnAfterAKillAtEveryAppend(t *testing.T) {
	for _, moment := range []storetest.Moment{storetest.Before, storetest.After} {
		for n := 1; ; n++ {
			healthy := memory.New()
			faulty := storetest.NewFaulty(healthy, n, moment)
			worked := 0
			if _, err := process(t, faulty, clerk(t, &worked), "one"); err == nil && faulty.Tripped() {
				t.Fatalf("append %d: no error", n)
			}
			if !faulty.Tripped() {
				break
			}
			state, err := journal.Load(t.Context(), healthy, "talk")
			if err == nil && len(state.Runs) == 1 && state.Runs[0].Done != nil {
				continue // it died behind its end
			}
			text, err := process(t, healthy, clerk(t, &worked), "one")
			unknown := text == "one "+agentkit.UnknownOutcome
			if err != nil || text != "one 7" && !unknown || worked != 1 && !unknown {
				t.Errorf("append %d: %q, %v; the tool worked %d times", n, text, err, worked)
			}
			c, err := session.Open(t.Context(), healthy, "talk")
			if err != nil || c.Unfinished() != nil || len(c.Messages()) != 4 {
				t.Errorf("append %d: %v, transcript\n%s", n, err, outline(c.Messages()))
			}
		}
	}
}

func TestOneRunAtATime(t *testing.T) {
	c, err := session.Open(t.Context(), memory.New(), "talk")
	if err != nil {
		t.Fatal(err)
	}
	run, err := c.Ask(t.Context(), "clerk", "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(t.Context(), "clerk", "two"); err == nil || err.Error() != "session talk: the run r_1 isn't finished" {
		t.Errorf("err = %v", err)
	}
	if err := run.Fail(t.Context(), &agentkit.LimitError{Limit: "max_turns", Value: 1, Used: 1}); err != nil {
		t.Fatal(err)
	}
	if c.Unfinished() != nil {
		t.Error("a run that failed isn't finished")
	}
	if _, err := c.Ask(t.Context(), "clerk", "two"); err != nil {
		t.Error(err)
	}
}

func TestARunWhoseLogIsInDoubtWritesNoMore(t *testing.T) {
	faulty := storetest.NewFaulty(memory.New(), 3, storetest.After)
	c, err := session.Open(t.Context(), faulty, "talk")
	if err != nil {
		t.Fatal(err)
	}
	run, err := c.Ask(t.Context(), "clerk", "one")
	if err != nil {
		t.Fatal(err)
	}
	note := journal.Note{Path: run.Path(), Code: "x"}
	for range 2 {
		if err := run.Commit(t.Context(), note); !errors.Is(err, storetest.ErrInjected) {
			t.Errorf("err = %v", err)
		}
	}
	if _, err := session.Open(t.Context(), memory.New(), "no/id"); err == nil {
		t.Error("a session with that id can't be")
	}
}
