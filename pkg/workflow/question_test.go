package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// asks makes a body that asks, with the path of the activation as the question.
func asks(q workflow.Question) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		own := q
		own.Message = ctx.Path()
		return workflow.Result{State: map[string]any{"asked": true}}, workflow.RequestInput(own)
	}
}

// desk is a run whose questions a test answers.
type desk struct {
	t     *testing.T
	store journal.Store
	lab   *lab
	graph string
	opts  []workflow.Option
	// open are the questions of the last event: message by id.
	open map[string]string
}

func newDesk(t *testing.T, l *lab, graph string, opts ...workflow.Option) *desk {
	return &desk{t: t, store: memory.New(), lab: l, graph: graph, opts: opts}
}

func (d *desk) workflow() *workflow.Workflow { return d.lab.build(d.t, d.graph, d.opts...) }

func (d *desk) begin(input any) outcome {
	return d.saw(run(d.workflow(), workflow.RunRequest{Store: d.store, Session: "s", Run: "r", Input: input}))
}

// answer answers the questions with these messages, in another process.
func (d *desk) answer(values map[string]any) outcome {
	d.t.Helper()
	return d.saw(resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "s", Run: "r", Answers: d.answers(values)}))
}

func (d *desk) answers(values map[string]any) []workflow.Answer {
	d.t.Helper()
	var answers []workflow.Answer
	for id, message := range d.open {
		if v, ok := values[message]; ok {
			answers = append(answers, workflow.Answer{ID: id, Value: v, By: "ada"})
			delete(values, message)
		}
	}
	if len(values) > 0 {
		d.t.Fatalf("nobody asks %v; open are %v", values, d.open)
	}
	return answers
}

func (d *desk) saw(o outcome) outcome {
	if o.last().Kind == workflow.RunWaiting {
		d.open = map[string]string{}
		for _, i := range o.last().Interrupts {
			d.open[i.Ask.ID] = i.Ask.Message
		}
	}
	return o
}

// wants checks which questions are open.
func (d *desk) wants(o outcome, messages ...string) {
	d.t.Helper()
	if o.err != nil || o.last().Kind != workflow.RunWaiting || len(d.open) != len(messages) {
		d.t.Fatalf("the run ended with %s, %v; open are %v, want %v", o.last().Kind, o.err, d.open, messages)
	}
	for _, m := range messages {
		found := false
		for _, open := range d.open {
			found = found || open == m
		}
		if !found {
			d.t.Fatalf("open are %v, want %v", d.open, messages)
		}
	}
}

func (d *desk) completed(o outcome, want any) {
	d.t.Helper()
	if diff := cmp.Diff(want, o.output); diff != "" || o.err != nil || o.last().Kind != workflow.RunCompleted {
		d.t.Errorf("ended with %s, %v (-want +got):\n%s", o.last().Kind, o.err, diff)
	}
}

func echoes(_ *workflow.Context, input any) (workflow.Result, error) {
	return workflow.Result{Output: input}, nil
}

func TestE50_the_answer_is_the_output(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{Payload: map[string]any{"n": 1}})).does("b", echoes)
	d := newDesk(t, l, "START -> a -> ask -> b")
	got := d.begin("in")
	d.wants(got, "ask@1")
	ask := got.last().Interrupts[0].Ask
	if len(ask.ID) < 20 || ask.Kind != journal.AskInput || cmp.Diff(map[string]any{"n": int64(1)}, ask.Payload) != "" {
		t.Errorf("the question is %+v", ask)
	}
	d.completed(d.answer(map[string]any{"ask@1": "yes"}), "yes")
	if diff := cmp.Diff([]string{"a@1", "ask@1", "b@1"}, l.paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	fold, _ := journal.Load(context.Background(), d.store, "s")
	if len(fold.State) > 0 {
		t.Errorf("the state that was written while asking stayed: %v", fold.State)
	}
}

