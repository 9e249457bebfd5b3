package ollama_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestWire(t *testing.T) { wiretest.Run(t, dialect()) }

func dialect() wiretest.Dialect {
	return wiretest.Dialect{
		New:        func(o provider.Options) (core.Model, error) { return ollama.New(ollama.Options{Options: o}) },
		Framing:    provider.FramingLines,
		Stream:     stream,
		Whole:      whole,
		Unknown:    []byte(`{"galaxy":{"content":"NO"},"model":"x"}` + "\n"),
		Overloaded: []byte(`{"error":"llama runner process has terminated"}` + "\n"),
		Stops:      map[string]core.StopReason{"stop": core.StopEnd, "length": core.StopMaxTokens},
		Sent:       sent,
		Check:      check,
		Adapt:      adapt,
		AdaptSent:  adaptSent,
		NoCutArgs:  true,
	}
}

// adapt: reasoning has no signature here, and none is withheld; no cache is told of.
func adapt(a core.Answer) core.Answer {
	var parts []core.Part
	for _, p := range a.Parts {
		thought, ok := p.(core.Thinking)
		if ok && thought.Text == "" {
			continue
		}
		if ok {
			p = core.Thinking{Text: thought.Text}
		}
		parts = append(parts, p)
	}
	a.Parts = parts
	a.Usage = core.Usage{Input: a.Usage.Input + a.Usage.CacheRead + a.Usage.CacheWrite, Output: a.Usage.Output}
	return a
}

