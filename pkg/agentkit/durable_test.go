package agentkit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

var errKilled = errors.New("killed")

// flakyLog keeps what is committed, and fails one commit: before it wrote, or after.
type flakyLog struct {
	session.Memory
	failAt  int // counted from 1; 0: never
	after   bool
	commits int
	onWrite func(recs []journal.Record)
}

func (l *flakyLog) Commit(ctx context.Context, recs ...journal.Record) error {
	l.commits++
	dies := l.commits == l.failAt
	if dies && !l.after {
		return errKilled
	}
	if err := l.Memory.Commit(ctx, recs...); err != nil {
		return err
	}
	if l.onWrite != nil {
		l.onWrite(recs)
	}
	if dies {
		return errKilled
	}
	return nil
}

// conversation is three turns with two parallel calls in each of the first two.
type conversation struct {
	lookup *tool // read-only
	charge *tool // has an effect
	model  *recorder
	// apart makes the charge of a turn wait until the result of the lookup is committed.
	apart     bool
	committed map[string]chan struct{} // by call id
}

func newConversation(t *testing.T, apart bool) *conversation {
	t.Helper()
	c := &conversation{apart: apart, committed: map[string]chan struct{}{}}
	for i := 1; i <= 4; i++ {
		c.committed[fmt.Sprintf("c%d", i)] = make(chan struct{})
	}
	c.lookup = newTool("lookup", func(_ context.Context, call core.Call) (core.Result, error) {
		return core.Result{Text: "plan pro", Set: map[string]any{"seen": call.ID}}, nil
	})
	c.lookup.spec.ReadOnly = true
	c.charge = newTool("charge", func(ctx context.Context, call core.Call) (core.Result, error) {
		if before := map[string]string{"c2": "c1", "c4": "c3"}; c.apart {
			select {
			case <-c.committed[before[call.ID]]:
			case <-ctx.Done():
				return core.Result{}, ctx.Err()
			}
		}
		return core.TextResult("charged under " + call.Key), nil
	})
	both := []faux.Call{call("lookup", `{"who":"ann"}`), call("charge", `{"eur":5}`)}
	c.model = script(t,
		faux.Turn{Text: "First.", Calls: both},
		faux.Turn{Text: "Again.", Calls: both},
		faux.Turn{Text: "All done."})
	return c
}

// wrote lets the charges go on that waited for these results.
func (c *conversation) wrote(recs []journal.Record) {
	for _, r := range recs {
		if m, ok := r.(journal.Msg); ok {
			if res, ok := core.ResultOf(m); ok {
				close(c.committed[res.ID])
			}
		}
	}
}

// process runs the conversation on a log in the way of a fresh process.
func (c *conversation) process(t *testing.T, log *flakyLog) (*agentkit.Result, error) {
	t.Helper()
	log.onWrite = c.wrote
	cfg := agentkit.Config{Model: c.model, Tools: []core.Tool{c.lookup, c.charge}}
	return newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{
		Input: "charge ann", Path: "answer@1", Log: log, Progress: log.Records(),
		Key: func(id string) string { return "key-" + id },
	})
}

func TestARunGoesOnAfterAKillAtEveryCommit(t *testing.T) {
	for _, apart := range []bool{false, true} {
		whole := newConversation(t, apart)
		reference := &flakyLog{}
		want, err := whole.process(t, reference)
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []bool{false, true} {
			for k := 1; k <= reference.commits; k++ {
				t.Run(fmt.Sprintf("apart=%t after=%t commit=%d", apart, after, k), func(t *testing.T) {
					c := newConversation(t, apart)
					log := &flakyLog{failAt: k, after: after}
					if _, err := c.process(t, log); log.commits >= k && !errors.Is(err, errKilled) {
						t.Fatalf("first process: %v", err)
					}
					log.failAt = 0
					got, err := c.process(t, log)
					if err != nil {
						t.Fatalf("second process: %v", err)
					}
					if got.Text != want.Text || got.Turns != want.Turns || !cmp.Equal(got.Set, want.Set) {
						t.Errorf("got %+v, want %+v", got, want)
					}
					c.checkTranscript(t, log)
				})
			}
		}
	}
}

// checkTranscript checks what has to hold after any number of kills.
func (c *conversation) checkTranscript(t *testing.T, log *flakyLog) {
	t.Helper()
	charged := map[string]int{}
	for _, call := range c.charge.runs() {
		charged[call.ID]++
		if call.Key != "key-"+call.ID {
			t.Errorf("call %s had the key %q", call.ID, call.Key)
		}
	}
	answers := map[string]core.ToolResult{}
	for _, r := range results(log.Messages()) {
		if _, twice := answers[r.ID]; twice {
			t.Errorf("call %s has two results", r.ID)
		}
		answers[r.ID] = r
	}
	for _, id := range []string{"c2", "c4"} {
		switch r := answers[id]; {
		case charged[id] > 1:
			t.Errorf("charge %s was made %d times", id, charged[id])
		case r.Text == "charged under key-"+id && charged[id] != 1:
			t.Errorf("charge %s has a result and was made %d times", id, charged[id])
		case r.Text != "charged under key-"+id && r.Text != agentkit.UnknownOutcome:
			t.Errorf("charge %s has the result %q", id, r.Text)
		}
	}
	for _, id := range []string{"c1", "c3"} {
		if r := answers[id]; r.Text != "plan pro" {
			t.Errorf("lookup %s has the result %q: a read-only call can be made again", id, r.Text)
		}
	}
}