func TestE50_rerun_on_resume(t *testing.T) {
	l := newLab()
	l.config["ask"] = workflow.NodeConfig{RerunOnResume: true}
	l.does("ask", func(ctx *workflow.Context, input any) (workflow.Result, error) {
		answer, answered := ctx.Answer()
		if !answered {
			return workflow.Result{}, workflow.RequestInput(workflow.Question{Message: "how many?"})
		}
		return workflow.Result{Output: fmt.Sprint(input, answer, ctx.Attempt())}, nil
	})
	d := newDesk(t, l, "START -> ask -> b", workflow.WithMaxConcurrency(1))
	d.wants(d.begin("in"), "how many?")
	d.completed(d.answer(map[string]any{"how many?": int64(3)}), "b@1")
	if l.input("b@1") != "in3 1" {
		t.Errorf("the output is %v", l.input("b@1"))
	}
}

func TestE51_all_answers_are_right_or_none_counts(t *testing.T) {
	number := map[string]any{"type": "number"}
	l := newLab().does("x", asks(workflow.Question{Schema: number})).does("y", asks(workflow.Question{Schema: number}))
	d := newDesk(t, l, "START -> x -> J; START -> y -> J")
	d.wants(d.begin(nil), "x@1", "y@1")
	before, _ := journal.Load(context.Background(), d.store, "s")
	right := d.answers(map[string]any{"x@1": int64(1)})[0]
	for name, answers := range map[string][]workflow.Answer{
		"unknown":      {right, {ID: "i_nobody", Value: 1}},
		"of a type":    {right, d.answers(map[string]any{"y@1": "text"})[0]},
		"twice":        {right, right},
		"without JSON": {{ID: right.ID, Value: func() {}}},
	} {
		got := resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "s", Run: "r", Answers: answers})
		after, _ := journal.Load(context.Background(), d.store, "s")
		if codeOf(got.err) != workflow.CodeAnswer || before.Seq != after.Seq || len(got.events) > 0 {
			t.Errorf("%s: %v, %d events, entries %d and %d", name, got.err, len(got.events), before.Seq, after.Seq)
		}
	}
	d.completed(d.answer(map[string]any{"x@1": int64(1), "y@1": 2.5}), map[string]any{"x": int64(1), "y": 2.5})
	late := resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "s", Run: "r", Answers: []workflow.Answer{right}})
	if codeOf(late.err) != workflow.CodeAnswer {
		t.Errorf("an answer after the end: %v", late.err)
	}
}

// Resuming a run that waits, without an answer, writes nothing.
func TestE50_waiting_costs_nothing(t *testing.T) {
	d := newDesk(t, newLab().does("ask", asks(workflow.Question{})), "START -> ask")
	d.wants(d.begin(nil), "ask@1")
	before, _ := journal.Load(context.Background(), d.store, "s")
	d.wants(d.answer(nil), "ask@1")
	after, _ := journal.Load(context.Background(), d.store, "s")
	if before.Seq != after.Seq || after.Run("r").Status() != journal.Waiting {
		t.Errorf("entries %d and %d, %s", before.Seq, after.Seq, after.Run("r").Status())
	}
}

func TestH1_asking_in_a_loop(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{})).routes("gate", "again", "again", "done")
	d := newDesk(t, l, "START -> ask -> gate -[again]-> ask; gate -[done]-> end")
	got := d.begin(nil)
	seen := map[string]bool{}
	for lap := 1; lap <= 3; lap++ {
		d.wants(got, fmt.Sprintf("ask@%d", lap))
		for id := range d.open {
			if seen[id] {
				t.Fatalf("the id %s is used again", id)
			}
			seen[id] = true
		}
		first := d.answers(map[string]any{fmt.Sprintf("ask@%d", lap): "go"})
		got = d.saw(resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "s", Run: "r", Answers: first}))
		again := resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "s", Run: "r", Answers: first})
		if codeOf(again.err) != workflow.CodeAnswer {
			t.Errorf("lap %d: answering twice: %v", lap, again.err)
		}
	}
	d.completed(got, "end@1")
}

