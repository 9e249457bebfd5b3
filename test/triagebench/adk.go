package main

import (
	"context"
	"iter"
	"regexp"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	adk "google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"
)

// The patterns of the example's expressions. They are never written to.
var (
	aboutMoney = regexp.MustCompile(`\b(invoice|refund|charged)\b`)
	answers    = regexp.MustCompile(`^answers/[a-z0-9-]+[.]json$`)
)

type lookupArgs struct {
	Query string `json:"query"`
}

type writeArgs struct {
	Path string `json:"path"`
}

type customer struct {
	Output struct {
		Plan string `json:"plan"`
	} `json:"output"`
}

// onADK builds the graph by hand. Each run has a session of its own in ADK's memory.
func onADK(m message) (answering, error) {
	scripted := &adkModel{}
	edges, err := adkEdges(scripted)
	if err != nil {
		return nil, err
	}
	triage, err := workflowagent.New(workflowagent.Config{Name: "triage", Edges: edges})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		scripted.asked = false
		r, err := runner.New(runner.Config{AppName: "bench", Agent: triage, SessionService: session.InMemoryService(), AutoCreateSession: true})
		if err != nil {
			return "", err
		}
		answer := ""
		for e, err := range r.Run(ctx, "user", "session", genai.NewContentFromText(m.text, genai.RoleUser), agent.RunConfig{}) {
			if err != nil {
				return "", err
			}
			answer = textOf(e, answer)
		}
		return answer, nil
	}, nil
}

// textOf is the text that an event gives; what was known before when it gives none.
func textOf(e *session.Event, before string) string {
	if text, ok := e.Output.(string); ok && text != "" {
		return text
	}
	if e.Content != nil && len(e.Content.Parts) > 0 && e.Content.Parts[0].Text != "" {
		return e.Content.Parts[0].Text
	}
	return before
}

func adkEdges(scripted *adkModel) ([]adk.Edge, error) {
	lookup, err := functiontool.New(functiontool.Config{Name: lookupName, Description: "Does what its name says."},
		func(agent.Context, lookupArgs) (customer, error) {
			var c customer
			c.Output.Plan = plan
			return c, nil
		})
	if err != nil {
		return nil, err
	}
	write, err := functiontool.New(functiontool.Config{Name: writeName, Description: "Does what its name says."},
		func(agent.Context, writeArgs) (string, error) { return "", nil })
	if err != nil {
		return nil, err
	}
	lookupNode, err := adk.NewNamedToolNode("lookup", lookup, adk.NodeConfig{})
	if err != nil {
		return nil, err
	}
	answer, err := answerNode(scripted, lookup, write)
	if err != nil {
		return nil, err
	}
	classify := adk.NewFunctionNode("classify", classifyADK, adk.NodeConfig{})
	reply := adk.NewFunctionNode("reply", func(_ agent.Context, in map[string]any) (string, error) {
		output, _ := in["output"].(map[string]any)
		plan, _ := output["plan"].(string)
		return "Plan: " + plan, nil
	}, adk.NodeConfig{})
	fallback := adk.NewFunctionNode("fallback", func(agent.Context, any) (string, error) { return "Please rephrase.", nil },
		adk.NodeConfig{})
	return []adk.Edge{
		{From: adk.Start, To: classify},
		{From: classify, To: lookupNode, Route: adk.StringRoute("BILLING")},
		{From: lookupNode, To: reply},
		{From: classify, To: answer, Route: adk.StringRoute("QUESTION")},
		{From: classify, To: fallback, Route: adk.Default},
	}, nil
}

// classifyADK gives the route, and what the node behind it takes: arguments, or the text.
func classifyADK(ctx agent.Context, _ any) (*session.Event, error) {
	mail := ctx.UserContent().Parts[0].Text
	text := strings.ToLower(mail)
	e := session.NewEvent(ctx, ctx.InvocationID())
	switch {
	case aboutMoney.MatchString(text):
		e.Output, e.Routes = map[string]any{"query": mail}, []string{"BILLING"}
	case strings.HasSuffix(text, "?"):
		e.Output, e.Routes = mail, []string{"QUESTION"}
	default:
		e.Output = mail
	}
	return e, nil
}

func answerNode(scripted *adkModel, tools ...tool.Tool) (adk.Node, error) {
	a, err := llmagent.New(llmagent.Config{Name: "answer", Model: scripted, Instruction: prompt, Tools: tools,
		BeforeToolCallbacks: []llmagent.BeforeToolCallback{guard}})
	if err != nil {
		return nil, err
	}
	return adk.NewAgentNode(a, adk.NodeConfig{})
}

// guard is the rule of before_tool.
func guard(_ agent.Context, t tool.Tool, args map[string]any) (map[string]any, error) {
	if path, _ := args["path"].(string); t.Name() == writeName && !answers.MatchString(path) {
		return map[string]any{"error": "Answers are kept as answers/NAME.json; choose such a path."}, nil
	}
	return nil, nil //nolint:nilnil // this is how the interface says that the call may be made
}

// adkModel calls the tool, and then answers.
type adkModel struct{ asked bool }

func (*adkModel) Name() string { return "scripted" }

func (m *adkModel) GenerateContent(context.Context, *model.LLMRequest, bool) iter.Seq2[*model.LLMResponse, error] {
	content := genai.NewContentFromText(said, genai.RoleModel)
	if !m.asked {
		content = &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{
			ID: callID, Name: lookupName, Args: map[string]any{"query": who}}}}}
	}
	m.asked = true
	return func(yield func(*model.LLMResponse, error) bool) {
		yield(&model.LLMResponse{Content: content, FinishReason: genai.FinishReasonStop,
			UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 100, CandidatesTokenCount: 20}}, nil)
	}
}
