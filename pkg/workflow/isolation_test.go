package workflow_test

import (
	"context"
	"fmt"
	"maps"
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

// isolate makes nodes isolated.
func (l *lab) isolate(nodes ...string) {
	for _, node := range nodes {
		cfg := l.config[node]
		cfg.Isolated = true
		l.config[node] = cfg
	}
}

// marks gives the state that it sees, and sets a key to the path of the activation.
func marks(key string) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		seen := maps.Clone(ctx.State().All())
		return workflow.Result{Output: seen, State: map[string]any{key: ctx.Path()}}, nil
	}
}

func isolatedScenarios() []scenario {
	retried := func(l *lab, node string) {
		cfg := l.config[node]
		cfg.Retry = &workflow.RetryConfig{Jitter: zero()}
		l.config[node] = cfg
	}
	return []scenario{
		{name: "an isolated node", graph: "START -> a -> b -> c", setup: func(l *lab) {
			l.does("a", marks("k")).does("b", marks("k")).does("c", marks("c"))
			l.isolate("b")
		}},
		{name: "an isolated node without effects", graph: "START -> a -> b -> c", setup: func(l *lab) {
			l.does("a", marks("k")).does("b", marks("k")).does("c", marks("c"))
			l.config["b"] = pure()
			l.isolate("b")
		}},
		{name: "an isolated graph", graph: "START -> a -> w -> c", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> y"
			l.does("a", marks("k")).does("x", marks("k")).does("y", marks("y")).does("c", marks("c"))
			l.isolate("w")
		}},
		{name: "isolated within isolated", graph: "START -> a -> w -> c", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> v -> y"
			l.inner["v"] = "START -> p -> q"
			for _, n := range []string{"a", "x", "p", "q", "y", "c"} {
				l.does(n, marks(n))
			}
			l.isolate("w", "v")
		}},
		{name: "what is common to sessions, and what is temporary", graph: "START -> a -> t -> w -> c", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> u -> y"
			l.does("a", marks("k")).does("t", marks("temp:t")).does("x", marks("temp:x")).does("u", marks("user:u"))
			l.does("y", marks("y")).does("c", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				all := ctx.State().All()
				return workflow.Result{Output: []any{all["temp:t"], all["temp:x"], all["y"]}}, nil
			})
			l.isolate("w")
		}},
		{name: "isolated side by side", graph: "START -> a; a -> b -> J; a -> c -> J; a -> d -> J; J -> end", setup: func(l *lab) {
			for _, n := range []string{"b", "c", "d"} {
				l.inner[n] = fmt.Sprintf("START -> %sx -> %[1]sy", n)
				l.does(n+"x", marks("k")).does(n+"y", marks("k"))
				l.isolate(n)
			}
			l.does("a", marks("k")).does("end", marks("end"))
		}},
		{name: "isolated items", graph: "START -> a -> each -> end", setup: func(l *lab) {
			l.does("a", func(*workflow.Context, any) (workflow.Result, error) {
				return workflow.Result{Output: []any{"1", "2", "3"}, State: map[string]any{"k": "a"}}, nil
			})
			l.inner["w"] = "START -> x -> y"
			l.does("x", marks("k")).does("y", marks("y")).does("end", marks("end"))
			l.items["each"] = worker{body: "w", max: 2}
			l.isolate("w")
		}},
		{name: "an isolated team, and isolated members", graph: "START -> a -> t -> end", setup: func(l *lab) {
			l.teams["t"] = "loop 3 m n"
			l.does("a", marks("k")).does("m", marks("m")).does("n", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{Output: maps.Clone(ctx.State().All()), State: map[string]any{"n": ctx.Path()}, Escalate: visit(ctx) == 2}, nil
			}).does("end", marks("end"))
			l.isolate("t", "n")
		}},
		{name: "an isolated dynamic node", graph: "START -> a -> d -> end", setup: func(l *lab) {
			l.does("a", marks("k")).does("x", marks("k")).does("end", marks("end"))
			l.schedules("d", func(run runChild) (any, error) {
				first, err := run("x", nil)
				if err != nil {
					return nil, err
				}
				second, err := run("x", nil)
				return []any{first, second}, err
			})
			l.isolate("d")
		}},
		{name: "isolated children", graph: "START -> a -> d -> end", setup: func(l *lab) {
			l.does("a", marks("k")).does("x", marks("x")).does("y", marks("y")).does("end", marks("end"))
			l.inner["w"] = "START -> x -> y"
			l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				first, err := workflow.RunNode(ctx, l.node("w"), nil)
				if err != nil {
					return workflow.Result{}, err
				}
				second, err := workflow.RunNode(ctx, l.node("x"), nil, workflow.WithRunID("second"))
				_, there := ctx.State().Get("x")
				return workflow.Result{Output: []any{first, second, there}}, err
			}
			l.isolate("w", "x")
		}},
		{name: "a dynamic node within an isolated graph", graph: "START -> a -> w -> end", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> d -> y"
			l.does("a", marks("k")).does("x", marks("k")).does("z", marks("z")).does("y", marks("y")).does("end", marks("end"))
			l.schedules("d", func(run runChild) (any, error) { return run("z", nil) })
			l.isolate("w")
		}},
		{name: "an isolated graph that is retried", graph: "START -> a -> w -> c", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> y -> z"
			l.does("a", marks("k")).does("x", marks("x")).does("z", marks("z")).does("c", marks("c"))
			l.does("y", failsInAttempt(1))
			l.isolate("w")
			retried(l, "w")
		}},
	}
}