func TestH2_asking_three_workflows_deep(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{})).does("z", echoes)
	l.inner["u"], l.inner["v"], l.inner["w"] = "START -> x -> v", "START -> w -> y", "START -> ask -> z"
	d := newDesk(t, l, "START -> u -> end")
	d.wants(d.begin(nil), "u@1/v@1/w@1/ask@1")
	d.completed(d.answer(map[string]any{"u@1/v@1/w@1/ask@1": "deep"}), "end@1")
	if got := l.input("u@1/v@1/y@1"); got != "deep" {
		t.Errorf("the output of the inner graph is %v", got)
	}
}

func TestH3_two_askers_one_answered(t *testing.T) {
	l := newLab().does("x", asks(workflow.Question{})).does("y", asks(workflow.Question{}))
	d := newDesk(t, l, "START -> x -> after -> J; START -> y -> J")
	d.wants(d.begin(nil), "x@1", "y@1")
	got := d.answer(map[string]any{"x@1": "1"})
	d.wants(got, "y@1")
	if diff := cmp.Diff([]string{"completed x@1", "completed after@1"}, got.of(workflow.NodeCompleted)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.completed(d.answer(map[string]any{"y@1": "2"}), map[string]any{"after": "after@1", "y": "2"})
}

func TestH4_items_that_ask(t *testing.T) {
	l := newLab()
	l.items["w"] = worker{body: "item"}
	l.does("item", func(ctx *workflow.Context, input any) (workflow.Result, error) {
		if input == "?" {
			return asks(workflow.Question{})(ctx, input)
		}
		return workflow.Result{Output: input}, nil
	})
	d := newDesk(t, l, "START -> w")
	got := d.begin([]any{"a", "?", "c", "?", "e"})
	d.wants(got, "w@1/2", "w@1/4")
	if diff := cmp.Diff(3, len(got.of(workflow.NodeCompleted))); diff != "" {
		t.Errorf("the other items didn't finish: %v", got.of(workflow.NodeCompleted))
	}
	d.wants(d.answer(map[string]any{"w@1/4": "d"}), "w@1/2")
	d.completed(d.answer(map[string]any{"w@1/2": "b"}), []any{"a", "b", "c", "d", "e"})
	if len(l.paths()) != 5 {
		t.Errorf("executed: %v", l.paths())
	}
}

func TestH5_a_child_that_asks(t *testing.T) {
	l := newLab().does("a", echoes).does("b", asks(workflow.Question{}))
	l.schedules("d", func(run runChild) (any, error) {
		first, err := run("a", "first")
		second, err2 := run("b", nil)
		return []any{first, second}, errors.Join(err, err2)
	})
	d := newDesk(t, l, "START -> d")
	d.wants(d.begin(nil), "d@1/b@1")
	d.completed(d.answer(map[string]any{"d@1/b@1": "second"}), []any{"first", "second"})
	if diff := cmp.Diff([]string{"d@1/a@1", "d@1/b@1"}, l.paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestH6_deadlines(t *testing.T) {
	for _, tc := range []struct {
		name   string
		config workflow.NodeConfig
		want   string
	}{
		{"route", workflow.NodeConfig{OnDeadline: func(ctx *workflow.Context) (workflow.Result, error) {
			return workflow.Result{Output: "late at " + ctx.Path(), Routes: []string{"late"}}, nil
		}}, "late@1 late at ask@1"},
		{"failure", workflow.NodeConfig{Retry: &workflow.RetryConfig{}}, "failed@1 deadline"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab().does("ask", asks(workflow.Question{Deadline: time.Hour}))
				for _, node := range []string{"late", "failed"} {
					l.does(node, func(ctx *workflow.Context, input any) (workflow.Result, error) {
						if failure, ok := input.(map[string]any); ok {
							input = failure["code"]
						}
						return workflow.Result{Output: ctx.Path() + " " + fmt.Sprint(input)}, nil
					})
				}
				l.config["ask"] = tc.config
				d := newDesk(t, l, "START -> ask -[late]-> late; ask -[ERROR]-> failed; ask -[other]-> other")
				got := d.begin(nil)
				d.wants(got, "ask@1")
				if wake := time.Until(got.last().Wake); wake <= 59*time.Minute || wake > time.Hour {
					t.Errorf("it wakes in %v", wake)
				}
				time.Sleep(2 * time.Hour) // no process runs when the deadline passes
				d.completed(d.answer(nil), tc.want)
			})
		})
	}
}

