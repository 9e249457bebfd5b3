package workflow_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestE40_E43_output_of_a_run(t *testing.T) {
	quiet := func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{}, nil }
	for _, tc := range []struct {
		name, graph string
		setup       func(*lab)
		want        any
		notes       []string
	}{
		{name: "E40 nodes with edges give none", graph: "START -> a -> b", setup: func(l *lab) { l.does("b", quiet) }},
		{name: "E40 an ERROR edge makes no difference", graph: "START -> a -[ERROR]-> b", want: "a@1"},
		{name: "E40 a handled failure gives none", graph: "START -> a -[ERROR]-> b",
			setup: func(l *lab) { l.does("a", fails("x")).does("b", quiet) }},
		{name: "E40 the handler's output is the run's", graph: "START -> a -[ERROR]-> b; START -> c -> d",
			setup: func(l *lab) { l.does("a", fails("x")).does("d", quiet) }, want: "b@1"},
		{name: "E41 none, because a route was not matched", graph: "START -> a -[x]-> b", want: nil,
			notes: []string{"unmatched-route a@1", "no-output a@1"}},
		{name: "E42 one of two ends", graph: "START -> c -[x]-> a; c -[y]-> b", setup: func(l *lab) { l.routes("c", "y") },
			want: "b@1"},
		{name: "E42 the last activation that gave one", graph: "START -> g -[again]-> t; g -[again]-> h -> g; g -[done]-> e",
			setup: func(l *lab) {
				l.routes("g", "again", "again", "again", "done").does("e", quiet)
				l.does("t", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
					if visit(ctx) == 3 {
						return workflow.Result{}, nil
					}
					return workflow.Result{Output: ctx.Path()}, nil
				})
			}, want: "t@2"},
		{name: "E43 O1 two of three ends", graph: "START -> z; START -> a; START -> m", setup: func(l *lab) { l.does("a", quiet) },
			want: map[string]any{"z": "z@1", "m": "m@1"}},
		{name: "false and zero are outputs", graph: "START -> a",
			setup: func(l *lab) {
				l.does("a", func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{Output: false}, nil })
			}, want: false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			if tc.setup != nil {
				tc.setup(l)
			}
			got := run(l.build(t, tc.graph), workflow.RunRequest{})
			if diff := cmp.Diff(tc.want, got.output); diff != "" || got.err != nil {
				t.Errorf("output (-want +got):\n%s%v", diff, got.err)
			}
			if diff := cmp.Diff(tc.notes, got.notes()); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// The last event sums up the warnings, and the journal says the same.
func TestE41_the_result_carries_its_warnings(t *testing.T) {
	got := run(newLab().build(t, "START -> a -[x]-> b"), workflow.RunRequest{})
	var codes []string
	for _, n := range got.last().Warnings {
		codes = append(codes, n.Code)
	}
	if diff := cmp.Diff([]string{"unmatched-route", "no-output"}, codes); diff != "" {
		t.Error(diff)
	}
	if done, ok := got.last().Record.(journal.Done); !ok || done.Status != journal.Completed || done.Output.Present() {
		t.Errorf("record %v", got.last().Record)
	}
}

// A silent run says nothing but that it has no output.
func TestE41_no_warning_without_an_unmatched_route(t *testing.T) {
	l := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{}, nil })
	if got := run(l.build(t, "START -> a"), workflow.RunRequest{}); len(got.notes()) > 0 || got.err != nil {
		t.Errorf("notes %v, %v", got.notes(), got.err)
	}
}
