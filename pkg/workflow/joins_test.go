package workflow_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/workflow"
)

// joinCase is a graph with joins, and what its joins must hand on under every schedule.
type joinCase struct {
	name  string
	graph string
	setup func(*lab)
	// joins lists the firings as "J@1 {a b}", with the paths that arrived.
	joins []string
}

func joinCases() []joinCase {
	return []joinCase{
		{name: "J1", graph: "START -> c -[A]-> a -> J -> end; c -[B]-> b -> J",
			setup: func(l *lab) { l.routes("c", "A") },
			joins: []string{"J@1 {a@1}"}},
		{name: "J2", graph: "START -> c -[A]-> a -> J -> end; c -[B]-> b -> J",
			setup: func(l *lab) { l.routes("c", "A,B") },
			joins: []string{"J@1 {a@1 b@1}"}},
		{name: "J3/other", graph: "START -> r -[go]-> J -> end; START -> s -> J",
			setup: func(l *lab) { l.routes("r", "other") },
			joins: []string{"J@1 {s@1}"}},
		{name: "J3/go", graph: "START -> r -[go]-> J -> end; START -> s -> J",
			setup: func(l *lab) { l.routes("r", "go") },
			joins: []string{"J@1 {r@1 s@1}"}},
		{name: "J4", graph: "START -> a -> b -> J -> gate -[again]-> a; a -> c -> J; gate -[done]-> end",
			setup: func(l *lab) { l.routes("gate", "again", "again") },
			joins: []string{"J@1 {b@1 c@1}", "J@2 {b@2 c@2}", "J@3 {b@3 c@3}"}},
		{name: "J5", graph: "START -> x -> J -> gate -[again]-> y -> J; START -> y; gate -[done]-> end",
			setup: func(l *lab) { l.routes("gate", "again") },
			joins: []string{"J@1 {x@1 y@1}", "J@2 {y@2}"}},
		{name: "J8", graph: "START -> a -> J -> end; START -> b -> J; a -[ERROR]-> fix -> J",
			setup: func(l *lab) { l.does("a", fails("broken")) },
			joins: []string{"J@1 {b@1 fix@1}"}},
		{name: "J9", graph: "START -> J -> end; START -> a -> J",
			joins: []string{"J@1 {input a@1}"}},
		{name: "J10", graph: "START -> r -[x]-> J1 -> J2 -> end; START -> a -> J1; START -> b -> J2",
			joins: []string{"J1@1 {a@1}", "J2@1 {map[a:a@1] b@1}"}},
		{name: "J10/declared the other way round", graph: "START -> b -> J2 -> end; START -> r -[x]-> J1 -> J2; START -> a -> J1",
			joins: []string{"J1@1 {a@1}", "J2@1 {map[a:a@1] b@1}"}},
		{name: "J11", graph: "START -> a -> J1 -> p -> J2 -> q -[again]-> J1; START -> b -> J2; q -[done]-> end",
			joins: []string{"J1@1 {a@1}", "J2@1 {p@1 b@1}"}},
		{name: "J13", graph: "START -> m -> x -> J; START -> x; START -> y -> J -> gate -[again]-> y; gate -[done]-> end",
			setup: func(l *lab) { l.routes("gate", "again") },
			joins: []string{"J@1 {x@1 y@1}", "J@2 {x@2 y@2}"}},
	}
}

// Every case of the table of joins gives the same firings under many schedules, among them those in which each node in
// turn is far slower than the others.
func TestJ1_J5_J8_J11_J13_firings(t *testing.T) {
	for _, tc := range joinCases() {
		t.Run(tc.name, func(t *testing.T) {
			for schedule := range 40 {
				synctest.Test(t, func(t *testing.T) {
					l := newLab()
					if tc.setup != nil {
						tc.setup(l)
					}
					l.delay = scheduled(schedule)
					got := run(l.build(t, tc.graph), workflow.RunRequest{Input: "input"})
					if got.err != nil {
						t.Fatalf("schedule %d: %v", schedule, got.err)
					}
					if diff := cmp.Diff(tc.joins, firings(got)); diff != "" {
						t.Fatalf("schedule %d: firings (-want +got):\n%s", schedule, diff)
					}
				})
			}
		})
	}
}

