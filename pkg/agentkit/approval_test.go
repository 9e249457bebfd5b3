package agentkit_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// refunds is an agent that looks something up and wants two refunds in the same turn, which are to be approved.
type refunds struct {
	model     *recorder
	look, pay *tool
	log       *flakyLog
	cfg       agentkit.Config
}

func newRefunds(t *testing.T) *refunds {
	t.Helper()
	f := &refunds{look: says("look", "blue"), pay: says("pay", "paid"), log: &flakyLog{}}
	f.model = script(t,
		faux.Turn{Calls: []faux.Call{call("pay", `{"amount":1}`), call("look", `{}`), call("pay", `{"amount":2}`)}},
		faux.Turn{Text: "done"})
	f.cfg = agentkit.Config{Model: f.model, Tools: []core.Tool{f.look, f.pay},
		Approval: func(u agentkit.ToolUse) bool { return u.Spec.Name == "pay" }}
	return f
}

// pause runs the agent until it asks.
func (f *refunds) pause(t *testing.T) []agentkit.ApprovalRequest {
	t.Helper()
	_, err := newAgent(t, f.cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Log: f.log, Progress: f.log.Records()})
	var asked *agentkit.ApprovalError
	if !errors.As(err, &asked) {
		t.Fatalf("the run ended with %v, it should ask", err)
	}
	return asked.Requests
}

// decide lets the run go on with decisions by the amount of the call.
func (f *refunds) decide(t *testing.T, asked []agentkit.ApprovalRequest, decisions map[string]agentkit.CallDecision) {
	t.Helper()
	byCall := map[string]agentkit.CallDecision{}
	for _, r := range asked {
		if d, ok := decisions[string(r.Call.Args)]; ok {
			byCall[r.Call.ID] = d
		}
	}
	run(t, f.cfg, agentkit.RunInput{Input: "go", Log: f.log, Progress: f.log.Records(),
		Decision: func(id string) (agentkit.CallDecision, bool) { d, ok := byCall[id]; return d, ok }})
}

// args lists the arguments of the calls that were made.
func args(calls []core.Call) []string {
	var out []string
	for _, c := range calls {
		out = append(out, string(c.Args))
	}
	return out
}

// texts lists the results that the model was shown, in call order.
func (f *refunds) texts(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, r := range results(f.model.last(t).Messages) {
		out = append(out, r.Text)
	}
	return out
}

// The calls that need no approval are made and recorded before the run asks; the others have no intent until then.
func TestWhatHappensBeforeTheRunAsks(t *testing.T) {
	f := newRefunds(t)
	asked := f.pause(t)
	if len(asked) != 2 || string(asked[0].Call.Args) != `{"amount":1}` || asked[0].Spec.Name != "pay" || asked[0].Message != "" {
		t.Errorf("it asks %+v", asked)
	}
	if len(f.look.runs()) != 1 || len(f.pay.runs()) != 0 {
		t.Errorf("%d lookups, %d payments", len(f.look.runs()), len(f.pay.runs()))
	}
	intents := 0
	for _, r := range f.log.Records() {
		if _, ok := r.(journal.Call); ok {
			intents++
		}
	}
	if intents != 1 {
		t.Errorf("%d intents, want that of the lookup", intents)
	}
	if again := f.pause(t); len(again) != 2 || len(f.look.runs()) != 1 {
		t.Errorf("without a decision it asks %d times and looks up %d times", len(again), len(f.look.runs()))
	}
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second agentkit.CallDecision
		paid, texts   []string
	}{
		{"both approved", agentkit.CallDecision{Approved: true}, agentkit.CallDecision{Approved: true},
			[]string{`{"amount":1}`, `{"amount":2}`}, []string{"paid", "blue", "paid"}},
		{"one edited, one rejected", agentkit.CallDecision{Approved: true, Args: json.RawMessage(`{"amount":0.5}`)},
			agentkit.CallDecision{Reason: "too late"},
			[]string{`{"amount":0.5}`}, []string{"paid", "blue", "not run: a person rejected the call: too late"}},
		{"rejected without a reason", agentkit.CallDecision{}, agentkit.CallDecision{},
			nil, []string{"not run: a person rejected the call", "blue", "not run: a person rejected the call"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newRefunds(t)
			asked := f.pause(t)
			f.decide(t, asked, map[string]agentkit.CallDecision{`{"amount":1}`: c.first, `{"amount":2}`: c.second})
			if diff := cmp.Diff(c.texts, f.texts(t)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			paid := args(f.pay.runs())
			if len(paid) == 2 && paid[0] > paid[1] { // they run in parallel
				paid[0], paid[1] = paid[1], paid[0]
			}
			if diff := cmp.Diff(c.paid, paid); diff != "" || len(f.look.runs()) != 1 {
				t.Errorf("%d lookups; payments (-want +got):\n%s", len(f.look.runs()), diff)
			}
		})
	}
}