// A schema that would never be done with an answer isn't asked with.
func TestE50_schema_without_end(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{Schema: map[string]any{"$ref": "#"}}))
	got := runNested(t, l, "START -> ask", workflow.RunRequest{Store: memory.New()})
	if codeOf(got.err) != workflow.CodeOutputValue || !strings.Contains(got.err.Error(), "# → #") {
		t.Errorf("%v", got.err)
	}
}

// An answer that comes too late isn't taken, even when no process has noticed yet that it is late.
func TestH6_answer_after_the_deadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{Deadline: time.Hour})).
			does("other", asks(workflow.Question{}))
		d := newDesk(t, l, "START -> ask -[ERROR]-> fix; START -> other")
		d.wants(d.begin(nil), "ask@1", "other@1")
		time.Sleep(time.Hour)
		got := d.answer(map[string]any{"ask@1": "late", "other@1": "in time"})
		if codeOf(got.err) != workflow.CodeAnswer || !strings.Contains(got.err.Error(), `the answer to "ask@1": nobody answered before `) {
			t.Errorf("the late answer gave %v", got.err)
		}
		d.wants(d.answer(nil), "other@1") // the other answer wasn't taken either
		d.completed(d.answer(map[string]any{"other@1": "in time"}), map[string]any{"fix": "fix@1", "other": "in time"})
	})
}

// A deadline that passes while something else of the run executes.
func TestH6_deadline_while_the_run_executes(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{Deadline: time.Minute}))
	l.delay = func(path string) time.Duration { return map[string]time.Duration{"slow@1": time.Hour}[path] }
	got := runNested(t, l, "START -> ask -[ERROR]-> fix; START -> slow", workflow.RunRequest{Store: memory.New()})
	want := []string{"failed ask@1", "completed fix@1", "completed slow@1"}
	if diff := cmp.Diff(want, got.of(workflow.NodeCompleted, workflow.NodeFailed)); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
}

func TestH8_failure_and_cancel_close_questions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{})).does("bad", fails("broken"))
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"bad@1": time.Second}[path] }
		d := newDesk(t, l, "START -> ask -> b; START -> bad -> c")
		got := d.begin(nil)
		if diff := cmp.Diff([]string{"waiting ask@1", "failed bad@1", "canceled ask@1", "run-failed bad@1"},
			got.of(workflow.NodeWaiting, workflow.NodeFailed, workflow.NodeCanceled, workflow.RunFailed)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		fold, _ := journal.Load(context.Background(), d.store, "s")
		if len(fold.Run("r").Interrupts) > 0 {
			t.Errorf("open are %v", fold.Run("r").Interrupts)
		}
	})
}

// The interrupts of an inner graph close when it fails; its retry asks anew.
func TestH8_failure_of_the_graph_around(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{})).does("bad", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if strings.Contains(ctx.Path(), "~2") {
				return workflow.Result{}, nil
			}
			return workflow.Result{}, errors.New("broken")
		})
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"w@1/bad@1": time.Second}[path] }
		l.inner["w"] = "START -> ask; START -> bad"
		l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{}}
		d := newDesk(t, l, "START -> w")
		d.wants(d.begin(nil), "w@1~2/ask@1")
		d.completed(d.answer(map[string]any{"w@1~2/ask@1": "yes"}), "yes")
	})
}

