package workflow_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// TestAnswersJoinTheTranscript has two terminals give an output: both are messages of the session when a message began the
// run, so that whoever reads the conversation later knows what was answered.
func TestAnswersJoinTheTranscript(t *testing.T) {
	give := func(name string, out any) workflow.Node {
		return workflow.NewNode(name, func(*workflow.Context, any) (workflow.Result, error) {
			return workflow.Result{Output: out}, nil
		}, workflow.NodeConfig{Pure: true})
	}
	text, data, none := give("text", "Plan: pro"), give("data", map[string]any{"n": 1}), give("none", nil)
	wf, err := workflow.New("triage", []workflow.Edge{
		{From: workflow.Start, To: text}, {From: workflow.Start, To: data}, {From: workflow.Start, To: none},
	})
	if err != nil {
		t.Fatal(err)
	}
	question := &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "which?"}}}
	for name, c := range map[string]struct {
		message *journal.Msg
		want    []string
	}{
		"a message began the run": {question, []string{
			"user  which?", "triage text@1 Plan: pro", `triage data@1 {"n":1}`,
		}},
		"no message, no transcript": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			store := memory.New()
			for _, err := range wf.Run(context.Background(), workflow.RunRequest{Store: store, Session: "s", Message: c.message}) {
				if err != nil {
					t.Fatal(err)
				}
			}
			session, err := journal.Load(context.Background(), store, "s")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range session.Thread(session.Tip, journal.View{}) {
				m, ok := n.Record.(journal.Msg)
				if !ok {
					t.Fatalf("%T in the transcript", n.Record)
				}
				said, _ := m.Parts[0].(journal.Text)
				got = append(got, m.Author+" "+m.Path+" "+said.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("transcript (-want +got):\n%s", diff)
			}
		})
	}
}

// speaker is an agent that says something, and gives that or something else.
type speaker struct{ says, gives string }

func (s speaker) Name() string { return "speaker" }

func (s speaker) Run(ctx *workflow.Context, _ any) (workflow.Result, error) {
	err := ctx.Commit(journal.Msg{Role: journal.RoleModel, Author: "speaker", Parts: []journal.Part{journal.Text{Text: s.says}}})
	return workflow.Result{Output: s.gives}, err
}

// What an agent inside of a terminal has said last isn't said again as the answer.
func TestAnswersAreSaidOnce(t *testing.T) {
	for _, tc := range []struct {
		speaker
		want []string
	}{
		{speaker{"Hello.", "Hello."}, []string{"t@1/speaker@1"}},
		{speaker{"Let me see.", "42"}, []string{"t@1/speaker@1", "t@1"}},
	} {
		agent := workflow.NewAgentNode(tc.speaker, workflow.NodeConfig{})
		team := workflow.NewTeamNode("t", workflow.NewSequence("t", agent), workflow.NodeConfig{})
		wf, err := workflow.New("test", workflow.Chain(workflow.Start, team))
		if err != nil {
			t.Fatal(err)
		}
		got := run(wf, workflow.RunRequest{Store: memory.New(), Message: &journal.Msg{Role: journal.RoleUser, Author: "user"}})
		var said []string
		for _, e := range got.events {
			if m, ok := e.Record.(journal.Msg); ok && m.Role == journal.RoleModel {
				said = append(said, m.Path)
			}
		}
		if diff := cmp.Diff(tc.want, said); diff != "" || got.err != nil {
			t.Errorf("%v: %v (-want +got):\n%s", tc.speaker, got.err, diff)
		}
	}
}
