package build

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// The modes of an LLM agent: a chat sees the session's transcript, a single turn its input alone.
const (
	singleTurnMode = "single_turn"
	chatMode       = "chat"
)

// llmAgent is an llm node or an LlmAgent as a node of the engine's graph. The agent of the SDK is made anew for each
// activation, because hooks and harness tools belong to the session that it runs in; schemas are compiled once.
type llmAgent struct {
	name      string
	at        string          // its path in the document
	config    agentkit.Config // without hooks and tools
	schemas   *schemaCache
	part      workflow.Part // that it is by itself; none of one that leads a conversation
	inline    bool          // an llm node, not an agent of the document
	tools     []toolSource
	hooks     hookLists
	view      session.View
	outputKey string
	exits     bool // it may call exit_loop
	manages   bool // it has agents as tools
	transfers bool // it may hand its conversation on
}

var _ workflow.Agent = (*llmAgent)(nil)

// llmNode makes an inline LLM agent.
func (b *builder) llmNode(at string, n *declarative.Node, body *declarative.LLM) workflow.Node {
	a := b.llmAgent(at, n.ID, body, n.OutputSchema, singleTurnMode)
	a.inline, a.part = true, part(at, "node", n.ID, body.Limits)
	cfg := b.nodeConfig(at, n)
	cfg.OutputSchema = nil // the agent checks it, so that the model can mend its answer
	return a.node(n.ID, cfg)
}

// node makes a node that runs the agent.
func (a *llmAgent) node(id string, cfg workflow.NodeConfig) workflow.Node {
	cfg.CheckEdit = a.checkEdit
	if a.manages {
		return workflow.NewManagingAgentNode(id, a, workflow.DynamicConfig{NodeConfig: cfg, MaxChildren: math.MaxInt})
	}
	return workflow.NewNamedAgentNode(id, a, cfg)
}

func (b *builder) llmAgent(
	at, name string, body *declarative.LLM, schema declarative.Schema, defaultMode string,
) *llmAgent {
	a := &llmAgent{
		name: name, at: at, part: part(at, "agent", name, body.Limits), outputKey: body.OutputKey, hooks: b.hooks(at, body), schemas: b.schemas,
		view: view(orDefault(body.Mode, defaultMode), body.IncludeContents),
		config: agentkit.Config{
			Name:              name,
			Model:             b.model(at, body.Model),
			GlobalInstruction: body.GlobalInstruction,
			Instruction:       body.Instruction,
			Generate:          core.Generate(body.Generate),
			Approval:          b.approvals(at, body.Approval),
			Retry:             b.opts.Retry,
			Schemas:           b.schemas,
			Limits:            agentkit.Limits{MaxTurns: b.maxTurns(body.Limits)},
		},
	}
	for i := range body.Tools {
		if src := b.toolSource(fmt.Sprintf("%s.tools[%d]", at, i), body.Tools[i]); src != nil {
			a.tools = append(a.tools, src)
		}
		a.exits = a.exits || body.Tools[i].Name == exitLoopName
		a.manages = a.manages || body.Tools[i].Agent != ""
	}
	if schema != nil {
		if b.validator(at+".output_schema", schema) != nil {
			a.config.OutputSchema, _ = journal.EncodeValue(schema) // it could be encoded to be compiled
		}
	}
	return a
}

func (b *builder) model(at, name string) core.Model {
	name = orDefault(name, "default")
	m, ok := b.opts.Models[name]
	if !ok {
		b.report(at+".model", diag.UnknownRef, fmt.Sprintf("%q is not a model that is configured here", name),
			unknownHint("models", name, b.opts.Models))
	}
	return m
}

func view(mode, includeContents string) session.View {
	switch {
	case mode != chatMode:
		return session.ViewInput
	case includeContents == "none":
		return session.ViewTurn
	default:
		return session.ViewSession
	}
}

// Name implements [workflow.Agent].
func (a *llmAgent) Name() string { return a.name }

// Run implements [workflow.Agent].
func (a *llmAgent) Run(ctx *workflow.Context, input any) (workflow.Result, error) {
	agent, err := a.agent(ctx, input)
	if err != nil {
		return workflow.Result{}, err
	}
	in, err := a.runInput(ctx, input)
	if err != nil {
		return workflow.Result{}, err
	}
	inside, leave := a.enter(ctx)
	defer leave()
	var result *agentkit.Result
	for e, err := range agent.Stream(inside, in) {
		if err != nil {
			return workflow.Result{}, a.ended(err)
		}
		switch e.Kind {
		case agentkit.EventText:
			ctx.Emit(workflow.Progress{Text: e.Text})
		case agentkit.EventEnd:
			result = e.Result
		case agentkit.EventThinking, agentkit.EventCall, agentkit.EventMessage, agentkit.EventTool, agentkit.EventNote:
			// Thoughts and half calls aren't shown; the others reach watchers as records of the journal.
		}
	}
	res, err := a.result(result)
	own := ctx.Session().Own
	if a.transfers {
		if to := transferredTo(own); to != "" {
			res, err = workflow.Result{Routes: []string{to}}, nil
		}
	}
	res.Escalate = a.exits && exitedLoop(own)
	return res, err
}

