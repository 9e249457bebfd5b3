package session_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// by is a model's message of an agent.
func by(agent, branch string, parts ...core.Part) core.Message {
	return core.Message{Role: core.RoleModel, Author: agent, Path: agent + "@1", Branch: branch, Parts: parts}
}

// lines writes a prompt as role and text.
func lines(msgs []core.Message) []string {
	var out []string
	for _, m := range msgs {
		var texts []string
		for _, p := range m.Parts {
			switch p := p.(type) {
			case core.Text:
				texts = append(texts, p.Text)
			case core.ToolCall:
				texts = append(texts, "call "+p.Name)
			case core.ToolResult:
				texts = append(texts, "result "+p.Text)
			}
		}
		out = append(out, string(m.Role)+": "+strings.Join(texts, " | "))
	}
	return out
}

func TestSelect(t *testing.T) {
	correction := core.Message{Role: core.RoleUser, Author: "other", Path: "other@1", Parts: []core.Part{text("it doesn't fit")}}
	otherResult := core.Message{Role: core.RoleTool, Author: "other", Path: "other@1", Parts: []core.Part{core.ToolResult{ID: "1", Name: "t", Text: "r"}}}
	transcript := []core.Message{
		user("one"),
		by("me", "", text("first")),
		by("other", "", core.Thinking{Text: "secret"}, text("theirs"), core.ToolCall{ID: "1", Name: "t", Args: `{"a":1}`}),
		otherResult,
		correction,
		user("two"),
		by("me", "", core.ToolCall{ID: "2", Name: "u"}),
		{Role: core.RoleTool, Author: "me", Path: "me@2", Parts: []core.Part{core.ToolResult{ID: "2", Text: "mine"}}},
	}
	told := []string{
		"user: For context, the agent other said:\ntheirs | For context, the agent other called the tool t with {\"a\":1}",
		"user: For context, the tool t answered the agent other:\nr",
	}
	for _, c := range []struct {
		name       string
		view       session.View
		transcript []core.Message
		want       []string
	}{
		{"input shows nothing", session.ViewInput, transcript, nil},
		{"session shows all, others are told", session.ViewSession, transcript,
			append(append([]string{"user: one", "model: first"}, told...), "user: two", "model: call u", "tool: result mine")},
		{"turn begins with the newest message of a person", session.ViewTurn, transcript,
			[]string{"user: two", "model: call u", "tool: result mine"}},
		{"turn begins with the newest message of another agent", session.ViewTurn, transcript[:5], told},
		{"turn without anyone else shows all", session.ViewTurn, transcript[1:2], []string{"model: first"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := session.Reader{Agent: "me"}.Select(c.transcript, c.view)
			if diff := cmp.Diff(c.want, lines(got)); diff != "" {
				t.Errorf("prompt (-want +got):\n%s", diff)
			}
		})
	}
}
