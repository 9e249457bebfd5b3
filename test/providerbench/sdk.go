package main

import (
	"context"
	"net/url"

	"github.com/anthropics/anthropic-sdk-go"
	claude "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/ollama/ollama/api"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/plait-dev/plait/test/deltas"
	"google.golang.org/genai"
)

// sdk reads with the vendor's own library. Nothing puts the pieces together: that is left to callers everywhere.
func sdk(ctx context.Context, a deltas.Answer) (deltas.Reader, error) {
	openAI := []option.RequestOption{option.WithBaseURL(deltas.BaseURL), option.WithAPIKey("sk-1"), option.WithHTTPClient(a.Client()),
		option.WithMaxRetries(0)}
	switch a.Vendor {
	case "anthropic":
		return withAnthropic(ctx, a), nil
	case "openai":
		return withChat(ctx, a.Whole, openai.NewChatCompletionService(openAI...)), nil
	case "openai-responses":
		return withResponses(ctx, a.Whole, responses.NewResponseService(openAI...)), nil
	case "google":
		return withGoogle(ctx, a)
	}
	return withOllama(ctx, a)
}

func withAnthropic(ctx context.Context, a deltas.Answer) deltas.Reader {
	client := anthropic.NewClient(claude.WithoutEnvironmentDefaults(), claude.WithoutOpenTelemetry(), claude.WithBaseURL(deltas.BaseURL),
		claude.WithAPIKey("sk-1"), claude.WithHTTPClient(a.Client()), claude.WithMaxRetries(0))
	params := anthropic.MessageNewParams{Model: "model-x", MaxTokens: 8192, Messages: []anthropic.MessageParam{
		anthropic.NewUserMessage(anthropic.NewTextBlock("hello"))}}
	return func() (pieces, length int, err error) {
		if a.Whole {
			m, err := client.Messages.New(ctx, params)
			if err != nil {
				return 0, 0, err
			}
			return 1, len(m.Content[0].Text), nil
		}
		stream := client.Messages.NewStreaming(ctx, params)
		for stream.Next() {
			if text := stream.Current().Delta.Text; text != "" {
				pieces++
				length += len(text)
			}
		}
		return pieces, length, stream.Err()
	}
}

func withChat(ctx context.Context, whole bool, service openai.ChatCompletionService) deltas.Reader {
	params := openai.ChatCompletionNewParams{Model: "model-x", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")}}
	return func() (pieces, length int, err error) {
		if whole {
			c, err := service.New(ctx, params)
			if err != nil {
				return 0, 0, err
			}
			return 1, len(c.Choices[0].Message.Content), nil
		}
		stream := service.NewStreaming(ctx, params)
		for stream.Next() {
			for _, c := range stream.Current().Choices {
				if c.Delta.Content != "" {
					pieces++
					length += len(c.Delta.Content)
				}
			}
		}
		return pieces, length, stream.Err()
	}
}

func withResponses(ctx context.Context, whole bool, service responses.ResponseService) deltas.Reader {
	params := responses.ResponseNewParams{Model: "model-x", Input: responses.ResponseNewParamsInputUnion{OfString: param.NewOpt("hello")}}
	return func() (pieces, length int, err error) {
		if whole {
			r, err := service.New(ctx, params)
			if err != nil {
				return 0, 0, err
			}
			return 1, len(r.OutputText()), nil
		}
		stream := service.NewStreaming(ctx, params)
		for stream.Next() {
			if e := stream.Current(); e.Type == "response.output_text.delta" {
				pieces++
				length += len(e.Delta)
			}
		}
		return pieces, length, stream.Err()
	}
}

func withGoogle(ctx context.Context, a deltas.Answer) (deltas.Reader, error) {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{APIKey: "sk-1", Backend: genai.BackendGeminiAPI, HTTPClient: a.Client(),
		HTTPOptions: genai.HTTPOptions{BaseURL: deltas.BaseURL}})
	if err != nil {
		return nil, err
	}
	contents := []*genai.Content{genai.NewContentFromText("hello", genai.RoleUser)}
	return func() (pieces, length int, err error) {
		if a.Whole {
			r, err := client.Models.GenerateContent(ctx, "model-x", contents, nil)
			if err != nil {
				return 0, 0, err
			}
			return 1, len(r.Text()), nil
		}
		for r, err := range client.Models.GenerateContentStream(ctx, "model-x", contents, nil) {
			if err != nil {
				return 0, 0, err
			}
			pieces++
			length += len(r.Candidates[0].Content.Parts[0].Text)
		}
		return pieces, length, nil
	}, nil
}

func withOllama(ctx context.Context, a deltas.Answer) (deltas.Reader, error) {
	base, err := url.Parse(deltas.BaseURL)
	if err != nil {
		return nil, err
	}
	client := api.NewClient(base, a.Client())
	req := &api.ChatRequest{Model: "model-x", Stream: new(!a.Whole), Messages: []api.Message{{Role: "user", Content: "hello"}}}
	return func() (pieces, length int, err error) {
		err = client.Chat(ctx, req, func(r api.ChatResponse) error {
			if r.Message.Content != "" {
				pieces++
				length += len(r.Message.Content)
			}
			return nil
		})
		return pieces, length, err
	}, nil
}
