package workflow_test

import (
	"context"
	"errors"
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

// escalates marks the n-th lap of a node as the last one of its loop.
func escalates(lap int) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{Output: ctx.Path(), Escalate: visit(ctx) == lap}, nil
	}
}

// pathEnds escalates in the activations whose path ends so.
func pathEnds(suffix string) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{Output: ctx.Path(), Escalate: strings.HasSuffix(ctx.Path(), suffix)}, nil
	}
}

// teamScenarios are runs with teams at all depths, which the crash tests take up at every append.
func teamScenarios() []scenario {
	return []scenario{
		{name: "sequence", graph: "START -> a -> t -> b", input: "in", setup: func(l *lab) { l.teams["t"] = "seq x y z" }},
		{name: "side by side", graph: "START -> a -> t -> b", setup: func(l *lab) { l.teams["t"] = "par x y z" }},
		{name: "side by side under a cap, leaves beside teams", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"], l.teams["u"] = "par x y u z", "seq v w"
		}, opts: []workflow.Option{workflow.WithMaxConcurrency(2)}},
		{name: "loop with a bound", graph: "START -> t -> b", setup: func(l *lab) { l.teams["t"] = "loop 3 x y" }},
		{name: "members that work twice in a lap", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"] = "loop 2 x y x x"
		}},
		{name: "loop that escalates", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"] = "loop 0 x y z"
			l.does("y", escalates(2))
		}},
		{name: "loop that escalates deep inside", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"], l.teams["s"], l.inner["w"] = "loop 0 x s y", "seq w v", "START -> p -> q -> r"
			l.config["q"] = pure()
			l.does("p", pathEnds("/t@1/s@2/w@1/p@1")).does("q", pathEnds("t@1/s@3/w@1/q@1"))
		}},
		{name: "loops in loops", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"], l.teams["u"] = "loop 2 x u", "loop 0 y z"
			l.does("y", escalates(2))
		}},
		{name: "team that is retried", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"] = "seq x y z"
			l.config["t"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
			l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				if !strings.HasPrefix(ctx.Path(), "t@1~3/") {
					return workflow.Result{}, errors.New("not yet")
				}
				return workflow.Result{Output: "third time"}, nil
			})
		}},
		{name: "loop whose member is retried", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"] = "loop 2 x y"
			l.config["y"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
			l.does("y", failsUntil(2))
		}},
		{name: "team that fails and is handled", graph: "START -> t -> b; t -[ERROR]-> fix", setup: func(l *lab) {
			l.teams["t"] = "par x y"
			l.does("x", fails("broken"))
		}},
		{name: "list of loops", graph: "START -> a -> w -> b", setup: func(l *lab) {
			l.does("a", func(*workflow.Context, any) (workflow.Result, error) {
				return workflow.Result{Output: []any{"x", "y", "z"}}, nil
			})
			l.items["w"], l.teams["item"] = worker{body: "item", max: 2}, "loop 2 p q"
		}},
		{name: "dynamic node of teams that escalate", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"], l.teams["u"] = "loop 0 d x", "seq y z"
			l.does("z", pathEnds("t@1/d@2/u@1/z@1"))
			l.schedules("d", func(run runChild) (any, error) {
				if _, err := run("u", "in"); err != nil {
					return nil, err
				}
				return run("v", "in")
			})
		}},
		{name: "state passes through a team", graph: "START -> t -> b", setup: func(l *lab) {
			l.teams["t"] = "loop 2 x y"
			l.does("x", writes("k")).does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				k, _ := ctx.State().Get("k")
				return workflow.Result{Output: k}, nil
			})
		}, input: "in"},
	}
}

// runTeam lets a team t run between a and b.
func runTeam(t *testing.T, l *lab, req workflow.RunRequest, opts ...workflow.Option) outcome {
	t.Helper()
	return runNested(t, l, "START -> t -> b", req, opts...)
}

