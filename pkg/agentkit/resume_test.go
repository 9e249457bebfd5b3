package agentkit_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// asked is the committed message of a first turn that calls these tools under the ids c1, c2 and so on.
func asked(names ...string) journal.Msg {
	m := journal.Msg{ID: "m1", Role: core.RoleModel, Author: "bot", Model: "faux", Stop: string(core.StopToolUse)}
	for i, n := range names {
		m.Parts = append(m.Parts, core.ToolCall{ID: "c" + string(rune('1'+i)), Name: n, Args: `{"by":"model"}`})
	}
	return m
}

// resume runs an agent with one tool behind the given progress.
func resume(t *testing.T, x core.Tool, log agentkit.Log, progress ...journal.Record) error {
	t.Helper()
	cfg := agentkit.Config{Model: script(t, faux.Turn{}, faux.Turn{Text: "done"}), Tools: []core.Tool{x}}
	_, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Log: log, Progress: progress})
	return err
}

func TestWhatBecomesOfACallWithoutAResult(t *testing.T) {
	mk := func() (look, pay *tool) {
		look, pay = says("look", "blue"), says("pay", "paid")
		look.spec.ReadOnly = true
		return look, pay
	}
	intent := func(id, name string, readOnly bool) journal.Call {
		return journal.Call{ID: id, Tool: name, ReadOnly: readOnly}
	}
	for _, c := range []struct {
		name     string
		progress []journal.Record
		want     []string
		ran      int
	}{
		{"no intents: nothing began", []journal.Record{asked("look", "pay")}, []string{"blue", "paid"}, 2},
		{"intents: what does no harm is made again",
			[]journal.Record{asked("look", "pay"), intent("c1", "look", true), intent("c2", "pay", false)},
			[]string{"blue", agentkit.UnknownOutcome}, 1},
		{"the intent said read-only, the tool no longer does", []journal.Record{asked("pay"), intent("c1", "pay", true)},
			[]string{agentkit.UnknownOutcome}, 0},
		{"the tool says read-only now, the intent didn't", []journal.Record{asked("look"), intent("c1", "look", false)},
			[]string{agentkit.UnknownOutcome}, 0},
		{"the tool is gone", []journal.Record{asked("gone"), intent("c1", "gone", true)}, []string{agentkit.UnknownOutcome}, 0},
		{"an older turn's intent of the same id counts for that turn",
			[]journal.Record{asked("pay"), intent("c1", "pay", false), answered("c1", "pay", "old"), asked("pay")},
			[]string{"old", "paid"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			look, pay := mk()
			log := &flakyLog{}
			model := script(t, faux.Turn{Text: "1"}, faux.Turn{Text: "2"}, faux.Turn{Text: "3"})
			run(t, agentkit.Config{Model: model, Tools: []core.Tool{look, pay}},
				agentkit.RunInput{Input: "go", Log: log, Progress: c.progress})
			var texts []string
			for _, r := range results(model.last(t).Messages) {
				texts = append(texts, r.Text)
			}
			if diff := cmp.Diff(c.want, texts); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if n := len(look.runs()) + len(pay.runs()); n != c.ran {
				t.Errorf("%d calls were made, want %d", n, c.ran)
			}
		})
	}
}

func answered(id, name, text string) journal.Msg {
	return journal.Msg{ID: "m2", Parent: "m1", Role: core.RoleTool, Author: "bot",
		Parts: []core.Part{core.ToolResult{ID: id, Name: name, Text: text}}}
}

func TestARepeatedCallGetsTheArgumentsOfItsIntent(t *testing.T) {
	look := says("look", "blue")
	look.spec.Idempotent = true
	intent := journal.Call{ID: "c1", Tool: "look", ReadOnly: true, Args: `{"by":"person"}`}
	if err := resume(t, look, &flakyLog{}, asked("look"), intent); err != nil {
		t.Fatal(err)
	}
	if got := string(look.runs()[0].Args); got != intent.Args {
		t.Errorf("the tool got %s, agreed on was %s", got, intent.Args)
	}
}

func TestSettlingIsCommittedBeforeAnythingRuns(t *testing.T) {
	pay := says("pay", "paid")
	for _, progress := range [][]journal.Record{
		{asked("pay")}, // an intent to record
		{asked("pay", "pay"), journal.Call{ID: "c2", Tool: "pay"}}, // and an unknown outcome
	} {
		if err := resume(t, pay, &flakyLog{failAt: 1}, progress...); !errors.Is(err, errKilled) {
			t.Errorf("err = %v", err)
		}
		if n := len(pay.runs()); n != 0 {
			t.Errorf("%d calls ran without an intent", n)
		}
	}
}

func TestACancelledHookSettlesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	log := &flakyLog{}
	cfg := agentkit.Config{Model: script(t, faux.Turn{Text: "x"}), Tools: []core.Tool{says("pay", "paid")},
		Hooks: agentkit.Hooks{BeforeTool: []agentkit.Hook[agentkit.ToolUse]{cancelling[agentkit.ToolUse]{cancel}}}}
	_, err := newAgent(t, cfg).Run(ctx, agentkit.RunInput{Input: "go", Log: log, Progress: []journal.Record{asked("pay")}})
	if !errors.Is(err, context.Canceled) || len(log.Records()) != 0 {
		t.Errorf("err %v, committed %v", err, log.Records())
	}
}

func TestResultsThatAreThereTogetherAreOneCommitInCallOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := make(chan struct{})
		late := newTool("late", func(ctx context.Context, _ core.Call) (core.Result, error) {
			select {
			case <-first:
				return core.TextResult("late"), nil
			case <-ctx.Done():
				return core.Result{}, ctx.Err()
			}
		})
		log := &flakyLog{}
		var commits [][]string
		log.onWrite = func(recs []journal.Record) {
			var ids []string
			for _, r := range recs {
				if m, ok := r.(journal.Msg); ok {
					for _, res := range results([]core.Message{m}) {
						ids = append(ids, res.ID)
					}
				}
			}
			if commits = append(commits, ids); len(commits) == 2 { // the answer, then the early result
				close(first)
				synctest.Wait()
			}
		}
		model := script(t, faux.Turn{Calls: []faux.Call{call("late", `{}`), call("late", `{}`), call("early", `{}`)}}, faux.Turn{Text: "done"})
		run(t, agentkit.Config{Model: model, Tools: []core.Tool{late, says("early", "now")}}, agentkit.RunInput{Input: "go", Log: log})
		want := [][]string{nil, {"c3"}, {"c1", "c2"}, nil}
		if diff := cmp.Diff(want, commits); diff != "" {
			t.Errorf("commits (-want +got):\n%s", diff)
		}
	})
}
