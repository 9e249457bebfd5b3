package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// written renders the entries of the session s, one line each.
func written(t *testing.T, store journal.Store) []string {
	t.Helper()
	var lines []string
	for e, err := range store.Read(context.Background(), "s", 1) {
		if err != nil {
			t.Fatal(err)
		}
		var recs []string
		for _, r := range e.Records {
			recs = append(recs, brief(r))
		}
		lines = append(lines, strings.Join(recs, " | "))
	}
	return lines
}

// brief renders what matters of a record.
func brief(r journal.Record) string {
	switch r := r.(type) {
	case journal.Start:
		text := fmt.Sprintf("start %s from %v", r.Path, r.From)
		if r.Attempt > 1 {
			text = fmt.Sprintf("start %s attempt %d", r.Path, r.Attempt)
		}
		if in, ok := r.Input.Get(); ok {
			text += fmt.Sprintf(" in %v", in)
		}
		return text
	case journal.End:
		return fmt.Sprintf("end %s next %v", r.Path, r.Next)
	case journal.Fail:
		return fmt.Sprintf("fail %s %s next %v retry %v", r.Path, r.Err.Code, r.Next, !r.Due.IsZero())
	case journal.Done:
		return "done " + string(r.Status)
	case journal.Own:
		return fmt.Sprintf("own %s %d", r.Owner, r.Recoveries)
	case journal.Stop:
		return "stop " + r.Why
	default:
		return string(r.Kind())
	}
}

// One append per transition, which holds the end, what it caused and the starts; pure activations ride along.
func TestE4_R3_one_append_per_transition(t *testing.T) {
	l := newLab().routes("classify", "BILLING")
	l.config["classify"], l.config["reply"] = pure(), pure()
	store := memory.New()
	run(l.build(t, "START -> classify -[BILLING]-> lookup -> reply; classify -[DEFAULT]-> other"),
		workflow.RunRequest{Store: store, Session: "s", Message: &journal.Msg{Role: journal.RoleUser}})
	want := []string{
		"session",
		"run | msg | start classify@1 from [START] | end classify@1 next [lookup@1] | start lookup@1 from [classify@1]",
		"end lookup@1 next [reply@1] | start reply@1 from [lookup@1] | end reply@1 next [] | msg | done completed",
	}
	if diff := cmp.Diff(want, written(t, store)); diff != "" {
		t.Error(diff)
	}
}

func TestE4_joins_in_the_journal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(path string) time.Duration {
			return map[string]time.Duration{"a@1": time.Second, "b@1": time.Minute}[path]
		}
		store := memory.New()
		run(l.build(t, "START -> a -> J -> end; START -> b -> J; START -> J; a -> c"), workflow.RunRequest{Store: store, Session: "s"})
		want := []string{
			"session",
			"run | end START next [a@1 b@1 J<START] | start a@1 from [START] | start b@1 from [START]",
			"end a@1 next [J<a c@1] | start c@1 from [a@1]",
			"end c@1 next []",
			"end b@1 next [J<b] | start J@1 from [a@1 b@1 START] | end J@1 next [end@1] | start end@1 from [J@1]",
			"end end@1 next [] | done completed",
		}
		if diff := cmp.Diff(want, written(t, store)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestE4_queued_behind_a_cap(t *testing.T) {
	store := memory.New()
	w := newLab().build(t, "START -> a -> c; START -> b", workflow.WithMaxConcurrency(1))
	run(w, workflow.RunRequest{Store: store, Session: "s"})
	want := []string{
		"session",
		"run | end START next [a@1 b@1] | start a@1 from [START]",
		"end a@1 next [c@1] | start b@1 from [START]",
		"end b@1 next [] | start c@1 from [a@1]",
		"end c@1 next [] | done completed",
	}
	if diff := cmp.Diff(want, written(t, store)); diff != "" {
		t.Error(diff)
	}
}

// The shaped input is recorded, and so is what an ERROR edge hands on; anything else follows from the source.
func TestE10_input_is_evaluated_once_and_recorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		evaluated := 0
		l := newLab().does("a", failsUntil(3)).does("b", fails("x"))
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()},
			Input: func(ctx *workflow.Context) (any, error) {
				evaluated++
				return fmt.Sprint(ctx.Input(), "!"), nil
			},
			InputSchema: schema(func(v any) error {
				if v != "hello!" {
					return fmt.Errorf("got %v", v)
				}
				return nil
			})}
		store := memory.New()
		got := run(l.build(t, "START -> a -> b -[ERROR]-> c"), workflow.RunRequest{Store: store, Session: "s", Input: "hello"})
		if got.err != nil || evaluated != 1 {
			t.Errorf("evaluated %d times, %v", evaluated, got.err)
		}
		for _, c := range l.calls[:3] {
			if c.input != "hello!" {
				t.Errorf("attempt %d got %v", c.attempt, c.input)
			}
		}
		lines := written(t, store)
		if !strings.Contains(lines[1], "start a@1 from [START] in hello!") || !strings.Contains(lines[2], "fail a@1 error next [] retry true") ||
			!strings.HasSuffix(lines[3], "start a@1 attempt 2") ||
			!strings.Contains(lines[7], "fail b@1 error next [c@1] retry false | start c@1 from [b@1] in map[") {
			t.Errorf("written:\n%s", strings.Join(lines, "\n"))
		}
	})
}