// scheduled gives each activation a time that depends on its path and the schedule.
func scheduled(schedule int) func(string) time.Duration {
	return func(path string) time.Duration {
		h := uint64(schedule)*0x9E3779B97F4A7C15 + 1
		for _, c := range path {
			h = (h ^ uint64(c)) * 0x100000001B3
			h ^= h >> 29
		}
		d := time.Duration(1+h%97) * time.Millisecond
		if h>>40%5 == 0 {
			d *= 50
		}
		return d
	}
}

// firings lists what joins handed on, in the order in which they fired. Values stand for the activations they are the
// path of.
func firings(o outcome) []string {
	var list []string
	for _, e := range o.events {
		m, isMap := e.Output.(map[string]any)
		if e.Kind != workflow.NodeCompleted || e.Node[0] < 'A' || 'Z' < e.Node[0] || !isMap {
			continue
		}
		var values []string
		for _, key := range sortedSources(m) {
			values = append(values, fmt.Sprint(m[key]))
		}
		list = append(list, e.Path+" {"+strings.Join(values, " ")+"}")
	}
	return list
}

// sortedSources orders the sources of a join: START and joins, then others by name, but p before b in J11.
func sortedSources(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if slices.Equal(keys, []string{"b", "p"}) {
		return []string{"p", "b"}
	}
	return keys
}

func fails(message string) body {
	return func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{}, fmt.Errorf("%s", message)
	}
}

// The join fires as soon as the only branch that was taken ends, although the other source could have been reached.
func TestJ1_fires_without_waiting_for_a_branch_not_taken(t *testing.T) {
	l := newLab().routes("c", "A")
	got := run(l.build(t, "START -> c -[A]-> a -> J -> end; c -[B]-> b -> J"), workflow.RunRequest{})
	want := []string{"completed c@1", "completed a@1", "completed J@1", "completed end@1"}
	if diff := cmp.Diff(want, got.of(workflow.NodeCompleted)); diff != "" {
		t.Error(diff)
	}
}

// A join that has everything fires at once, although more may come.
func TestE23_complete_joins_do_not_wait(t *testing.T) {
	for _, failing := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			l := newLab().routes("c", "again", "again")
			l.delay = func(string) time.Duration { return time.Second }
			graph := "START -> b -> J -> end; START -> c -> J; c -[again]-> c2 -> c"
			if failing {
				l.does("b", fails("broken"))
				l.delay = func(path string) time.Duration {
					return map[string]time.Duration{"b@1": 1500 * time.Millisecond}[path] + time.Second
				}
				graph = "START -> b -[ERROR]-> J -> end; START -> c -> J; c -[again]-> c2 -> c; b -> end"
			}
			got := run(l.build(t, graph), workflow.RunRequest{})
			completed := got.of(workflow.NodeCompleted)
			if slices.Index(completed, "completed J@1") > slices.Index(completed, "completed c@2") {
				t.Errorf("failing %v: J@1 waited: %v", failing, completed)
			}
		})
	}
}

// b is slow and c loops: the join pairs b with the first of c, and takes the others as they come.
func TestJ6_slow_source_beside_a_loop(t *testing.T) {
	for slow := range 4 {
		synctest.Test(t, func(t *testing.T) {
			l := newLab().routes("c", "again", "again")
			l.delay = func(path string) time.Duration {
				if path == "b@1" {
					return time.Duration(slow*10+5) * time.Millisecond
				}
				return 10 * time.Millisecond
			}
			got := run(l.build(t, "START -> b -> J -> end; START -> c -> J; c -[again]-> c2 -> c"), workflow.RunRequest{})
			if n := len(firings(got)); n != 3 {
				t.Fatalf("%d firings, want 3: %v", n, firings(got))
			}
			if first := firings(got)[0]; first != "J@1 {b@1 c@1}" {
				t.Errorf("first firing %s", first)
			}
		})
	}
}

// Plain fan-in: d runs once per trigger, one after the other, and so does the join behind it.
func TestJ12_plain_fan_in_before_a_join(t *testing.T) {
	l := newLab()
	w := l.build(t, "START -> a -> b -> d -> J -> end; a -> c -> d; START -> e -> J")
	got := run(w, workflow.RunRequest{})
	if diff := cmp.Diff([]string{"J@1 {d@1 e@1}", "J@2 {d@2}"}, firings(got)); diff != "" {
		t.Error(diff)
	}
	var rules []string
	for _, p := range w.Warnings() {
		rules = append(rules, string(p.Rule))
	}
	if diff := cmp.Diff([]string{"fan-in-before-join"}, rules); diff != "" {
		t.Error(diff)
	}
}

