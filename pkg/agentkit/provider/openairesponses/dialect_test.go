package openairesponses_test

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
	"github.com/plait-dev/plait/pkg/agentkit/provider/openairesponses"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestWire(t *testing.T) { wiretest.Run(t, dialect()) }

func dialect() wiretest.Dialect {
	return wiretest.Dialect{
		New: func(o provider.Options) (core.Model, error) {
			return openairesponses.New(openairesponses.Options{Options: o})
		},
		Framing:    provider.FramingSSE,
		Stream:     stream,
		Whole:      whole,
		Unknown:    event("response.galaxy", `"output_index":0,"delta":"NO"`),
		Overloaded: event("error", `"code":"server_error","message":"The server is overloaded","param":null`),
		Stops:      map[string]core.StopReason{"": core.StopEnd, "max_output_tokens": core.StopMaxTokens, "content_filter": core.StopRefusal},
		Sent:       sent,
		Check:      check,

		// Each part comes in an item, whose id is kept with it.
		Adapt: func(a core.Answer) core.Answer {
			var parts []core.Part
			for i, p := range a.Parts {
				switch part := p.(type) {
				case core.Text:
					part.Signature = `{"id":"` + itemID(i, p) + `","phase":"final_answer"}`
					p = part
				case core.Thinking:
					part.Item = itemID(i, p)
					p = part
				case core.ToolCall:
					part.Item = itemID(i, p)
					p = part
				}
				parts = append(parts, p)
			}
			a.Parts = parts
			return a
		},
		// Results have no mark of failure.
		AdaptSent: func(said []wiretest.Said) []wiretest.Said {
			all := slices.Clone(said)
			for i := range all {
				if r, ok := all[i].Part.(core.ToolResult); ok && r.Error {
					r.Text, r.Error = "Error: "+r.Text, false
					all[i].Part = r
				}
			}
			return all
		},
	}
}

func itemID(i int, p core.Part) string {
	prefix := "msg"
	switch p.(type) {
	case core.Thinking:
		prefix = "rs"
	case core.ToolCall:
		prefix = "fc"
	}
	return fmt.Sprintf("%s_%d", prefix, i)
}

func event(kind, members string) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: {\"type\":%q,%s}\n\n", kind, kind, members)
}

// item writes an item, complete or as it begins.
func item(i int, p core.Part, complete bool) string {
	head := fmt.Sprintf(`{"id":%q,`, itemID(i, p))
	switch p := p.(type) {
	case core.Text:
		if !complete {
			return head + `"type":"message","status":"in_progress","role":"assistant","content":[]}`
		}
		return head + `"type":"message","status":"completed","role":"assistant","phase":"final_answer","content":[{"type":"output_text","annotations":[],"text":` + oaitest.Quote(p.Text) + `}]}`
	case core.Thinking:
		if !complete {
			return head + `"type":"reasoning","summary":[],"encrypted_content":"incomplete"}`
		}
		summary := ""
		if p.Text != "" {
			summary = `{"type":"summary_text","text":` + oaitest.Quote(p.Text) + `}`
		}
		return head + `"type":"reasoning","summary":[` + summary + `],"encrypted_content":` + oaitest.Quote(p.Signature) + `}`
	case core.ToolCall:
		args, status := `{"placeholder":true}`, "in_progress"
		if complete {
			args, status = p.Args, "completed"
		}
		return head + fmt.Sprintf(`"type":"function_call","status":%q,"call_id":%q,"name":%q,"arguments":%s}`, status, p.ID, p.Name, oaitest.Quote(args))
	}
	return "null"
}

// end is the response as a whole.
func end(a wiretest.Answer) (status, response string) {
	var items []string
	for i, p := range a.Parts {
		items = append(items, item(i, p, true))
	}
	reason := a.StopWord
	if a.Stop == core.StopMaxTokens && reason == "" {
		reason = "max_output_tokens"
	}
	status, details := "completed", "null"
	if reason != "" {
		status, details = "incomplete", `{"reason":`+oaitest.Quote(reason)+`}`
	}
	u := a.Usage
	return status, fmt.Sprintf(`{"id":"resp_1","object":"response","status":%q,"error":null,"incomplete_details":%s,"output":[%s],`+
		`"usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":1}}}`,
		status, details, strings.Join(items, ","), u.Input+u.CacheRead+u.CacheWrite, u.CacheRead, u.CacheWrite, u.Output)
}

func stream(a wiretest.Answer) [][]byte {
	events := [][]byte{event("response.created", `"response":{"id":"resp_1","status":"in_progress","usage":null}`)}
	for i, p := range a.Parts {
		add := func(kind, members string) {
			events = append(events, event("response."+kind, fmt.Sprintf(`"output_index":%d,%s`, i, members)))
		}
		pieces := func(kind, text, more string) {
			for _, piece := range wiretest.Halves(text) {
				add(kind, fmt.Sprintf(`"item_id":%q,%s"delta":%s`, itemID(i, p), more, oaitest.Quote(piece)))
			}
		}
		add("output_item.added", `"item":`+item(i, p, false))
		switch p := p.(type) {
		case core.Text:
			pieces("output_text.delta", p.Text, `"content_index":0,`)
			add("output_text.done", `"content_index":0,"text":`+oaitest.Quote(p.Text))
		case core.Thinking:
			if !p.Redacted {
				pieces("reasoning_summary_text.delta", p.Text, `"summary_index":0,`)
			}
		case core.ToolCall:
			pieces("function_call_arguments.delta", p.Args, "")
			add("function_call_arguments.done", `"arguments":`+oaitest.Quote(p.Args))
		}
		add("output_item.done", `"item":`+item(i, p, true))
	}
	status, response := end(a)
	return append(events, event("response."+status, `"response":`+response))
}

