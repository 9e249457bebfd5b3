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
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

// outline writes a transcript as a line a message.
func outline(msgs []core.Message) []string {
	var lines []string
	for _, m := range msgs {
		line := string(m.Role)
		for _, p := range m.Parts {
			switch p := p.(type) {
			case core.Text:
				line += " " + p.Text
			case core.ToolCall:
				line += " call " + p.Name
			case core.ToolResult:
				line += " result " + p.Text
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// delivered waits for deliveries that must have taken place.
func delivered(t *testing.T, ds ...*agentkit.Delivery) {
	t.Helper()
	for i, d := range ds {
		if err := d.Wait(t.Context()); err != nil {
			t.Errorf("message %d: %v", i+1, err)
		}
	}
}

// What is said while tools run is durable at once: the tool waits for it. The model sees it behind their results.
func TestASteeringMessageIsCommittedAtOnceAndShownBehindTheBatch(t *testing.T) {
	var control agentkit.Control
	said := make(chan struct{})
	look := newTool("look", func(ctx context.Context, c core.Call) (core.Result, error) {
		if c.Place == 1 {
			defer close(said)
			return core.TextResult("3 ft"), errors.Join(control.Steer("In metres, please.").Wait(ctx), control.Steer("And short.").Wait(ctx))
		}
		<-said
		return core.TextResult("3 ft"), nil
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("look", `{}`), call("look", `{}`)}},
		faux.Turn{Text: "1 m"}, faux.Turn{Text: "unasked"})
	log := &flakyLog{}
	res := run(t, agentkit.Config{Model: model, Tools: []core.Tool{look}},
		agentkit.RunInput{Input: "How high?", Log: log, Control: &control, Path: "a@1", Branch: "b"})
	want := []string{"user How high?", "model call look call look", "tool result 3 ft", "tool result 3 ft",
		"user In metres, please.", "user And short."}
	if diff := cmp.Diff(want, outline(model.last(t).Messages)); diff != "" || res.Text != "1 m" {
		t.Errorf("answer %q, prompt (-want +got):\n%s", res.Text, diff)
	}
	m := log.Messages()[1]
	if m.Path != "a@1" || m.Branch != "b" || m.Author != "user" || m.Parent != "m1" {
		t.Errorf("committed as %+v", m)
	}
}

// A batch that wants the run to end doesn't, when a person has said something meanwhile.
func TestWhatIsSaidDuringTheLastBatchIsAnswered(t *testing.T) {
	var control agentkit.Control
	ends := newTool("ends", func(ctx context.Context, c core.Call) (core.Result, error) {
		return core.Result{Text: "bye", EndRun: true}, control.Steer("Wait!").Wait(ctx)
	})
	log := &flakyLog{}
	cfg := agentkit.Config{Model: script(t, faux.Turn{Calls: []faux.Call{call("ends", `{}`)}}, faux.Turn{Text: "Yes?"}), Tools: []core.Tool{ends}}
	if res := run(t, cfg, agentkit.RunInput{Input: "go", Log: log, Control: &control}); res.Text != "Yes?" || res.Turns != 2 {
		t.Errorf("%q after %d turns", res.Text, res.Turns)
	}
	res := run(t, cfg, agentkit.RunInput{Input: "go", Progress: log.Records()[:len(log.Records())-1]}) // died before the answer
	if res.Text != "Yes?" || res.Turns != 2 {
		t.Errorf("after a restart: %q after %d turns", res.Text, res.Turns)
	}
}

func TestARunThatWasAboutToEndAnswersASteeringMessage(t *testing.T) {
	model := script(t, faux.Turn{Text: "Here."}, faux.Turn{Text: "There."})
	var control agentkit.Control
	var d *agentkit.Delivery
	var text string
	for e, err := range newAgent(t, agentkit.Config{Model: model}).Stream(t.Context(),
		agentkit.RunInput{Input: "Where?", Control: &control}) {
		switch {
		case err != nil:
			t.Fatal(err)
		case e.Kind == agentkit.EventText && d == nil:
			d = control.Steer("Are you sure?")
		case e.Kind == agentkit.EventEnd:
			text = e.Result.Text
		}
	}
	delivered(t, d)
	if diff := cmp.Diff([]string{"user Where?", "model Here.", "user Are you sure?"}, outline(model.last(t).Messages)); diff != "" || text != "There." {
		t.Errorf("answer %q, prompt (-want +got):\n%s", text, diff)
	}
}

func TestFollowUpsAreAnsweredOneByOneBehindSteering(t *testing.T) {
	model := script(t, faux.Turn{Text: "0"}, faux.Turn{Text: "1"}, faux.Turn{Text: "2"}, faux.Turn{Text: "3"})
	var control agentkit.Control
	ds := []*agentkit.Delivery{control.FollowUp("first"), control.FollowUp("second"), control.Steer("now")}
	log := &flakyLog{}
	res := run(t, agentkit.Config{Model: model}, agentkit.RunInput{Input: "go", Log: log, Control: &control})
	delivered(t, ds...)
	want := []string{"user now", "model 0", "user first", "model 1", "user second", "model 2"}
	if diff := cmp.Diff(want, outline(log.Messages())); diff != "" || res.Text != "2" || res.Turns != 3 {
		t.Errorf("%d turns, answer %q, transcript (-want +got):\n%s", res.Turns, res.Text, diff)
	}
}

func TestWhatTheRunDoesNotTakeIsNotDelivered(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for name, c := range map[string]struct {
		model *recorder
		ctx   context.Context
	}{
		"it failed":        {script(t, faux.Turn{Fault: &faux.Fault{Kind: faux.FaultCut}}), t.Context()},
		"it was cancelled": {script(t, faux.Turn{Text: "x"}), ctx},
	} {
		var control agentkit.Control
		d := control.FollowUp("and then?")
		cancel()
		if _, err := newAgent(t, agentkit.Config{Model: c.model}).Run(c.ctx, agentkit.RunInput{Control: &control}); err == nil {
			t.Errorf("%s: no error", name)
		}
		for _, d := range []*agentkit.Delivery{d, control.Steer("late"), control.FollowUp("later")} {
			if err := d.Wait(t.Context()); !errors.Is(err, agentkit.ErrNotDelivered) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestAMessageThatCannotBeCommittedIsNotShown(t *testing.T) {
	model := script(t, faux.Turn{Text: "x"})
	var control agentkit.Control
	d := control.Steer("now")
	in := agentkit.RunInput{Log: &flakyLog{failAt: 1}, Control: &control}
	if _, err := newAgent(t, agentkit.Config{Model: model}).Run(t.Context(), in); !errors.Is(err, errKilled) {
		t.Errorf("the run: %v", err)
	}
	if err := d.Wait(t.Context()); !errors.Is(err, errKilled) || len(model.requests) != 0 {
		t.Errorf("delivery: %v; %d requests", err, len(model.requests))
	}
}

func TestWaitingForADeliveryEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	if err := new(agentkit.Control).Steer("now").Wait(ctx); !errors.Is(err, over) {
		t.Errorf("err = %v", err)
	}
}

func TestAControlServesOneRun(t *testing.T) {
	var control agentkit.Control
	cfg := agentkit.Config{Model: script(t, faux.Turn{Text: "x"})}
	run(t, cfg, agentkit.RunInput{Control: &control})
	_, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Control: &control})
	if err == nil || !strings.Contains(err.Error(), "given to another run already") {
		t.Errorf("err = %v", err)
	}
}

// Each message that was put in is in the transcript once or reported as not delivered, whoever puts it in when.
func TestNoMessageFallsBetweenTheLastLookAndTheEnd(t *testing.T) {
	m, err := faux.New("faux", faux.Script{Rules: []faux.Rule{{Reply: &faux.Turn{Text: "ok"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var control agentkit.Control
	log := &flakyLog{}
	var senders sync.WaitGroup
	sent := make([][]*agentkit.Delivery, 4)
	for s := range sent {
		senders.Go(func() {
			for i := range 8 {
				put := control.Steer
				if i%2 == 1 {
					put = control.FollowUp
				}
				sent[s] = append(sent[s], put(fmt.Sprintf("%d/%d", s, i)))
			}
		})
	}
	run(t, agentkit.Config{Model: m}, agentkit.RunInput{Log: log, Control: &control})
	senders.Wait()
	seen := map[string]int{}
	for _, msg := range log.Messages() {
		if msg.Role == core.RoleUser {
			seen[core.TextOf(msg)]++
		}
	}
	for s, ds := range sent {
		for i, d := range ds {
			want := 1
			if errors.Is(d.Wait(t.Context()), agentkit.ErrNotDelivered) {
				want = 0
			}
			if got := seen[fmt.Sprintf("%d/%d", s, i)]; got != want {
				t.Errorf("message %d/%d is in the transcript %d times, want %d", s, i, got, want)
			}
		}
	}
}

// steered is a run with thoughts, a batch, and messages from outside at all places.
func steered(t *testing.T, log *flakyLog, pending map[string]bool) (*recorder, error) {
	t.Helper()
	model := script(t,
		faux.Turn{Thinking: "hm", Calls: []faux.Call{call("look", `{}`), call("look", `{}`)}},
		faux.Turn{Text: "One."}, faux.Turn{Text: "Two."}, faux.Turn{Text: "Three."})
	control := &agentkit.Control{}
	var ds []*agentkit.Delivery
	var texts []string
	send := func(put func(string) *agentkit.Delivery, text string) {
		if pending[text] {
			ds, texts = append(ds, put(text)), append(texts, text)
		}
	}
	look := newTool("look", func(ctx context.Context, c core.Call) (core.Result, error) {
		if c.Place == 1 && pending["during"] {
			send(control.Steer, "during")
			return core.TextResult("blue"), ds[len(ds)-1].Wait(ctx)
		}
		return core.TextResult("blue"), nil
	})
	look.spec.ReadOnly = true
	for _, m := range log.Messages() { // the sender looks what is there
		delete(pending, core.TextOf(m))
	}
	send(control.Steer, "steer")
	send(control.FollowUp, "second")
	send(control.FollowUp, "third")
	_, err := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{look}}).Run(t.Context(),
		agentkit.RunInput{Input: "go", Log: log, Progress: log.Records(), Control: control})
	for i, d := range ds {
		if d.Wait(t.Context()) == nil {
			delete(pending, texts[i])
		}
	}
	return model, err
}

func TestMessagesFromOutsideSurviveAKillAtEveryCommit(t *testing.T) {
	all := func() map[string]bool {
		return map[string]bool{"steer": true, "during": true, "second": true, "third": true}
	}
	reference := &flakyLog{}
	whole, err := steered(t, reference, all())
	if err != nil {
		t.Fatal(err)
	}
	sorted := func(log *flakyLog) []string { return outline(session.Repair(log.Messages(), "faux")) }
	want := sorted(reference)
	for _, after := range []bool{false, true} {
		for k := 1; k <= reference.commits; k++ {
			log, pending := &flakyLog{failAt: k, after: after}, all()
			if _, err := steered(t, log, pending); log.commits >= k && !errors.Is(err, errKilled) {
				t.Fatalf("first process: %v", err)
			}
			log.failAt = 0
			again, err := steered(t, log, pending)
			if err != nil {
				t.Fatalf("after=%t commit=%d: %v", after, k, err)
			}
			if diff := cmp.Diff(want, sorted(log)); diff != "" || len(pending) != 0 {
				t.Errorf("after=%t commit=%d: not delivered %v, transcript (-want +got):\n%s", after, k, pending, diff)
			}
			if len(again.requests) == 0 {
				continue // it died behind the last commit
			}
			if diff := cmp.Diff(bare(whole.requests[3:]), bare(again.requests[len(again.requests)-1:])); diff != "" {
				t.Errorf("after=%t commit=%d: last request (-whole +resumed):\n%s", after, k, diff)
			}
		}
	}
}

// The model may miss the schema once an answer: a follow-up asks for another answer, steering doesn't.
func TestEachFollowUpMayBeCorrectedOnce(t *testing.T) {
	cfg := func(turns ...faux.Turn) agentkit.Config {
		return agentkit.Config{Model: script(t, turns...), Schemas: required{}, OutputSchema: []byte(`["name"]`)}
	}
	bad, good := faux.Turn{Text: `{}`}, faux.Turn{Text: `{"name":"x"}`}
	var control agentkit.Control
	control.FollowUp("another")
	log := &flakyLog{failAt: 5} // behind the second correction
	_, err := newAgent(t, cfg(bad, good, bad, good)).Run(t.Context(), agentkit.RunInput{Input: "go", Log: log, Control: &control})
	if !errors.Is(err, errKilled) {
		t.Fatalf("err = %v", err)
	}
	var outputErr *agentkit.OutputError
	_, err = newAgent(t, cfg(bad, good, bad, bad)).Run(t.Context(), agentkit.RunInput{Input: "go", Progress: log.Records()})
	if !errors.As(err, &outputErr) {
		t.Errorf("a restart forgot that the answer was corrected: %v", err)
	}
	log.failAt = 0
	res := run(t, cfg(bad, good, bad, good), agentkit.RunInput{Input: "go", Progress: log.Records()})
	if string(res.Output) != `{"name":"x"}` || res.Turns != 4 {
		t.Errorf("output %s after %d turns", res.Output, res.Turns)
	}
	steered := append(log.Records(), core.UserMessage("Now!"))
	_, err = newAgent(t, cfg(bad, good, bad, bad)).Run(t.Context(), agentkit.RunInput{Input: "go", Progress: steered})
	if !errors.As(err, &outputErr) {
		t.Errorf("steering gave the model another try: %v", err)
	}
}

// whole checks that a transcript can be sent as it stands.
func whole(t *testing.T, msgs []core.Message) {
	t.Helper()
	if diff := cmp.Diff(outline(msgs), outline(session.Repair(msgs, "faux"))); diff != "" {
		t.Errorf("the transcript needs repair (-is +repaired):\n%s", diff)
	}
}

func TestAnAbortedBatchHasAResultForEachCall(t *testing.T) {
	var control agentkit.Control
	started := make(chan struct{}, 2)
	hang := newTool("hang", func(ctx context.Context, _ core.Call) (core.Result, error) {
		started <- struct{}{}
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), agentkit.ErrAborted) {
			t.Errorf("the tool sees the cause %v", context.Cause(ctx))
		}
		return core.Result{}, ctx.Err()
	})
	quick := newTool("quick", func(context.Context, core.Call) (core.Result, error) {
		<-started
		<-started
		control.Abort()
		return core.TextResult("done"), nil
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("hang", `{}`), call("quick", `{}`), call("hang", `{}`), call("nowhere", `{}`)}})
	log := &flakyLog{}
	_, err := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{hang, quick}}).
		Run(t.Context(), agentkit.RunInput{Input: "go", Log: log, Control: &control})
	if !errors.Is(err, agentkit.ErrAborted) {
		t.Errorf("err = %v", err)
	}
	got := map[string]string{}
	for _, r := range results(log.Messages()) {
		got[r.ID] = r.Text
	}
	want := map[string]string{"c1": agentkit.CutShort, "c2": "done", "c3": agentkit.CutShort,
		"c4": `there is no tool "nowhere"; the tools are: hang, quick`}
	if diff := cmp.Diff(want, got); diff != "" || len(log.Messages()) != 5 {
		t.Errorf("%d messages, results (-want +got):\n%s", len(log.Messages()), diff)
	}
}

func TestABatchThatIsAbortedBeforeItBeginsRunsNothing(t *testing.T) {
	var control agentkit.Control
	work := says("work", "done")
	model := script(t, faux.Turn{Calls: []faux.Call{call("work", `{}`), call("work", `{}`)}})
	log := &flakyLog{}
	var last error
	for e, err := range newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{work}}).
		Stream(t.Context(), agentkit.RunInput{Input: "go", Log: log, Control: &control}) {
		if last = err; e.Kind == agentkit.EventTool {
			control.Abort()
		}
	}
	want := []string{"model call work call work", "tool result " + agentkit.AbortedCall, "tool result " + agentkit.AbortedCall}
	if diff := cmp.Diff(want, outline(log.Messages())); diff != "" || len(work.runs()) != 0 || !errors.Is(last, agentkit.ErrAborted) {
		t.Errorf("err %v, %d calls ran, transcript (-want +got):\n%s", last, len(work.runs()), diff)
	}
	whole(t, log.Messages())
}