func TestE2_members_count_laps(t *testing.T) {
	for _, tc := range []struct {
		name  string
		teams map[string]string
		want  []string
	}{
		{"sequence", map[string]string{"t": "seq x y"}, []string{"t@1/x@1", "t@1/y@1", "b@1"}},
		{"loop", map[string]string{"t": "loop 2 x y"}, []string{"t@1/x@1", "t@1/y@1", "t@1/x@2", "t@1/y@2", "b@1"}},
		{"sequence in a loop", map[string]string{"t": "loop 2 x s", "s": "seq y z"},
			[]string{"t@1/x@1", "t@1/s@1/y@1", "t@1/s@1/z@1", "t@1/x@2", "t@1/s@2/y@1", "t@1/s@2/z@1", "b@1"}},
		{"twice in a row", map[string]string{"t": "seq x y x"}, []string{"t@1/x@1", "t@1/y@1", "t@1/x@2", "b@1"}},
		{"twice in a lap", map[string]string{"t": "loop 2 x y x"},
			[]string{"t@1/x@1", "t@1/y@1", "t@1/x@2", "t@1/x@3", "t@1/y@2", "t@1/x@4", "b@1"}},
		{"loop in a sequence", map[string]string{"t": "seq x l", "l": "loop 2 y"},
			[]string{"t@1/x@1", "t@1/l@1/y@1", "t@1/l@1/y@2", "b@1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			l.teams = tc.teams
			got := runTeam(t, l, workflow.RunRequest{})
			if diff := cmp.Diff(tc.want, l.paths()); diff != "" || got.err != nil {
				t.Errorf("%v (-want +got):\n%s", got.err, diff)
			}
		})
	}
}

func TestMembersBeginWithTheInputOfTheTeam(t *testing.T) {
	l := newLab()
	l.teams["t"], l.teams["s"], l.teams["p"] = "loop 2 x s p", "seq y z", "par u v"
	store := memory.New()
	got := runTeam(t, l, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: map[string]any{"k": "v"}})
	if got.err != nil || len(l.calls) != 11 {
		t.Fatalf("%v, %v", got.err, l.paths())
	}
	for _, c := range l.calls {
		if diff := cmp.Diff(any(map[string]any{"k": "v"}), c.input); strings.HasPrefix(c.path, "t") && diff != "" {
			t.Errorf("%s began with another input: %s", c.path, diff)
		}
	}
	fold, err := journal.Load(t.Context(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range fold.Run("r").Activations { // the journal knows it, without repeating it
		if diff := cmp.Diff(any(map[string]any{"k": "v"}), a.Input); strings.HasPrefix(a.Path, "t") && diff != "" {
			t.Errorf("%s began with another input according to the journal: %s", a.Path, diff)
		}
	}
	for _, e := range got.events {
		if s, ok := e.Record.(journal.Start); ok && s.Input.Present() {
			t.Errorf("the start of %s repeats its input", s.Path)
		}
	}
}

func TestE43_outputs_of_teams(t *testing.T) {
	nothing := func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{}, nil }
	for _, tc := range []struct {
		name, team string
		setup      func(*lab)
		want       any
	}{
		{"of a sequence: the last one's", "seq x y", nil, "t@1/y@1"},
		{"of a sequence whose last one gives nothing", "seq y x", func(l *lab) { l.does("x", nothing) }, nil},
		{"of a loop: that of who worked last", "loop 2 x y", nil, "t@1/y@2"},
		{"of a loop that ended early", "loop 0 y x z", func(l *lab) { l.does("x", escalates(2)) }, "t@1/x@2"},
		{"of a loop that ended with nothing", "loop 0 y x", func(l *lab) {
			l.does("x", func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{Escalate: true}, nil })
		}, nil},
		{"side by side: a map", "par x y", nil, map[string]any{"x": "t@1/x@1", "y": "t@1/y@1"}},
		{"side by side, one gives nothing", "par x y", func(l *lab) { l.does("x", nothing) }, map[string]any{"y": "t@1/y@1"}},
		{"side by side, alone", "par x", nil, map[string]any{"x": "t@1/x@1"}},
		{"side by side, nobody gives anything", "par x", func(l *lab) { l.does("x", nothing) }, map[string]any{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			l.teams["t"] = tc.team
			if tc.setup != nil {
				tc.setup(l)
			}
			got := runTeam(t, l, workflow.RunRequest{})
			if diff := cmp.Diff(tc.want, l.input("b@1")); diff != "" || got.err != nil {
				t.Errorf("%v (-want +got):\n%s", got.err, diff)
			}
		})
	}
}

