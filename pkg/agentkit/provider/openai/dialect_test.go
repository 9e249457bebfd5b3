package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestWire(t *testing.T) {
	for _, name := range []string{"openai", "deepseek", "openrouter"} { // one of each kind of reasoning
		p, err := openai.ProfileNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { wiretest.Run(t, vendor{p}.dialect()) })
	}
}

// vendor speaks as the vendor of a profile does.
type vendor struct{ openai.Profile }

func (v vendor) dialect() wiretest.Dialect {
	return wiretest.Dialect{
		New: func(o provider.Options) (core.Model, error) {
			return openai.New(openai.Options{Options: o, Profile: v.Profile})
		},
		Framing:    provider.FramingSSE,
		EndTold:    true,
		Stream:     v.stream,
		Whole:      v.whole,
		Unknown:    data(`{"id":"x","object":"galaxy","choices":[],"galaxy":{"content":"NO"}}`),
		Overloaded: data(`{"error":{"type":"server_error","message":"The server is overloaded"}}`),
		Stops: map[string]core.StopReason{"stop": core.StopEnd, "tool_calls": core.StopToolUse, "function_call": core.StopToolUse,
			"length": core.StopMaxTokens, "content_filter": core.StopRefusal},
		Sent:  sent,
		Check: check,

		// Reasoning has no place in this API. Where a vendor adds one, it is a text, or an array that comes last.
		Adapt: v.adapt,
		// Results have no images and no mark of failure.
		AdaptSent: v.adaptSent,
	}
}

func (v vendor) adapt(a core.Answer) core.Answer {
	var parts []core.Part
	var details []string
	for _, p := range a.Parts {
		if t, ok := p.(core.Thinking); ok {
			if v.Replay == openai.ReplayDetails {
				details = append(details, detail(t, t.Text))
			}
			if t.Redacted {
				continue
			}
			t.Signature = ""
			if v.Replay == openai.ReplayText {
				t.Signature = "reasoning_content"
			}
			p = t
		}
		parts = append(parts, p)
	}
	if len(details) > 0 {
		parts = append(parts, core.Thinking{Signature: "[" + strings.Join(details, ",") + "]"})
	}
	a.Parts = parts
	return a
}

// detail is a block of reasoning with a text, or a withheld one.
func detail(t core.Thinking, text string) string {
	if t.Redacted {
		return `{"type":"reasoning.encrypted","data":` + oaitest.Quote(t.Signature) + `,"index":0}`
	}
	return `{"type":"reasoning.text","text":` + oaitest.Quote(text) + `,"signature":` + oaitest.Quote(t.Signature) + `,"index":0}`
}

func (v vendor) adaptSent(said []wiretest.Said) []wiretest.Said {
	var all []wiretest.Said
	for i, s := range said {
		switch p := s.Part.(type) {
		case core.Thinking:
			if v.Replay != openai.ReplayText || p.Redacted {
				continue
			}
			p.Signature = ""
			s.Part = p
		case core.Image:
			if v.NoImages {
				continue
			}
		case core.ToolResult:
			images := p.Images
			if p.Images = nil; p.Error {
				p.Text, p.Error = "Error: "+p.Text, false
			}
			s.Part = p
			if len(images) == 0 || v.NoImages {
				break
			}
			if said[i+1].Role == core.RoleTool {
				panic("the suite's images follow the last result of a turn")
			}
			all = append(all, s, wiretest.Said{Role: core.RoleUser, Part: core.Text{Text: "Images of the result of find:"}},
				wiretest.Said{Role: core.RoleUser, Part: images[0]})
			continue
		}
		all = append(all, s)
	}
	return all
}

func data(text string) []byte { return []byte("data: " + text + "\n\n") }

func finish(a wiretest.Answer) string {
	if a.StopWord != "" {
		return a.StopWord
	}
	return map[core.StopReason]string{core.StopEnd: "stop", core.StopToolUse: "tool_calls", core.StopMaxTokens: "length"}[a.Stop]
}

func usage(u core.Usage) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,`+
		`"prompt_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"completion_tokens_details":{"reasoning_tokens":1}}`,
		u.Input+u.CacheRead+u.CacheWrite, u.Output, u.Input+u.CacheRead+u.CacheWrite+u.Output, u.CacheRead, u.CacheWrite)
}

func chunk(delta, finish string) []byte {
	return data(`{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}],"usage":null}`)
}

func (v vendor) stream(a wiretest.Answer) [][]byte {
	events := [][]byte{chunk(`{"role":"assistant","content":"","refusal":null}`, "null")}
	add := func(delta string) { events = append(events, chunk(delta, "null")) }
	calls := 0
	for _, p := range a.Parts {
		switch p := p.(type) {
		case core.Text:
			for _, piece := range wiretest.Halves(p.Text) {
				add(`{"content":` + oaitest.Quote(piece) + `}`)
			}
		case core.Thinking:
			v.think(p, add)
		case core.ToolCall:
			add(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":""}}]}`, calls, p.ID, p.Name))
			for _, piece := range wiretest.Halves(p.Args) {
				add(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, calls, oaitest.Quote(piece)))
			}
			calls++
		}
	}
	return append(events, chunk("{}", oaitest.Quote(finish(a))),
		data(`{"id":"c","object":"chat.completion.chunk","choices":[],"usage":`+usage(a.Usage)+`}`), data("[DONE]"))
}

