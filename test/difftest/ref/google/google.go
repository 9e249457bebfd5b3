// Package google says scenarios with the vendor's SDK.
package google

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	sdk "google.golang.org/genai"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Module is the SDK's.
const Module = "google.golang.org/genai"

// Ask sends a scenario's request and reads the answer.
func Ask(ctx context.Context, v *canned.Vendor, s scenario.Scenario) (reference.Answer, error) {
	var a answer
	client, err := sdk.NewClient(ctx, &sdk.ClientConfig{APIKey: canned.Key, Backend: sdk.BackendGeminiAPI, HTTPClient: v.Client(),
		HTTPOptions: sdk.HTTPOptions{BaseURL: canned.BaseURL}})
	if err != nil {
		return a.Answer, err
	}
	contents, err := contents(s.Messages)
	if err != nil {
		return a.Answer, err
	}
	if s.Whole {
		r, err := client.Models.GenerateContent(ctx, scenario.Model, contents, config(s))
		if err != nil {
			return a.Answer, err
		}
		err = a.add(r)
		return a.Answer, err
	}
	for r, err := range client.Models.GenerateContentStream(ctx, scenario.Model, contents, config(s)) {
		if err != nil {
			return a.Answer, err
		}
		if err := a.add(r); err != nil {
			return a.Answer, err
		}
	}
	return a.Answer, nil
}

func config(s scenario.Scenario) *sdk.GenerateContentConfig {
	c := &sdk.GenerateContentConfig{MaxOutputTokens: int32(s.MaxTokens), StopSequences: s.Stop}
	if s.System != "" {
		c.SystemInstruction = &sdk.Content{Parts: []*sdk.Part{{Text: s.System}}}
	}
	if s.Temperature != nil {
		c.Temperature = new(float32(*s.Temperature))
	}
	if s.TopP != nil {
		c.TopP = new(float32(*s.TopP))
	}
	if s.Seed != nil {
		c.Seed = new(int32(*s.Seed))
	}
	if s.Thinking != "" {
		c.ThinkingConfig = &sdk.ThinkingConfig{IncludeThoughts: true, ThinkingLevel: sdk.ThinkingLevelHigh}
	}
	if len(s.OutputSchema) > 0 {
		c.ResponseMIMEType, c.ResponseJsonSchema = "application/json", s.OutputSchema
	}
	var declared []*sdk.FunctionDeclaration
	for _, t := range s.Tools {
		declared = append(declared, &sdk.FunctionDeclaration{Name: t.Name, Description: t.Description, ParametersJsonSchema: t.Schema})
	}
	if len(declared) > 0 {
		c.Tools = []*sdk.Tool{{FunctionDeclarations: declared}}
	}
	return c
}

func contents(said []scenario.Message) ([]*sdk.Content, error) {
	var all []*sdk.Content
	for _, m := range said {
		c := &sdk.Content{Role: sdk.RoleUser}
		if m.Role == scenario.Writer {
			c.Role = sdk.RoleModel
		}
		for _, p := range m.Parts {
			sent, err := part(p)
			if err != nil {
				return nil, err
			}
			c.Parts = append(c.Parts, sent)
		}
		all = append(all, c)
	}
	return all, nil
}

func part(p scenario.Part) (*sdk.Part, error) {
	switch {
	case p.Image != nil:
		return sdk.NewPartFromBytes(p.Image.Data, p.Image.MediaType), nil
	case p.Thinking != nil:
		signature, err := base64.StdEncoding.DecodeString(p.Thinking.Signature)
		return &sdk.Part{Text: p.Thinking.Text, Thought: true, ThoughtSignature: signature}, err
	case p.Call != nil:
		c := &sdk.FunctionCall{ID: p.Call.ID, Name: p.Call.Name}
		if err := json.Unmarshal([]byte(p.Call.Args), &c.Args); err != nil {
			return nil, err
		}
		signature, err := base64.StdEncoding.DecodeString(p.Call.Signature)
		return &sdk.Part{FunctionCall: c, ThoughtSignature: signature}, err
	case p.Result != nil:
		return result(p.Result), nil
	}
	return &sdk.Part{Text: p.Text}, nil
}

func result(r *scenario.Result) *sdk.Part {
	key := "output"
	if r.Failed {
		key = "error"
	}
	f := &sdk.FunctionResponse{ID: r.ID, Name: r.Name, Response: map[string]any{key: r.Text}}
	for _, img := range r.Images {
		f.Parts = append(f.Parts, &sdk.FunctionResponsePart{InlineData: &sdk.FunctionResponseBlob{Data: img.Data, MIMEType: img.MediaType}})
	}
	return &sdk.Part{FunctionResponse: f}
}

// answer puts the pieces together, which the SDK leaves to its callers.
type answer struct {
	reference.Answer

	called bool
}

func (a *answer) add(r *sdk.GenerateContentResponse) error {
	if u := r.UsageMetadata; u != nil {
		a.Usage = reference.Usage{Input: int64(u.PromptTokenCount - u.CachedContentTokenCount + u.ToolUsePromptTokenCount),
			Output: int64(u.CandidatesTokenCount + u.ThoughtsTokenCount), CacheRead: int64(u.CachedContentTokenCount)}
	}
	if f := r.PromptFeedback; f != nil && f.BlockReason != "" {
		return fmt.Errorf("blocked: %s", f.BlockReason)
	}
	if len(r.Candidates) == 0 {
		return nil
	}
	c := r.Candidates[0]
	if c.Content != nil {
		for _, p := range c.Content.Parts {
			if err := a.part(p); err != nil {
				return err
			}
		}
	}
	switch c.FinishReason {
	case "":
	case sdk.FinishReasonStop:
		a.Stop = reference.End
		if a.called {
			a.Stop = reference.ToolUse
		}
	case sdk.FinishReasonMaxTokens:
		a.Stop = reference.MaxTokens
	case sdk.FinishReasonSafety:
		a.Stop = reference.Refusal
	default:
		return errors.New(string(c.FinishReason))
	}
	return nil
}

func (a *answer) part(p *sdk.Part) error {
	signature := base64.StdEncoding.EncodeToString(p.ThoughtSignature)
	if p.FunctionCall == nil {
		kind := reference.Text
		if p.Thought {
			kind = reference.Thinking
		}
		a.Extend(reference.Part{Kind: kind, Text: p.Text, Signature: signature})
		return nil
	}
	args, err := json.Marshal(p.FunctionCall.Args)
	a.called = true
	a.Parts = append(a.Parts, reference.Part{Kind: reference.Call, ID: p.FunctionCall.ID, Name: p.FunctionCall.Name, Args: string(args),
		Signature: signature})
	return err
}