// Escalating ends the innermost loop, after the member in which it happened has come to its end.
func TestEscalatingEndsTheInnermostLoop(t *testing.T) {
	l := newLab()
	l.teams["t"], l.teams["u"], l.teams["s"] = "loop 2 u z", "loop 0 s y", "seq p q"
	l.does("p", escalates(1))
	got := runTeam(t, l, workflow.RunRequest{Store: memory.New()})
	want := []string{"t@1/u@1/s@1/p@1", "t@1/u@1/s@1/q@1", "t@1/z@1", "t@1/u@2/s@1/p@1", "t@1/u@2/s@1/q@1", "t@1/z@2", "b@1"}
	if diff := cmp.Diff(want, l.paths()); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
	for _, e := range got.events {
		end, ok := e.Record.(journal.End)
		inside := strings.HasSuffix(end.Path, "/p@1") || strings.HasSuffix(end.Path, "/s@1")
		if ok && end.Escalate != inside {
			t.Errorf("the end of %s says that it escalates: %t", end.Path, end.Escalate)
		}
	}
}

// What an attempt that failed has escalated is as if it had not been.
func TestEscalatingCountsInTheAttemptThatSucceeds(t *testing.T) {
	l := newLab()
	l.teams["t"], l.teams["s"] = "loop 2 s", "seq x y"
	l.config["s"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
	l.does("x", pathEnds("t@1/s@1/x@1")) // not in its second attempt
	l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if ctx.Path() == "t@1/s@1/y@1" {
			return workflow.Result{}, errors.New("broken")
		}
		return workflow.Result{Output: ctx.Path()}, nil
	})
	got := runTeam(t, l, workflow.RunRequest{})
	want := []string{"t@1/s@1/x@1", "t@1/s@1/y@1", "t@1/s@1~2/x@1", "t@1/s@1~2/y@1", "t@1/s@2/x@1", "t@1/s@2/y@1", "b@1"}
	if diff := cmp.Diff(want, l.paths()); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
}

func TestE56_members_side_by_side_have_branches(t *testing.T) {
	l := newLab()
	l.teams["t"], l.teams["u"], l.teams["s"] = "seq x u", "par y s", "par p q"
	if got := runTeam(t, l, workflow.RunRequest{}); got.err != nil {
		t.Fatal(got.err)
	}
	branches := map[string]string{}
	for _, c := range l.calls {
		branches[c.path] = c.branch
	}
	want := map[string]string{"t@1/x@1": "", "t@1/u@1/y@1": "y@1", "t@1/u@1/s@1/p@1": "s@1.p@1", "t@1/u@1/s@1/q@1": "s@1.q@1", "b@1": ""}
	if diff := cmp.Diff(want, branches); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestE33_a_member_that_fails_ends_its_team(t *testing.T) {
	l := newLab()
	l.teams["t"] = "par x y"
	l.does("x", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{}, errors.Join(sleep(ctx, time.Second), errors.New("broken"))
	})
	l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{}, sleep(ctx, time.Hour)
	})
	got := runNested(t, l, "START -> t -> b; t -[ERROR]-> fix", workflow.RunRequest{Store: memory.New()})
	want := []string{"failed t@1/x@1", "canceled t@1/y@1", "failed t@1", "completed fix@1"}
	kinds := []workflow.EventKind{workflow.NodeCompleted, workflow.NodeFailed, workflow.NodeCanceled}
	if diff := cmp.Diff(want, got.of(kinds...)); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
	failure, _ := l.input("fix@1").(map[string]any)
	if failure["path"] != "t@1" || failure["message"] != "t@1/x@1: broken" {
		t.Errorf("the handler got %v", failure)
	}
}