// An input that can't be shaped fails the activation; trying again would not evaluate it again.
func TestE10_input_that_fails(t *testing.T) {
	for _, p := range []bool{false, true} {
		l := newLab()
		l.config["a"] = workflow.NodeConfig{Pure: p, Retry: &workflow.RetryConfig{}, Input: func(*workflow.Context) (any, error) {
			return nil, workflow.Errorf("cel-error", "no such key")
		}}
		got := run(l.build(t, "START -> a -[ERROR]-> b"), workflow.RunRequest{Store: memory.New()})
		if got.output != "b@1" || l.input("a@1") != "never called" {
			t.Errorf("pure %v: output %v, %v", p, got.output, got.err)
		}
	}
}

// spy records when entries become durable.
type spy struct {
	journal.Store
	appended func(*journal.Entry)
}

func (s spy) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	err := s.Store.Append(ctx, session, seq, e)
	if err == nil {
		s.appended(e)
	}
	return err
}

// A body runs after its start is durable, and an event is seen after its record is.
func TestR3_durable_before_effects_and_events(t *testing.T) {
	durable := map[string]bool{}
	store := spy{memory.New(), func(e *journal.Entry) {
		for _, r := range e.Records {
			switch r := r.(type) {
			case journal.Start:
				durable["started "+r.Path] = true
			case journal.End:
				durable["completed "+r.Path] = true
			}
		}
	}}
	l := newLab()
	for _, n := range []string{"a", "b"} {
		l.does(n, func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if !durable["started "+ctx.Path()] {
				t.Errorf("%s runs before its start is durable", ctx.Path())
			}
			return workflow.Result{}, nil
		})
	}
	seen := 0
	for e := range l.build(t, "START -> a -> b").Run(context.Background(), workflow.RunRequest{Store: store}) {
		if e.Kind == workflow.NodeStarted || e.Kind == workflow.NodeCompleted {
			seen++
			if !durable[string(e.Kind)+" "+e.Path] {
				t.Errorf("%s %s is seen before it is durable", e.Kind, e.Path)
			}
		}
	}
	if seen != 4 {
		t.Errorf("saw %d events", seen)
	}
}

// The position of an event is that of its record.
func TestR4_positions(t *testing.T) {
	store := memory.New()
	got := run(newLab().build(t, "START -> a -> b"), workflow.RunRequest{Store: store, Session: "s"})
	entries := map[int64]*journal.Entry{}
	for e, err := range store.Read(context.Background(), "s", 1) {
		if err != nil {
			t.Fatal(err)
		}
		entries[e.Seq] = e
	}
	for _, e := range got.events {
		if entry := entries[e.Pos.Seq]; entry == nil || !cmp.Equal(entry.Records[e.Pos.Index], e.Record) || !entry.At.Equal(e.At) {
			t.Errorf("%s %s says it is at %v, %v", e.Kind, e.Path, e.Pos, e.At)
		}
	}
}