func whole(a wiretest.Answer) []byte {
	_, response := end(a)
	return []byte(response)
}

// request is the API's request body.
type request struct {
	Model        string      `json:"model"`
	Store        *bool       `json:"store"`
	Instructions string      `json:"instructions"`
	Input        []inputItem `json:"input"`
	Tools        []struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      *bool           `json:"strict"`
	} `json:"tools"`
	Text struct {
		Format struct {
			Type   string          `json:"type"`
			Name   string          `json:"name"`
			Strict *bool           `json:"strict"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
}

// inputItem is an item of any kind.
type inputItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Phase     string          `json:"phase"`
	Content   json.RawMessage `json:"content"`
	Summary   []inputContent  `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
}

type inputContent struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL string `json:"image_url"`
}

// contents returns the parts of what is a text or a list.
func contents(raw json.RawMessage) (parts []core.Part, err error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []core.Part{core.Text{Text: text}}, nil
	}
	var all []inputContent
	err = json.Unmarshal(raw, &all)
	for _, c := range all {
		if c.Type != "input_image" {
			parts = append(parts, core.Text{Text: c.Text})
			continue
		}
		image, ok := oaitest.DataURL(c.ImageURL)
		if !ok {
			return nil, fmt.Errorf("an image with the URL %q", c.ImageURL)
		}
		parts = append(parts, image)
	}
	return parts, err
}

func (i inputItem) said() (core.Role, []core.Part, error) {
	switch i.Type {
	case "message":
		parts, err := contents(i.Content)
		return map[string]core.Role{"user": core.RoleUser, "assistant": core.RoleModel}[i.Role], parts, err
	case "reasoning":
		t := core.Thinking{Signature: i.Encrypted, Item: i.ID, Redacted: len(i.Summary) == 0}
		for _, s := range i.Summary {
			t.Text += s.Text
		}
		return core.RoleModel, []core.Part{t}, nil
	case "function_call":
		return core.RoleModel, []core.Part{core.ToolCall{ID: i.CallID, Name: i.Name, Args: i.Arguments, Item: i.ID}}, nil
	case "function_call_output":
		r := core.ToolResult{ID: i.CallID}
		parts, err := contents(i.Output)
		for _, p := range parts {
			switch p := p.(type) {
			case core.Text:
				r.Text += p.Text
			case core.Image:
				r.Images = append(r.Images, p)
			}
		}
		return core.RoleTool, []core.Part{r}, err
	}
	return "", nil, fmt.Errorf("an item of type %q", i.Type)
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
	s := wiretest.Sent{System: r.Instructions, Schema: string(r.Text.Format.Schema)}
	for _, tool := range r.Tools {
		s.Tools = append(s.Tools, core.Spec{Name: tool.Name, Description: tool.Description, InputSchema: tool.Parameters})
	}
	for _, i := range r.Input {
		role, parts, err := i.said()
		if err != nil {
			return s, err
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
	if r.Model == "" || len(r.Input) == 0 || r.Store == nil || *r.Store {
		return errors.New("model and input are required, and store has to be false")
	}
	for _, tool := range r.Tools {
		if tool.Type == "tool_search" {
			continue
		}
		if tool.Type != "function" || tool.Name == "" || len(tool.Parameters) == 0 || tool.Strict == nil {
			return fmt.Errorf("the tool %+v", tool)
		}
	}
	return errors.Join(checkPairs(r.Input), checkCalls(r.Input))
}

// checkPairs: reasoning needs an item behind it, and the id of an item needs reasoning in front of it.
func checkPairs(items []inputItem) error {
	reasoned := false
	for n, i := range items {
		speaks := i.Type == "function_call" || i.Type == "message" && i.Role == "assistant"
		switch {
		case i.Type == "reasoning":
			if n == len(items)-1 || items[n+1].Role == "user" || items[n+1].Type == "function_call_output" || i.Encrypted == "" {
				return fmt.Errorf("item %d: reasoning without its encrypted content or without a following item", n)
			}
			reasoned = true
		case !speaks:
			reasoned = false
		}
		if i.ID != "" && !reasoned {
			return fmt.Errorf("item %d: %q was provided without its required reasoning item", n, i.ID)
		}
	}
	return nil
}

// checkCalls: every call has its output behind it, and nothing else has.
func checkCalls(items []inputItem) error {
	open := map[string]bool{}
	for n, i := range items {
		switch i.Type {
		case "function_call":
			if i.CallID == "" || len(i.CallID) > 64 || i.Name == "" || !json.Valid([]byte(i.Arguments)) || open[i.CallID] {
				return fmt.Errorf("item %d: the call %+v", n, i)
			}
			open[i.CallID] = true
		case "function_call_output":
			if !open[i.CallID] || len(i.Output) == 0 {
				return fmt.Errorf("item %d: no tool call found for %q, or no output", n, i.CallID)
			}
			delete(open, i.CallID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("no tool output found for %v", open)
	}
	return nil
}
