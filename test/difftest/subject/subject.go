// Package subject says scenarios with our wires.
package subject

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// With returns how scenarios are said on the wire of a vendor.
func With(vendor string) canned.Ask {
	return func(ctx context.Context, v *canned.Vendor, s scenario.Scenario) (reference.Answer, error) {
		client, err := provider.NewClient(provider.ClientOptions{
			Between: func(p provider.Passing, _ func() (*http.Response, error)) (*http.Response, error) {
				return v.Answer(p.Request, p.Body), nil
			},
		})
		if err != nil {
			return reference.Answer{}, err
		}
		m, err := wires.New(vendor, wires.Options{Options: provider.Options{Model: scenario.Model, BaseURL: canned.BaseURL, Client: client,
			Credentials: provider.Static(provider.APIKey(canned.Key)), Whole: s.Whole}})
		if err != nil {
			return reference.Answer{}, err
		}
		a, err := core.Collect(m.Stream(ctx, request(s)))
		if err != nil {
			return reference.Answer{}, err
		}
		return answer(vendor, a)
	}
}

func request(s scenario.Scenario) *core.Request {
	req := &core.Request{System: s.System, OutputSchema: s.OutputSchema, Generate: core.Generate{
		MaxOutputTokens: s.MaxTokens, Temperature: s.Temperature, TopP: s.TopP, Seed: s.Seed, Stop: s.Stop, Thinking: s.Thinking}}
	images := map[string][]byte{}
	for _, m := range s.Messages {
		req.Messages = append(req.Messages, messages(m, images)...)
	}
	for _, t := range s.Tools {
		req.Tools = append(req.Tools, core.Spec{Name: t.Name, Description: t.Description, InputSchema: t.Schema})
	}
	req.Image = func(_ context.Context, img core.Image) ([]byte, error) { return images[img.Digest], nil }
	return req
}

// messages are those of one side: one, or one for each result.
func messages(m scenario.Message, images map[string][]byte) []core.Message {
	image := func(i scenario.Image) core.Image {
		digest := fmt.Sprint(len(images))
		images[digest] = i.Data
		return core.Image{MediaType: i.MediaType, Digest: digest, Size: int64(len(i.Data))}
	}
	said := core.Message{Role: core.RoleUser}
	if m.Role == scenario.Writer {
		said.Role, said.Model = core.RoleModel, scenario.Model
	}
	var results []core.Message
	for _, p := range m.Parts {
		switch {
		case p.Image != nil:
			said.Parts = append(said.Parts, image(*p.Image))
		case p.Thinking != nil:
			t := p.Thinking
			said.Parts = append(said.Parts, core.Thinking{Text: t.Text, Signature: t.Signature, Item: t.Item, Redacted: t.Redacted})
		case p.Call != nil:
			c := p.Call
			said.Parts = append(said.Parts, core.ToolCall{ID: c.ID, Name: c.Name, Args: c.Args, Signature: c.Signature, Item: c.Item})
		case p.Result != nil:
			r := core.ToolResult{ID: p.Result.ID, Name: p.Result.Name, Text: p.Result.Text, Error: p.Result.Failed}
			for _, i := range p.Result.Images {
				r.Images = append(r.Images, image(i))
			}
			results = append(results, core.Message{Role: core.RoleTool, Parts: []core.Part{r}})
		default:
			said.Parts = append(said.Parts, core.Text{Text: p.Text})
		}
	}
	if results != nil {
		return results
	}
	return []core.Message{said}
}

func answer(vendor string, a core.Answer) (reference.Answer, error) {
	out := reference.Answer{Stop: string(a.Stop), Usage: reference.Usage{Input: a.Usage.Input, Output: a.Usage.Output,
		CacheRead: a.Usage.CacheRead, CacheWrite: a.Usage.CacheWrite}}
	for _, p := range a.Parts {
		switch p := p.(type) {
		case core.Text:
			t := reference.Part{Kind: reference.Text, Text: p.Text, Signature: p.Signature}
			if vendor == "openai-responses" && p.Signature != "" { // it says which item the text came in
				var mark struct {
					ID string `json:"id"`
				}
				if err := json.Unmarshal([]byte(p.Signature), &mark); err != nil {
					return out, fmt.Errorf("the mark of a text: %w", err)
				}
				t.Signature, t.Item = "", mark.ID
			}
			out.Parts = append(out.Parts, t)
		case core.Thinking:
			out.Parts = append(out.Parts, reference.Part{Kind: reference.Thinking, Text: p.Text, Signature: p.Signature, Item: p.Item, Redacted: p.Redacted})
		case core.ToolCall:
			out.Parts = append(out.Parts, reference.Part{Kind: reference.Call, ID: p.ID, Name: p.Name, Args: p.Args, Signature: p.Signature, Item: p.Item})
		default:
			return out, fmt.Errorf("a part of type %T in an answer", p)
		}
	}
	return out, nil
}
