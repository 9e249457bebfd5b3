package adkparity

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// ourModel answers from the script.
type ourModel struct {
	name   string
	agent  Agent
	script *script
}

var _ core.Model = (*ourModel)(nil)

func (m *ourModel) Name() string { return m.name }

func (m *ourModel) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		reply, err := m.script.request(ctx, m.name, m.agent, ourPrompt(req))
		if err != nil {
			yield(core.Delta{}, err)
			return
		}
		if reply.Thinks != "" && !yield(core.Delta{Kind: core.ThinkingDelta, Text: reply.Thinks}, nil) {
			return
		}
		if reply.Text != "" && !yield(core.Delta{Kind: core.TextDelta, Text: reply.Text}, nil) {
			return
		}
		stop := core.StopEnd
		for i, c := range reply.Calls {
			stop = core.StopToolUse
			id := fmt.Sprintf("c%d.%d", req.Turn, i)
			if !yield(core.Delta{Kind: core.CallStart, Index: i, ID: id, Name: c.Tool}, nil) ||
				!yield(core.Delta{Kind: core.CallDelta, Index: i, Text: jsonText(c.Args)}, nil) {
				return
			}
		}
		yield(core.Delta{Kind: core.Done, Stop: stop, Usage: core.Usage{Input: 1, Output: 1}}, nil)
	}
}

func ourPrompt(req *core.Request) Prompt {
	p := Prompt{System: req.System}
	for _, m := range req.Messages {
		p.Lines = append(p.Lines, ourLines(m)...)
	}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, t.Name+": "+t.Description+" "+jsonText(plain(t.InputSchema)))
	}
	slices.Sort(p.Tools)
	if len(req.OutputSchema) > 0 {
		p.Schema = plain(req.OutputSchema)
	}
	return p
}

// ourLines writes the parts of a message.
func ourLines(m core.Message) []string {
	var lines []string
	for _, part := range m.Parts {
		switch part := part.(type) {
		case core.ToolCall:
			lines = append(lines, called(part.Name, json.RawMessage(part.Args)))
		case core.ToolResult:
			if part.Error {
				lines = append(lines, failed(part.Name, part.Text))
			} else {
				lines = append(lines, gave(part.Name, part.Text))
			}
		case core.Thinking:
			lines = append(lines, thought(part.Text))
		case core.Text:
			lines = append(lines, fmt.Sprintf("%s: %s", m.Role, part.Text))
		}
	}
	return lines
}

// ourTool is a tool of a graph.
type ourTool struct {
	name   string
	tool   Tool
	script *script
}

var _ core.Tool = (*ourTool)(nil)

func (t *ourTool) Spec() core.Spec {
	return core.Spec{Name: t.name, Description: describe(t.name), InputSchema: json.RawMessage(toolSchema)}
}

func (t *ourTool) Run(ctx context.Context, call core.Call) (core.Result, error) {
	var args map[string]any
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return core.Result{}, err
	}
	result, err := t.script.use(ctx, t.name, t.tool, args)
	if err != nil {
		return core.Result{}, err
	}
	if t.tool.Says != "" {
		return core.TextResult(t.tool.Says), nil
	}
	text := jsonText(result)
	return core.Result{Text: text, Structured: json.RawMessage(text), Set: t.tool.State}, nil
}