// staysInside gives the path of the activation. In a session that isn't the run's it writes a key, and reports one that has
// got out.
func staysInside(ctx *workflow.Context, _ any) (workflow.Result, error) {
	res := workflow.Result{Output: ctx.Path()}
	if strings.Contains(ctx.SessionID(), ".") {
		res.State = map[string]any{"inside": ctx.Path()}
	} else if by, there := ctx.State().Get("inside"); there {
		res.Output = fmt.Sprintf("%s wrote to the session of the run", by)
	}
	return res, nil
}

// failsInAttempt fails in an attempt of the composite around it.
func failsInAttempt(n int) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if n == 1 && !strings.Contains(ctx.Path(), "~") {
			return workflow.Result{}, fmt.Errorf("broken")
		}
		return workflow.Result{Output: "mended", State: map[string]any{"y": ctx.Path()}}, nil
	}
}

// runs is the outcome of a scenario's name.
func runIsolated(t *testing.T, name string) outcome {
	t.Helper()
	all := isolatedScenarios()
	i := slices.IndexFunc(all, func(s scenario) bool { return s.name == name })
	var got outcome
	synctest.Test(t, func(t *testing.T) {
		s := all[i]
		got = run(s.lab(0).build(t, s.graph, s.opts...), s.request(memory.New()))
	})
	if got.err != nil {
		t.Fatal(got.err)
	}
	return got
}

// gave is the output of an activation.
func (o outcome) gave(path string) any {
	for _, e := range o.events {
		if e.Kind == workflow.NodeCompleted && e.Path == path {
			return e.Output
		}
	}
	return nil
}