// The intent of an edited call holds its arguments, and they are what is made again when the process dies.
func TestEditedArgumentsAreRecorded(t *testing.T) {
	f := newRefunds(t)
	f.pay.spec.Idempotent = true
	asked := f.pause(t)
	f.decide(t, asked, map[string]agentkit.CallDecision{`{"amount":1}`: {Approved: true, Args: json.RawMessage(`{"amount":9}`)},
		`{"amount":2}`: {}})
	for n, r := range f.log.Records() {
		c, ok := r.(journal.Call)
		if !ok || c.Tool != "pay" {
			continue
		}
		if c.Args != `{"amount":9}` {
			t.Fatalf("the intent is %+v", c)
		}
		log := &flakyLog{}
		if err := log.Commit(t.Context(), f.log.Records()[:n+1]...); err != nil {
			t.Fatal(err)
		}
		f.log = log // the process died while it ran
		break
	}
	f.decide(t, asked, map[string]agentkit.CallDecision{`{"amount":2}`: {}})
	if got := args(f.pay.runs()); len(got) != 2 || got[1] != `{"amount":9}` {
		t.Errorf("the calls are %v", got)
	}
}

// Arguments of a person go through the checks that those of the model went through.
func TestEditedArgumentsAreChecked(t *testing.T) {
	for want, edit := range map[string]string{
		"not run: the arguments of pay are not a JSON object": `[1]`,
		"at most 5": `{"amount":6}`,
	} {
		f := newRefunds(t)
		f.cfg.Hooks.BeforeTool = []agentkit.Hook[agentkit.ToolUse]{hook[agentkit.ToolUse]{"small",
			func(u agentkit.ToolUse) (agentkit.Verdict, error) {
				if string(u.Call.Args) == `{"amount":6}` {
					return reject("at most 5"), nil
				}
				return goOn, nil
			}}}
		asked := f.pause(t)
		f.decide(t, asked, map[string]agentkit.CallDecision{`{"amount":1}`: {}, `{"amount":2}`: {Approved: true, Args: json.RawMessage(edit)}})
		wantError(t, f.model.last(t).Messages, want)
		if len(f.pay.runs()) != 0 {
			t.Errorf("%d payments", len(f.pay.runs()))
		}
	}
}

// A hook that asks is heard before the approval that the configuration wants, and its text is shown.
func TestAHookAsks(t *testing.T) {
	f := newRefunds(t)
	var judged int
	ask := agentkit.Verdict{Decision: agentkit.Ask, Text: "Really?"}
	f.cfg.Hooks.BeforeTool = []agentkit.Hook[agentkit.ToolUse]{hook[agentkit.ToolUse]{"lookups",
		func(u agentkit.ToolUse) (agentkit.Verdict, error) {
			judged++
			if u.Spec.Name == "look" {
				return ask, nil
			}
			return accept, nil
		}}}
	asked := f.pause(t)
	if len(asked) != 3 || asked[1].Message != "Really?" || asked[0].Message != "" || judged != 3 {
		t.Fatalf("it asks %+v after %d verdicts", asked, judged)
	}
	yes := agentkit.CallDecision{Approved: true}
	f.decide(t, asked, map[string]agentkit.CallDecision{`{}`: yes, `{"amount":1}`: yes, `{"amount":2}`: yes})
	if len(f.look.runs()) != 1 || len(f.pay.runs()) != 2 {
		t.Errorf("%d lookups, %d payments", len(f.look.runs()), len(f.pay.runs()))
	}
}

// Only before a tool a person can be asked; elsewhere the rule blocks.
func TestAskingInTheWrongPlaceBlocks(t *testing.T) {
	ask := agentkit.Verdict{Decision: agentkit.Ask, Text: "Really?"}
	asked := 0
	res := run(t, agentkit.Config{Model: script(t, faux.Turn{Text: "secret"}),
		Hooks: agentkit.Hooks{AfterModel: always[agentkit.ModelResponse](&asked, ask)}}, agentkit.RunInput{Input: "go"})
	if res.Stop != core.StopRejected || res.Text != "blocked: a rule asks for a person's decision, which only rules before a tool may" {
		t.Errorf("%s: %s", res.Stop, res.Text)
	}
}
