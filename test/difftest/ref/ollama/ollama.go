// Package ollama says scenarios with the vendor's own client.
package ollama

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	sdk "github.com/ollama/ollama/api"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Module is the SDK's.
const Module = "github.com/ollama/ollama"

// Ask sends a scenario's request and reads the answer.
func Ask(ctx context.Context, v *canned.Vendor, s scenario.Scenario) (reference.Answer, error) {
	var a reference.Answer
	base, err := url.Parse(canned.BaseURL)
	if err != nil {
		return a, err
	}
	req, err := request(s)
	if err != nil {
		return a, err
	}
	var failed error
	err = sdk.NewClient(base, &http.Client{Transport: authorized{v}}).Chat(ctx, req, func(r sdk.ChatResponse) error {
		failed = add(&a, r)
		return failed
	})
	return a, err
}

// authorized adds the key: the client has no place for one.
type authorized struct{ *canned.Vendor }

// RoundTrip sends the request.
func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+canned.Key)
	return a.Vendor.RoundTrip(r)
}

func request(s scenario.Scenario) (*sdk.ChatRequest, error) {
	req := &sdk.ChatRequest{Model: scenario.Model, Stream: new(!s.Whole), Truncate: new(false), Shift: new(false),
		Options: map[string]any{"num_predict": s.MaxTokens}, Format: s.OutputSchema}
	if s.Temperature != nil {
		req.Options["temperature"] = *s.Temperature
	}
	if s.TopP != nil {
		req.Options["top_p"] = *s.TopP
	}
	if s.Seed != nil {
		req.Options["seed"] = *s.Seed
	}
	if len(s.Stop) > 0 {
		req.Options["stop"] = s.Stop
	}
	if s.Thinking != "" {
		req.Think = &sdk.ThinkValue{Value: true}
	}
	for _, t := range s.Tools {
		tool := sdk.Tool{Type: "function", Function: sdk.ToolFunction{Name: t.Name, Description: t.Description}}
		if err := json.Unmarshal(t.Schema, &tool.Function.Parameters); err != nil {
			return nil, err
		}
		req.Tools = append(req.Tools, tool)
	}
	if s.System != "" {
		req.Messages = append(req.Messages, sdk.Message{Role: "system", Content: s.System})
	}
	for _, m := range s.Messages {
		if m.Role == scenario.Results {
			req.Messages = append(req.Messages, results(m)...)
			continue
		}
		said, err := message(m)
		if err != nil {
			return nil, err
		}
		req.Messages = append(req.Messages, said)
	}
	return req, nil
}

func message(m scenario.Message) (sdk.Message, error) {
	said := sdk.Message{Role: "user"}
	if m.Role == scenario.Writer {
		said.Role = "assistant"
	}
	for _, p := range m.Parts {
		switch {
		case p.Image != nil:
			said.Images = append(said.Images, p.Image.Data)
		case p.Thinking != nil:
			said.Thinking += p.Thinking.Text
		case p.Call != nil:
			c := sdk.ToolCall{ID: p.Call.ID, Function: sdk.ToolCallFunction{Name: p.Call.Name}}
			if err := json.Unmarshal([]byte(p.Call.Args), &c.Function.Arguments); err != nil {
				return said, err
			}
			said.ToolCalls = append(said.ToolCalls, c)
		default:
			said.Content += p.Text
		}
	}
	return said, nil
}

func results(m scenario.Message) []sdk.Message {
	var all []sdk.Message
	for _, p := range m.Parts {
		r := sdk.Message{Role: "tool", Content: p.Result.Text, ToolName: p.Result.Name, ToolCallID: p.Result.ID}
		for _, img := range p.Result.Images {
			r.Images = append(r.Images, img.Data)
		}
		all = append(all, r)
	}
	return all
}

func add(a *reference.Answer, r sdk.ChatResponse) error {
	a.Extend(reference.Part{Kind: reference.Thinking, Text: r.Message.Thinking})
	a.Extend(reference.Part{Kind: reference.Text, Text: r.Message.Content})
	for _, c := range r.Message.ToolCalls {
		args, err := json.Marshal(c.Function.Arguments)
		if err != nil {
			return err
		}
		a.Parts = append(a.Parts, reference.Part{Kind: reference.Call, ID: c.ID, Name: c.Function.Name, Args: string(args)})
	}
	if !r.Done {
		return nil
	}
	a.Usage = reference.Usage{Input: int64(r.PromptEvalCount), Output: int64(r.EvalCount)}
	a.Stop = reference.End
	if r.DoneReason == "length" {
		a.Stop = reference.MaxTokens
	}
	for _, p := range a.Parts {
		if p.Kind == reference.Call && a.Stop == reference.End {
			a.Stop = reference.ToolUse
		}
	}
	return nil
}
