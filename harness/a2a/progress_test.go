package a2a

import (
	"fmt"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

func says(path string, attempt int, text string) workflow.Event {
	return workflow.Event{Kind: workflow.Progressed, Path: path, Node: journal.NodeOf(path), Attempt: attempt,
		Progress: &workflow.Progress{Text: text}}
}

func gives(path string, output any) workflow.Event {
	return workflow.Event{Kind: workflow.NodeCompleted, Path: path, Node: journal.NodeOf(path), Output: output}
}

func turnEnds(path string) workflow.Event {
	return workflow.Event{Kind: workflow.MessageAdded, Path: path, Node: journal.NodeOf(path), Record: journal.Msg{}}
}

// update is an update in one line: + appends, = replaces, ! is the whole.
func update(e a2a.Event) string {
	switch e := e.(type) {
	case *a2a.TaskArtifactUpdateEvent:
		mark := "="
		switch {
		case e.LastChunk:
			mark = "!"
		case e.Append:
			mark = "+"
		}
		text := e.Artifact.Parts[0].Text()
		if data := e.Artifact.Parts[0].Data(); data != nil {
			text = fmt.Sprint(data)
		}
		return string(e.Artifact.ID) + mark + text
	case *a2a.TaskStatusUpdateEvent:
		return fmt.Sprintf("%v: %s", e.Metadata[nodeKey], e.Status.Message.Parts[0].Text())
	default:
		return fmt.Sprintf("%T", e)
	}
}

func TestProgress(t *testing.T) {
	one := intake.Outline{Terminals: []intake.Terminal{{Node: "answer", Text: true}, {Node: "other"}}}
	several := intake.Outline{Terminals: one.Terminals, Several: true}
	for _, tc := range []struct {
		name    string
		outline intake.Outline
		events  []workflow.Event
		want    []string
	}{
		{"the text of a turn replaces that of the turn before", one, []workflow.Event{
			says("answer@1", 1, "I "), says("answer@1", 1, "look."), turnEnds("answer@1"),
			says("answer@1", 1, "It "), says("answer@1", 1, "is 5."), turnEnds("answer@1"), gives("answer@1", "It is 5."),
		}, []string{"output=I ", "output+look.", "output=It ", "output+is 5.", "output!It is 5."}},
		{"a new attempt begins anew", one, []workflow.Event{
			says("answer@1", 1, "It"), says("answer@1", 2, "It "), says("answer@1", 2, "is 5."),
		}, []string{"output=It", "output=It ", "output+is 5."}},
		{"text that comes after the end", one, []workflow.Event{gives("answer@1", "5"), says("answer@1", 1, "5")}, []string{"output!5"}},
		{"text of a node that is no terminal", one, []workflow.Event{says("think@1", 1, "Hm.")}, []string{"think@1: Hm."}},
		{"text of a terminal that gives no text", one, []workflow.Event{says("other@1", 1, "50 %")}, []string{"other@1: 50 %"}},
		{"text of a node of that name in another graph", one, []workflow.Event{says("outer@1/answer@1", 1, "Hm.")},
			[]string{"outer@1/answer@1: Hm."}},
		{"no text", one, []workflow.Event{says("answer@1", 1, ""), {Kind: workflow.Progressed, Path: "answer@1", Node: "answer"}}, nil},
		{"an end without an output", one, []workflow.Event{gives("answer@1", nil)}, nil},
		{"an end inside another graph", one, []workflow.Event{gives("outer@1/answer@1", "5")}, nil},
		{"a terminal that ends twice", one, []workflow.Event{gives("other@1", int64(1)), gives("other@2", int64(1)), gives("other@3", int64(2))},
			[]string{"output!1", "output!2"}},
		{"several outputs where one was expected", one, []workflow.Event{gives("other@1", int64(1)), gives("answer@1", "5")},
			[]string{"output!1", "answer!5", "other!1"}},
		{"several outputs", several, []workflow.Event{says("answer@1", 1, "5"), gives("other@1", int64(1)), gives("answer@1", "5")},
			[]string{"answer=5", "other!1", "answer!5"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newProgress(journal.RunInfo{Run: "r", Session: "s"}, tc.outline)
			var got []string
			for _, e := range tc.events {
				for _, u := range p.updates(e) {
					if u.TaskInfo() != (a2a.TaskInfo{TaskID: "r", ContextID: "s"}) {
						t.Errorf("an update is about %+v", u.TaskInfo())
					}
					got = append(got, update(u))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Who has the task already isn't told again what it says.
func TestProgress_catches_up(t *testing.T) {
	o := intake.Outline{Terminals: []intake.Terminal{{Node: "answer", Text: true}}}
	p := newProgress(journal.RunInfo{Run: "r", Session: "s"}, o)
	r := &journal.RunState{Activations: []*journal.Activation{{Path: "answer@1", State: journal.ActivationDone}}}
	p.catchUp(r, []output{{"answer", "5"}})
	for _, e := range []workflow.Event{says("answer@1", 1, "5"), gives("answer@1", "5")} {
		if got := p.updates(e); len(got) > 0 {
			t.Errorf("%s: %s", e.Kind, update(got[0]))
		}
	}
}