func TestIsolatedState(t *testing.T) {
	type state = map[string]any
	for _, tc := range []struct {
		scenario string
		want     map[string]any // outputs, by path
	}{
		{"an isolated node", map[string]any{"b@1": state{"k": "a@1"}, "c@1": state{"k": "a@1"}}},
		{"an isolated graph", map[string]any{
			"w@1/x@1": state{"k": "a@1"}, "w@1/y@1": state{"k": "w@1/x@1"}, "c@1": state{"k": "a@1"},
		}},
		{"isolated within isolated", map[string]any{
			"w@1/v@1/q@1": state{"a": "a@1", "x": "w@1/x@1", "p": "w@1/v@1/p@1"},
			"w@1/y@1":     state{"a": "a@1", "x": "w@1/x@1"},
			"c@1":         state{"a": "a@1"},
		}},
		{"what is common to sessions, and what is temporary", map[string]any{
			"w@1/x@1": state{"k": "a@1"},
			"w@1/y@1": state{"k": "a@1", "temp:x": "w@1/x@1", "user:u": "w@1/u@1"},
			"c@1":     []any{"t@1", nil, nil},
		}},
		{"isolated items", map[string]any{
			"each@1": []any{state{"k": "each@1/1/x@1"}, state{"k": "each@1/2/x@1"}, state{"k": "each@1/3/x@1"}},
		}},
		{"an isolated team, and isolated members", map[string]any{
			"t@1/n@2": state{"k": "a@1", "m": "t@1/m@2"}, "end@1": state{"k": "a@1"},
		}},
		{"an isolated dynamic node", map[string]any{
			"d@1": []any{state{"k": "a@1"}, state{"k": "d@1/x@1"}}, "end@1": state{"k": "a@1"},
		}},
		{"isolated children", map[string]any{
			"d@1/w@1/y@1": state{"k": "a@1"}, "d@1/x@second": state{"k": "a@1"},
		}},
		{"an isolated graph that is retried", map[string]any{ // as what finished children of a failed attempt wrote to a session stays
			"w@1~2/x@1": state{"k": "a@1", "x": "w@1/x@1"}, "w@1~2/z@1": state{"k": "a@1", "x": "w@1~2/x@1", "y": "w@1~2/y@1"},
			"c@1": state{"k": "a@1"},
		}},
	} {
		t.Run(tc.scenario, func(t *testing.T) {
			got := runIsolated(t, tc.scenario)
			for path, want := range tc.want {
				if diff := cmp.Diff(want, got.gave(path)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			}
		})
	}
}

// Isolated activations that work at the same time don't disturb each other.
func TestIsolatedStateHasNoConflicts(t *testing.T) {
	if notes := runIsolated(t, "isolated side by side").notes(); len(notes) > 0 {
		t.Errorf("there are notes: %v", notes)
	}
}

// What is common to all sessions conflicts as it does without isolation.
func TestIsolatedWritersOfCommonKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", marks("user:u")).does("b", marks("user:u"))
		l.isolate("a", "b")
		l.delay = scheduled(3)
		got := run(l.build(t, "START -> a -> J; START -> b -> J"), workflow.RunRequest{Store: memory.New()})
		if diff := cmp.Diff([]string{"state-conflict a@1"}, got.notes()); diff != "" || got.err != nil {
			t.Errorf("%s%v", diff, got.err)
		}
	})
}

// The session of an isolated activation has an id that differs from all others, is one that a store would take, and stays
// the same when the run is taken up, and when it is retried.
func TestIsolatedSessionIDs(t *testing.T) {
	for _, session := range []string{"s", strings.Repeat("s", 128)} {
		ids := map[string]map[string]bool{}
		store := memory.New()
		failed := false
		l := newLab()
		note := func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			where := strings.TrimSuffix(ctx.Path(), "/x@1")
			if ids[where] == nil {
				ids[where] = map[string]bool{}
			}
			ids[where][ctx.SessionID()] = true
			return workflow.Result{}, nil
		}
		for _, n := range []string{"a", "b", "x", "c"} {
			l.does(n, note)
		}
		l.does("fails", func(*workflow.Context, any) (workflow.Result, error) {
			if !failed {
				failed = true
				return workflow.Result{}, fmt.Errorf("broken")
			}
			return workflow.Result{}, nil
		})
		l.inner["w"] = "START -> x; START -> fails -> y"
		l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			ids["w@1"][ctx.SessionID()] = true
			return workflow.Result{}, nil
		})
		l.isolate("b", "c", "w")
		w := l.build(t, "START -> a -> b -> c -> w", workflow.WithMaxConcurrency(1))
		got := run(w, workflow.RunRequest{Store: store, Session: session, Run: "r"})
		if got.err == nil {
			t.Fatal("the run didn't fail")
		}
		again := collect(w.Retry(context.Background(), workflow.RetryRequest{Store: store, Session: session, Run: "r", As: "r2"}))
		if again.err != nil {
			t.Fatal(again.err)
		}
		seen := map[string]bool{}
		for where, list := range ids {
			for id := range list {
				if seen[id] || len(list) > 1 || (id == session) != (where == "a@1") {
					t.Errorf("%s has the sessions %v", where, list)
				}
				if err := journal.CheckSessionID(id); err != nil {
					t.Error(err)
				}
				seen[id] = true
			}
		}
		if len(seen) != 4 {
			t.Errorf("there are the sessions %v", ids)
		}
	}
}

