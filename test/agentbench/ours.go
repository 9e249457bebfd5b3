package main

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// ourModel says what the script wants. Our models always stream; how many pieces come is the difference.
type ourModel struct {
	turns  int
	turn   int // of the run that is under way
	call   []core.Delta
	answer []core.Delta
}

func newOurModel(s script, streamed bool) *ourModel {
	m := &ourModel{turns: s.turns}
	args, texts := []string{arguments}, []string{answer}
	if streamed {
		args, texts = piecesOfArguments(), pieces()
	}
	for n, id := range s.ids() {
		m.call = append(m.call, core.Delta{Kind: core.CallStart, Index: n, ID: id, Name: toolName})
		for _, piece := range args {
			m.call = append(m.call, core.Delta{Kind: core.CallDelta, Index: n, Text: piece})
		}
	}
	for _, piece := range texts {
		m.answer = append(m.answer, core.Delta{Kind: core.TextDelta, Text: piece})
	}
	usage := core.Usage{Input: 100, Output: 20}
	m.call = append(m.call, core.Delta{Kind: core.Done, Stop: core.StopToolUse, Usage: usage})
	m.answer = append(m.answer, core.Delta{Kind: core.Done, Stop: core.StopEnd, Usage: usage})
	return m
}

func (*ourModel) Name() string { return "scripted" }

func (m *ourModel) Stream(context.Context, *core.Request) iter.Seq2[core.Delta, error] {
	said := m.call
	if m.turn == m.turns {
		said = m.answer
	}
	m.turn++
	return func(yield func(core.Delta, error) bool) {
		for _, d := range said {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// ourTool counts its calls.
type ourTool struct{ calls atomic.Int64 }

func (*ourTool) Spec() core.Spec {
	return core.Spec{Name: toolName, Description: "Looks out of the window.", InputSchema: []byte(schema)}
}

func (t *ourTool) Run(context.Context, core.Call) (core.Result, error) {
	t.calls.Add(1)
	return core.TextResult(toolText), nil
}

func ours(s script, streamed bool) (talk, error) {
	model, tool := newOurModel(s, streamed), &ourTool{}
	agent, err := agentkit.New(agentkit.Config{Name: "bot", Model: model, Tools: []core.Tool{tool}, Limits: agentkit.Limits{MaxTurns: s.modelCalls()}})
	if err != nil {
		return nil, err
	}
	in := agentkit.RunInput{View: session.ViewSession}
	for i, text := range s.said() {
		m := core.UserMessage(text)
		if i%2 == 1 {
			m = core.Message{Role: core.RoleModel, Author: "bot", Model: model.Name(), Parts: []core.Part{core.Text{Text: text}}}
		}
		in.History = append(in.History, m)
	}
	in.History = append(in.History, core.UserMessage(question))
	return func(ctx context.Context) error {
		model.turn = 0
		tool.calls.Store(0)
		if !streamed {
			res, err := agent.Run(ctx, in)
			if err != nil {
				return err
			}
			return s.ended(res.Text, int(tool.calls.Load()))
		}
		var text string
		for e, err := range agent.Stream(ctx, in) {
			if err != nil {
				return err
			}
			if e.Kind == agentkit.EventEnd {
				text = e.Result.Text
			}
		}
		return s.ended(text, int(tool.calls.Load()))
	}, nil
}
