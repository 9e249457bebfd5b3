package workflow_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestE7_which_edges_fire(t *testing.T) {
	const fallback = "START -> c -[a]-> x; c -[b,7]-> y; c -[DEFAULT]-> z; c -> always; c -[ERROR]-> never"
	for _, tc := range []struct {
		name, graph, routes string
		want                []string
	}{
		{"one route", fallback, "a", []string{"x@1", "always@1"}},
		{"several routes, one target once", fallback, "b,7,a", []string{"x@1", "y@1", "always@1"}},
		{"a number reads like its text", fallback, "7", []string{"y@1", "always@1"}},
		{"no route produced", fallback, "", []string{"z@1", "always@1"}},
		{"no route matches", fallback, "other", []string{"z@1", "always@1"}},
		{"an unconditional edge does not suppress DEFAULT", "START -> c -[DEFAULT]-> z; c -> always", "q",
			[]string{"z@1", "always@1"}},
		{"a route beside DEFAULT on one edge", "START -> c -[a,DEFAULT]-> x; c -[b]-> y", "b", []string{"y@1"}},
		{"DEFAULT beside a route on one edge", "START -> c -[a,DEFAULT]-> x; c -[b]-> y", "q", []string{"x@1"}},
		{"a DEFAULT edge from START", "START -[DEFAULT]-> c", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab().routes("c", tc.routes)
			got := run(l.build(t, tc.graph), workflow.RunRequest{Env: workflow.Env{Deterministic: true}})
			if got.err != nil {
				t.Fatal(got.err)
			}
			var started []string
			for _, e := range got.events {
				if e.Kind == workflow.NodeStarted && e.Node != "c" {
					started = append(started, e.Path)
				}
			}
			if diff := cmp.Diff(tc.want, started); diff != "" {
				t.Errorf("started (-want +got):\n%s", diff)
			}
		})
	}
}

func TestE7_kinds_of_routes(t *testing.T) {
	for _, tc := range []struct {
		route    workflow.Route
		produced string
		want     bool
	}{
		{workflow.StringRoute("s"), "s", true},
		{workflow.StringRoute("s"), "S", false},
		{workflow.IntRoute(7), "7", true},
		{workflow.IntRoute(7), "07", false},
		{workflow.BoolRoute(true), "true", true},
		{workflow.BoolRoute(false), "true", false},
		{workflow.MultiRoute[int]{1, 2}, "2", true},
		{workflow.MultiRoute[any]{"x", 3, true}, "true", true},
		{workflow.MultiRoute[workflow.Route]{workflow.StringRoute("x"), workflow.Default}, "q", true},
	} {
		t.Run(fmt.Sprintf("%v/%s", tc.route, tc.produced), func(t *testing.T) {
			l := newLab().routes("c", tc.produced)
			c := l.node("c")
			w, err := workflow.New("test", []workflow.Edge{{From: workflow.Start, To: c},
				{From: c, To: l.node("x"), Route: tc.route}})
			if err != nil {
				t.Fatal(err)
			}
			run(w, workflow.RunRequest{})
			if got := l.input("x@1") != "never called"; got != tc.want {
				t.Errorf("fired: %v, want %v", got, tc.want)
			}
		})
	}
}

func TestE7_targets_start_in_edge_order(t *testing.T) {
	l := newLab()
	w := l.build(t, "START -> z; START -> m; START -> a; START -> k", workflow.WithMaxConcurrency(1))
	run(w, workflow.RunRequest{})
	if diff := cmp.Diff([]string{"z@1", "m@1", "a@1", "k@1"}, l.paths()); diff != "" {
		t.Error(diff)
	}
}

func TestE8_unmatched_route_is_noted(t *testing.T) {
	l := newLab().routes("c", "q,r")
	got := run(l.build(t, "START -> c -[a]-> x; c -[b]-> y; c -[ERROR]-> z"), workflow.RunRequest{})
	if diff := cmp.Diff([]string{"unmatched-route c@1", "no-output c@1"}, got.notes()); diff != "" {
		t.Fatal(diff)
	}
	for _, e := range got.events {
		if n, ok := e.Record.(journal.Note); ok && n.Code == workflow.NoteUnmatchedRoute {
			want := map[string]any{"produced": []any{"q", "r"}, "offered": []any{"a", "b"}}
			if diff := cmp.Diff(any(want), n.Data); diff != "" {
				t.Error(diff)
			}
		}
	}
	if got.output != nil {
		t.Errorf("output %v, want none: the branch did not reach an end", got.output)
	}
}

// A node whose only other edge is for errors is an end, so nothing is missed there.
func TestE8_an_end_misses_no_route(t *testing.T) {
	l := newLab().routes("c", "q")
	got := run(l.build(t, "START -> c -[ERROR]-> z"), workflow.RunRequest{})
	if len(got.notes()) > 0 || got.output != "c@1" {
		t.Errorf("output %v, notes %v", got.output, got.notes())
	}
}

func TestE9_the_output_is_handed_on_not_the_route(t *testing.T) {
	l := newLab().routes("c", "a").does("quiet", func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{Routes: []string{"go"}}, nil
	})
	run(l.build(t, "START -> c -[a]-> x -> quiet -[go]-> y; quiet -[DEFAULT]-> z"), workflow.RunRequest{})
	if in := l.input("x@1"); in != "c@1" {
		t.Errorf("x got %v", in)
	}
	if in := l.input("y@1"); in != nil {
		t.Errorf("y got %v, want null", in)
	}
}

func TestReserved_routes_fail_their_node(t *testing.T) {
	for _, route := range []string{"DEFAULT", "ERROR"} {
		l := newLab().routes("c", route)
		got := run(l.build(t, "START -> c -> x"), workflow.RunRequest{})
		if codeOf(got.err) != workflow.CodeReservedRoute {
			t.Errorf("%s: %v", route, got.err)
		}
	}
}
