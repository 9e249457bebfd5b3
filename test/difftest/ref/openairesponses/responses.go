// Package openairesponses says scenarios with the vendor's SDK, in the Responses API.
package openairesponses

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	sdk "github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Module is the SDK's.
const Module = "github.com/openai/openai-go/v3"

// Ask sends a scenario's request and reads the answer. The SDK puts nothing together: the response at the end has all.
func Ask(ctx context.Context, v *canned.Vendor, s scenario.Scenario) (reference.Answer, error) {
	service := sdk.NewResponseService(option.WithBaseURL(canned.BaseURL+"/v1"), option.WithAPIKey(canned.Key),
		option.WithHTTPClient(v.Client()), option.WithMaxRetries(0))
	p, err := params(s)
	if err != nil {
		return reference.Answer{}, err
	}
	if s.Whole {
		r, err := service.New(ctx, p)
		if err != nil {
			return reference.Answer{}, err
		}
		return answer(r)
	}
	stream := service.NewStreaming(ctx, p)
	defer func() { _ = stream.Close() }()
	var last sdk.Response
	for stream.Next() {
		switch e := stream.Current(); e.Type {
		case "response.completed", "response.incomplete", "response.failed":
			last = e.Response
		}
	}
	if err := stream.Err(); err != nil {
		return reference.Answer{}, err
	}
	return answer(&last)
}

func params(s scenario.Scenario) (sdk.ResponseNewParams, error) {
	p := sdk.ResponseNewParams{Model: scenario.Model, MaxOutputTokens: param.NewOpt(int64(s.MaxTokens)), Store: param.NewOpt(false),
		Include: []sdk.ResponseIncludable{sdk.ResponseIncludableReasoningEncryptedContent}}
	p.Reasoning.Effort = shared.ReasoningEffort(s.Thinking)
	if s.System != "" {
		p.Instructions = param.NewOpt(s.System)
	}
	if s.Temperature != nil {
		p.Temperature = param.NewOpt(*s.Temperature)
	}
	if s.TopP != nil {
		p.TopP = param.NewOpt(*s.TopP)
	}
	if len(s.OutputSchema) > 0 {
		f := &sdk.ResponseFormatTextJSONSchemaConfigParam{Name: "output", Strict: param.NewOpt(true)}
		if err := json.Unmarshal(s.OutputSchema, &f.Schema); err != nil {
			return p, err
		}
		p.Text.Format.OfJSONSchema = f
	}
	for _, t := range s.Tools {
		f := &sdk.FunctionToolParam{Name: t.Name, Description: param.NewOpt(t.Description), Strict: param.NewOpt(false)}
		if err := json.Unmarshal(t.Schema, &f.Parameters); err != nil {
			return p, err
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfFunction: f})
	}
	for _, m := range s.Messages {
		p.Input.OfInputItemList = append(p.Input.OfInputItemList, items(m)...)
	}
	return p, nil
}

// items are what is said. Behind reasoning a call has the id of its item, for the vendor knows them as a pair.
func items(m scenario.Message) sdk.ResponseInputParam {
	var all sdk.ResponseInputParam
	var content sdk.ResponseInputMessageContentListParam
	thought := false
	for _, p := range m.Parts {
		switch {
		case p.Image != nil:
			content = append(content, sdk.ResponseInputContentUnionParam{OfInputImage: &sdk.ResponseInputImageParam{
				Detail: sdk.ResponseInputImageDetailAuto, ImageURL: param.NewOpt(dataURL(*p.Image))}})
		case p.Thinking != nil:
			thought = true
			summary := []sdk.ResponseReasoningItemSummaryParam{}
			if p.Thinking.Text != "" {
				summary = append(summary, sdk.ResponseReasoningItemSummaryParam{Text: p.Thinking.Text})
			}
			r := sdk.ResponseInputItemParamOfReasoning(p.Thinking.Item, summary)
			r.OfReasoning.EncryptedContent = param.NewOpt(p.Thinking.Signature)
			all = append(all, r)
		case p.Call != nil:
			c := sdk.ResponseInputItemParamOfFunctionCall(p.Call.Args, p.Call.ID, p.Call.Name)
			if thought && p.Call.Item != "" {
				c.OfFunctionCall.ID = param.NewOpt(p.Call.Item)
			}
			all = append(all, c)
		case p.Result != nil:
			all = append(all, result(p.Result))
		case m.Role == scenario.Writer:
			all = append(all, message(sdk.EasyInputMessageContentUnionParam{OfString: param.NewOpt(p.Text)}, sdk.EasyInputMessageRoleAssistant))
		default:
			content = append(content, sdk.ResponseInputContentParamOfInputText(p.Text))
		}
	}
	if len(content) > 0 {
		all = append(all, message(sdk.EasyInputMessageContentUnionParam{OfInputItemContentList: content}, sdk.EasyInputMessageRoleUser))
	}
	return all
}