// adaptSent: the same, a result can't say that it is an error, and the type of an image isn't told.
func adaptSent(all []wiretest.Said) []wiretest.Said {
	var out []wiretest.Said
	for _, s := range all {
		switch p := s.Part.(type) {
		case core.Thinking:
			if p.Text == "" {
				continue
			}
			s.Part = core.Thinking{Text: p.Text}
		case core.Image:
			s.Part = core.Image{Digest: p.Digest}
		case core.ToolResult:
			p.Error = false
			for i := range p.Images {
				p.Images[i].MediaType = ""
			}
			s.Part = p
		}
		out = append(out, s)
	}
	return out
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// message is what a line says: members of its message, and of the line itself.
func message(members, line string) []byte {
	return []byte(`{"model":"x","created_at":"2026-11-30T10:00:00Z","message":{"role":"assistant",` + members + `},` + line + "}\n")
}

func end(a wiretest.Answer) string {
	word := a.StopWord
	if word == "" {
		word = map[core.StopReason]string{core.StopEnd: "stop", core.StopToolUse: "stop", core.StopMaxTokens: "length"}[a.Stop]
	}
	return fmt.Sprintf(`"done":true,"done_reason":%q,"total_duration":5,"prompt_eval_count":%d,"eval_count":%d`,
		word, a.Usage.Input+a.Usage.CacheRead+a.Usage.CacheWrite, a.Usage.Output)
}

func toolCall(p core.ToolCall, index int) string {
	return fmt.Sprintf(`{"id":%q,"function":{"index":%d,"name":%q,"arguments":%s}}`, p.ID, index, p.Name, p.Args)
}

func stream(a wiretest.Answer) [][]byte {
	var lines [][]byte
	for i, p := range a.Parts {
		switch p := p.(type) {
		case core.Text:
			for _, piece := range wiretest.Halves(p.Text) {
				lines = append(lines, message(`"content":`+quote(piece), `"done":false`))
			}
		case core.Thinking:
			for _, piece := range wiretest.Halves(p.Text) {
				lines = append(lines, message(`"content":"","thinking":`+quote(piece), `"done":false`))
			}
		case core.ToolCall:
			lines = append(lines, message(`"content":"","tool_calls":[`+toolCall(p, i)+`]`, `"done":false`))
		}
	}
	return append(lines, message(`"content":""`, end(a)))
}

func whole(a wiretest.Answer) []byte {
	text, thought := "", ""
	var calls []string
	for i, p := range a.Parts {
		switch p := p.(type) {
		case core.Text:
			text += p.Text
		case core.Thinking:
			thought += p.Text
		case core.ToolCall:
			calls = append(calls, toolCall(p, i))
		}
	}
	return message(fmt.Sprintf(`"content":%s,"thinking":%s,"tool_calls":[%s]`, quote(text), quote(thought), strings.Join(calls, ",")), end(a))
}

// request is the API's request body.
type request struct {
	Model    string          `json:"model"`
	Stream   *bool           `json:"stream"`
	Truncate *bool           `json:"truncate"`
	Format   json.RawMessage `json:"format"`
	Tools    []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Messages []struct {
		Role     string   `json:"role"`
		Content  *string  `json:"content"`
		Thinking string   `json:"thinking"`
		Images   []string `json:"images"`
		Calls    []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
		ToolName   string `json:"tool_name"`
		ToolCallID string `json:"tool_call_id"`
	} `json:"messages"`
}

func parse(body []byte) (request, error) {
	var r request
	err := json.Unmarshal(body, &r)
	return r, err
}

func sent(body []byte) (wiretest.Sent, error) {
	r, err := parse(body)
	if err != nil {
		return wiretest.Sent{}, err
	}
	s := wiretest.Sent{Schema: string(r.Format)}
	for _, tool := range r.Tools {
		s.Tools = append(s.Tools, core.Spec{Name: tool.Function.Name, Description: tool.Function.Description, InputSchema: tool.Function.Parameters})
	}
	for _, m := range r.Messages {
		role := map[string]core.Role{"user": core.RoleUser, "assistant": core.RoleModel, "tool": core.RoleTool}[m.Role]
		add := func(p core.Part) { s.Said = append(s.Said, wiretest.Said{Role: role, Part: p}) }
		var images []core.Image
		for _, data := range m.Images {
			images = append(images, core.Image{Digest: data})
		}
		switch m.Role {
		case "system":
			s.System += *m.Content
			continue
		case "tool":
			add(core.ToolResult{ID: m.ToolCallID, Text: *m.Content, Images: images})
			continue
		}
		if m.Thinking != "" {
			add(core.Thinking{Text: m.Thinking})
		}
		if *m.Content != "" {
			add(core.Text{Text: *m.Content})
		}
		for _, img := range images {
			add(img)
		}
		for _, c := range m.Calls {
			add(core.ToolCall{ID: c.ID, Name: c.Function.Name, Args: string(c.Function.Arguments)})
		}
	}
	return s, nil
}

// check applies what a server needs to render a prompt: it refuses little, and pairs by order.
func check(body []byte) error {
	r, err := parse(body)
	if err != nil {
		return err
	}
	if r.Model == "" || r.Stream == nil || r.Truncate == nil || *r.Truncate || len(r.Messages) == 0 {
		return errors.New("model, messages and stream are required, and truncate has to be off")
	}
	var due []string
	for i, m := range r.Messages {
		switch {
		case m.Content == nil:
			return fmt.Errorf("message %d has no content", i)
		case m.Role == "tool":
			if len(due) == 0 || due[0] != m.ToolCallID || m.ToolName == "" {
				return fmt.Errorf("message %d is the result of %q, due are %q", i, m.ToolCallID, due)
			}
			due = due[1:]
			continue
		case len(due) > 0:
			return fmt.Errorf("message %d: results of %q are due", i, due)
		}
		for _, c := range m.Calls {
			if len(c.Function.Arguments) == 0 || c.Function.Arguments[0] != '{' {
				return fmt.Errorf("message %d: the arguments %s aren't an object", i, c.Function.Arguments)
			}
			due = append(due, c.ID)
		}
	}
	if len(due) > 0 || r.Messages[len(r.Messages)-1].Role == "assistant" {
		return fmt.Errorf("the last message has to be the user's or a tool's, with results for %q", due)
	}
	return nil
}
