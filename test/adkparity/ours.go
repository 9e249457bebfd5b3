package adkparity

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Trace is the sequence of events of a run of ours.
type Trace []workflow.Event

// RunOurs runs a graph on our engine, with a journal in memory. The limits of env are set to what no graph reaches.
func RunOurs(ctx context.Context, g *Graph, input any, schedule Schedule, env workflow.Env) (Outcome, Trace) {
	b := &ourBuilder{script: newScript(schedule), branches: map[string]string{}}
	w, err := b.build(rootName, g)
	if err != nil {
		return Outcome{Class: Refused, Err: err}, nil
	}
	env.Limits = workflow.Limits{MaxSteps: 1 << 20, MaxVisits: 1 << 20}
	store := memory.New()
	o, trace := &b.script.outcome, Trace{}
	watch := func(events iter.Seq2[workflow.Event, error]) {
		told, err := b.watch(g, events)
		trace, o.Err = append(trace, told...), err
	}
	watch(w.Run(ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: input, Env: env}))
	for _, turn := range g.Turns {
		var answers []workflow.Answer
		for id, value := range b.script.answers(turn) {
			answers = append(answers, workflow.Answer{ID: id, Value: value})
		}
		if len(answers) > 0 && o.Err == nil {
			watch(w.Resume(ctx, workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Answers: answers, Env: env}))
		}
	}
	o.Class = classifyOurs(ctx, o.Err)
	if o.Class == Completed && trace[len(trace)-1].Kind == workflow.RunWaiting {
		o.Class = Waiting
	}
	fold, err := journal.Load(context.WithoutCancel(ctx), store, "s")
	if err != nil {
		o.Class, o.Err = Other, err
		return *o, trace
	}
	o.State = fold.State
	return *o, trace
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
