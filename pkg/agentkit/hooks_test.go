package agentkit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// hook is a hook made of a function.
type hook[In any] struct {
	name  string
	check func(in In) (agentkit.Verdict, error)
}

func (h hook[In]) Name() string { return h.name }

func (h hook[In]) Check(_ context.Context, in In) (agentkit.Verdict, error) { return h.check(in) }

// always makes a list of hooks with these verdicts, which count how often they were asked.
func always[In any](asked *int, verdicts ...agentkit.Verdict) []agentkit.Hook[In] {
	var list []agentkit.Hook[In]
	for _, v := range verdicts {
		list = append(list, hook[In]{"rule", func(In) (agentkit.Verdict, error) { *asked++; return v, nil }})
	}
	return list
}

var (
	goOn   = agentkit.Verdict{}
	accept = agentkit.Verdict{Decision: agentkit.Accept}
)

func reject(text string) agentkit.Verdict {
	return agentkit.Verdict{Decision: agentkit.Reject, Text: text}
}

func TestTheFirstDecisionEndsTheList(t *testing.T) {
	for _, c := range []struct {
		name     string
		verdicts []agentkit.Verdict
		asked    int
		text     string
	}{
		{"nobody decides", []agentkit.Verdict{goOn, goOn}, 2, "Hello."},
		{"reject before accept", []agentkit.Verdict{goOn, reject("no"), accept}, 2, "no"},
		{"accept before reject", []agentkit.Verdict{accept, reject("no")}, 1, "Hello."},
		{"the first reject", []agentkit.Verdict{reject("one"), reject("two")}, 1, "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			cfg := agentkit.Config{Model: script(t, faux.Turn{Text: "Hello."}),
				Hooks: agentkit.Hooks{BeforeModel: always[agentkit.ModelRequest](&asked, c.verdicts...)}}
			res := run(t, cfg, agentkit.RunInput{Input: "hi"})
			if res.Text != c.text || asked != c.asked {
				t.Errorf("text %q after %d hooks, want %q after %d", res.Text, asked, c.text, c.asked)
			}
		})
	}
}

func TestBeforeModelRejectRepliesWithoutTheModel(t *testing.T) {
	asked := 0
	model := script(t, faux.Turn{Text: "secret"})
	cfg := agentkit.Config{Model: model, Schemas: required{}, OutputSchema: []byte(`["name"]`),
		Hooks: agentkit.Hooks{BeforeModel: always[agentkit.ModelRequest](&asked, reject("I can't help with that."))}}
	log := &flakyLog{}
	in := agentkit.RunInput{Input: "hi", Log: log}
	res := run(t, cfg, in)
	want := &agentkit.Result{Text: "I can't help with that.", Stop: core.StopRejected, Turns: 1}
	if diff := cmp.Diff(want, res); diff != "" || len(model.requests) != 0 {
		t.Errorf("%d requests, result (-want +got):\n%s", len(model.requests), diff)
	}
	in.Progress = log.Records()
	if diff := cmp.Diff(want, run(t, cfg, in)); diff != "" || asked != 1 {
		t.Errorf("after a restart: asked %d times, result (-want +got):\n%s", asked, diff)
	}
}

func TestAfterModelRejectReplacesTextAndCallsAndNothingWasStreamed(t *testing.T) {
	var seen agentkit.ModelResponse
	leak := says("leak", "ok")
	model := script(t, faux.Turn{Thinking: "the secret is 7", Text: "The secret is 7.", Calls: []faux.Call{call("leak", `{}`)},
		Usage: &faux.Usage{Input: 3, Output: 4}})
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{leak}, Hooks: agentkit.Hooks{
		AfterModel: []agentkit.Hook[agentkit.ModelResponse]{
			hook[agentkit.ModelResponse]{"no secrets", func(in agentkit.ModelResponse) (agentkit.Verdict, error) {
				seen = in
				return reject("withheld"), nil
			}},
		}}}
	log := &flakyLog{}
	var told []string
	for e, err := range newAgent(t, cfg).Stream(t.Context(), agentkit.RunInput{Input: "hi", Log: log}) {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, tell(e))
	}
	want := []string{"1 message model", `1 text "withheld"`, `1 end "withheld"`}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if seen.Text != "The secret is 7." || len(seen.Calls) != 1 || seen.Stop != core.StopToolUse || seen.Usage.Output != 4 {
		t.Errorf("the hook saw %+v", seen)
	}
	m := log.Messages()[0]
	if len(leak.runs()) != 0 || len(m.Parts) != 1 || core.TextOf(m) != "withheld" || m.Usage == nil || m.Usage.Output != 4 {
		t.Errorf("the tool ran %d times, committed: %+v", len(leak.runs()), m)
	}
}