// enter makes the activation one of the part that the agent is.
func (a *llmAgent) enter(ctx *workflow.Context) (context.Context, func()) {
	part := a.part
	if a.inline {
		part.Node = ctx.Definition()
	}
	return ctx.Enter(part)
}

// agent makes the SDK's agent for one activation.
func (a *llmAgent) agent(ctx *workflow.Context, input any) (*agentkit.Agent, error) {
	cfg := a.config
	for _, source := range a.tools {
		tools, err := source(ctx)
		if err != nil {
			return nil, workflow.InField(toolError(ctx, err), a.at+".tools")
		}
		cfg.Tools = append(cfg.Tools, tools...)
	}
	if a.manages {
		for i, t := range cfg.Tools {
			if _, isAgent := t.(*agentTool); !isAgent {
				cfg.Tools[i] = busyTool{t, ctx}
			}
		}
	}
	cfg.Hooks = a.hooks.bind(ctx, input)
	return agentkit.New(cfg)
}

func (a *llmAgent) runInput(ctx *workflow.Context, input any) (agentkit.RunInput, error) {
	transcript := ctx.Session()
	said, err := history(transcript)
	if err != nil {
		return agentkit.RunInput{}, err
	}
	in := agentkit.RunInput{
		View:     a.view,
		Path:     ctx.Path(),
		Branch:   ctx.Branch(),
		Attempt:  ctx.Attempt(),
		Log:      turnLog{ctx},
		Key:      ctx.CallKey,
		Decision: decisions(ctx),
		Meters:   []agentkit.Meter{meter{ctx}},
		State:    ctx.State().Get,
		History:  said,
		Progress: progress(transcript),
	}
	if a.view == session.ViewInput {
		text, err := inputText(input)
		if err != nil {
			return in, err
		}
		in.Input = text
	}
	return in, nil
}

// history is the session's transcript without what the activation itself wrote. Activations of earlier runs have the same
// paths. The session of an isolated agent begins with what that is asked, as if a person had said it.
func history(t workflow.Transcript) ([]core.Message, error) {
	own := make(map[string]bool, len(t.Own))
	for _, m := range t.Own {
		own[m.ID] = true
	}
	var msgs []core.Message
	if asked, err := inputText(t.Request.Value()); err != nil {
		return nil, err
	} else if asked != "" {
		msgs = append(msgs, journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: asked}}})
	}
	for _, n := range t.Thread {
		if m, ok := n.Record.(journal.Msg); ok && !own[m.ID] {
			msgs = append(msgs, m)
		}
	}
	return msgs, nil
}

// progress is what earlier attempts and processes committed for the activation.
func progress(t workflow.Transcript) []journal.Record {
	recs := make([]journal.Record, 0, len(t.Own)+len(t.Calls))
	for _, m := range t.Own {
		recs = append(recs, m)
	}
	for _, c := range t.Calls {
		recs = append(recs, c.Call)
	}
	return recs
}

// inputText is a node's input as a model reads it: text as it is, anything else as JSON.
func inputText(input any) (string, error) {
	switch v := input.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	text, err := journal.EncodeValue(input)
	return string(text), err
}

// result turns what the agent came to into what the graph hands on.
func (a *llmAgent) result(r *agentkit.Result) (workflow.Result, error) {
	out := workflow.Result{Output: r.Text}
	if len(r.Output) > 0 {
		value, err := journal.DecodeValue(r.Output)
		if err != nil {
			return out, workflow.Errorf(workflow.CodeOutputSchema, "the answer: %w", err)
		}
		out.Output = value
	}
	if a.outputKey != "" {
		out.State = map[string]any{a.outputKey: out.Output}
	}
	return out, nil
}

// ended is why a run of the agent came to no result: it failed, or it waits for a person.
func (a *llmAgent) ended(err error) error {
	if asked, waits := errors.AsType[*agentkit.ApprovalError](err); waits {
		return a.requestApproval(asked)
	}
	return a.failure(err)
}

// failure gives an agent's failure its field, and the code that it names itself, if it does. A limit that was reached and a
// prompt that lacks a key would fail the next attempt, too.
func (a *llmAgent) failure(err error) error {
	err = workflow.InField(err, a.field(err))
	if code := core.CodeOf(err); code != "" {
		err = workflow.Errorf(workflow.Code(code), "%w", err)
	}
	if errors.As(err, new(*agentkit.LimitError)) || errors.As(err, new(*agentkit.PromptError)) {
		return workflow.Terminal(err)
	}
	return err
}

// turnLog commits an agent's turns to the journal of its run.
type turnLog struct{ ctx *workflow.Context }

var _ agentkit.Log = turnLog{}

// Commit implements [agentkit.Log]. Whether a write may still happen is the engine's to decide, so the context that
// the agent passes isn't looked at.
func (l turnLog) Commit(_ context.Context, recs ...journal.Record) error {
	return l.ctx.Commit(recs...)
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}
