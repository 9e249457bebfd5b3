package main

import (
	"context"
	"encoding/json"
	"iter"
	"sync/atomic"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

// adkModel says what the script wants, at once or in pieces.
type adkModel struct {
	turns int
	turn  int
	ids   []string
}

func (*adkModel) Name() string { return "scripted" }

func (m *adkModel) GenerateContent(_ context.Context, _ *model.LLMRequest, stream bool) iter.Seq2[*model.LLMResponse, error] {
	asks := m.turn < m.turns
	m.turn++
	return func(yield func(*model.LLMResponse, error) bool) {
		if stream && !asks {
			for _, piece := range pieces() {
				if !yield(&model.LLMResponse{Content: genai.NewContentFromText(piece, genai.RoleModel), Partial: true}, nil) {
					return
				}
			}
		}
		whole := genai.NewContentFromText(answer, genai.RoleModel)
		if asks {
			whole = m.calls()
		}
		yield(&model.LLMResponse{Content: whole, FinishReason: genai.FinishReasonStop,
			UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 100, CandidatesTokenCount: 20}}, nil)
	}
}

// calls come whole on this side also when the text is streamed: ADK's models hand them over so. The arguments are a new map
// each time, as a model's would be.
func (m *adkModel) calls() *genai.Content {
	c := &genai.Content{Role: genai.RoleModel}
	for _, id := range m.ids {
		c.Parts = append(c.Parts, &genai.Part{FunctionCall: &genai.FunctionCall{ID: id, Name: toolName, Args: map[string]any{"city": "Berlin"}}})
	}
	return c
}

func ofADK(s script, streamed bool) (talk, error) {
	var calls atomic.Int64
	in := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(schema), in); err != nil {
		return nil, err
	}
	look, err := functiontool.New(functiontool.Config{Name: toolName, Description: "Looks out of the window.", InputSchema: in},
		func(agent.Context, map[string]any) (string, error) {
			calls.Add(1)
			return toolText, nil
		})
	if err != nil {
		return nil, err
	}
	m := &adkModel{turns: s.turns, ids: s.ids()}
	bot, err := llmagent.New(llmagent.Config{Name: "bot", Model: m, Tools: []tool.Tool{look}})
	if err != nil {
		return nil, err
	}
	chat := &adkSession{}
	for i, text := range s.said() {
		chat.history = append(chat.history, adkEvent(i, text))
	}
	r, err := runner.New(runner.Config{AppName: chat.AppName(), Agent: bot, SessionService: adkSessions{chat}})
	if err != nil {
		return nil, err
	}
	cfg := agent.RunConfig{}
	if streamed {
		cfg.StreamingMode = agent.StreamingModeSSE
	}
	return func(ctx context.Context) error {
		m.turn = 0
		calls.Store(0)
		chat.begin()
		text := ""
		for e, err := range r.Run(ctx, chat.UserID(), chat.ID(), genai.NewContentFromText(question, genai.RoleUser), cfg) {
			if err != nil {
				return err
			}
			if e.Content != nil && !e.Partial && len(e.Content.Parts) > 0 && e.Content.Parts[0].Text != "" {
				text = e.Content.Parts[0].Text
			}
		}
		return s.ended(text, int(calls.Load()))
	}, nil
}

// adkEvent is what was said before.
func adkEvent(i int, text string) *session.Event {
	e := &session.Event{ID: callID(i), InvocationID: "before", Author: "user"}
	role := genai.Role(genai.RoleUser)
	if i%2 == 1 {
		e.Author, role = "bot", genai.RoleModel
	}
	e.Content = genai.NewContentFromText(text, role)
	return e
}