func TestAnAbortedAnswerIsDropped(t *testing.T) {
	var control agentkit.Control
	model := script(t, faux.Turn{Text: "early", Fault: &faux.Fault{Kind: faux.FaultHang, After: 1}})
	log := &flakyLog{}
	var last error
	for e, err := range newAgent(t, agentkit.Config{Model: model}).
		Stream(t.Context(), agentkit.RunInput{Input: "go", Log: log, Control: &control}) {
		if last = err; e.Kind == agentkit.EventText {
			control.Abort()
		}
	}
	if !errors.Is(last, agentkit.ErrAborted) || len(log.Records()) != 0 {
		t.Errorf("err %v, committed %v", last, log.Records())
	}
}

// What an earlier process left open is closed as well, also when the run is aborted before it begins.
func TestAnAbortClosesTheTurnOfAnEarlierProcess(t *testing.T) {
	var control agentkit.Control
	control.Abort()
	log := &flakyLog{}
	begun := []journal.Record{asked("pay", "pay", "gone"), journal.Call{ID: "c1", Tool: "pay"}}
	if err := log.Commit(t.Context(), begun...); err != nil {
		t.Fatal(err)
	}
	pay := says("pay", "paid")
	_, err := newAgent(t, agentkit.Config{Model: script(t, faux.Turn{Text: "x"}), Tools: []core.Tool{pay}}).
		Run(t.Context(), agentkit.RunInput{Log: log, Progress: log.Records(), Control: &control})
	want := []string{"model call pay call pay call gone", "tool result " + agentkit.CutShort,
		"tool result " + agentkit.AbortedCall, "tool result " + agentkit.AbortedCall}
	if diff := cmp.Diff(want, outline(log.Messages())); diff != "" || len(pay.runs()) != 0 || !errors.Is(err, agentkit.ErrAborted) {
		t.Errorf("err %v, %d calls ran, transcript (-want +got):\n%s", err, len(pay.runs()), diff)
	}
}

func TestAnAbortThatCannotBeCommittedIsTheLogsError(t *testing.T) {
	var control agentkit.Control
	control.Abort()
	in := agentkit.RunInput{Log: &flakyLog{failAt: 1}, Progress: []journal.Record{asked("pay")}, Control: &control}
	if _, err := newAgent(t, agentkit.Config{Model: script(t, faux.Turn{Text: "x"})}).Run(t.Context(), in); !errors.Is(err, errKilled) {
		t.Errorf("err = %v", err)
	}
}
