package main

import (
	"context"
	"errors"
	"sync/atomic"

	"charm.land/fantasy"
)

// fantasyModel says what the script wants, at once or in pieces.
type fantasyModel struct {
	turns  int
	turn   int
	ids    []string
	call   *fantasy.Response
	answer *fantasy.Response
}

func newFantasyModel(s script) *fantasyModel {
	m := &fantasyModel{turns: s.turns, ids: s.ids()}
	usage := fantasy.Usage{InputTokens: 100, OutputTokens: 20}
	var calls fantasy.ResponseContent
	for _, id := range m.ids {
		calls = append(calls, fantasy.ToolCallContent{ToolCallID: id, ToolName: toolName, Input: arguments})
	}
	m.call = &fantasy.Response{Content: calls, FinishReason: fantasy.FinishReasonToolCalls, Usage: usage}
	m.answer = &fantasy.Response{Content: fantasy.ResponseContent{fantasy.TextContent{Text: answer}},
		FinishReason: fantasy.FinishReasonStop, Usage: usage}
	return m
}

func (*fantasyModel) Provider() string { return "scripted" }
func (*fantasyModel) Model() string    { return "scripted" }

func (m *fantasyModel) next() (*fantasy.Response, bool) {
	asks := m.turn < m.turns
	m.turn++
	if asks {
		return m.call, true
	}
	return m.answer, false
}

func (m *fantasyModel) Generate(context.Context, fantasy.Call) (*fantasy.Response, error) {
	said, _ := m.next()
	return said, nil
}

func (m *fantasyModel) Stream(context.Context, fantasy.Call) (fantasy.StreamResponse, error) {
	said, asks := m.next()
	return func(yield func(fantasy.StreamPart) bool) {
		going := asks && m.streamCalls(yield) || !asks && streamText(yield)
		if going {
			yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeFinish, FinishReason: said.FinishReason, Usage: said.Usage})
		}
	}, nil
}

func (m *fantasyModel) streamCalls(yield func(fantasy.StreamPart) bool) bool {
	for _, id := range m.ids {
		if !yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeToolInputStart, ID: id, ToolCallName: toolName}) {
			return false
		}
		for _, piece := range piecesOfArguments() {
			if !yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeToolInputDelta, ID: id, Delta: piece}) {
				return false
			}
		}
		if !yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeToolInputEnd, ID: id}) ||
			!yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeToolCall, ID: id, ToolCallName: toolName, ToolCallInput: arguments}) {
			return false
		}
	}
	return true
}

func streamText(yield func(fantasy.StreamPart) bool) bool {
	if !yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeTextStart, ID: "0"}) {
		return false
	}
	for _, piece := range pieces() {
		if !yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeTextDelta, ID: "0", Delta: piece}) {
			return false
		}
	}
	return yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeTextEnd, ID: "0"})
}

var errNoObjects = errors.New("objects aren't asked for")

func (*fantasyModel) GenerateObject(context.Context, fantasy.ObjectCall) (*fantasy.ObjectResponse, error) {
	return nil, errNoObjects
}

func (*fantasyModel) StreamObject(context.Context, fantasy.ObjectCall) (fantasy.ObjectStreamResponse, error) {
	return nil, errNoObjects
}

type fantasyArgs struct {
	City string `json:"city" description:"The name of a city."`
}

func ofFantasy(s script, streamed bool) (talk, error) {
	var calls atomic.Int64
	tool := fantasy.NewParallelAgentTool(toolName, "Looks out of the window.",
		func(context.Context, fantasyArgs, fantasy.ToolCall) (fantasy.ToolResponse, error) {
			calls.Add(1)
			return fantasy.NewTextResponse(toolText), nil
		})
	model := newFantasyModel(s)
	agent := fantasy.NewAgent(model, fantasy.WithTools(tool))
	var history []fantasy.Message
	for i, text := range s.said() {
		role := fantasy.MessageRoleUser
		if i%2 == 1 {
			role = fantasy.MessageRoleAssistant
		}
		history = append(history, fantasy.Message{Role: role, Content: []fantasy.MessagePart{fantasy.TextPart{Text: text}}})
	}
	return func(ctx context.Context) error {
		model.turn = 0
		calls.Store(0)
		var res *fantasy.AgentResult
		var err error
		if streamed {
			res, err = agent.Stream(ctx, fantasy.AgentStreamCall{Prompt: question, Messages: history,
				OnTextDelta: func(string, string) error { return nil }})
		} else {
			res, err = agent.Generate(ctx, fantasy.AgentCall{Prompt: question, Messages: history})
		}
		if err != nil {
			return err
		}
		return s.ended(res.Response.Content.Text(), int(calls.Load()))
	}, nil
}
