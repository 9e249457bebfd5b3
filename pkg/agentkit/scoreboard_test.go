package agentkit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// The tests of this file are behaviours that agent loops commonly get wrong, each without a sign.

func TestTheLoopGoesOnWhenCallsArriveWithStopEnd(t *testing.T) {
	look := says("look", "blue")
	model := script(t,
		faux.Turn{Calls: []faux.Call{call("look", `{}`)}, Stop: core.StopEnd},
		faux.Turn{Text: "It is blue."})
	res := run(t, agentkit.Config{Model: model, Tools: []core.Tool{look}}, agentkit.RunInput{Input: "colour?"})
	if res.Text != "It is blue." || len(look.runs()) != 1 || res.Turns != 2 {
		t.Errorf("text %q after %d turns, the tool ran %d times", res.Text, res.Turns, len(look.runs()))
	}
}

func TestAnAnswerCutByMaxTokensRunsNoneOfItsCalls(t *testing.T) {
	write := says("write", "written")
	model := script(t,
		faux.Turn{
			Calls: []faux.Call{call("write", `{"text":"whole"}`), rawCall("write", `{"text":"cut of`)},
			Stop:  core.StopMaxTokens,
		},
		faux.Turn{Text: "I'll try smaller pieces."})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{write}}, agentkit.RunInput{Input: "write"})
	if n := len(write.runs()); n != 0 {
		t.Errorf("%d calls of a cut answer were run", n)
	}
	want := []core.ToolResult{
		{ID: "c1", Name: "write", Text: agentkit.CutCall, Error: true},
		{ID: "c2", Name: "write", Text: agentkit.CutCall, Error: true},
	}
	if diff := cmp.Diff(want, results(model.last(t).Messages)); diff != "" {
		t.Errorf("results of the cut calls (-want +got):\n%s", diff)
	}
}

func TestCutArgumentsAreNotMended(t *testing.T) {
	write := says("write", "written")
	model := script(t, faux.Turn{Calls: []faux.Call{rawCall("write", `{"text":"cut of`)}}, faux.Turn{Text: "ok"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{write}}, agentkit.RunInput{Input: "write"})
	if n := len(write.runs()); n != 0 {
		t.Errorf("the call with cut arguments was run %d times", n)
	}
	wantError(t, model.last(t).Messages, "arguments of write", "byte 15", "ends within a string")
}

func TestCallsOfOneTurnRunInParallel(t *testing.T) {
	const n = 3
	arrived := make(chan struct{}, n)
	all := make(chan struct{})
	meet := newTool("meet", func(ctx context.Context, _ core.Call) (core.Result, error) {
		if arrived <- struct{}{}; len(arrived) == n {
			close(all)
		}
		select { // one after the other, the first would wait here for ever
		case <-all:
			return core.TextResult("met"), nil
		case <-ctx.Done():
			return core.Result{}, ctx.Err()
		}
	})
	model := script(t,
		faux.Turn{Calls: []faux.Call{call("meet", `{}`), call("meet", `{}`), call("meet", `{}`)}},
		faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{meet}}, agentkit.RunInput{Input: "meet"})
	if got := results(model.last(t).Messages); len(got) != n || got[2].Text != "met" {
		t.Errorf("results: %v", got)
	}
}

func TestAToolsErrorIsAResult(t *testing.T) {
	var siblingErr error
	failed := make(chan struct{})
	fail := newTool("fail", func(context.Context, core.Call) (core.Result, error) {
		defer close(failed)
		return core.Result{}, errors.New("no such invoice")
	})
	sibling := newTool("sibling", func(ctx context.Context, _ core.Call) (core.Result, error) {
		<-failed
		siblingErr = ctx.Err()
		return core.TextResult("fine"), nil
	})
	model := script(t,
		faux.Turn{Calls: []faux.Call{call("fail", `{}`), call("sibling", `{}`)}},
		faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{fail, sibling}}, agentkit.RunInput{Input: "go"})
	want := []core.ToolResult{
		{ID: "c1", Name: "fail", Text: "no such invoice", Error: true},
		{ID: "c2", Name: "sibling", Text: "fine"},
	}
	if diff := cmp.Diff(want, results(model.last(t).Messages)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if siblingErr != nil {
		t.Errorf("the failure of one call cancelled its sibling: %v", siblingErr)
	}
}

func TestAPanickingToolIsAResult(t *testing.T) {
	boom := newTool("boom", func(context.Context, core.Call) (core.Result, error) { panic("nil map") })
	model := script(t,
		faux.Turn{Calls: []faux.Call{call("boom", `{}`), call("calm", `{}`)}},
		faux.Turn{Text: "done"})
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{boom, says("calm", "fine")}}
	run(t, cfg, agentkit.RunInput{Input: "go"})
	want := []core.ToolResult{
		{ID: "c1", Name: "boom", Text: "the tool boom panicked: nil map", Error: true},
		{ID: "c2", Name: "calm", Text: "fine"},
	}
	if diff := cmp.Diff(want, results(model.last(t).Messages)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestACutStreamIsAnErrorAndRunsNothing(t *testing.T) {
	write := says("write", "written")
	turn := faux.Turn{Text: "I will write.", Calls: []faux.Call{call("write", `{"text":"x"}`)}}
	for after := range 4 { // from nothing at all to all but the terminal event
		turn.Fault = &faux.Fault{Kind: faux.FaultCut, After: after}
		log := &flakyLog{}
		_, err := newAgent(t, agentkit.Config{Model: script(t, turn), Tools: []core.Tool{write}}).
			Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
		if !errors.Is(err, core.ErrCutStream) {
			t.Errorf("cut after %d pieces: err = %v", after, err)
		}
		if n := len(log.Records()); n != 0 {
			t.Errorf("cut after %d pieces: %d records were committed", after, n)
		}
	}
	if n := len(write.runs()); n != 0 {
		t.Errorf("calls of cut streams were run %d times", n)
	}
}

func TestArgumentBytesReachToolJournalAndNextRequestUnchanged(t *testing.T) {
	const args = "{ \"z\":2.50, \"a\":{\"y\":1e2,\"x\":12345678901234567890},\t\"m\":\"<&>\\u00e9\" }"
	echo := says("echo", "ok")
	model := script(t, faux.Turn{Calls: []faux.Call{rawCall("echo", args)}, Chunk: 3}, faux.Turn{Text: "done"})
	log := &flakyLog{}
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{echo}}, agentkit.RunInput{Input: "go", Log: log})
	if got := string(echo.runs()[0].Args); got != args {
		t.Errorf("the tool got  %s\nthe model wrote %s", got, args)
	}
	if got := core.CallsOf(log.Messages()[0])[0].Args; got != args {
		t.Errorf("the journal has %s\nthe model wrote %s", got, args)
	}
	if got := core.CallsOf(model.last(t).Messages[1])[0].Args; got != args {
		t.Errorf("sent again: %s\nthe model wrote %s", got, args)
	}
}