func (v vendor) think(p core.Thinking, add func(string)) {
	if v.Replay != openai.ReplayDetails {
		for _, piece := range wiretest.Halves(p.Text) {
			add(`{"content":null,"reasoning_content":` + oaitest.Quote(piece) + `}`)
		}
		return
	}
	if p.Redacted {
		add(`{"content":"","reasoning_details":[` + detail(p, "") + `]}`)
		return
	}
	halves := wiretest.Halves(p.Text)
	add(`{"content":"","reasoning":` + oaitest.Quote(halves[0]) + `,"reasoning_details":[` +
		`{"type":"reasoning.text","text":` + oaitest.Quote(halves[0]) + `,"signature":null,"index":0}]}`)
	add(`{"content":"","reasoning":` + oaitest.Quote(halves[1]) + `,"reasoning_details":[{"type":"reasoning.text","text":` + oaitest.Quote(halves[1]) + `,"index":0}]}`)
	add(`{"content":"","reasoning_details":[{"type":"reasoning.text","signature":` + oaitest.Quote(p.Signature) + `,"index":0}]}`)
}

func (v vendor) whole(a wiretest.Answer) []byte {
	content, thought := "null", ""
	var calls, details []string
	for _, p := range a.Parts {
		switch p := p.(type) {
		case core.Text:
			content = oaitest.Quote(p.Text)
		case core.Thinking:
			member := "reasoning_content"
			if v.Replay == openai.ReplayDetails {
				member, details = "reasoning", append(details, detail(p, p.Text))
			}
			thought = `,"` + member + `":` + oaitest.Quote(p.Text)
		case core.ToolCall:
			calls = append(calls, fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}`, p.ID, p.Name, oaitest.Quote(p.Args)))
		}
	}
	if len(details) > 0 {
		thought += `,"reasoning_details":[` + strings.Join(details, ",") + `]`
	}
	return fmt.Appendf(nil, `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":%s,"refusal":null%s,"tool_calls":[%s]},"finish_reason":%q}],"usage":%s}`,
		content, thought, strings.Join(calls, ","), finish(a), usage(a.Usage))
}

// request is the API's request body.
type request struct {
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	Messages []message `json:"messages"`
	Tools    []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Format struct {
		Type   string `json:"type"`
		Schema struct {
			Name   string          `json:"name"`
			Strict *bool           `json:"strict"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	Reasoning  *string         `json:"reasoning_content"`
	Details    json.RawMessage `json:"reasoning_details"`
	Calls      []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// content returns the parts of a message.
func (m message) content() (parts []core.Part, err error) {
	var text *string
	if json.Unmarshal(m.Content, &text) == nil {
		if text != nil {
			parts = append(parts, core.Text{Text: *text})
		}
		return parts, nil
	}
	var items []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	err = json.Unmarshal(m.Content, &items)
	for _, item := range items {
		if item.Type == "text" {
			parts = append(parts, core.Text{Text: item.Text})
			continue
		}
		image, ok := oaitest.DataURL(item.ImageURL.URL)
		if item.Type != "image_url" || !ok {
			return nil, fmt.Errorf("a part of type %q with the URL %q", item.Type, item.ImageURL.URL)
		}
		parts = append(parts, image)
	}
	return parts, err
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
	s := wiretest.Sent{Schema: string(r.Format.Schema.Schema)}
	for _, tool := range r.Tools {
		s.Tools = append(s.Tools, core.Spec{Name: tool.Function.Name, Description: tool.Function.Description, InputSchema: tool.Function.Parameters})
	}
	for _, m := range r.Messages {
		parts, err := m.content()
		if err != nil {
			return s, err
		}
		if m.Role == "system" {
			s.System = parts[0].(core.Text).Text
			continue
		}
		role := map[string]core.Role{"user": core.RoleUser, "assistant": core.RoleModel, "tool": core.RoleTool}[m.Role]
		if m.Role == "tool" {
			parts = []core.Part{core.ToolResult{ID: m.ToolCallID, Text: parts[0].(core.Text).Text}}
		}
		if m.Reasoning != nil && *m.Reasoning != "" && *m.Reasoning != " " {
			parts = slices.Insert(parts, 0, core.Part(core.Thinking{Text: *m.Reasoning}))
		}
		for _, c := range m.Calls {
			parts = append(parts, core.ToolCall{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
		}
		for _, p := range parts {
			s.Said = append(s.Said, wiretest.Said{Role: role, Part: p})
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
	if r.Model == "" || len(r.Messages) == 0 {
		return errors.New("model and messages are required")
	}
	var due []string
	for i, m := range r.Messages {
		if err := checkMessage(m); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		if at := slices.Index(due, m.ToolCallID); m.Role == "tool" {
			if at < 0 {
				return fmt.Errorf("message %d: the result %q has no call in front of it", i, m.ToolCallID)
			}
			due = slices.Delete(due, at, at+1)
			continue
		}
		if len(due) > 0 {
			return fmt.Errorf("message %d: the calls %q have no results", i, due)
		}
		for _, c := range m.Calls {
			due = append(due, c.ID)
		}
	}
	if len(due) > 0 {
		return fmt.Errorf("the calls %q have no results", due)
	}
	return nil
}

func checkMessage(m message) error {
	parts, err := m.content()
	if err != nil {
		return err
	}
	if len(parts) == 0 && len(m.Calls) == 0 {
		return errors.New("it is empty")
	}
	for _, p := range parts {
		if _, ok := p.(core.Text); !ok && m.Role != "user" {
			return fmt.Errorf("%T in a message of the role %q", p, m.Role)
		}
	}
	for _, c := range m.Calls {
		if c.ID == "" || len(c.ID) > 40 || c.Type != "function" || c.Function.Name == "" || !json.Valid([]byte(c.Function.Arguments)) {
			return fmt.Errorf("the call %+v", c)
		}
	}
	return nil
}
