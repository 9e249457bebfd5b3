package build_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// counting is a model that answers with numbers and notes what it was sent.
type counting struct{ prompts [][]string }

func (m *counting) Name() string { return "counting" }

func (m *counting) Stream(_ context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	var lines []string
	for _, msg := range req.Messages {
		lines = append(lines, string(msg.Role)+": "+core.TextOf(msg))
	}
	m.prompts = append(m.prompts, lines)
	return func(yield func(core.Delta, error) bool) {
		if yield(core.Delta{Kind: core.TextDelta, Text: fmt.Sprint(len(m.prompts))}, nil) {
			yield(core.Delta{Kind: core.Done, Stop: core.StopEnd}, nil)
		}
	}
}

// A chat sees what it answered in earlier runs of the session, where its activation had the same path.
func TestHistory_own_answers(t *testing.T) {
	checked := checkedDocument(t, "agents: [{ name: talker, instruction: Talk. }]")
	model := &counting{}
	system, found := build.Build(checked, build.Options{Models: map[string]core.Model{"default": model}})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	store := memory.New()
	for _, text := range []string{"a", "b", "c"} {
		for _, err := range system.Workflow().Run(t.Context(), workflow.RunRequest{Store: store, Session: "s_1", Input: text,
			Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: text}}}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	want := [][]string{
		{"user: a"},
		{"user: a", "model: 1", "user: b"},
		{"user: a", "model: 1", "user: b", "model: 2", "user: c"},
	}
	if diff := cmp.Diff(want, model.prompts); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
}
