package agentkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// tell writes an event as one line.
func tell(e agentkit.Event) string {
	switch e.Kind {
	case agentkit.EventText:
		return fmt.Sprintf("%d text %q", e.Turn, e.Text)
	case agentkit.EventThinking:
		return fmt.Sprintf("%d thinking %q", e.Turn, e.Text)
	case agentkit.EventCall:
		return fmt.Sprintf("%d call %s %s %s", e.Turn, e.Call.ID, e.Call.Name, e.Text)
	case agentkit.EventMessage:
		return fmt.Sprintf("%d message %s", e.Turn, e.Message.Role)
	case agentkit.EventTool:
		return fmt.Sprintf("%d tool %s %s", e.Turn, e.Call.ID, e.Call.Name)
	case agentkit.EventNote:
		return fmt.Sprintf("%d note %s", e.Turn, e.Note.Code)
	case agentkit.EventEnd:
		return fmt.Sprintf("%d end %q", e.Turn, e.Result.Text)
	}
	return "unknown event"
}

func TestEventsComeInOrderAndAfterTheirCommit(t *testing.T) {
	model := script(t,
		faux.Turn{Thinking: "let me", Text: "One moment, please.", Calls: []faux.Call{call("look", `{}`)}, Chunk: 10},
		faux.Turn{Text: "Blue.", Usage: &faux.Usage{}})
	log := &flakyLog{}
	var got []string
	a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{says("look", "blue")}})
	committed := 0
	for e, err := range a.Stream(t.Context(), agentkit.RunInput{Input: "colour?", Log: log}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == agentkit.EventMessage {
			if committed++; len(log.Messages()) < committed {
				t.Errorf("message %d is told before it is committed", committed)
			}
		}
		got = append(got, tell(e))
	}
	want := []string{
		`1 thinking "let me"`, `1 text "One moment"`, `1 text ", please."`, `1 call c1 look `, `1 call c1 look {}`, `1 message model`, `1 tool c1 look`, `1 message tool`,
		`2 text "Blue."`, `2 message model`, `2 note usage-estimated`, `2 end "Blue."`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestTheFirstTextComesBeforeTheAnswerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := script(t, faux.Turn{Text: "early", Fault: &faux.Fault{Kind: faux.FaultHang, After: 1}})
		a := newAgent(t, agentkit.Config{Model: model})
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		over := errors.New("seen enough")
		var texts []string
		var last error
		for e, err := range a.Stream(ctx, agentkit.RunInput{Input: "go"}) {
			if last = err; err == nil {
				texts = append(texts, e.Text)
				cancel(over) // the stream hangs: nobody else ends it
			}
		}
		if len(texts) != 1 || texts[0] != "early" || !errors.Is(last, over) {
			t.Errorf("texts %q, err %v", texts, last)
		}
	})
}

// What a call has so far can be shown at any time: it is an object, of members that are there to their end.
func TestCallsAreToldWhileTheyAreWritten(t *testing.T) {
	const args = `{"path":"a.go","text":"package a"}`
	model := script(t, faux.Turn{Calls: []faux.Call{call("write", args), call("look", `{}`)}, Chunk: 13},
		faux.Turn{Text: "Done.", Chunk: 100})
	a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{says("write", "ok"), says("look", "ok")}})
	written := map[string]string{}
	var shown []string
	for e, err := range a.Stream(t.Context(), agentkit.RunInput{Input: "go"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == agentkit.EventCall {
			written[e.Call.ID] += e.Text
			shown = append(shown, e.Call.Name+" "+string(jsonx.Salvage([]byte(written[e.Call.ID]))))
		}
	}
	want := []string{
		`write {}`, `write {}`, `write {"path":"a.go"}`, `write ` + args,
		`look {}`, `look {}`,
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	if written["c1"] != args {
		t.Errorf("the pieces make %s", written["c1"])
	}
}

// An answer that hooks may take back is told when they have judged it, and its calls when they are made.
func TestCallsThatHooksMayTakeBackAreNotToldWhileTheyAreWritten(t *testing.T) {
	pass := hook[agentkit.ModelResponse]{"pass", func(agentkit.ModelResponse) (agentkit.Verdict, error) {
		return agentkit.Verdict{}, nil
	}}
	model := script(t, faux.Turn{Text: "Going.", Calls: []faux.Call{call("look", `{}`)}}, faux.Turn{Text: "Done."})
	a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{says("look", "ok")},
		Hooks: agentkit.Hooks{AfterModel: []agentkit.Hook[agentkit.ModelResponse]{pass}}})
	for e, err := range a.Stream(t.Context(), agentkit.RunInput{Input: "go"}) {
		if err != nil || e.Kind == agentkit.EventCall {
			t.Errorf("event %s, err %v", tell(e), err)
		}
	}
}

