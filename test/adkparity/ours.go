package adkparity

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Trace is the sequence of events of a run of ours.
type Trace []workflow.Event

// RunOurs runs a graph on our engine, with a journal in memory. The limits of env are set to what no graph reaches.
// Agents are made by documents alone, see [RunDocument].
func RunOurs(ctx context.Context, g *Graph, input any, schedule Schedule, env workflow.Env) (Outcome, Trace) {
	b := newOurs(schedule)
	w, err := b.build(rootName, g)
	return b.run(ctx, g, w, err, input, env)
}

// RunDocument does the same with the graph as a document that is loaded, validated and built.
func RunDocument(ctx context.Context, g *Graph, input string, schedule Schedule, env workflow.Env) (Outcome, Trace) {
	b := newOurs(schedule)
	w, err := b.document(g)
	return b.run(ctx, g, w, err, input, env)
}

func (b *ourBuilder) run(
	ctx context.Context, g *Graph, w *workflow.Workflow, err error, input any, env workflow.Env,
) (Outcome, Trace) {
	if err != nil {
		return Outcome{Class: Refused, Err: err}, nil
	}
	env.Limits = workflow.Limits{MaxSteps: 1 << 20, MaxVisits: 1 << 20}
	store := memory.New()
	inner, cancel := g.caller(ctx)
	defer cancel()
	o, trace := &b.script.outcome, b.converse(inner, g, w, store, input, env)
	o.Class = classifyOurs(ctx, o.Err)
	if class, ended := g.ended(o.Err); ended {
		o.Class = class
	}
	if o.Class == Completed && trace[len(trace)-1].Kind == workflow.RunWaiting {
		o.Class = Waiting
	}
	if o.Class != Completed {
		o.Output = nil
	}
	fold, err := journal.Load(context.WithoutCancel(ctx), store, sessionID)
	if err != nil {
		o.Class, o.Err = Other, err
		return *o, trace
	}
	o.State = fold.State
	return *o, trace
}

const sessionID = "s"

// converse begins a run, answers its questions, and begins one more for each further message.
func (b *ourBuilder) converse(
	ctx context.Context, g *Graph, w *workflow.Workflow, store journal.Store, input any, env workflow.Env,
) (trace Trace) {
	o := &b.script.outcome
	watch := func(events iter.Seq2[workflow.Event, error]) {
		told, err := b.watch(g, events)
		trace, o.Err = append(trace, told...), err
	}
	req := workflow.RunRequest{Store: store, Session: sessionID, Run: "r", Input: input, State: g.State, Env: env}
	watch(w.Run(ctx, spoken(req)))
	for _, turn := range g.Turns {
		var answers []workflow.Answer
		for id, value := range b.script.answers(turn) {
			answers = append(answers, workflow.Answer{ID: id, Value: value})
		}
		if len(answers) > 0 && o.Err == nil {
			watch(w.Resume(ctx, workflow.ResumeRequest{Store: store, Session: sessionID, Run: "r", Answers: answers, Env: env}))
		}
	}
	for i, text := range g.Talk {
		req.Run, req.Input = fmt.Sprint("r", i), text
		o.Output = nil
		watch(w.Run(ctx, spoken(req)))
	}
	return trace
}

// spoken puts the input as a message of the user in the session.
func spoken(req workflow.RunRequest) workflow.RunRequest {
	if text, ok := req.Input.(string); ok {
		req.Message = &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: text}}}
	}
	return req
}

// watch reads what a run tells. A panic of the engine is an error.
func (b *ourBuilder) watch(g *Graph, events iter.Seq2[workflow.Event, error]) (trace Trace, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errEngine, r)
		}
	}()
	for e, failure := range events {
		if failure != nil {
			err = failure
			continue
		}
		b.read(g, e)
		trace = append(trace, e)
		if g.Leave != "" && slices.Contains(b.script.outcome.Seen, g.Leave) {
			break
		}
	}
	return trace, err
}

func classifyOurs(ctx context.Context, err error) Class {
	failure, _ := errors.AsType[*workflow.RunError](err)
	panicked, _ := errors.AsType[*workflow.PanicError](err)
	switch {
	case err == nil:
		return Completed
	case ctx.Err() != nil:
		return Hung
	case errors.Is(err, errEngine):
		return Crashed
	case panicked != nil:
		return Panicked
	case failure == nil:
		return Other
	case failure.Code == workflow.CodeTimeout:
		return TimedOut
	case failure.Code == workflow.CodeAnswer:
		return BadAnswer
	case failure.Code == workflow.CodeInputSchema:
		return BadInput
	case failure.Code == workflow.CodeOutputSchema:
		return BadOutput
	case failure.Code == "prompt":
		return BadPrompt
	case failure.Code == workflow.CodeReservedRoute:
		return BadRoute
	case errors.Is(err, errBroken), errors.Is(err, context.Canceled):
		return Failed
	}
	return Other
}

// read notes what an event tells of the outermost graph.
func (b *ourBuilder) read(g *Graph, e workflow.Event) {
	o := &b.script.outcome
	o.Events++
	switch e.Kind {
	case workflow.RunCompleted:
		o.Output = e.Output
	case workflow.NoteTaken:
		if note, ok := e.Record.(journal.Note); ok {
			o.Notes = append(o.Notes, note.Code)
		}
	case workflow.MessageAdded:
		if m, ok := e.Record.(journal.Msg); ok && m.Author != b.root {
			b.script.says(m.Author, m.Branch, ourLines(m))
		}
	case workflow.NodeStarted:
		if start, ok := e.Record.(journal.Start); ok {
			b.branches[e.Path] = start.Branch
		}
	case workflow.NodeWaiting:
		if wait, ok := e.Record.(journal.Wait); ok {
			for _, ask := range wait.Asks {
				b.script.ask(e.Node, ask.ID)
			}
		}
	case workflow.NodeCompleted:
		if e.Output != nil {
			o.Paths = append(o.Paths, e.Path)
			if node, is := top(e.Path); is {
				o.Gave = append(o.Gave, node+" gives "+jsonText(plain(e.Output)))
			}
		}
		if strings.Contains(e.Path, "/") || e.Output == nil {
			return
		}
		if n := g.Nodes[e.Node]; isJoin(e.Node) || n.isComposite() {
			o.Fired[e.Node+" gives "+jsonText(e.Output)]++
			b.script.stands(e.Node, b.branches[e.Path])
			return
		}
		o.Seen = append(o.Seen, e.Node)
	default: // has no counterpart on ADK
	}
}