// A source without output arrives with null; a source that did not arrive is absent.
func TestE20_E26_null_and_absent(t *testing.T) {
	silent := func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{}, nil }
	l := newLab().does("a", silent).routes("c", "x")
	got := run(l.build(t, "START -> a -> J; START -> b -> J; START -> c -[y]-> J"), workflow.RunRequest{})
	want := map[string]any{"a": nil, "b": "b@1"}
	if diff := cmp.Diff(any(want), got.output); diff != "" {
		t.Error(diff)
	}
}

// A join with an arrival and a cap-blocked activation upstream waits for it.
func TestE24_queued_upstream_is_live(t *testing.T) {
	l := newLab()
	w := l.build(t, "START -> a -> J; START -> b -> J; START -> c -> J", workflow.WithMaxConcurrency(1))
	got := run(w, workflow.RunRequest{})
	if diff := cmp.Diff([]string{"J@1 {a@1 b@1 c@1}"}, firings(got)); diff != "" {
		t.Error(diff)
	}
}

// An activation between two attempts is live: the join waits for it.
func TestE28_backoff_upstream_is_live(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", failsUntil(3))
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
		got := run(l.build(t, "START -> a -> J; START -> b -> J"), workflow.RunRequest{})
		if diff := cmp.Diff([]string{"J@1 {a@1 b@1}"}, firings(got)); diff != "" {
			t.Error(diff)
		}
	})
}

// failsUntil fails the attempts before the given one.
func failsUntil(attempt int) body {
	return func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if ctx.Attempt() < attempt {
			return workflow.Result{}, fmt.Errorf("attempt %d", ctx.Attempt())
		}
		return workflow.Result{Output: ctx.Path()}, nil
	}
}

func zero() *float64 { return new(float64) }

// A join shapes what came and checks it, like any other node.
func TestE10_a_join_shapes_and_checks(t *testing.T) {
	value := func(name string, v any) workflow.Node {
		return workflow.NewFunctionNode(name, func(*workflow.Context, any) (any, error) { return v, nil }, workflow.NodeConfig{})
	}
	sum := func(ctx *workflow.Context) (any, error) {
		came, _ := ctx.Input().(map[string]any)
		return came["a"].(int64) + came["b"].(int64), nil
	}
	for _, tc := range []struct {
		name string
		cfg  workflow.NodeConfig
		want any
		code workflow.Code
	}{
		{"shaped", workflow.NodeConfig{Input: sum}, int64(3), ""},
		{"what fits", workflow.NodeConfig{Input: sum, InputSchema: below(4), OutputSchema: below(4)}, int64(3), ""},
		{"an input that doesn't", workflow.NodeConfig{Input: sum, InputSchema: below(3)}, nil, workflow.CodeInputSchema},
		{"an output that doesn't", workflow.NodeConfig{Input: sum, OutputSchema: below(3)}, nil, workflow.CodeOutputSchema},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b, join := value("a", 1), value("b", 2), workflow.NewJoinNodeWithConfig("J", tc.cfg)
			wf, err := workflow.New("wf", []workflow.Edge{
				{From: workflow.Start, To: a}, {From: workflow.Start, To: b}, {From: a, To: join}, {From: b, To: join},
			})
			if err != nil {
				t.Fatal(err)
			}
			got := run(wf, workflow.RunRequest{})
			if failure, _ := errors.AsType[*workflow.RunError](got.err); got.output != tc.want || (failure == nil) != (tc.code == "") ||
				failure != nil && failure.Code != tc.code {
				t.Errorf("%v, %v; want %v, %q", got.output, got.err, tc.want, tc.code)
			}
		})
	}
}

// below accepts numbers below itself.
type below int64

// Validate implements [workflow.Validator].
func (b below) Validate(value any) error {
	if n, ok := value.(int64); !ok || n >= int64(b) {
		return fmt.Errorf("%v is not below %d", value, b)
	}
	return nil
}
