package adkparity

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"
)

var (
	_ core.Model = (*Watch)(nil)
	_ model.LLM  = adkWatch{}
)

// Name returns the name of the model.
func (w *Watch) Name() string { return w.Model.Name() }

// Stream notes the request and hands it on.
func (w *Watch) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	w.prompts = append(w.prompts, ourPrompt(req))
	return w.Model.Stream(ctx, req)
}

// For is the model as an agent of ADK has it.
func (w *Watch) For(agent string) model.LLM { return adkWatch{w, agent} }

// adkWatch asks a model of ours on behalf of an agent of ADK.
type adkWatch struct {
	watch *Watch
	agent string
}

func (w adkWatch) Name() string { return w.watch.Name() }

func (w adkWatch) GenerateContent(ctx context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		w.watch.prompts = append(w.watch.prompts, adkPrompt(req))
		var c core.Collector
		for d, err := range w.watch.Model.Stream(ctx, w.request(req)) {
			if err == nil {
				err = c.Add(d)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		answer, err := c.Answer()
		if err != nil {
			yield(nil, err)
			return
		}
		content, err := contentOf(answer)
		yield(&model.LLMResponse{Content: content, TurnComplete: true}, err)
	}
}

// contentOf is an answer as ADK has it.
func contentOf(answer core.Answer) (*genai.Content, error) {
	content := &genai.Content{Role: genai.RoleModel}
	for _, part := range answer.Parts {
		switch part := part.(type) {
		case core.Text:
			content.Parts = append(content.Parts, genai.NewPartFromText(part.Text))
		case core.ToolCall:
			var args map[string]any
			if err := json.Unmarshal([]byte(part.Args), &args); err != nil {
				return nil, err
			}
			content.Parts = append(content.Parts, genai.NewPartFromFunctionCall(part.Name, args))
		}
	}
	return content, nil
}

// request is a request of ADK as ours has it, as far as scripts look at it.
func (w adkWatch) request(req *model.LLMRequest) *core.Request {
	out := &core.Request{Agent: w.agent, Turn: 1, System: adkPrompt(req).System}
	for _, content := range req.Contents {
		m := core.Message{Role: core.RoleUser, Author: "user"}
		if content.Role == genai.RoleModel {
			m.Role, m.Author = core.RoleModel, w.agent
			out.Turn++
		}
		for i, part := range content.Parts {
			switch {
			case part.FunctionCall != nil:
				m.Parts = append(m.Parts, core.ToolCall{ID: fmt.Sprint(i), Name: part.FunctionCall.Name, Args: jsonText(part.FunctionCall.Args)})
			case part.FunctionResponse != nil:
				result := core.ToolResult{ID: fmt.Sprint(i), Name: part.FunctionResponse.Name, Text: jsonText(part.FunctionResponse.Response)}
				out.Messages = append(out.Messages, core.Message{Role: core.RoleTool, Author: w.agent, Parts: []core.Part{result}})
			default:
				m.Parts = append(m.Parts, core.Text{Text: part.Text})
			}
		}
		if len(m.Parts) > 0 {
			out.Messages = append(out.Messages, m)
		}
	}
	return out
}
