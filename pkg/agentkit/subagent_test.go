package agentkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// subagent makes a tool of an agent called helper.
func subagent(t *testing.T, s agentkit.Subagent, cfg agentkit.Config) core.Tool {
	t.Helper()
	cfg.Name = "helper"
	s.Agent = newAgent(t, cfg)
	tool, err := s.Tool()
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func TestAnIsolatedSubagentSeesNothingButItsTask(t *testing.T) {
	helper := script(t, faux.Turn{Text: "4 cm"})
	boss := script(t, faux.Turn{Text: "The password is 7.", Calls: []faux.Call{call("helper", `{"task":"Measure it."}`)}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: boss, Tools: []core.Tool{subagent(t, agentkit.Subagent{}, agentkit.Config{Model: helper})}},
		agentkit.RunInput{Input: "How wide? My secret is 8.", History: []core.Message{core.UserMessage("earlier")}, View: "session"})
	if diff := cmp.Diff([]string{"user Measure it."}, outline(helper.last(t).Messages)); diff != "" {
		t.Errorf("it sees (-want +got):\n%s", diff)
	}
	if got := results(boss.last(t).Messages)[0]; got.Text != "4 cm" || got.Error {
		t.Errorf("the result is %+v", got)
	}
}

func TestASharedSubagentReadsTheConversationAndWritesItsState(t *testing.T) {
	note := newTool("note", func(context.Context, core.Call) (core.Result, error) {
		return core.Result{Text: "noted", Set: map[string]any{"width": "4 cm"}}, nil
	})
	for _, shared := range []bool{true, false} {
		helper := script(t, faux.Turn{Calls: []faux.Call{call("note", `{}`)}}, faux.Turn{Text: "noted"})
		tool := subagent(t, agentkit.Subagent{Shared: shared}, agentkit.Config{Model: helper, Tools: []core.Tool{note}})
		boss := script(t, faux.Turn{Text: "Wait.", Calls: []faux.Call{call("look", `{}`)}},
			faux.Turn{Calls: []faux.Call{call("helper", `{"task":"Note it."}`)}}, faux.Turn{Text: "done"})
		res := run(t, agentkit.Config{Name: "boss", Model: boss, Tools: []core.Tool{says("look", "4 cm"), tool}}, agentkit.RunInput{Input: "How wide?"})
		want := []string{"user Note it."}
		set := map[string]any(nil)
		if shared {
			want = []string{"user How wide?", "user For context, the agent boss said:\nWait. For context, the agent boss called the tool look with {}",
				"user For context, the tool look answered the agent boss:\n4 cm", "user Note it."}
			set = map[string]any{"width": "4 cm"}
		}
		if diff := cmp.Diff(want, outline(helper.requests[0].Messages)); diff != "" {
			t.Errorf("shared %t: it sees (-want +got):\n%s", shared, diff)
		}
		if diff := cmp.Diff(set, res.Set); diff != "" {
			t.Errorf("shared %t: the state (-want +got):\n%s", shared, diff)
		}
	}
}

// Three that only come to an end together: one after the other, the first would wait for ever.
func TestSubagentsOfOneTurnWorkAtTheSameTimeAndAreAllCounted(t *testing.T) {
	var meeting sync.WaitGroup
	meeting.Add(3)
	meet := newTool("meet", func(context.Context, core.Call) (core.Result, error) {
		meeting.Done()
		meeting.Wait()
		return core.TextResult("met"), nil
	})
	helper := script(t, faux.Turn{Calls: []faux.Call{call("meet", `{}`)}, Usage: &faux.Usage{Input: 30}},
		faux.Turn{Text: "{{user}} done", Usage: &faux.Usage{Output: 3}})
	tool := subagent(t, agentkit.Subagent{}, agentkit.Config{Model: helper, Tools: []core.Tool{meet}})
	var calls []faux.Call
	for i := range 3 {
		calls = append(calls, call("helper", fmt.Sprintf(`{"task":"task %d"}`, i)))
	}
	boss := script(t, faux.Turn{Calls: calls, Usage: &faux.Usage{Input: 1}}, faux.Turn{Text: "done", Usage: &faux.Usage{Input: 1}})
	res := run(t, agentkit.Config{Model: boss, Tools: []core.Tool{tool}, Limits: agentkit.Limits{MaxTokens: 101}}, agentkit.RunInput{Input: "go"})
	for i, r := range results(boss.last(t).Messages) {
		if want := fmt.Sprintf("task %d done", i); r.Text != want {
			t.Errorf("result %d is %q", i, r.Text)
		}
	}
	if want := (core.Usage{Input: 92, Output: 9}); res.Usage != want {
		t.Errorf("used %+v, want %+v", res.Usage, want)
	}
}

func TestWhatAFailedSubagentUsedCounts(t *testing.T) {
	helper := script(t, faux.Turn{Calls: []faux.Call{call("nowhere", `{}`)}, Usage: &faux.Usage{Input: 30}},
		faux.Turn{Fault: &faux.Fault{Kind: faux.FaultCut}})
	boss := script(t, faux.Turn{Calls: []faux.Call{call("helper", `{"task":"x"}`), call("helper", `{}`)}, Usage: &faux.Usage{Input: 1}},
		faux.Turn{Text: "done", Usage: &faux.Usage{Input: 1}})
	meter := agentkit.NewTokenMeter(1000, 0)
	res := run(t, agentkit.Config{Model: boss, Tools: []core.Tool{subagent(t, agentkit.Subagent{}, agentkit.Config{Model: helper})}},
		agentkit.RunInput{Input: "go", Meters: []agentkit.Meter{meter}})
	got := results(boss.last(t).Messages)
	if !strings.Contains(got[0].Text, "the model's stream was cut") || !strings.Contains(got[1].Text, `the property "task" is missing`) {
		t.Errorf("results %+v", got)
	}
	meter.Charge(core.Usage{Input: 968})
	if res.Usage.Input != 32 || meter.Allow() == nil {
		t.Errorf("used %+v, the meter says %v", res.Usage, meter.Allow())
	}
}

// A subagent with a session of its own goes on where it was: its finished call isn't made again.
func TestASubagentWithASessionGoesOnAfterAKill(t *testing.T) {
	pay := says("pay", "paid")
	inner := &flakyLog{failAt: 3} // behind the result of the payment
	tool := func() core.Tool {
		helper := script(t, faux.Turn{Calls: []faux.Call{call("pay", `{}`)}, Usage: &faux.Usage{Input: 30}},
			faux.Turn{Text: "all paid", Usage: &faux.Usage{Input: 40}})
		return subagent(t, agentkit.Subagent{Session: func(_ context.Context, c core.Call) (agentkit.Log, []journal.Record, error) {
			if c.Key != "key-c1" {
				return nil, nil, errors.New("no key")
			}
			return inner, inner.Records(), nil
		}}, agentkit.Config{Model: helper, Tools: []core.Tool{pay}})
	}
	outer := &flakyLog{}
	process := func() (*agentkit.Result, error) {
		boss := script(t, faux.Turn{Calls: []faux.Call{call("helper", `{"task":"pay"}`)}, Usage: &faux.Usage{Input: 1}},
			faux.Turn{Text: "done", Usage: &faux.Usage{Input: 1}})
		return newAgent(t, agentkit.Config{Model: boss, Tools: []core.Tool{tool()}}).Run(t.Context(), agentkit.RunInput{
			Input: "go", Log: outer, Progress: outer.Records(), Key: func(id string) string { return "key-" + id }})
	}
	outer.failAt = 2 // with the subagent, before its failure is committed
	if _, err := process(); !errors.Is(err, errKilled) {
		t.Fatalf("first process: %v", err)
	}
	inner.failAt, outer.failAt = 0, 0
	res, err := process()
	if err != nil {
		t.Fatal(err)
	}
	if len(pay.runs()) != 1 || res.Usage.Input != 72 {
		t.Errorf("%d payments, used %+v", len(pay.runs()), res.Usage)
	}
	if got := results(outer.Messages())[0].Text; got != "all paid" {
		t.Errorf("the result is %q", got)
	}
}

func TestASubagentWhoseSessionCannotBeOpenedFails(t *testing.T) {
	tool := subagent(t, agentkit.Subagent{Name: "ask", Session: func(context.Context, core.Call) (agentkit.Log, []journal.Record, error) {
		return nil, nil, errors.New("disk full")
	}}, agentkit.Config{Model: script(t)})
	if _, err := tool.Run(t.Context(), core.Call{Name: "ask", Args: []byte(`{"task":"x"}`)}); err == nil || err.Error() != "the session of ask: disk full" {
		t.Errorf("err = %v", err)
	}
	if _, err := (agentkit.Subagent{}).Tool(); err == nil {
		t.Error("a subagent without an agent")
	}
}
