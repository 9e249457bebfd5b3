package adkparity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	adk "google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"
)

// rootName is the name of the outermost workflow, on both sides.
const rootName = "wf"

// RunADK runs a graph on ADK, below its runner and with a session in memory. The input is a text because a turn's is.
func RunADK(ctx context.Context, g *Graph, input string, schedule Schedule) Outcome {
	b := &adkBuilder{newScript(schedule)}
	a, err := b.agent(g)
	if err != nil {
		return Outcome{Class: Refused, Err: err}
	}
	o := &b.script.outcome
	sessions := session.InMemoryService()
	inner, cancel := g.caller(ctx)
	defer cancel()
	o.Class, o.Err = classifyADK(ctx, b.converse(inner, g, a, sessions, input))
	if class, ended := g.ended(o.Err); ended {
		o.Class = class
	}
	if o.Class == Completed && b.script.waits() {
		o.Class = Waiting
	}
	stored, err := sessions.Get(context.WithoutCancel(ctx), &session.GetRequest{AppName: "app", UserID: "user", SessionID: "s"})
	if err != nil {
		o.Class, o.Err = Other, err
		return *o
	}
	o.State = maps.Collect(stored.Session.State().All())
	if o.Class != Completed {
		o.Output = nil
	}
	return *o
}

// agent makes an agent of a graph. ADK's own takes no cap.
func (b *adkBuilder) agent(g *Graph) (agent.Agent, error) {
	edges, err := b.edges(g)
	if err != nil {
		return nil, err
	}
	if g.Cap == 0 {
		return workflowagent.New(workflowagent.Config{Name: rootName, Edges: edges})
	}
	w, err := adk.New(rootName, edges, adk.WithMaxConcurrency(g.Cap))
	if err != nil {
		return nil, err
	}
	return agent.New(agent.Config{Name: rootName, Run: w.Run})
}

// converse begins a run and answers its questions. A panic of the engine is an error.
func (b *adkBuilder) converse(ctx context.Context, g *Graph, a agent.Agent, sessions session.Service, input string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errEngine, r)
		}
	}()
	r, err := runner.New(runner.Config{AppName: "app", Agent: a, SessionService: sessions, AutoCreateSession: true})
	if err != nil {
		return err
	}
	if g.State != nil {
		if _, err := sessions.Create(ctx, &session.CreateRequest{AppName: "app", UserID: "user", SessionID: "s", State: maps.Clone(g.State)}); err != nil {
			return err
		}
	}
	err = b.turn(ctx, g, r, genai.NewContentFromText(input, genai.RoleUser))
	for _, turn := range g.Turns {
		message := &genai.Content{Role: genai.RoleUser}
		for id, value := range b.script.answers(turn) {
			message.Parts = append(message.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{
				ID: id, Name: adk.WorkflowInputFunctionCallName, Response: map[string]any{"payload": value},
			}})
		}
		if len(message.Parts) > 0 && err == nil {
			err = b.turn(ctx, g, r, message)
		}
	}
	for _, text := range g.Talk {
		b.script.outcome.Output = nil
		err = b.turn(ctx, g, r, genai.NewContentFromText(text, genai.RoleUser))
	}
	if err == nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// turn sends a message and reads what comes of it.
func (b *adkBuilder) turn(ctx context.Context, g *Graph, r *runner.Runner, message *genai.Content) (err error) {
	for ev, failure := range r.Run(ctx, "user", "s", message, agent.RunConfig{}) {
		if failure != nil {
			err = failure
			continue
		}
		b.read(g, ev)
		if g.Leave != "" && slices.Contains(b.script.outcome.Seen, g.Leave) {
			break
		}
	}
	return err
}

var errEngine = errors.New("the engine panicked")

func classifyADK(ctx context.Context, err error) (Class, error) {
	child, _ := errors.AsType[*adk.NodeRunError](err)
	switch {
	case err == nil:
		return Completed, nil
	case ctx.Err() != nil:
		return Hung, err
	case errors.Is(err, errEngine):
		return Crashed, err
	case errors.Is(err, errBroken), child != nil && strings.Contains(err.Error(), errBroken.Error()): // it hides its cause
		return Failed, err
	case errors.Is(err, adk.ErrMultipleTerminalOutputs), errors.Is(err, adk.ErrMultipleOutputs):
		return SeveralOutputs, err
	case errors.Is(err, context.DeadlineExceeded):
		return TimedOut, err
	case strings.Contains(err.Error(), "panicked: "):
		return Panicked, err
	case errors.Is(err, adk.ErrInputValidation), adkBadInput.MatchString(err.Error()):
		return BadInput, err
	case errors.Is(err, adk.ErrInvalidResumeResponse), errors.Is(err, adk.ErrNothingToResume):
		return BadAnswer, err
	case strings.Contains(err.Error(), "inject session state"):
		return BadPrompt, err
	case strings.Contains(err.Error(), "output validation failed"):
		return BadOutput, err
	}
	return Other, err
}

// adkBadInput is what ADK says of inputs that it doesn't take.
var adkBadInput = regexp.MustCompile(`expects a slice input|unexpected args type|execution failed: validating `)

// read notes what an event tells of the outermost graph.
func (b *adkBuilder) read(g *Graph, ev *session.Event) {
	o := &b.script.outcome
	o.Events++
	if ev.NodeInfo != nil && ev.Output != nil {
		o.Paths = append(o.Paths, ev.NodeInfo.Path)
	}
	if ev.Content != nil && ev.Author != rootName {
		b.script.says(ev.Author, ev.Branch, adkLines(ev.Content))
	}
	if ev.NodeInfo == nil {
		return
	}
	value := ev.Output
	if ev.NodeInfo.MessageAsOutput && ev.Content != nil {
		value = spokenOutput(ev.Content)
	}
	if value == nil {
		return
	}
	if node, is := top(ev.NodeInfo.Path); is {
		o.Gave = append(o.Gave, node+" gives "+jsonText(plain(value)))
	}
	// After a pause the paths lack the name of the workflow, and nothing is marked as its output.
	name := strings.TrimSuffix(strings.TrimPrefix(ev.NodeInfo.Path, rootName+"@1/"), "@1")
	resumed := name+"@1" == ev.NodeInfo.Path && slices.Contains(g.names(), name) && g.isTerminal(name)
	if resumed || slices.Contains(ev.NodeInfo.OutputFor, rootName+"@1") {
		o.Output = value
	}
	if strings.Contains(name, "/") {
		return
	}
	if n := g.Nodes[name]; isJoin(name) || n.isComposite() {
		o.Fired[name+" gives "+jsonText(value)]++
		b.script.stands(name, ev.Branch)
		return
	}
	o.Seen = append(o.Seen, name)
}

// spokenOutput is the output of an agent, which its watchers have to read off the message.
func spokenOutput(content *genai.Content) any {
	var text strings.Builder
	for _, part := range content.Parts {
		if !part.Thought {
			text.WriteString(part.Text)
		}
	}
	var value map[string]any
	if json.Unmarshal([]byte(text.String()), &value) == nil {
		return value
	}
	return text.String()
}
