package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// A failure names the field that its error does, else the one that the node's Blame does; a composite names what failed in it.
func TestAFailureNamesItsField(t *testing.T) {
	fails := func(err error) body {
		return func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{}, err }
	}
	for _, tc := range []struct {
		name        string
		graph       string
		setup       func(*lab)
		field, text string
	}{
		{"by the error", "START -> a", func(l *lab) {
			l.does("a", fails(workflow.Terminal(fmt.Errorf("no: %w", workflow.InField(errBroken, "nodes[a].output")))))
		}, "nodes[a].output", "a@1: nodes[a].output: no: broken"},
		{"that the message begins with", "START -> a", func(l *lab) {
			l.does("a", fails(workflow.InField(errors.New("nodes[a].output: broken"), "nodes[a].output")))
		}, "nodes[a].output", "a@1: nodes[a].output: broken"},
		{"by the code", "START -> a", func(l *lab) {
			l.config["a"] = workflow.NodeConfig{Blame: func(code workflow.Code) string { return "nodes[a]." + string(code) }}
			l.does("a", fails(workflow.Errorf("busy", "broken")))
		}, "nodes[a].busy", "a@1: nodes[a].busy: broken"},
		{"by what failed in it", "START -> a", func(l *lab) {
			l.config["a"] = workflow.NodeConfig{Blame: func(workflow.Code) string { return "nodes[a]" }}
			l.config["b"] = workflow.NodeConfig{Blame: func(workflow.Code) string { return "nodes[a].nodes[b]" }}
			l.inner["a"] = "START -> b"
			l.does("b", fails(errBroken))
		}, "nodes[a].nodes[b]", "a@1/b@1: nodes[a].nodes[b]: broken"},
		{"by none", "START -> a", func(l *lab) { l.does("a", fails(workflow.InField(errBroken, ""))) }, "", "a@1: broken"},
		{"of a limit", "START -> a -[again]-> a; a -[DEFAULT]-> b", func(l *lab) {
			l.config["a"] = workflow.NodeConfig{MaxVisits: 1, Blame: func(workflow.Code) string { return "nodes[a].max_visits" }}
			l.routes("a", "again", "again")
		}, "nodes[a].max_visits", "a@2: limit exceeded: max_visits of a is 1, and a@2 would be one more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			tc.setup(l)
			store := memory.New()
			w := l.build(t, tc.graph)
			got := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
			again := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
			for when, err := range map[string]error{"run": got.err, "resume": again.err} {
				failed, ok := errors.AsType[*workflow.RunError](err)
				if !ok || failed.Field != tc.field || failed.Error() != tc.text {
					t.Errorf("%s: %v, field %q", when, err, failed.Field)
				}
			}
			fold, err := journal.Load(context.Background(), store, "s")
			if err != nil || fold.Run("r").Done.Err.Field != tc.field {
				t.Errorf("recorded %+v, %v", fold.Run("r").Done, err)
			}
		})
	}
}

// A run whose process died after a node failed for good knows the field from the journal.
func TestAFieldOutlivesTheProcess(t *testing.T) {
	l := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{}, workflow.InField(errBroken, "nodes[a].output")
	})
	store := memory.New()
	w := l.build(t, "START -> a")
	run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
	kept := memory.New()
	for e, err := range store.Read(context.Background(), "s", 1) {
		if err != nil {
			t.Fatal(err)
		}
		var recs []journal.Record
		for _, rec := range e.Records {
			if _, done := rec.(journal.Done); !done {
				recs = append(recs, rec)
			}
		}
		if e.Records = recs; len(recs) == 0 {
			break
		}
		if err := kept.Append(context.Background(), "s", e.Seq, e); err != nil {
			t.Fatal(err)
		}
	}
	got := resume(w, workflow.ResumeRequest{Store: kept, Session: "s", Run: "r"})
	failed, ok := errors.AsType[*workflow.RunError](got.err)
	if !ok || failed.Field != "nodes[a].output" || !strings.HasSuffix(failed.Error(), "nodes[a].output: broken") {
		t.Errorf("%v", got.err)
	}
}