func TestJ7_a_join_waits_for_the_person(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{}))
	d := newDesk(t, l, "START -> ask -> J; START -> work -> J; J -> end")
	got := d.begin(nil)
	d.wants(got, "ask@1")
	if diff := cmp.Diff([]string{"completed work@1"}, got.of(workflow.NodeCompleted)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.completed(d.answer(map[string]any{"ask@1": "yes"}), "end@1")
	if diff := cmp.Diff(map[string]any{"ask": "yes", "work": "work@1"}, l.input("end@1")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestE51_answers_while_the_run_executes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{}))
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"slow@1": time.Hour}[path] }
		handle := &workflow.Handle{}
		if err := handle.Answer(); !errors.Is(err, workflow.ErrNotExecuting) {
			t.Errorf("before the run: %v", err)
		}
		ids := make(chan string, 1)
		go func() {
			id := <-ids
			if err := handle.Answer(workflow.Answer{ID: "i_wrong"}); codeOfAny(err) != workflow.CodeAnswer {
				t.Errorf("a wrong answer: %v", err)
			}
			if err := handle.Answer(workflow.Answer{ID: id, Value: "yes"}); err != nil {
				t.Errorf("a right answer: %v", err)
			}
		}()
		w := l.build(t, "START -> ask -> b -> J; START -> slow -> J")
		var o outcome
		for e, err := range w.Run(context.Background(), workflow.RunRequest{Store: memory.New(), Env: workflow.Env{Handle: handle}}) {
			if wait, ok := e.Record.(journal.Wait); ok {
				ids <- wait.Asks[0].ID
			}
			o.events, o.err = append(o.events, e), err
		}
		if diff := cmp.Diff([]string{"completed ask@1", "completed b@1", "completed slow@1", "completed J@1"},
			o.of(workflow.NodeCompleted)); diff != "" || o.err != nil {
			t.Errorf("%v (-want +got):\n%s", o.err, diff)
		}
		if err := handle.Answer(); !errors.Is(err, workflow.ErrNotExecuting) {
			t.Errorf("after the run: %v", err)
		}
	})
}

func codeOfAny(err error) workflow.Code {
	if coded, ok := errors.AsType[workflow.Coded](err); ok {
		return coded.ErrorCode()
	}
	return ""
}

func TestE50_a_run_without_a_store_can_not_wait(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{}))
	if got := runNested(t, l, "START -> ask", workflow.RunRequest{}); codeOf(got.err) != workflow.CodeJournal {
		t.Errorf("the run ended with %v", got.err)
	}
}

func TestE50_a_schema_that_is_none(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{Schema: map[string]any{"type": 5}}))
	if got := newDesk(t, l, "START -> ask").begin(nil); codeOf(got.err) != workflow.CodeOutputValue {
		t.Errorf("the run ended with %v", got.err)
	}
}

// The process dies at every append of runs that ask, before and after the answers; the end is the same.
func TestCrash_of_runs_that_wait(t *testing.T) {
	for _, tc := range []struct {
		name, graph string
		setup       func(*lab)
	}{
		{"loop", "START -> ask -> gate -[again]-> ask; gate -[done]-> end", func(l *lab) { l.routes("gate", "again", "done") }},
		{"joins", "START -> ask -> J; START -> work -> J; START -> w -> J; J -> end", func(l *lab) { l.inner["w"] = "START -> ask -> x" }},
		{"dynamic", "START -> d -> end", func(l *lab) {
			l.schedules("d", func(run runChild) (any, error) {
				a, err := run("ask", nil)
				b, err2 := run("x", a)
				c, err3 := run("ask", nil)
				return []any{a, b, c}, errors.Join(err, err2, err3)
			})
		}},
		{"isolated", "START -> a -> w -> end", func(l *lab) {
			l.inner["w"] = "START -> x -> ask -> y -> v"
			l.inner["v"] = "START -> p -> ask -> q"
			for _, node := range []string{"a", "x", "y", "p", "q"} {
				l.does(node, marks(node))
			}
			l.isolate("w", "v")
		}},
		{"rerun", "START -> rerun -> end", func(l *lab) {
			l.config["rerun"] = workflow.NodeConfig{RerunOnResume: true}
			l.does("rerun", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				if answer, ok := ctx.Answer(); ok {
					return workflow.Result{Output: answer}, nil
				}
				return asks(workflow.Question{})(ctx, nil)
			})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want, _ := playWaiting(t, tc.graph, tc.setup, 1000, storetest.Before)
				for n := 1; ; n++ {
					for _, at := range []storetest.Moment{storetest.Before, storetest.After} {
						got, tripped := playWaiting(t, tc.graph, tc.setup, n, at)
						if got != want {
							t.Errorf("crash %v append %d: %s, want %s", at, n, got, want)
						}
						if !tripped {
							return
						}
					}
				}
			})
		})
	}
}

