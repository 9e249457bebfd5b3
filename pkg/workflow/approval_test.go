package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// refundSchema is that of the arguments of the calls in these tests.
func refundSchema() any {
	return map[string]any{"type": "object", "required": []any{"amount"},
		"properties": map[string]any{"amount": map[string]any{"type": "integer"}}}
}

// refunds makes a body that calls a tool once for each call, after all of them were approved. What it called is in its
// output.
func refunds(calls ...string) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		var open []workflow.Approval
		var made []string
		for _, call := range calls {
			d, decided := ctx.Decision(call)
			switch {
			case !decided:
				open = append(open, workflow.Approval{Call: call, Tool: "refund", Args: json.RawMessage(`{"amount":5}`),
					Message: strings.TrimSpace("refund " + call), Schema: refundSchema()})
			case d.Approved:
				made = append(made, strings.TrimSpace(fmt.Sprintf("%s %s by %s", call, d.Args, d.By)))
			default:
				made = append(made, strings.TrimSpace(call+" not: "+d.Reason))
			}
		}
		if len(open) > 0 {
			return workflow.Result{}, workflow.RequestApproval(open...)
		}
		return workflow.Result{Output: strings.Join(made, "; ")}, nil
	}
}

// smallOnly refuses edited arguments with a large amount, as a hook may.
func smallOnly(_ *workflow.Context, ask journal.Ask, args json.RawMessage) error {
	var v struct {
		Amount int `json:"amount"`
	}
	if err := json.Unmarshal(args, &v); err != nil || v.Amount > 10 {
		return fmt.Errorf("%s: the amount is %d, at most 10 may be refunded", ask.Tool, v.Amount)
	}
	return nil
}

// decide answers approvals by their messages, in another process.
func (d *desk) decide(decisions map[string]workflow.Answer) outcome {
	d.t.Helper()
	var answers []workflow.Answer
	for id, message := range d.open {
		if a, ok := decisions[message]; ok {
			a.ID, a.By = id, "ada"
			answers = append(answers, a)
		}
	}
	return d.saw(resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "s", Run: "r", Answers: answers}))
}

func approve() workflow.Answer { return workflow.Answer{Decision: journal.Approve} }

func edit(args string) workflow.Answer {
	return workflow.Answer{Decision: journal.Edit, Args: json.RawMessage(args)}
}

func TestE51_approvals(t *testing.T) {
	for want, decision := range map[string]workflow.Answer{
		`{"amount":5} by ada`: approve(),
		`{"amount":7} by ada`: edit(`{"amount":7}`),
		`not: too much`:       {Decision: journal.Reject, Reason: "too much"},
	} {
		d := newDesk(t, newLab().does("pay", refunds("")).does("end", echoes), "START -> pay -> end")
		got := d.begin(nil)
		d.wants(got, "refund")
		ask := got.last().Interrupts[0].Ask
		if ask.Kind != journal.AskApproval || ask.Tool != "refund" || ask.Args != `{"amount":5}` {
			t.Errorf("the question is %+v", ask)
		}
		d.completed(d.decide(map[string]workflow.Answer{"refund": decision}), want)
	}
}

// Several calls of one activation are decided one by one, and it goes on when all of them are.
func TestE51_approvals_of_one_activation(t *testing.T) {
	d := newDesk(t, newLab().does("pay", refunds("a", "b", "c")), "START -> pay")
	d.wants(d.begin(nil), "refund a", "refund b", "refund c")
	d.wants(d.decide(map[string]workflow.Answer{"refund b": {Decision: journal.Reject, Reason: "no"}}), "refund a", "refund c")
	d.completed(d.decide(map[string]workflow.Answer{"refund a": approve(), "refund c": edit(`{"amount":1}`)}),
		`a {"amount":5} by ada; b not: no; c {"amount":1} by ada`)
}

func TestH7_edited_arguments_that_are_refused(t *testing.T) {
	l := newLab().does("pay", refunds("a", "b"))
	l.config["pay"] = workflow.NodeConfig{CheckEdit: smallOnly}
	d := newDesk(t, l, "START -> pay")
	d.wants(d.begin(nil), "refund a", "refund b")
	before, _ := journal.Load(context.Background(), d.store, "s")
	got := d.decide(map[string]workflow.Answer{"refund a": approve(), "refund b": edit(`{"amount":11}`)})
	after, _ := journal.Load(context.Background(), d.store, "s")
	if codeOf(got.err) != workflow.CodeAnswer || before.Seq != after.Seq || len(got.events) > 0 ||
		!strings.Contains(got.err.Error(), `the answer to "refund b": refund: the amount is 11, at most 10`) {
		t.Fatalf("%v, %d events, entries %d and %d", got.err, len(got.events), before.Seq, after.Seq)
	}
	d.completed(d.decide(map[string]workflow.Answer{"refund a": approve(), "refund b": edit(`{"amount":10}`)}),
		`a {"amount":5} by ada; b {"amount":10} by ada`)
}