// speaks is an agent that tells which messages it sees, by their texts.
func speaks(ctx *workflow.Context, input any) (workflow.Result, error) {
	var seen []string
	t := ctx.Session()
	if opened, isolated := t.Request.Get(); isolated {
		seen = append(seen, fmt.Sprintf("(%v)", opened))
	}
	for _, n := range t.Thread {
		m, _ := n.Record.(journal.Msg)
		text, _ := m.Parts[0].(journal.Text)
		seen = append(seen, text.Text)
	}
	said := ctx.Path()
	err := ctx.Commit(journal.Msg{Role: journal.RoleModel, Author: ctx.Node(), Parts: []journal.Part{journal.Text{Text: said}}})
	return workflow.Result{Output: strings.Join(seen, " ")}, err
}

func (l *lab) agent(name string) workflow.Node {
	return workflow.NewNamedAgentNode(name, agentFunc(speaks), l.config[name])
}

// Isolated agents see nothing of what was said before them, and nobody else sees what they say: neither those behind them,
// nor the next run of the session. Inside, those behind others see them.
func TestIsolatedTranscript(t *testing.T) {
	store := memory.New()
	l := newLab()
	l.isolate("b", "w", "v")
	inner, err := workflow.New("v", workflow.Chain(workflow.Start, l.agent("p"), l.agent("q")))
	if err != nil {
		t.Fatal(err)
	}
	outer, err := workflow.New("w", workflow.Chain(workflow.Start, l.agent("x"), workflow.NewWorkflowNode("v", inner, l.config["v"]), l.agent("y")))
	if err != nil {
		t.Fatal(err)
	}
	w, err := workflow.New("test", workflow.Chain(workflow.Start, l.agent("a"), l.agent("b"),
		workflow.NewWorkflowNode("w", outer, l.config["w"]), l.agent("c")))
	if err != nil {
		t.Fatal(err)
	}
	hello := func(text string) *journal.Msg {
		return &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: text}}}
	}
	for run1, want := range []map[string]any{
		{
			"a@1": "hello", "b@1": "(hello)", "w@1/x@1": "((hello))", "w@1/v@1/p@1": "(((hello)))",
			"w@1/v@1/q@1": "(((hello))) w@1/v@1/p@1", "w@1/y@1": "((hello)) w@1/x@1",
			"c@1": "hello a@1",
		},
		{"a@1": "hello a@1 c@1 hello again", "b@1": "(hello a@1 c@1 hello again)", "c@1": "hello a@1 c@1 hello again a@1"},
	} {
		text := []string{"hello", "hello again"}[run1]
		got := run(w, workflow.RunRequest{Store: store, Session: "s", Run: fmt.Sprint("r", run1), Input: text, Message: hello(text)})
		if got.err != nil {
			t.Fatal(got.err)
		}
		for path, want := range want {
			if got := got.gave(path); got != want {
				t.Errorf("run %d: %s saw %q, want %q", run1, path, got, want)
			}
		}
	}
}

// A retry of an isolated agent, of its attempt and of its run, goes on in its session: with the turns that it has finished
// and with what they wrote.
func TestIsolatedAgentsAreRetriedInTheirSession(t *testing.T) {
	for name, cfg := range map[string]workflow.NodeConfig{"the attempt": retrying(), "the run": {}} {
		synctest.Test(t, func(t *testing.T) {
			store := memory.New()
			a := &turns{n: 3, fail: 3}
			cfg.Isolated = true
			var seen []any
			node := workflow.NewNamedAgentNode("agent", agentFunc(func(ctx *workflow.Context, input any) (workflow.Result, error) {
				last, _ := ctx.State().Get("last")
				seen = append(seen, last)
				return a.Run(ctx, input)
			}), cfg)
			w := single(t, node)
			got := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in"})
			if name == "the run" {
				a.fail = 0
				got = retry(w, store)
			}
			if got.output != "in after 3 turns" || !cmp.Equal(seen, []any{nil, "c2"}) || len(a.called) != 3 {
				t.Errorf("%s: %v, %v; it began with %v, and called %v", name, got.output, got.err, seen, a.called)
			}
			fold, err := journal.Load(t.Context(), store, "s")
			if err != nil || len(fold.State) > 0 {
				t.Errorf("%s: the session has the state %v, %v", name, fold.State, err)
			}
		})
	}
}