// playWaiting plays a run to its end, answering all that it asks; its process dies at the n-th append. It returns how the
// run ended, and whether there was such an append.
func playWaiting(t *testing.T, graph string, setup func(*lab), n int, at storetest.Moment) (told string, tripped bool) {
	t.Helper()
	l := newLab().does("ask", asks(workflow.Question{})).does("end", echoes)
	setup(l)
	d := newDesk(t, l, graph)
	healthy := d.store
	faulty := storetest.NewFaulty(healthy, n, at)
	d.store = faulty
	got := d.begin("in")
	for range 20 {
		switch {
		case codeOf(got.err) == workflow.CodeJournal:
			d.store = healthy
			got = d.saw(resume(d.workflow(), workflow.ResumeRequest{Store: healthy, Session: "s", Run: "r"}))
			if codeOf(got.err) == workflow.CodeRequest {
				got = d.begin("in")
			}
		case got.last().Kind == workflow.RunWaiting:
			answers := map[string]any{}
			for _, message := range d.open {
				answers[message] = "yes to " + message
			}
			got = d.answer(answers)
		default:
			return fmt.Sprint(got.last().Kind, got.output, got.err), faulty.Tripped()
		}
	}
	t.Fatalf("crash %v append %d: no end", at, n)
	return "", false
}

// Asked on one configuration, answered where another one is current: the run goes on with its own, the next run of the
// session with the other.
func TestH9_two_configurations_over_one_store(t *testing.T) {
	store := memory.New()
	digests := map[string]string{}
	build := func(config string) *workflow.Workflow {
		digest, err := store.PutConfig(t.Context(), []byte(config))
		if err != nil {
			t.Fatal(err)
		}
		digests[config] = digest
		l := newLab().does("ask", asks(workflow.Question{})).does("b", func(_ *workflow.Context, input any) (workflow.Result, error) {
			return workflow.Result{Output: fmt.Sprint(config, " says ", input)}, nil
		})
		return l.build(t, "START -> ask -> b")
	}
	old, current := build("A"), build("B")
	asked := run(old, workflow.RunRequest{Store: store, Session: "s", Run: "r", Config: digests["A"]})
	answers := []workflow.Answer{{ID: asked.last().Interrupts[0].Ask.ID, Value: "yes"}}
	request := workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Config: digests["B"], Answers: answers}
	if got := resume(current, request); got.last().Kind != workflow.RunSuspended {
		t.Errorf("with the other configuration the run ended with %s, %v", got.last().Kind, got.err)
	}
	request.Config = digests["A"]
	if got := resume(old, request); got.output != "A says yes" || got.err != nil {
		t.Errorf("with its own configuration the run gave %v, %v", got.output, got.err)
	}
	next := run(current, workflow.RunRequest{Store: store, Session: "s", Run: "next", Config: digests["B"]})
	answers[0].ID = next.last().Interrupts[0].Ask.ID
	request = workflow.ResumeRequest{Store: store, Session: "s", Run: "next", Config: digests["B"], Answers: answers}
	if got := resume(current, request); got.output != "B says yes" {
		t.Errorf("the next run gave %v, %v", got.output, got.err)
	}
}
