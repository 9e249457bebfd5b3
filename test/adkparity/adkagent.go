package adkparity

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/agent/workflowagents/loopagent"
	"google.golang.org/adk/v2/agent/workflowagents/parallelagent"
	"google.golang.org/adk/v2/agent/workflowagents/sequentialagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/exitlooptool"
	"google.golang.org/adk/v2/tool/functiontool"
	adk "google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"
)

// agentNode makes a node of an agent.
func (b *adkBuilder) agentNode(g *Graph, name string, n Node) (adk.Node, error) {
	a, err := b.anAgent(g, name, n)
	if err != nil {
		return nil, err
	}
	if n.In == nil && n.Out == nil {
		return adk.NewAgentNode(a, adkConfig(n))
	}
	in, out, err := schemasOf(n)
	if err != nil {
		return nil, err
	}
	return adk.NewAgentNodeWithSchemas(a, in, out, adkConfig(n))
}

// anAgent makes an agent: of a model, or of agents.
func (b *adkBuilder) anAgent(g *Graph, name string, n Node) (agent.Agent, error) {
	if n.Team == "" {
		return b.llm(g, name, n)
	}
	cfg := agent.Config{Name: name}
	for _, member := range n.Members {
		a, err := b.anAgent(g, member, g.Nodes[member])
		if err != nil {
			return nil, err
		}
		cfg.SubAgents = append(cfg.SubAgents, a)
	}
	switch n.Team {
	case Parallel:
		return parallelagent.New(parallelagent.Config{AgentConfig: cfg})
	case Loop:
		return loopagent.New(loopagent.Config{AgentConfig: cfg, MaxIterations: uint(max(0, n.Laps))})
	default:
		return sequentialagent.New(sequentialagent.Config{AgentConfig: cfg})
	}
}

// llm makes an LLM agent.
func (b *adkBuilder) llm(g *Graph, name string, n Node) (agent.Agent, error) {
	cfg := llmagent.Config{
		Name: name, Model: &adkModel{name, *n.Agent, b.script}, Instruction: n.Agent.Instruction,
		GlobalInstruction: n.Agent.Global, OutputKey: n.Agent.Key,
	}
	if n.Agent.Chat {
		cfg.Mode = llmagent.ModeChat
	}
	if n.Agent.Task {
		cfg.Mode = llmagent.ModeTask
	}
	if n.Agent.Turn {
		cfg.IncludeContents = llmagent.IncludeContentsNone
	}
	if n.Agent.Schema != nil {
		cfg.OutputSchema = new(genai.Schema)
		if err := json.Unmarshal([]byte(jsonText(n.Agent.Schema)), cfg.OutputSchema); err != nil {
			return nil, err
		}
	}
	for _, name := range n.Agent.Tools {
		t, err := b.tool(g, name)
		if err != nil {
			return nil, err
		}
		cfg.Tools = append(cfg.Tools, t)
	}
	return llmagent.New(cfg)
}

// tool makes a tool of a graph.
func (b *adkBuilder) tool(g *Graph, name string) (tool.Tool, error) {
	if name == exitLoop {
		return exitlooptool.New()
	}
	t := g.Tools[name]
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(toolSchema), schema); err != nil {
		return nil, err
	}
	cfg := functiontool.Config{Name: name, Description: describe(name), InputSchema: schema}
	if t.Says != "" {
		return functiontool.New(cfg, func(ctx agent.Context, args map[string]any) (string, error) {
			_, err := b.script.use(ctx, name, t, args)
			return t.Says, err
		})
	}
	return functiontool.New(cfg,
		func(ctx agent.Context, args map[string]any) (map[string]any, error) {
			maps.Copy(ctx.Actions().StateDelta, t.State)
			return b.script.use(ctx, name, t, args)
		})
}

// adkModel answers from the script.
type adkModel struct {
	name   string
	agent  Agent
	script *script
}

func (m *adkModel) Name() string { return m.name }

func (m *adkModel) GenerateContent(ctx context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		reply, err := m.script.request(ctx, m.name, m.agent, adkPrompt(req))
		if err != nil {
			yield(nil, err)
			return
		}
		content := &genai.Content{Role: genai.RoleModel}
		if reply.Thinks != "" {
			content.Parts = append(content.Parts, &genai.Part{Text: reply.Thinks, Thought: true})
		}
		if reply.Text != "" {
			content.Parts = append(content.Parts, genai.NewPartFromText(reply.Text))
		}
		for _, c := range reply.Calls {
			content.Parts = append(content.Parts, genai.NewPartFromFunctionCall(c.Tool, maps.Clone(c.Args)))
		}
		yield(&model.LLMResponse{Content: content, TurnComplete: true}, nil)
	}
}

func adkPrompt(req *model.LLMRequest) Prompt {
	var p Prompt
	if system := req.Config.SystemInstruction; system != nil {
		for _, part := range system.Parts {
			p.System += part.Text
		}
	}
	for _, content := range req.Contents {
		p.Lines = append(p.Lines, adkLines(content)...)
	}
	for _, t := range req.Config.Tools {
		for _, d := range t.FunctionDeclarations {
			p.Tools = append(p.Tools, d.Name+": "+d.Description+" "+jsonText(plain(d.ParametersJsonSchema)))
		}
	}
	slices.Sort(p.Tools)
	if req.Config.ResponseSchema != nil {
		p.Schema = plain(req.Config.ResponseSchema)
	}
	return p
}

// adkLines writes the parts of a message.
func adkLines(content *genai.Content) []string {
	var lines []string
	for _, part := range content.Parts {
		switch {
		case part.FunctionCall != nil:
			lines = append(lines, called(part.FunctionCall.Name, part.FunctionCall.Args))
		case part.FunctionResponse != nil:
			r := part.FunctionResponse
			if why, ok := r.Response["error"].(string); ok {
				lines = append(lines, failed(r.Name, strings.TrimSpace(why)))
			} else {
				lines = append(lines, gave(r.Name, jsonText(plain(r.Response))))
			}
		case part.Thought:
			lines = append(lines, thought(part.Text))
		default:
			lines = append(lines, content.Role+": "+part.Text)
		}
	}
	return lines
}