func TestE37_idempotency_keys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := map[string][]string{}
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			keys[ctx.Path()] = append(keys[ctx.Path()], ctx.IdempotencyKey(), ctx.CallKey("c1"))
			if ctx.Attempt() < 2 {
				return workflow.Result{}, errors.New("again")
			}
			return workflow.Result{}, nil
		})
		l.config["a"] = retrying()
		run(l.build(t, "START -> x -> a; START -> y -> a"), workflow.RunRequest{Run: "r_1"})
		all := []string{}
		for _, path := range []string{"a@1", "a@2"} {
			k := keys[path]
			if len(k) != 4 || k[0] != k[2] || k[1] != k[3] {
				t.Errorf("%s: attempts differ: %v", path, k)
			}
			all = append(all, k[:2]...)
		}
		slices.Sort(all)
		if len(slices.Compact(all)) != 4 {
			t.Errorf("keys are shared: %v", keys)
		}
		// Pinned: a key must stay the same across releases.
		if keys["a@1"][0] != "SZJKNI3KQM5BU2SQ7XJZ66JRF2" {
			t.Errorf("the key of r_1, a@1 is %s", keys["a@1"][0])
		}
	})
}

// A second run of the session continues its state and its transcript.
func TestSession_goes_on(t *testing.T) {
	store := memory.New()
	l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		n, _ := ctx.State().Get("n")
		count, _ := n.(int64)
		return workflow.Result{Output: len(ctx.Session().Thread), State: map[string]any{"n": count + 1}}, nil
	})
	w := l.build(t, "START -> a")
	for i := range 3 {
		req := workflow.RunRequest{Store: store, Session: "s", Message: &journal.Msg{Role: journal.RoleUser}}
		if got := run(w, req); got.output != int64(2*i+1) { // the answers of the runs before are in it, too
			t.Errorf("run %d: the transcript has %v messages, %v", i, got.output, got.err)
		}
	}
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil || fold.State["n"] != int64(3) {
		t.Errorf("n = %v, %v", fold.State["n"], err)
	}
}

func TestSession_requests_that_are_refused(t *testing.T) {
	store := memory.New()
	l := newLab()
	w := l.build(t, "START -> a -> b")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(workflow.ErrSuspend)
	watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r1"})
	for name, got := range map[string]outcome{
		"another run while one isn't over": run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r2"}),
		"an id that is taken":              run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r1"}),
		"an input without JSON form":       run(w, workflow.RunRequest{Input: func() {}}),
		"resuming an unknown session":      resume(w, workflow.ResumeRequest{Store: store, Session: "x", Run: "r1"}),
		"resuming an unknown run":          resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r9"}),
		"resuming without a store":         resume(w, workflow.ResumeRequest{}),
	} {
		if codeOf(got.err) != workflow.CodeRequest || len(got.events) > 0 {
			t.Errorf("%s: %v, %d events", name, got.err, len(got.events))
		}
	}
}

// Activations that end at the same time share an entry when nothing follows from their ends.
func TestR3_ends_that_come_together_are_written_together(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(path string) time.Duration {
			return map[string]time.Duration{"last@1": time.Hour}[path] + time.Second
		}
		graph := "START -> last -> J"
		for i := range 20 {
			graph += fmt.Sprintf("; START -> n%d -> J", i)
		}
		store := memory.New()
		if got := run(l.build(t, graph), workflow.RunRequest{Store: store, Session: "s"}); got.err != nil {
			t.Fatal(got.err)
		}
		fold, err := journal.Load(context.Background(), store, "s")
		if err != nil {
			t.Fatal(err)
		}
		if fold.Seq > 20 { // each by itself they would be 23
			t.Errorf("the run wrote %d entries", fold.Seq)
		}
	})
}
