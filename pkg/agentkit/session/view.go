package session

import (
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// View says how much of the session an agent sees beside its own turns.
type View string

// The views.
const (
	// ViewInput shows the input of the activation and nothing of the session: a single turn.
	ViewInput View = "input"
	// ViewSession shows the transcript of the session: a chat.
	ViewSession View = "session"
	// ViewTurn shows the transcript from the newest message of a person or of another agent on.
	ViewTurn View = "turn"
)

// Reader is who reads a transcript.
type Reader struct {
	Agent string // its own messages are shown as they are, those of others are told
}

// Select returns the messages that the reader sees of the transcript, oldest first. The transcript is that of the
// reader's branch already: which messages a branch sees is the journal's business.
//
// What another agent wrote is told as a user message that names the agent: its calls name tools that the reader may not
// have, and its words as an assistant would be taken for the reader's own. Where there is nothing of that kind the result
// is the transcript itself.
func (r Reader) Select(transcript []core.Message, view View) []core.Message {
	if view == ViewInput {
		return nil
	}
	if view == ViewTurn {
		transcript = transcript[r.turnStart(transcript):]
	}
	first := 0
	for first < len(transcript) && r.shows(&transcript[first]) {
		first++
	}
	if first == len(transcript) {
		return slices.Clip(transcript)
	}
	out := append(make([]core.Message, 0, len(transcript)), transcript[:first]...)
	for i := range transcript[first:] {
		m := &transcript[first+i]
		if r.shows(m) {
			out = append(out, *m)
		} else if told := tell(*m); len(told.Parts) > 0 {
			out = append(out, told)
		}
	}
	return out
}

// shows says whether a message is shown as it is.
func (r Reader) shows(m *core.Message) bool { return byPerson(m) || m.Author == r.Agent }

// turnStart is the index of the newest message that a person or another agent wrote.
func (r Reader) turnStart(msgs []core.Message) int {
	for i, m := range slices.Backward(msgs) {
		if byPerson(&m) || m.Author != r.Agent && m.Role == core.RoleModel {
			return i
		}
	}
	return 0
}

// byPerson tells a person's messages from those of agents, no agent being called user.
func byPerson(m *core.Message) bool { return m.Author == "user" || m.Author == "" }

// tell returns what an agent wrote as a message of the user's side.
func tell(m core.Message) core.Message {
	out := core.Message{ID: m.ID, Path: m.Path, Role: core.RoleUser, Author: m.Author, Branch: m.Branch}
	say := func(format string, args ...any) {
		out.Parts = append(out.Parts, core.Text{Text: fmt.Sprintf(format, args...)})
	}
	if m.Role == core.RoleUser { // what the agent's loop said to its own model concerns nobody else
		return out
	}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case core.Text:
			if p.Text != "" {
				say("For context, the agent %s said:\n%s", m.Author, p.Text)
			}
		case core.ToolCall:
			say("For context, the agent %s called the tool %s with %s", m.Author, p.Name, p.Args)
		case core.ToolResult:
			say("For context, the tool %s answered the agent %s:\n%s", p.Name, m.Author, p.Text)
		}
	}
	return out
}