func TestAfterModelAcceptedTextIsStreamedBehindTheVerdict(t *testing.T) {
	asked := 0
	cfg := agentkit.Config{Model: script(t, faux.Turn{Thinking: "hm", Text: "Hello there, you.", Chunk: 4}),
		Hooks: agentkit.Hooks{AfterModel: always[agentkit.ModelResponse](&asked, accept)}}
	var told []string
	for e, err := range newAgent(t, cfg).Stream(t.Context(), agentkit.RunInput{Input: "hi"}) {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, tell(e))
	}
	want := []string{`1 thinking "hm"`, `1 text "Hello there, you."`, "1 message model", `1 end "Hello there, you."`}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestBeforeToolRejectIsAnErrorResultWithoutAnIntent(t *testing.T) {
	pay, look := says("pay", "paid"), says("look", "blue")
	var uses []agentkit.ToolUse
	model := script(t, faux.Turn{Calls: []faux.Call{call("pay", `{"eur":9}`), call("look", `{}`), rawCall("pay", `{`)}}, faux.Turn{Text: "ok"})
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{pay, look}, Hooks: agentkit.Hooks{
		BeforeTool: []agentkit.Hook[agentkit.ToolUse]{
			hook[agentkit.ToolUse]{"no money", func(in agentkit.ToolUse) (agentkit.Verdict, error) {
				if uses = append(uses, in); in.Spec.Name == "pay" {
					return reject("paying is not allowed"), nil
				}
				return goOn, nil
			}},
		}}}
	log := &flakyLog{}
	run(t, cfg, agentkit.RunInput{Input: "go", Log: log})
	got := results(model.last(t).Messages)
	want := []core.ToolResult{
		{ID: "c1", Name: "pay", Text: "paying is not allowed", Error: true}, {ID: "c2", Name: "look", Text: "blue"},
	}
	if diff := cmp.Diff(want, got[:2]); diff != "" || len(pay.runs()) != 0 {
		t.Errorf("pay ran %d times, results (-want +got):\n%s", len(pay.runs()), diff)
	}
	if len(uses) != 2 || string(uses[0].Call.Args) != `{"eur":9}` || uses[0].Agent != "bot" {
		t.Errorf("the hook saw %+v; malformed calls don't reach it", uses)
	}
	intents := 0
	for _, r := range log.Records() {
		if c, ok := r.(journal.Call); ok {
			intents++
			if c.Tool != "look" {
				t.Errorf("an intent to call %s is recorded", c.Tool)
			}
		}
	}
	if intents != 1 {
		t.Errorf("%d intents", intents)
	}
}

func TestAfterToolRejectReplacesTheResultAndWhatItWrote(t *testing.T) {
	read := newTool("read", func(context.Context, core.Call) (core.Result, error) {
		return core.Result{Text: "password: x", Set: map[string]any{"pw": "x"}, EndRun: true}, nil
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("read", `{}`)}}, faux.Turn{Text: "ok"})
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{read}, Hooks: agentkit.Hooks{
		AfterTool: []agentkit.Hook[agentkit.ToolOutcome]{
			hook[agentkit.ToolOutcome]{"no passwords", func(in agentkit.ToolOutcome) (agentkit.Verdict, error) {
				if strings.Contains(in.Result.Text, "password") && in.Spec.Name == "read" {
					return reject("removed"), nil
				}
				return goOn, nil
			}},
		}}}
	res := run(t, cfg, agentkit.RunInput{Input: "go"})
	want := []core.ToolResult{{ID: "c1", Name: "read", Text: "removed", Error: true}}
	if diff := cmp.Diff(want, results(model.last(t).Messages)); diff != "" || len(res.Set) != 0 {
		t.Errorf("state %v, results (-want +got):\n%s", res.Set, diff)
	}
}

func TestARejectionWithoutATextNamesItsRule(t *testing.T) {
	asked := 0
	x := says("x", "ran")
	model := script(t, faux.Turn{Calls: []faux.Call{call("x", `{}`)}}, faux.Turn{Text: "ok"})
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{x},
		Hooks: agentkit.Hooks{BeforeTool: always[agentkit.ToolUse](&asked, reject(""))}}
	run(t, cfg, agentkit.RunInput{Input: "go"})
	wantError(t, model.last(t).Messages, `rejected by the rule "rule"`)
	cfg.Hooks = agentkit.Hooks{BeforeModel: always[agentkit.ModelRequest](&asked, reject(""))}
	if res := run(t, cfg, agentkit.RunInput{Input: "go"}); res.Text != `rejected by the rule "rule"` || len(x.runs()) != 0 {
		t.Errorf("text %q, the tool ran %d times", res.Text, len(x.runs()))
	}
}

