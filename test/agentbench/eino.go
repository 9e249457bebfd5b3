package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync/atomic"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	einoschema "github.com/cloudwego/eino/schema"
)

// einoModel says what the script wants, at once or in pieces.
type einoModel struct {
	turns int
	turn  int
	ids   []string
}

func (m *einoModel) next() bool {
	asks := m.turn < m.turns
	m.turn++
	return asks
}

func usageOf(reason string) *einoschema.ResponseMeta {
	return &einoschema.ResponseMeta{FinishReason: reason, Usage: &einoschema.TokenUsage{PromptTokens: 100, CompletionTokens: 20}}
}

func (m *einoModel) calls(args string) []einoschema.ToolCall {
	calls := make([]einoschema.ToolCall, len(m.ids))
	for i, id := range m.ids {
		calls[i] = einoschema.ToolCall{Index: &i, ID: id, Type: "function", Function: einoschema.FunctionCall{Name: toolName, Arguments: args}}
	}
	return calls
}

func (m *einoModel) Generate(context.Context, []*einoschema.Message, ...model.Option) (*einoschema.Message, error) {
	if m.next() {
		return &einoschema.Message{Role: einoschema.Assistant, ToolCalls: m.calls(arguments), ResponseMeta: usageOf("tool_calls")}, nil
	}
	return &einoschema.Message{Role: einoschema.Assistant, Content: answer, ResponseMeta: usageOf("stop")}, nil
}

func (m *einoModel) Stream(context.Context, []*einoschema.Message, ...model.Option) (*einoschema.StreamReader[*einoschema.Message], error) {
	var all []*einoschema.Message
	if m.next() {
		for n, piece := range piecesOfArguments() {
			calls := m.calls(piece)
			for i := range calls {
				if n > 0 { // only the first piece of a call says which it is
					calls[i].ID, calls[i].Function.Name = "", ""
				}
			}
			all = append(all, &einoschema.Message{Role: einoschema.Assistant, ToolCalls: calls})
		}
	} else {
		for _, piece := range pieces() {
			all = append(all, &einoschema.Message{Role: einoschema.Assistant, Content: piece})
		}
	}
	all = append(all, &einoschema.Message{Role: einoschema.Assistant, ResponseMeta: usageOf("stop")})
	return einoschema.StreamReaderFromArray(all), nil
}

func (m *einoModel) WithTools([]*einoschema.ToolInfo) (model.ToolCallingChatModel, error) {
	return m, nil
}

type einoArgs struct {
	City string `json:"city" jsonschema:"required,description=The name of a city."`
}

func ofEino(s script, streamed bool) (talk, error) {
	var calls atomic.Int64
	look, err := utils.InferTool(toolName, "Looks out of the window.", func(context.Context, *einoArgs) (string, error) {
		calls.Add(1)
		return toolText, nil
	})
	if err != nil {
		return nil, err
	}
	m := &einoModel{turns: s.turns, ids: s.ids()}
	agent, err := react.NewAgent(context.Background(), &react.AgentConfig{
		ToolCallingModel: m,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{look}},
		MaxStep:          3*s.modelCalls() + 10,
	})
	if err != nil {
		return nil, err
	}
	var prompt []*einoschema.Message
	for i, text := range s.said() {
		role := einoschema.User
		if i%2 == 1 {
			role = einoschema.Assistant
		}
		prompt = append(prompt, &einoschema.Message{Role: role, Content: text})
	}
	prompt = append(prompt, einoschema.UserMessage(question))
	return func(ctx context.Context) error {
		m.turn = 0
		calls.Store(0)
		text, err := einoAnswer(ctx, agent, prompt, streamed)
		if err != nil {
			return err
		}
		return s.ended(toolTextOf(text), int(calls.Load()))
	}, nil
}

// toolTextOf takes the quotes off that eino puts around the answer of a function, if there are any.
func toolTextOf(text string) string {
	var plain string
	if json.Unmarshal([]byte(text), &plain) == nil {
		return plain
	}
	return text
}

func einoAnswer(ctx context.Context, agent *react.Agent, prompt []*einoschema.Message, streamed bool) (string, error) {
	if !streamed {
		m, err := agent.Generate(ctx, prompt)
		if err != nil {
			return "", err
		}
		return m.Content, nil
	}
	stream, err := agent.Stream(ctx, prompt)
	if err != nil {
		return "", err
	}
	defer stream.Close()
	text := ""
	for {
		m, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return "", err
		}
		text += m.Content
	}
}