// A fork edits the state that its activation begins with: within an isolated one that of its session, and before it the one
// that is copied.
func TestForkWithinIsolated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", marks("k")).does("x", marks("x")).does("y", marks("temp:y")).does("z", marks("z"))
		l.does("end", marks("end"))
		l.inner["w"] = "START -> x -> y -> z"
		l.isolate("w")
		w := l.build(t, "START -> a -> w -> end")
		store := memory.New()
		if got := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"}); got.err != nil {
			t.Fatal(got.err)
		}
		type state = map[string]any
		for from, tc := range map[string]struct {
			edit    workflow.ForkRequest
			z, last state
		}{
			"w@1/z@1": {workflow.ForkRequest{Set: state{"x": "edited", "temp:new": true}, Delete: []string{"k", "temp:y"}},
				state{"x": "edited", "temp:new": true}, state{"k": "a@1"}},
			"w@1": {workflow.ForkRequest{Set: state{"k": "edited", "temp:new": true}},
				state{"k": "edited", "x": "w@1/x@1", "temp:y": "w@1/y@1"}, state{"k": "edited", "temp:new": true}},
		} {
			req := tc.edit
			req.From = from
			got := fork(w, copyOf(t, store), req)
			if diff := cmp.Diff([]any{tc.z, tc.last}, []any{got.gave("w@1/z@1"), got.gave("end@1")}); diff != "" || got.err != nil {
				t.Errorf("from %s: %v (-want +got):\n%s", from, got.err, diff)
			}
		}
		req := workflow.ForkRequest{From: "w@1/z@1", Delete: []string{"nothing"}}
		want := `state "nothing": there is none to delete when w@1/z@1 begins, but k, temp:y, x`
		if got := fork(w, copyOf(t, store), req); got.err == nil || !strings.Contains(got.err.Error(), want) {
			t.Errorf("%v, want %s", got.err, want)
		}
	})
}

// A fork from within an isolated conversation goes on with what was said in it.
func TestForkOfAnIsolatedConversation(t *testing.T) {
	l := newLab()
	inner, err := workflow.New("w", workflow.Chain(workflow.Start, l.agent("p"), l.agent("q"), l.agent("r")))
	if err != nil {
		t.Fatal(err)
	}
	w, err := workflow.New("test", workflow.Chain(workflow.Start, l.agent("a"), workflow.NewWorkflowNode("w", inner,
		workflow.NodeConfig{Isolated: true}), l.agent("c")))
	if err != nil {
		t.Fatal(err)
	}
	store := memory.New()
	first := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "hello",
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "hello"}}}})
	again := fork(w, store, workflow.ForkRequest{From: "w@1/q@1"})
	for _, got := range []outcome{first, again} {
		if got.err != nil {
			t.Fatal(got.err)
		}
		if r, c := got.gave("w@1/r@1"), got.gave("c@1"); r != "(hello) w@1/p@1 w@1/q@1" || c != "hello a@1" {
			t.Errorf("r saw %q, and c %q", r, c)
		}
	}
}

// Two writers within an isolated activation conflict as two in a session do, also when their run was taken up meanwhile.
func TestIsolatedConflictsAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("x", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			return workflow.Result{State: map[string]any{"k": "x"}}, sleep(ctx, 2*time.Second)
		}).does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			return workflow.Result{State: map[string]any{"k": "y"}}, sleep(ctx, time.Second)
		}).does("z", marks("z"))
		l.inner["w"] = "START -> x -> J; START -> y -> J; J -> z"
		l.isolate("w")
		store := memory.New()
		w := l.build(t, "START -> w")
		for e, err := range w.Run(t.Context(), workflow.RunRequest{Store: store, Session: "s", Run: "r"}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == workflow.NodeCompleted && e.Path == "w@1/y@1" {
				break
			}
		}
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if diff := cmp.Diff([]string{"state-conflict w@1/x@1"}, got.notes()); diff != "" || got.err != nil {
			t.Errorf("%s%v", diff, got.err)
		}
		if diff := cmp.Diff(map[string]any{"k": "y"}, got.output); diff != "" {
			t.Errorf("z saw (-want +got):\n%s", diff)
		}
	})
}
