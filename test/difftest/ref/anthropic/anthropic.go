// Package anthropic says scenarios with the vendor's SDK.
package anthropic

import (
	"context"
	"encoding/base64"
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Module is the SDK's.
const Module = "github.com/anthropics/anthropic-sdk-go"

// Ask sends a scenario's request and reads the answer.
func Ask(ctx context.Context, v *canned.Vendor, s scenario.Scenario) (reference.Answer, error) {
	client := sdk.NewClient(option.WithoutEnvironmentDefaults(), option.WithoutOpenTelemetry(), option.WithBaseURL(canned.BaseURL),
		option.WithAPIKey(canned.Key), option.WithHTTPClient(v.Client()), option.WithMaxRetries(0))
	if s.Whole {
		m, err := client.Messages.New(ctx, params(s))
		if err != nil {
			return reference.Answer{}, err
		}
		return answer(m), nil
	}
	stream := client.Messages.NewStreaming(ctx, params(s))
	defer func() { _ = stream.Close() }()
	var m sdk.Message
	for stream.Next() {
		if err := m.Accumulate(stream.Current()); err != nil {
			return reference.Answer{}, err
		}
	}
	if err := stream.Err(); err != nil {
		return reference.Answer{}, err
	}
	return answer(&m), nil
}

// params is the request. The prefix is cached behind tools and system prompt, and behind the two newest turns of the user.
func params(s scenario.Scenario) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: scenario.Model, MaxTokens: int64(s.MaxTokens), StopSequences: s.Stop, Messages: messages(s.Messages)}
	if s.Temperature != nil {
		p.Temperature = param.NewOpt(*s.Temperature)
	}
	if s.TopP != nil {
		p.TopP = param.NewOpt(*s.TopP)
	}
	if s.Thinking != "" {
		p.Thinking = sdk.ThinkingConfigParamUnion{OfAdaptive: &sdk.ThinkingConfigAdaptiveParam{}}
		p.OutputConfig.Effort = sdk.OutputConfigEffort(s.Thinking)
	}
	if len(s.OutputSchema) > 0 {
		p.OutputConfig.Format = param.Override[sdk.JSONOutputFormatParam](map[string]any{"type": "json_schema", "schema": s.OutputSchema})
	}
	for _, t := range s.Tools {
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &sdk.ToolParam{Name: t.Name, Description: param.NewOpt(t.Description),
			InputSchema: param.Override[sdk.ToolInputSchemaParam](t.Schema)}})
	}
	switch {
	case s.System != "":
		p.System = []sdk.TextBlockParam{{Text: s.System, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	case len(p.Tools) > 0:
		p.Tools[len(p.Tools)-1].OfTool.CacheControl = sdk.NewCacheControlEphemeralParam()
	}
	for i := max(0, len(p.Messages)-3); i < len(p.Messages); i++ {
		if m := p.Messages[i]; m.Role == sdk.MessageParamRoleUser {
			*m.Content[len(m.Content)-1].GetCacheControl() = sdk.NewCacheControlEphemeralParam()
		}
	}
	return p
}

func messages(said []scenario.Message) []sdk.MessageParam {
	var all []sdk.MessageParam
	for _, m := range said {
		var blocks []sdk.ContentBlockParamUnion
		for _, p := range m.Parts {
			blocks = append(blocks, block(p))
		}
		if m.Role == scenario.Writer {
			all = append(all, sdk.NewAssistantMessage(blocks...))
		} else {
			all = append(all, sdk.NewUserMessage(blocks...))
		}
	}
	return all
}

func block(p scenario.Part) sdk.ContentBlockParamUnion {
	switch {
	case p.Image != nil:
		return sdk.NewImageBlockBase64(p.Image.MediaType, base64.StdEncoding.EncodeToString(p.Image.Data))
	case p.Thinking != nil && p.Thinking.Redacted:
		return sdk.NewRedactedThinkingBlock(p.Thinking.Signature)
	case p.Thinking != nil:
		return sdk.NewThinkingBlock(p.Thinking.Signature, p.Thinking.Text)
	case p.Call != nil:
		return sdk.NewToolUseBlock(p.Call.ID, json.RawMessage(p.Call.Args), p.Call.Name)
	case p.Result != nil:
		b := sdk.NewToolResultBlock(p.Result.ID, p.Result.Text, p.Result.Failed)
		for _, img := range p.Result.Images {
			image := sdk.NewImageBlockBase64(img.MediaType, base64.StdEncoding.EncodeToString(img.Data))
			b.OfToolResult.Content = append(b.OfToolResult.Content, sdk.ToolResultBlockParamContentUnion{OfImage: image.OfImage})
		}
		return b
	}
	return sdk.NewTextBlock(p.Text)
}

func answer(m *sdk.Message) reference.Answer {
	a := reference.Answer{Stop: string(m.StopReason), Usage: reference.Usage{Input: m.Usage.InputTokens, Output: m.Usage.OutputTokens,
		CacheRead: m.Usage.CacheReadInputTokens, CacheWrite: m.Usage.CacheCreationInputTokens}}
	if m.StopReason == sdk.StopReasonEndTurn {
		a.Stop = reference.End
	}
	for _, c := range m.Content {
		switch c.Type {
		case "text":
			a.Extend(reference.Part{Kind: reference.Text, Text: c.Text})
		case "thinking":
			a.Extend(reference.Part{Kind: reference.Thinking, Text: c.Thinking, Signature: c.Signature})
		case "redacted_thinking":
			a.Extend(reference.Part{Kind: reference.Thinking, Signature: c.Data, Redacted: true})
		case "tool_use":
			a.Parts = append(a.Parts, reference.Part{Kind: reference.Call, ID: c.ID, Name: c.Name, Args: string(c.Input)})
		}
	}
	return a
}