func TestE34_the_timeout_bounds_all_of_the_team(t *testing.T) {
	l := newLab()
	l.teams["t"] = "loop 0 x y"
	l.delay = func(string) time.Duration { return time.Second }
	l.config["t"] = workflow.NodeConfig{Timeout: 2500 * time.Millisecond}
	got := runNested(t, l, "START -> t -[ERROR]-> fix", workflow.RunRequest{Store: memory.New()})
	failure, _ := l.input("fix@1").(map[string]any)
	if got.err != nil || failure["code"] != "timeout" {
		t.Errorf("the handler got %v, %v", failure, got.err)
	}
	if diff := cmp.Diff([]string{"t@1/x@1", "t@1/y@1", "t@1/x@2", "fix@1"}, l.paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestE13_limits_count_members(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limits workflow.Limits
		config map[string]workflow.NodeConfig
		want   string
	}{
		{"steps", workflow.Limits{MaxSteps: 4}, nil, "limit exceeded: max_steps is 4, and t@1/y@2 would be one activation more"},
		{"visits", workflow.Limits{MaxVisits: 2}, nil, "limit exceeded: max_visits of x is 2, and t@1/x@3 would be one more"},
		{"visits of a member", workflow.Limits{}, map[string]workflow.NodeConfig{"y": {MaxVisits: 1}},
			"limit exceeded: max_visits of y is 1, and t@1/y@2 would be one more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			l.teams["t"] = "loop 0 x y"
			if tc.config != nil {
				l.config = tc.config
			}
			got := runTeam(t, l, workflow.RunRequest{Env: workflow.Env{Limits: tc.limits}})
			if codeOf(got.err) != workflow.CodeLimit || !strings.Contains(got.err.Error(), tc.want) {
				t.Errorf("the run ended with %v", got.err)
			}
		})
	}
}

func TestE12_caps_count_members(t *testing.T) {
	l := newLab()
	l.teams["t"], l.teams["u"] = "par x y u", "par v w"
	l.delay = func(string) time.Duration { return time.Second }
	got := runTeam(t, l, workflow.RunRequest{}, workflow.WithMaxConcurrency(2))
	if got.err != nil || l.peak != 2 || len(l.calls) != 5 {
		t.Errorf("%v; %d bodies executed at once: %v", got.err, l.peak, l.paths())
	}
}

// A person is asked in the middle of a loop, in each lap; the answer comes in another process.
func TestH1_questions_in_teams(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{}))
	l.teams["t"], l.teams["p"] = "loop 2 p y", "par ask z"
	d := newDesk(t, l, "START -> t -> b")
	got := d.begin("in")
	for _, path := range []string{"t@1/p@1/ask@1", "t@1/p@2/ask@1"} {
		d.wants(got, path)
		got = d.answer(map[string]any{path: "fine"})
	}
	want := map[string]any{"ask": "fine", "z": "t@1/p@2/z@1"}
	var seen any
	for _, e := range got.events {
		if e.Kind == workflow.NodeCompleted && e.Path == "t@1/p@2" {
			seen = e.Output
		}
	}
	if diff := cmp.Diff(any(want), seen); diff != "" || got.err != nil || got.output != "b@1" {
		t.Errorf("%v, %v (-want +got):\n%s", got.output, got.err, diff)
	}
}

