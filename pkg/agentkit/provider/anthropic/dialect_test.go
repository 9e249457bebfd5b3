package anthropic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestWire(t *testing.T) { wiretest.Run(t, dialect()) }

func dialect() wiretest.Dialect {
	return wiretest.Dialect{
		New:        func(o provider.Options) (core.Model, error) { return anthropic.New(anthropic.Options{Options: o}) },
		Framing:    provider.FramingSSE,
		Stream:     stream,
		Whole:      whole,
		Unknown:    event("galaxy", `"index":0,"delta":{"type":"text_delta","text":"NO"}`),
		Overloaded: event("error", `"error":{"type":"overloaded_error","message":"Overloaded"}`),
		Stops: map[string]core.StopReason{"end_turn": core.StopEnd, "tool_use": core.StopToolUse,
			"max_tokens": core.StopMaxTokens, "model_context_window_exceeded": core.StopMaxTokens,
			"stop_sequence": core.StopSequence, "refusal": core.StopRefusal},
		Sent:  sent,
		Check: check,
	}
}

func event(kind, members string) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: {\"type\":%q,%s}\n\n", kind, kind, members)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func stopWord(a wiretest.Answer) string {
	if a.StopWord != "" {
		return a.StopWord
	}
	return map[core.StopReason]string{core.StopEnd: "end_turn", core.StopToolUse: "tool_use",
		core.StopMaxTokens: "max_tokens"}[a.Stop]
}

func usage(u core.Usage) string {
	return fmt.Sprintf(`"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d,"service_tier":"standard"}`,
		u.Input, u.CacheWrite, u.CacheRead, u.Output)
}

func stream(a wiretest.Answer) [][]byte {
	begun := a.Usage
	begun.Output = 1
	events := [][]byte{
		event("message_start", `"message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,`+usage(begun)+`}`),
		event("ping", `"x":1`),
	}
	for i, p := range a.Parts {
		add := func(kind, members string) {
			events = append(events, event(kind, fmt.Sprintf(`"index":%d%s`, i, members)))
		}
		pieces := func(kind, member, text string) {
			for _, piece := range wiretest.Halves(text) {
				add("content_block_delta", fmt.Sprintf(`,"delta":{"type":%q,%q:%s}`, kind, member, quote(piece)))
			}
		}
		switch p := p.(type) {
		case core.Text:
			add("content_block_start", `,"content_block":{"type":"text","text":""}`)
			pieces("text_delta", "text", p.Text)
		case core.Thinking:
			if p.Redacted {
				add("content_block_start", `,"content_block":{"type":"redacted_thinking","data":`+quote(p.Signature)+`}`)
				break
			}
			add("content_block_start", `,"content_block":{"type":"thinking","thinking":"","signature":""}`)
			pieces("thinking_delta", "thinking", p.Text)
			pieces("signature_delta", "signature", p.Signature)
		case core.ToolCall:
			add("content_block_start", fmt.Sprintf(`,"content_block":{"type":"tool_use","id":%q,"name":%q,"input":{}}`, p.ID, p.Name))
			add("content_block_delta", `,"delta":{"type":"input_json_delta","partial_json":""}`)
			if p.Args != "{}" { // the vendor sends nothing more for a call without arguments
				pieces("input_json_delta", "partial_json", p.Args)
			}
		}
		add("content_block_stop", "")
	}
	return append(events,
		event("message_delta", fmt.Sprintf(`"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}`, stopWord(a), a.Usage.Output)),
		[]byte("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"))
}

func whole(a wiretest.Answer) []byte {
	body := `{"id":"msg_1","type":"message","role":"assistant","model":"x","content":[`
	for i, p := range a.Parts {
		if i > 0 {
			body += ","
		}
		switch p := p.(type) {
		case core.Text:
			body += `{"type":"text","text":` + quote(p.Text) + `}`
		case core.Thinking:
			if p.Redacted {
				body += `{"type":"redacted_thinking","data":` + quote(p.Signature) + `}`
				break
			}
			body += `{"type":"thinking","thinking":` + quote(p.Text) + `,"signature":` + quote(p.Signature) + `}`
		case core.ToolCall:
			body += fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, p.ID, p.Name, p.Args)
		}
	}
	return []byte(body + fmt.Sprintf(`],"stop_reason":%q,"stop_sequence":null,%s}`, stopWord(a), usage(a.Usage)))
}

// contents are the blocks of a result; what a search for tools found is one object.
type contents []item

func (c *contents) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		return nil
	}
	return json.Unmarshal(data, (*[]item)(c))
}

// request is the API's request body.
type request struct {
	Model     string `json:"model"`
	MaxTokens int    `json:"max_tokens"`
	Stream    bool   `json:"stream"`
	System    []item `json:"system"`
	Tools     []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
		Cache       json.RawMessage `json:"cache_control"`
	} `json:"tools"`
	Messages []struct {
		Role    string `json:"role"`
		Content []item `json:"content"`
	} `json:"messages"`
	OutputConfig struct {
		Effort string `json:"effort"`
		Format struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
	Temperature *float64        `json:"temperature"`
	TopP        *float64        `json:"top_p"`
	Stop        []string        `json:"stop_sequences"`
	Thinking    json.RawMessage `json:"thinking"`
}