func TestLeavingTheStreamStopsTheRun(t *testing.T) {
	// Behind the result of the fast call only leaving ends the run: the slow one waits for its context.
	events := []string{`1 text "Going."`, "1 call c1 slow ", "1 call c1 slow {}", "1 call c2 fast ", "1 call c2 fast {}",
		"1 message model", "1 tool c1 slow", "1 tool c2 fast", "1 message tool"}
	for leave := range events {
		slow := newTool("slow", func(ctx context.Context, _ core.Call) (core.Result, error) {
			<-ctx.Done()
			return core.Result{}, ctx.Err()
		})
		fast := says("fast", "ok")
		model := script(t, faux.Turn{Text: "Going.", Calls: []faux.Call{call("slow", `{}`), call("fast", `{}`)}})
		a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{slow, fast}})
		log := &flakyLog{}
		var got []string
		for e, err := range a.Stream(t.Context(), agentkit.RunInput{Input: "go", Log: log}) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, tell(e)); len(got) == leave+1 {
				break
			}
		}
		if diff := cmp.Diff(events[:leave+1], got); diff != "" {
			t.Errorf("left at event %d (-want +got):\n%s", leave, diff)
		}
		if ran := len(slow.runs()) + len(fast.runs()); leave < len(events)-1 && ran != 0 {
			t.Errorf("left at event %d, before the batch: %d calls were run", leave, ran)
		}
		for _, r := range results(log.Messages()) {
			if r.Name == "slow" {
				t.Errorf("left at event %d: the call that was cut short has the result %q", leave, r.Text)
			}
		}
	}
}

func TestCancellingDuringABatchSplitsNothing(t *testing.T) {
	const n = 3
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("ctrl-c")
	var calls []faux.Call
	for range n {
		calls = append(calls, call("stop", `{}`))
	}
	stop := newTool("stop", func(context.Context, core.Call) (core.Result, error) {
		cancel(why) // the first of them that runs
		return core.TextResult("took effect"), nil
	})
	log := &flakyLog{}
	_, err := newAgent(t, agentkit.Config{Model: script(t, faux.Turn{Calls: calls}), Tools: []core.Tool{stop}}).
		Run(ctx, agentkit.RunInput{Input: "go", Log: log})
	if !errors.Is(err, why) {
		t.Errorf("err = %v", err)
	}
	if ran := len(stop.runs()); ran != n {
		t.Errorf("%d of %d calls ran: the batch was split", ran, n)
	}
	if kept := len(results(log.Messages())); kept != n {
		t.Errorf("%d of %d results are kept: what is known of an effect must be", kept, n)
	}
}

func TestCancellingBeforeABatchRunsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	x := says("x", "ok")
	log := &flakyLog{onWrite: func([]journal.Record) { cancel() }} // while the intents are committed
	_, err := newAgent(t, agentkit.Config{Model: script(t, faux.Turn{Calls: []faux.Call{call("x", `{}`), call("x", `{}`)}}), Tools: []core.Tool{x}}).
		Run(ctx, agentkit.RunInput{Input: "go", Log: log})
	if !errors.Is(err, context.Canceled) || len(x.runs()) != 0 {
		t.Errorf("err %v, %d calls ran", err, len(x.runs()))
	}
}

func TestAPanickingConsumerLeavesNothingBehind(t *testing.T) {
	slow := newTool("slow", func(ctx context.Context, _ core.Call) (core.Result, error) {
		<-ctx.Done()
		return core.Result{}, ctx.Err()
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("slow", `{}`), call("fast", `{}`)}})
	a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{slow, says("fast", "ok")}})
	defer func() {
		if p := recover(); p != "consumer" {
			t.Errorf("recovered %v", p)
		}
	}() // goleak sees whether the batch was waited for
	for e, err := range a.Stream(t.Context(), agentkit.RunInput{Input: "go"}) {
		if err != nil {
			t.Error(err)
		}
		if e.Kind == agentkit.EventMessage && e.Message.Role == core.RoleTool {
			panic("consumer")
		}
	}
}

func TestALogThatFailsEndsTheRunAndItsTools(t *testing.T) {
	started := make(chan struct{})
	slow := newTool("slow", func(ctx context.Context, _ core.Call) (core.Result, error) {
		close(started)
		<-ctx.Done()
		return core.Result{}, ctx.Err()
	})
	fast := newTool("fast", func(context.Context, core.Call) (core.Result, error) {
		<-started
		return core.TextResult("ok"), nil
	})
	log := &flakyLog{failAt: 2}
	model := script(t, faux.Turn{Calls: []faux.Call{call("slow", `{}`), call("fast", `{}`)}})
	_, err := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{slow, fast}}).
		Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
	if !errors.Is(err, errKilled) || strings.Contains(err.Error(), "canceled") {
		t.Errorf("err = %v", err)
	}
}

func TestARunIsOverWhenItsDeadlinePasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := script(t, faux.Turn{Text: "late", Delay: faux.Duration(time.Hour)})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		_, err := newAgent(t, agentkit.Config{Model: model}).Run(ctx, agentkit.RunInput{Input: "go"})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("err %v after %v", err, time.Since(began))
		}
	})
}