func TestE51_decisions_that_are_none(t *testing.T) {
	d := newDesk(t, newLab().does("pay", refunds("")).does("ask", asks(workflow.Question{})), "START -> pay; START -> ask")
	d.wants(d.begin(nil), "refund", "ask@1")
	for want, answer := range map[string]struct {
		to string
		workflow.Answer
	}{
		"it asks for a decision: approve, edit or reject":             {"refund", workflow.Answer{}},
		"it asks for a decision, not for the value yes":               {"refund", workflow.Answer{Decision: journal.Approve, Value: "yes"}},
		`the decision is "maybe", it must be approve, edit or reject`: {"refund", workflow.Answer{Decision: "maybe"}},
		"arguments go with edit, not with approve":                    {"refund", workflow.Answer{Decision: journal.Approve, Args: json.RawMessage("{}")}},
		"the arguments are no JSON":                                   {"refund", edit("{")},
		"the arguments must be a JSON object":                         {"refund", edit("[5]")},
		"the arguments don't fit":                                     {"refund", edit(`{"amount":"five"}`)},
		"it asks for a value, not for a decision":                     {"ask@1", approve()},
	} {
		got := d.decide(map[string]workflow.Answer{answer.to: answer.Answer})
		if codeOf(got.err) != workflow.CodeAnswer || !strings.Contains(got.err.Error(), want) {
			t.Errorf("%v, want %s", got.err, want)
		}
	}
}

// A decision holds for the next attempt, here and in another process.
func TestE51_a_decision_outlives_its_attempt(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			pay := refunds("")
			l := newLab().does("pay", func(ctx *workflow.Context, input any) (workflow.Result, error) {
				res, err := pay(ctx, input)
				if err == nil && ctx.Attempt() == 1 {
					return res, errors.New("the bank is closed")
				}
				return res, err
			})
			l.config["pay"] = retrying()
			d := newDesk(t, l, "START -> pay")
			d.wants(d.begin(nil), "refund")
			healthy := d.store
			if restart {
				d.store = storetest.NewFaulty(healthy, 3, storetest.Before) // dies in the pause between the attempts
			}
			got := d.decide(map[string]workflow.Answer{"refund": approve()})
			if restart {
				if codeOf(got.err) != workflow.CodeJournal {
					t.Fatalf("the process should have died: %v", got.err)
				}
				d.store = healthy
				got = d.decide(nil)
			}
			d.completed(got, `{"amount":5} by ada`)
		})
	}
}

// What was decided about a call isn't taken for a decision about a later call with the same id, in none of its attempts.
func TestE51_a_decision_expires_with_the_turn(t *testing.T) {
	turn := journal.Msg{Role: journal.RoleModel, Author: "pay", Parts: []journal.Part{journal.ToolCall{ID: "c", Name: "refund"}}}
	l := newLab().does("pay", func(ctx *workflow.Context, input any) (workflow.Result, error) {
		if len(ctx.Session().Own) == 0 {
			if err := ctx.Commit(turn); err != nil {
				return workflow.Result{}, err
			}
		}
		if res, err := refunds("c")(ctx, input); err != nil || len(ctx.Session().Own) > 1 {
			return res, err
		}
		if err := ctx.Commit(turn); err != nil {
			return workflow.Result{}, err
		}
		return workflow.Result{}, errors.New("the provider is down")
	})
	synctest.Test(t, func(t *testing.T) {
		l.config["pay"] = retrying()
		d := newDesk(t, l, "START -> pay")
		d.wants(d.begin(nil), "refund c")
		d.wants(d.decide(map[string]workflow.Answer{"refund c": approve()}), "refund c")
		d.completed(d.decide(map[string]workflow.Answer{"refund c": edit(`{"amount":2}`)}), `c {"amount":2} by ada`)
	})
}