// item is a block of any kind.
type item struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   contents        `json:"content"`
	Cache     json.RawMessage `json:"cache_control"`
	Source    struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
	} `json:"source"`
}

func (i item) picture() core.Image {
	return core.Image{MediaType: i.Source.MediaType, Digest: i.Source.Data}
}

func (i item) said() wiretest.Said {
	switch i.Type {
	case "text":
		return wiretest.Said{Part: core.Text{Text: i.Text}}
	case "image":
		return wiretest.Said{Part: i.picture()}
	case "thinking":
		return wiretest.Said{Part: core.Thinking{Text: i.Thinking, Signature: i.Signature}}
	case "redacted_thinking":
		return wiretest.Said{Part: core.Thinking{Signature: i.Data, Redacted: true}}
	case "tool_use":
		return wiretest.Said{Part: core.ToolCall{ID: i.ID, Name: i.Name, Args: string(i.Input)}}
	}
	r := core.ToolResult{ID: i.ToolUseID, Error: i.IsError}
	for _, c := range i.Content {
		if c.Type == "image" {
			r.Images = append(r.Images, c.picture())
		}
		r.Text += c.Text
	}
	return wiretest.Said{Role: core.RoleTool, Part: r}
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
	s := wiretest.Sent{Schema: string(r.OutputConfig.Format.Schema)}
	for _, b := range r.System {
		s.System += b.Text
	}
	for _, tool := range r.Tools {
		s.Tools = append(s.Tools, core.Spec{Name: tool.Name, Description: tool.Description, InputSchema: tool.InputSchema})
	}
	for _, m := range r.Messages {
		for _, b := range m.Content {
			said := b.said()
			if said.Role == "" {
				said.Role = map[string]core.Role{"user": core.RoleUser, "assistant": core.RoleModel}[m.Role]
			}
			s.Said = append(s.Said, said)
		}
	}
	return s, nil
}

// check applies the rules of the API that a transcript can break.
func check(body []byte) error {
	r, err := parse(body)
	if err != nil {
		return err
	}
	if r.Model == "" || r.MaxTokens < 1 || len(r.Messages) == 0 {
		return errors.New("model, max_tokens and messages are required")
	}
	marks := 0
	for _, b := range r.System {
		marks += len(b.Cache) / max(1, len(b.Cache))
	}
	for _, tool := range r.Tools {
		marks += len(tool.Cache) / max(1, len(tool.Cache))
	}
	var due []string
	for i, m := range r.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Errorf("message %d has the role %s, not %s", i, m.Role, want)
		}
		if due, err = checkContent(m.Content, due); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		for _, b := range m.Content {
			marks += len(b.Cache) / max(1, len(b.Cache))
		}
	}
	if last := r.Messages[len(r.Messages)-1]; len(due) > 0 || last.Role != "user" && !paused(last.Content) {
		return fmt.Errorf("the last message has to be the user's, with results for %q", due)
	}
	if marks > 4 {
		return fmt.Errorf("%d breakpoints of the cache", marks)
	}
	return nil
}

// paused says that a message of the model has to be gone on with: the vendor was searching.
func paused(blocks []item) bool {
	return slices.ContainsFunc(blocks, func(b item) bool { return b.Type == "server_tool_use" })
}

// checkContent checks a message behind one whose calls are due, and returns the calls in it.
func checkContent(blocks []item, due []string) (calls []string, err error) {
	if len(blocks) == 0 {
		return nil, errors.New("no content")
	}
	others := false
	for i, b := range blocks {
		last := i == len(blocks)-1
		switch b.Type {
		case "tool_use":
			calls = append(calls, b.ID)
			if len(b.Input) == 0 || b.Input[0] != '{' {
				return nil, fmt.Errorf("input %s isn't an object", b.Input)
			}
		case "tool_result":
			at := slices.Index(due, b.ToolUseID)
			if at < 0 || others {
				return nil, fmt.Errorf("the result %q has no call in front of it, or isn't at the beginning", b.ToolUseID)
			}
			due = slices.Delete(due, at, at+1)
			continue
		case "thinking", "redacted_thinking":
			if last || len(b.Cache) > 0 {
				return nil, errors.New("a message mustn't end in thinking, nor the cached prefix")
			}
			if b.Signature == "" && b.Data == "" {
				return nil, errors.New("thinking without its signature")
			}
		case "text":
			if len(b.Text) == 0 {
				return nil, errors.New("text content blocks must be non-empty")
			}
		}
		others = true
	}
	if len(due) > 0 {
		return nil, fmt.Errorf("tool_use without tool_result: %q", due)
	}
	return calls, nil
}