func message(content sdk.EasyInputMessageContentUnionParam, role sdk.EasyInputMessageRole) sdk.ResponseInputItemUnionParam {
	return sdk.ResponseInputItemUnionParam{OfMessage: &sdk.EasyInputMessageParam{Content: content, Role: role, Type: sdk.EasyInputMessageTypeMessage}}
}

func dataURL(img scenario.Image) string {
	return "data:" + img.MediaType + ";base64," + base64.StdEncoding.EncodeToString(img.Data)
}

func result(r *scenario.Result) sdk.ResponseInputItemUnionParam {
	text := r.Text
	if r.Failed {
		text = "Error: " + text // there is no other mark
	}
	item := sdk.ResponseInputItemParamOfFunctionCallOutput(text)
	if len(r.Images) > 0 {
		list := sdk.ResponseFunctionCallOutputItemListParam{{OfInputText: &sdk.ResponseInputTextContentParam{Text: text}}}
		for _, img := range r.Images {
			list = append(list, sdk.ResponseFunctionCallOutputItemUnionParam{OfInputImage: &sdk.ResponseInputImageContentParam{
				Detail: sdk.ResponseInputImageContentDetailAuto, ImageURL: param.NewOpt(dataURL(img))}})
		}
		item = sdk.ResponseInputItemParamOfFunctionCallOutput(list)
	}
	item.OfFunctionCallOutput.CallID = param.NewOpt(r.ID)
	return item
}

func answer(r *sdk.Response) (a reference.Answer, err error) {
	if r.Status == sdk.ResponseStatusFailed {
		return a, errors.New(r.Error.Message)
	}
	in := r.Usage.InputTokensDetails
	a.Usage = reference.Usage{Input: r.Usage.InputTokens - in.CachedTokens - in.CacheWriteTokens, Output: r.Usage.OutputTokens,
		CacheRead: in.CachedTokens, CacheWrite: in.CacheWriteTokens}
	switch {
	case r.IncompleteDetails.Reason == "max_output_tokens":
		a.Stop = reference.MaxTokens
	case r.Status == sdk.ResponseStatusCompleted:
		a.Stop = reference.End
	}
	for _, item := range r.Output {
		switch item.Type {
		case "message":
			for _, c := range item.Content {
				if c.Type == "refusal" {
					a.Stop = reference.Refusal
				}
				a.Extend(reference.Part{Kind: reference.Text, Text: c.Text + c.Refusal, Item: item.ID})
			}
		case "reasoning":
			var texts []string
			for _, t := range item.Summary {
				texts = append(texts, t.Text)
			}
			a.Extend(reference.Part{Kind: reference.Thinking, Text: strings.Join(texts, "\n\n"), Signature: item.EncryptedContent, Item: item.ID,
				Redacted: len(texts) == 0})
		case "function_call":
			if a.Stop == reference.End {
				a.Stop = reference.ToolUse
			}
			a.Parts = append(a.Parts, reference.Part{Kind: reference.Call, ID: item.CallID, Item: item.ID, Name: item.Name, Args: item.Arguments.OfString})
		}
	}
	return a, nil
}