func TestE50_an_answer_belongs_to_its_attempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			answer, answered := ctx.Answer()
			switch {
			case !answered:
				return workflow.Result{}, workflow.RequestInput(workflow.Question{Message: fmt.Sprint("attempt ", ctx.Attempt())})
			case ctx.Attempt() == 1:
				return workflow.Result{}, errors.New("unusable")
			}
			return workflow.Result{Output: answer}, nil
		})
		cfg := retrying()
		cfg.RerunOnResume = true
		l.config["ask"] = cfg
		d := newDesk(t, l, "START -> ask")
		d.wants(d.begin(nil), "attempt 1")
		d.wants(d.answer(map[string]any{"attempt 1": "a"}), "attempt 2")
		d.completed(d.answer(map[string]any{"attempt 2": "b"}), "b")
	})
}

// When one question of an activation lapses, the others do, too.
func TestH6_the_deadline_of_an_approval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("pay", func(*workflow.Context, any) (workflow.Result, error) {
			return workflow.Result{}, workflow.RequestApproval(workflow.Approval{Call: "a", Tool: "refund"},
				workflow.Approval{Call: "b", Tool: "refund", Deadline: time.Hour})
		}).does("work", echoes)
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"work@1": 2 * time.Hour}[path] }
		got := newDesk(t, l, "START -> pay; START -> work").begin(nil)
		if codeOf(got.err) != workflow.CodeDeadline {
			t.Errorf("the run ended with %v", got.err)
		}
	})
}

func TestCrash_of_runs_with_approvals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const want = `run-completed a {"amount":5} by ada; b {"amount":9} by ada`
		for n := 1; ; n++ {
			for _, at := range []storetest.Moment{storetest.Before, storetest.After} {
				got, tripped := playApproval(t, n, at)
				if got != want {
					t.Errorf("crash %v append %d: %s, want %s", at, n, got, want)
				}
				if !tripped {
					return
				}
			}
		}
	})
}

func playApproval(t *testing.T, n int, at storetest.Moment) (told string, tripped bool) {
	t.Helper()
	l := newLab().does("pay", refunds("a", "b")).does("end", echoes)
	l.config["pay"] = workflow.NodeConfig{CheckEdit: smallOnly}
	d := newDesk(t, l, "START -> pay -> end")
	healthy := d.store
	faulty := storetest.NewFaulty(healthy, n, at)
	d.store = faulty
	got := d.begin(nil)
	for range 20 {
		switch {
		case codeOf(got.err) == workflow.CodeJournal:
			d.store = healthy
			got = d.decide(nil)
			if codeOf(got.err) == workflow.CodeRequest {
				got = d.begin(nil)
			}
		case got.last().Kind != workflow.RunWaiting:
			return fmt.Sprint(got.last().Kind, " ", got.output), faulty.Tripped()
		case len(d.open) == 2:
			got = d.decide(map[string]workflow.Answer{"refund a": approve()})
		default:
			got = d.decide(map[string]workflow.Answer{"refund b": edit(`{"amount":9}`)})
		}
	}
	t.Fatalf("crash %v append %d: no end", at, n)
	return "", false
}

func TestH7_edited_arguments_while_the_run_executes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("pay", refunds(""))
		l.config["pay"] = workflow.NodeConfig{CheckEdit: smallOnly}
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"slow@1": time.Hour}[path] }
		handle := &workflow.Handle{}
		ids := make(chan string, 1)
		go func() {
			asked := <-ids
			refused := edit(`{"amount":11}`)
			refused.ID = asked
			if err := handle.Answer(refused); codeOfAny(err) != workflow.CodeAnswer {
				t.Errorf("a large amount: %v", err)
			}
			taken := edit(`{"amount":9}`)
			taken.ID = asked
			if err := handle.Answer(taken); err != nil {
				t.Errorf("a small amount: %v", err)
			}
		}()
		d := newDesk(t, l, "START -> pay; START -> slow")
		for e, err := range d.workflow().Run(context.Background(), workflow.RunRequest{Store: d.store, Env: workflow.Env{Handle: handle}}) {
			if wait, ok := e.Record.(journal.Wait); ok {
				ids <- wait.Asks[0].ID
			}
			if e.Kind != workflow.RunCompleted && err == nil {
				continue
			}
			want := map[string]any{"pay": `{"amount":9} by`, "slow": "slow@1"}
			if diff := cmp.Diff(want, e.Output); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		}
	})
}