// A member that takes its process down again and again fails, and its team with it.
func TestE52_members_that_kill_their_process(t *testing.T) {
	store := memory.New()
	l := newLab()
	l.teams["t"], l.teams["u"] = "loop 0 u", "seq x"
	w := l.build(t, "START -> t -> b; t -[ERROR]-> fix")
	die(t, w, store, false)
	for range 3 {
		die(t, w, store, true)
	}
	got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
	failure, _ := l.input("fix@1").(map[string]any)
	if len(l.calls) != 5 || failure["code"] != "crash-loop" || failure["path"] != "t@1" || got.err != nil {
		t.Errorf("%v; fix got %v after %v", got.err, failure, l.paths())
	}
}

// A run that is canceled cancels what works in its teams, and then the teams.
func TestE57_cancel_in_teams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.teams["t"], l.teams["u"] = "loop 0 u", "par x y"
		l.delay = func(string) time.Duration { return time.Hour }
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Second, cancel)
		store := memory.New()
		got := watch(l.build(t, "START -> t -> b"), ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r",
			Env: workflow.Env{Deterministic: true}})
		want := []string{"canceled t@1/u@1/x@1", "canceled t@1/u@1/y@1", "canceled t@1/u@1", "canceled t@1", "run-canceled"}
		if diff := cmp.Diff(want, got.of(workflow.NodeCanceled, workflow.RunCanceled)); diff != "" || codeOf(got.err) != workflow.CodeCanceled {
			t.Errorf("%v (-want +got):\n%s", got.err, diff)
		}
		again := resume(l.build(t, "START -> t -> b"), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if again.last().Kind != workflow.RunCanceled {
			t.Errorf("taken up again it ended with %s", again.last().Kind)
		}
	})
}

// A run that is taken up with a team that has lost a member stays where it is.
func TestE53_teams_that_differ(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.teams["t"] = "seq x y"
		store := memory.New()
		stop := l.build(t, "START -> t -> b").Run(t.Context(), workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		for e := range stop {
			if e.Kind == workflow.NodeCompleted && e.Path == "t@1/x@1" {
				break
			}
		}
		l.teams["t"] = "seq z y"
		got := resume(l.build(t, "START -> t -> b"), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		stopped, _ := got.last().Record.(journal.Stop)
		if stopped.Why != workflow.SuspendedGraphDiffers {
			t.Errorf("the run went on: %v, %v", got.of(workflow.NodeStarted), got.err)
		}
	})
}

func TestTeamsThatCantBe(t *testing.T) {
	node := workflow.NewNode("x", escalates(1), workflow.NodeConfig{})
	nothing := workflow.NewNode("y", nil, workflow.NodeConfig{})
	for name, tc := range map[string]struct {
		team *workflow.Team
		want string
	}{
		"none":          {nil, `node "t": the team has no members`},
		"nobody":        {workflow.NewSequence("t"), `node "t": the team has no members`},
		"nil":           {workflow.NewSequence("t", nil), "not nil, a join or START"},
		"a join":        {workflow.NewParallel("t", workflow.NewJoinNode("J")), "not nil, a join or START"},
		"START":         {workflow.NewParallel("t", workflow.Start), "not nil, a join or START"},
		"twice at once": {workflow.NewParallel("t", node, node), `the team has two members "x"`},
		"laps":          {workflow.NewLoop("t", -1, node), "maxLaps is -1; it must be 0 or more"},
		"a bad member":  {workflow.NewSequence("t", nothing), `node "y": the body is nil`},
		"a bad subteam": {workflow.NewSequence("t", workflow.NewTeamNode("u", nil, workflow.NodeConfig{})), `node "u": the team has no members`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := workflow.New("w", []workflow.Edge{{From: workflow.Start, To: workflow.NewTeamNode("t", tc.team, workflow.NodeConfig{})}})
			var def *workflow.DefinitionError
			if !errors.As(err, &def) || !slices.ContainsFunc(def.Problems, func(p workflow.Problem) bool { return strings.Contains(p.Message, tc.want) }) {
				t.Errorf("the definition gave %v", err)
			}
		})
	}
}