func TestAResumedRunSendsTheSameRequests(t *testing.T) {
	whole := newConversation(t, false)
	reference := &flakyLog{}
	if _, err := whole.process(t, reference); err != nil {
		t.Fatal(err)
	}
	// Whatever is committed after a turn's results, the next request is the same: cut the log behind each record.
	recs := reference.Records()
	for cut := range recs {
		msg, ok := recs[cut].(journal.Msg)
		if !ok || msg.Role != core.RoleTool || openCalls(recs[:cut+1]) > 0 {
			continue
		}
		c := newConversation(t, false)
		cfg := agentkit.Config{Model: c.model, Tools: []core.Tool{c.lookup, c.charge}}
		if _, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{
			Input: "charge ann", Path: "answer@1", Progress: recs[:cut+1],
			Key: func(id string) string { return "key-" + id },
		}); err != nil {
			t.Fatal(err)
		}
		n := len(whole.model.requests) - len(c.model.requests)
		if diff := cmp.Diff(bare(whole.model.requests[n:]), bare(c.model.requests)); diff != "" {
			t.Errorf("requests after a resume behind record %d (-whole +resumed):\n%s", cut, diff)
		}
	}
}

// openCalls counts the calls without a result.
func openCalls(recs []journal.Record) int {
	n := 0
	for _, r := range recs {
		if m, ok := r.(journal.Msg); ok {
			n += len(core.CallsOf(m)) - len(results([]core.Message{m}))
		}
	}
	return n
}

// bare removes the ids of messages, which aren't sent.
func bare(reqs []core.Request) []core.Request {
	out := append([]core.Request(nil), reqs...)
	for i := range out {
		out[i].Messages = append([]core.Message(nil), out[i].Messages...)
		for k := range out[i].Messages {
			out[i].Messages[k].ID, out[i].Messages[k].Parent = "", ""
		}
	}
	return out
}

func TestIntentsAreCommittedWithTheMessageBeforeAnyToolRuns(t *testing.T) {
	log := &flakyLog{}
	var before []journal.Record
	look := newTool("look", func(context.Context, core.Call) (core.Result, error) {
		before = log.Records()
		return core.TextResult("ok"), nil
	})
	look.spec.Server, look.spec.ServerTool, look.spec.Idempotent = "crm", "find", true
	look.spec.Name = "crm__find"
	model := script(t,
		faux.Turn{Text: "Let me see.", Calls: []faux.Call{call("crm__find", `{}`)}, Usage: &faux.Usage{Input: 9, Output: 3}},
		faux.Turn{Text: "Found."})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{look}},
		agentkit.RunInput{Input: "find", Log: log, Path: "answer@1", Branch: "b"})
	want := []journal.Record{
		journal.Msg{ID: "m1", Path: "answer@1", Role: core.RoleModel, Author: "bot", Branch: "b",
			Parts: []core.Part{core.Text{Text: "Let me see."}, core.ToolCall{ID: "c1", Name: "crm__find", Args: "{}"}},
			Stop:  "tool_use", Model: "faux", Usage: &core.Usage{Input: 9, Output: 3}},
		journal.Call{Path: "answer@1", ID: "c1", Tool: "find", Server: "crm", ReadOnly: true},
	}
	if diff := cmp.Diff(want, before); diff != "" {
		t.Errorf("committed when the tool ran (-want +got):\n%s", diff)
	}
}

func TestAFinishedRunReturnsItsResultAgain(t *testing.T) {
	c := newConversation(t, false)
	log := &flakyLog{}
	first, err := c.process(t, log)
	if err != nil {
		t.Fatal(err)
	}
	asked := len(c.model.requests)
	again, err := c.process(t, log)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("result (-first +again):\n%s", diff)
	}
	if more := len(c.model.requests) - asked; more != 0 {
		t.Errorf("the model was asked %d times more", more)
	}
}

func TestT2ARetryGoesOnFromTheLastFinishedTurn(t *testing.T) {
	step := says("step", "stepped")
	model := script(t,
		faux.Turn{Calls: []faux.Call{call("step", `{"n":1}`)}},
		faux.Turn{Calls: []faux.Call{call("step", `{"n":2}`)}},
		faux.Turn{Text: "Arrived.", Fault: &faux.Fault{Kind: faux.FaultError, Status: 529, Type: "overloaded_error",
			Message: "try later", Attempts: 1}})
	a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{step}})
	log := &flakyLog{}
	_, err := a.Run(t.Context(), agentkit.RunInput{Input: "go", Log: log, Attempt: 1})
	var pe *core.ProviderError
	if !errors.As(err, &pe) || pe.Status != 529 || !core.Transient(err) {
		t.Fatalf("attempt 1: %v", err)
	}
	if want := "agent bot: model faux: overloaded_error (status 529): try later"; err.Error() != want {
		t.Errorf("the error says %q, want %q", err, want)
	}
	res, err := a.Run(t.Context(), agentkit.RunInput{Input: "go", Log: log, Attempt: 2, Progress: log.Records()})
	if err != nil {
		t.Fatal(err)
	}
	if res.Text != "Arrived." || res.Turns != 3 || len(step.runs()) != 2 || len(model.requests) != 4 {
		t.Errorf("text %q, %d turns, %d tool calls, %d requests", res.Text, res.Turns, len(step.runs()), len(model.requests))
	}
}
