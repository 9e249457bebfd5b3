package a2a

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/journal"
)

// session is the log of a session as views need it.
type session struct {
	fold *journal.SessionState
	// messages are those of each run, oldest first, but for those of isolated agents: nobody outside sees them.
	messages map[string][]journal.Msg
}

// readSession reads a session's log.
func readSession(ctx context.Context, log journal.Log, id string) (*session, error) {
	s := &session{messages: map[string][]journal.Msg{}}
	var err error
	s.fold, err = journal.Fold(id, s.collect(log.Read(ctx, id, 1)))
	return s, err
}

// collect gathers the messages of entries in passing.
func (s *session) collect(entries iter.Seq2[*journal.Entry, error]) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for e, err := range entries {
			if e != nil && e.Run != "" {
				for _, r := range e.Records {
					if m, ok := r.(journal.Msg); ok && m.Within == "" {
						s.messages[e.Run] = append(s.messages[e.Run], m)
					}
				}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// run is what the log says of a run. Of one that was recorded it may say nothing, when its entries are damaged.
func (s *session) run(id string) (*journal.RunState, error) {
	if r := s.fold.Run(id); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("session %s: its log says nothing of the run %s", s.fold.Session.ID, id)
}

// task is the view of a run.
func (s *session) task(r *journal.RunState, o intake.Outline) *a2a.Task {
	info := a2a.TaskInfo{TaskID: a2a.TaskID(r.ID), ContextID: s.fold.Session.ID}
	t := &a2a.Task{
		ID:        info.TaskID,
		ContextID: info.ContextID,
		Status:    status(info, r.Status(), explanation(r), r.Updated),
		Artifacts: artifacts(s.outputs(r, o), o),
		History:   s.history(r.ID, info),
	}
	switch {
	case r.Done != nil:
		blame(t.Status.Message, r.Done.Err)
	case r.Status() == journal.Waiting:
		t.Status.Message = questionsMessage(info, r.Interrupts)
	}
	return t
}

// outputs are what the terminals of a run have given so far, in the order of the document. Without an outline it is what
// the whole run gave.
func (s *session) outputs(r *journal.RunState, o intake.Outline) []output {
	if len(o.Terminals) == 0 {
		if r.Done != nil && r.Done.Output.Value() != nil {
			return []output{{node: outputArtifact, value: r.Done.Output.Value()}}
		}
		return nil
	}
	last := map[string]any{}
	for _, a := range r.Activations {
		if a.State == journal.ActivationDone && journal.InstanceOf(a.Path) == "" {
			last[journal.NodeOf(a.Path)] = a.Output.Value()
		}
	}
	return inOrder(last, o)
}

// history is what was said in a run: the person's message and the texts of models. Thoughts and calls of tools are the
// agent's own business.
func (s *session) history(run string, info a2a.TaskInfo) []*a2a.Message {
	var history []*a2a.Message
	for _, m := range s.messages[run] {
		if said := said(m, info); said != nil {
			history = append(history, said)
		}
	}
	return history
}

// said is a message of the journal as others see it, or nil when there is nothing for them to see.
func said(m journal.Msg, info a2a.TaskInfo) *a2a.Message {
	var parts []*a2a.Part
	for _, p := range m.Parts {
		if text, ok := p.(journal.Text); ok && text.Text != "" {
			parts = append(parts, a2a.NewTextPart(text.Text))
		}
	}
	out := &a2a.Message{ID: m.ID, TaskID: info.TaskID, ContextID: info.ContextID, Parts: parts}
	switch {
	case len(parts) == 0:
		return nil
	case m.Role == journal.RoleUser && m.Path == "":
		out.Role = a2a.MessageRoleUser
	case m.Role == journal.RoleModel:
		out.Role = a2a.MessageRoleAgent
	default:
		return nil
	}
	return out
}

// shorten leaves the newest messages of a task's history; nil leaves all.
func shorten(t *a2a.Task, length *int) error {
	switch {
	case length == nil || *length >= len(t.History):
	case *length < 0:
		return invalid("historyLength is %d, it must be 0 or more", *length)
	default:
		t.History = slices.Clone(t.History[len(t.History)-*length:])
	}
	return nil
}