func TestAHookThatFailsBlocks(t *testing.T) {
	broken := errors.New("no such variable: txt")
	for name, check := range map[string]func() (agentkit.Verdict, error){
		`blocked: the rule "my rule" could not be evaluated: no such variable: txt`: func() (agentkit.Verdict, error) { return accept, broken },
		`blocked: the rule "my rule" could not be evaluated: it panicked: oops`:     func() (agentkit.Verdict, error) { panic("oops") },
		`blocked: the rule "my rule" gave the unknown decision 9`:                   func() (agentkit.Verdict, error) { return agentkit.Verdict{Decision: 9}, nil },
	} {
		x := says("x", "ran")
		model := script(t, faux.Turn{Text: "open", Calls: []faux.Call{call("x", `{}`)}}, faux.Turn{Text: "end"})
		base := agentkit.Config{Model: model, Tools: []core.Tool{x}}

		cfg := base
		cfg.Hooks.BeforeModel = []agentkit.Hook[agentkit.ModelRequest]{hook[agentkit.ModelRequest]{"my rule",
			func(agentkit.ModelRequest) (agentkit.Verdict, error) { return check() }}}
		if res := run(t, cfg, agentkit.RunInput{Input: "go"}); res.Text != name {
			t.Errorf("before the model: %q, want %q", res.Text, name)
		}
		cfg = base
		cfg.Hooks.AfterModel = []agentkit.Hook[agentkit.ModelResponse]{hook[agentkit.ModelResponse]{"my rule",
			func(agentkit.ModelResponse) (agentkit.Verdict, error) { return check() }}}
		if res := run(t, cfg, agentkit.RunInput{Input: "go"}); res.Text != name {
			t.Errorf("behind the model: %q, want %q", res.Text, name)
		}
		if len(x.runs()) != 0 {
			t.Errorf("a tool ran behind a blocked answer")
		}
		cfg = base
		cfg.Hooks.BeforeTool = []agentkit.Hook[agentkit.ToolUse]{hook[agentkit.ToolUse]{"my rule",
			func(agentkit.ToolUse) (agentkit.Verdict, error) { return check() }}}
		run(t, cfg, agentkit.RunInput{Input: "go"})
		wantError(t, model.last(t).Messages, name)
		if len(x.runs()) != 0 {
			t.Errorf("a blocked call was run")
		}
		cfg = base
		cfg.Hooks.AfterTool = []agentkit.Hook[agentkit.ToolOutcome]{hook[agentkit.ToolOutcome]{"my rule",
			func(agentkit.ToolOutcome) (agentkit.Verdict, error) { return check() }}}
		run(t, cfg, agentkit.RunInput{Input: "go"})
		wantError(t, model.last(t).Messages, name)
	}
}

// cancelling is a hook that sees the run cancelled while it decides, and says what its context made of it.
type cancelling[In any] struct{ cancel context.CancelFunc }

func (cancelling[In]) Name() string { return "slow rule" }

func (h cancelling[In]) Check(ctx context.Context, _ In) (agentkit.Verdict, error) {
	h.cancel()
	return goOn, ctx.Err()
}

func TestAHookThatIsCutShortDecidesNothing(t *testing.T) {
	for _, where := range []string{"before model", "after model", "before tool"} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var hooks agentkit.Hooks
		switch where {
		case "before model":
			hooks.BeforeModel = []agentkit.Hook[agentkit.ModelRequest]{cancelling[agentkit.ModelRequest]{cancel}}
		case "after model":
			hooks.AfterModel = []agentkit.Hook[agentkit.ModelResponse]{cancelling[agentkit.ModelResponse]{cancel}}
		case "before tool":
			hooks.BeforeTool = []agentkit.Hook[agentkit.ToolUse]{cancelling[agentkit.ToolUse]{cancel}}
		}
		log := &flakyLog{}
		cfg := agentkit.Config{Model: script(t, faux.Turn{Calls: []faux.Call{call("x", `{}`)}}), Tools: []core.Tool{says("x", "")}, Hooks: hooks}
		_, err := newAgent(t, cfg).Run(ctx, agentkit.RunInput{Input: "go", Log: log})
		if !errors.Is(err, context.Canceled) || len(log.Records()) != 0 {
			t.Errorf("%s: err %v, committed %v", where, err, log.Records())
		}
	}
}

func TestAResultThatIsThereIsJudgedAfterACancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cfg := agentkit.Config{Model: script(t, faux.Turn{Calls: []faux.Call{call("x", `{}`)}}), Tools: []core.Tool{says("x", "done")},
		Hooks: agentkit.Hooks{AfterTool: []agentkit.Hook[agentkit.ToolOutcome]{cancelling[agentkit.ToolOutcome]{cancel}}}}
	log := &flakyLog{}
	_, err := newAgent(t, cfg).Run(ctx, agentkit.RunInput{Input: "go", Log: log})
	if got := results(log.Messages()); !errors.Is(err, context.Canceled) || len(got) != 1 || got[0].Text != "done" {
		t.Errorf("err %v, results %v", err, got)
	}
}
