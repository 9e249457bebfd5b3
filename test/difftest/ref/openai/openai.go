// Package openai says scenarios with the vendor's SDK, in chat completions.
package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Module is the SDK's.
const Module = "github.com/openai/openai-go/v3"

// Ask sends a scenario's request and reads the answer.
func Ask(ctx context.Context, v *canned.Vendor, s scenario.Scenario) (reference.Answer, error) {
	service := sdk.NewChatCompletionService(option.WithBaseURL(canned.BaseURL+"/v1"), option.WithAPIKey(canned.Key),
		option.WithHTTPClient(v.Client()), option.WithMaxRetries(0))
	p, err := params(s)
	if err != nil {
		return reference.Answer{}, err
	}
	if s.Whole {
		c, err := service.New(ctx, p)
		if err != nil {
			return reference.Answer{}, err
		}
		return answer(c), nil
	}
	p.StreamOptions.IncludeUsage = param.NewOpt(true)
	stream := service.NewStreaming(ctx, p)
	defer func() { _ = stream.Close() }()
	var all sdk.ChatCompletionAccumulator
	for stream.Next() {
		all.AddChunk(stream.Current())
	}
	if err := stream.Err(); err != nil {
		return reference.Answer{}, err
	}
	return answer(&all.ChatCompletion), nil
}

func params(s scenario.Scenario) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{Model: scenario.Model, MaxCompletionTokens: param.NewOpt(int64(s.MaxTokens)),
		Store: param.NewOpt(false), ReasoningEffort: shared.ReasoningEffort(s.Thinking), Messages: messages(s)}
	if s.Temperature != nil {
		p.Temperature = param.NewOpt(*s.Temperature)
	}
	if s.TopP != nil {
		p.TopP = param.NewOpt(*s.TopP)
	}
	if s.Seed != nil {
		p.Seed = param.NewOpt(*s.Seed)
	}
	if len(s.Stop) > 0 {
		p.Stop.OfStringArray = s.Stop
	}
	if len(s.OutputSchema) > 0 {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "output", Strict: param.NewOpt(true), Schema: s.OutputSchema}}
	}
	for _, t := range s.Tools {
		f := shared.FunctionDefinitionParam{Name: t.Name, Description: param.NewOpt(t.Description)}
		if err := json.Unmarshal(t.Schema, &f.Parameters); err != nil {
			return p, err
		}
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(f))
	}
	return p, nil
}

// messages says what was said. Images of results follow behind the results of their turn.
func messages(s scenario.Scenario) []sdk.ChatCompletionMessageParamUnion {
	var all []sdk.ChatCompletionMessageParamUnion
	if s.System != "" {
		all = append(all, sdk.SystemMessage(s.System))
	}
	for _, m := range s.Messages {
		switch m.Role {
		case scenario.Writer:
			all = append(all, written(m))
		case scenario.Results:
			all = append(all, results(m)...)
		case scenario.User:
			all = append(all, asked(m))
		}
	}
	return all
}

func asked(m scenario.Message) sdk.ChatCompletionMessageParamUnion {
	if len(m.Parts) == 1 && m.Parts[0].Image == nil {
		return sdk.UserMessage(m.Parts[0].Text)
	}
	var content []sdk.ChatCompletionContentPartUnionParam
	for _, p := range m.Parts {
		if p.Image != nil {
			content = append(content, picture(*p.Image))
		} else {
			content = append(content, sdk.TextContentPart(p.Text))
		}
	}
	return sdk.UserMessage(content)
}

func picture(img scenario.Image) sdk.ChatCompletionContentPartUnionParam {
	return sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{
		URL: "data:" + img.MediaType + ";base64," + base64.StdEncoding.EncodeToString(img.Data)})
}

func written(m scenario.Message) sdk.ChatCompletionMessageParamUnion {
	var a sdk.ChatCompletionAssistantMessageParam
	for _, p := range m.Parts {
		switch {
		case p.Call != nil:
			a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
				ID: p.Call.ID, Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: p.Call.Name, Arguments: p.Call.Args}}})
		case p.Text != "":
			a.Content.OfString = param.NewOpt(p.Text)
		}
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &a}
}

func results(m scenario.Message) []sdk.ChatCompletionMessageParamUnion {
	var all []sdk.ChatCompletionMessageParamUnion
	var shown []sdk.ChatCompletionContentPartUnionParam
	for _, p := range m.Parts {
		text := p.Result.Text
		if p.Result.Failed {
			text = "Error: " + text // there is no other mark
		}
		all = append(all, sdk.ToolMessage(text, p.Result.ID))
		if len(p.Result.Images) > 0 {
			shown = append(shown, sdk.TextContentPart("Images of the result of "+p.Result.Name+":"))
		}
		for _, img := range p.Result.Images {
			shown = append(shown, picture(img))
		}
	}
	if len(shown) > 0 {
		all = append(all, sdk.UserMessage(shown))
	}
	return all
}

func answer(c *sdk.ChatCompletion) (a reference.Answer) {
	u := c.Usage
	cached, written := u.PromptTokensDetails.CachedTokens, u.PromptTokensDetails.CacheWriteTokens
	a.Usage = reference.Usage{Input: u.PromptTokens - cached - written, Output: u.CompletionTokens, CacheRead: cached, CacheWrite: written}
	if len(c.Choices) == 0 {
		return a
	}
	m := c.Choices[0].Message
	a.Stop = map[string]string{"stop": reference.End, "tool_calls": reference.ToolUse, "length": reference.MaxTokens,
		"content_filter": reference.Refusal}[c.Choices[0].FinishReason]
	if m.Refusal != "" {
		a.Stop = reference.Refusal
	}
	a.Extend(reference.Part{Kind: reference.Text, Text: m.Content})
	a.Extend(reference.Part{Kind: reference.Text, Text: m.Refusal})
	for _, call := range m.ToolCalls {
		a.Parts = append(a.Parts, reference.Part{Kind: reference.Call, ID: call.ID, Name: call.Function.Name, Args: call.Function.Arguments})
	}
	return a
}
