package agentkit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

// RunInput is one run of an agent. The zero value is a run without input, history or log.
type RunInput struct {
	// Input is what the agent is asked. With [session.ViewInput], the default, it is the first message of the prompt;
	// it isn't committed, because whoever starts the run has it. Empty means none: a chat's question is in History.
	Input string

	// History is the session's transcript as this run's branch sees it, oldest message first and without what Progress
	// has. View says how much of it is shown.
	History []core.Message
	View    session.View

	// Path and Branch are set on every record of this run. Attempt counts the attempts of the activation from 1; 0
	// means 1.
	Path    string
	Branch  string
	Attempt int

	// Progress is what earlier attempts and processes committed for this activation, in the order of the log: its
	// messages and the intents of its calls. Intents that have a result may be left out, and the others may stand behind
	// all messages. The run goes on behind it.
	Progress []journal.Record

	// Log makes turns durable; without one they are not.
	Log Log

	// Key gives the idempotency key of a call; nil means no keys. It must give the same key whenever it is asked.
	Key func(callID string) string

	// Decision looks up what a person decided about a call that an earlier run asked about, see [ApprovalError]; nil means
	// that nothing was decided.
	Decision func(callID string) (CallDecision, bool)

	// State and Artifact look up what placeholders stand for. What the tools of this run write is seen before State is.
	State    func(key string) (any, bool)
	Artifact func(name string) (string, bool)

	// Meters bound the model calls.
	Meters []Meter

	// Started is when the run began, by the clock Now; zero means now. What bounds the time of a run counts from there: a
	// caller that gives the same time after a restart counts the time between the processes and the waiting for persons,
	// too; one that gives none counts from the restart. Now is nil for time.Now.
	Started time.Time
	Now     func() time.Time

	// Control reaches the run while it is under way; nil means that nobody does.
	Control *Control

	// Blobs keeps the images that tools return. Without it they are left out, and the model is told so.
	Blobs journal.Blobs
}

// Result is the outcome of a run that succeeded.
type Result struct {
	// Text is the text of the last answer.
	Text string

	// Output is the answer as JSON when the agent has an output schema and the model gave the answer; else it is empty.
	Output []byte

	// Stop is why the run ended: the model's reason for its last answer, [core.StopRejected] when a hook answered, or
	// [core.StopEndRun] when the tools asked for the end, or [core.StopPolicy].
	Stop core.StopReason

	// Why is the reason that the stop policy gave; empty when the run ended by itself.
	Why string

	// Set and Delete are what the tools of this activation wrote to the state and removed, over all its turns. They are
	// part of the messages that were committed.
	Set    map[string]any
	Delete []string

	// Usage is the sum over the turns and what their tools consumed, and Turns their number, those of earlier attempts
	// included.
	Usage core.Usage
	Turns int

	// Saved is what the answers had consumed that were taken from a cache of answers, see [CachedAnswers]. It isn't part of
	// Usage, and counts since the run was last taken up.
	Saved core.Usage
}

// Run runs the agent to its end and leaves the events out.
func (a *Agent) Run(ctx context.Context, in RunInput) (*Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return newRun(a, in, cancel).work(ctx)
}

// Stream runs the agent on the goroutine that ranges over the events. The last pair is either an event of kind
// [EventEnd] or an error. A consumer that stops early stops the run: running tools see their context cancelled, what
// they completed is committed, and when the range statement is left nothing of the run is active any more. A later run
// may take it up again. When ctx is done the error wraps its cause.
func (a *Agent) Stream(ctx context.Context, in RunInput) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		r := newRun(a, in, cancel)
		r.yield = yield
		res, err := r.work(ctx)
		switch {
		case r.left:
		case err != nil:
			yield(Event{}, err)
		default:
			yield(Event{Kind: EventEnd, Turn: r.turn, Result: res}, nil)
		}
	}
}

// work runs the agent to its end, where its control reaches it.
func (r *run) work(ctx context.Context) (*Result, error) {
	err := r.in.Control.attach(r.cancel)
	if err == nil {
		defer r.in.Control.end()
		var res *Result
		if res, err = r.audited(ctx); err == nil {
			return res, nil
		}
	}
	return nil, fmt.Errorf("agent %s: %w", r.cfg.Name, err)
}

// errLeft is the cause of the cancellation when the consumer stopped early. Tools may see it.
var errLeft = errors.New("the consumer of the run's events stopped early")

// run is the state of one run. Everything in it belongs to the goroutine of the loop.
type run struct {
	*Agent
	in     RunInput
	log    Log
	cancel context.CancelCauseFunc
	yield  func(Event, error) bool // nil: nobody hears the events
	left   bool                    // the consumer stopped

	msgs      []core.Message     // what the last request showed,
	unseen    []core.Message     // and what the next one shows behind it
	answering core.Collector     // what the model is writing,
	writing   map[int]*core.Call // and its calls, by their index, as the consumer is told of them
	open      *openTurn          // the turn whose calls are being answered; nil between turns
	turn      int                // turns that are done
	told      bool               // the model was told that its answer doesn't fit the output schema
	warned    []string           // what the provider remarked: each turn gives rise to the same
	usage     core.Usage
	saved     core.Usage
	delta     delta
}

func newRun(a *Agent, in RunInput, cancel context.CancelCauseFunc) *run {
	r := &run{Agent: a, in: in, log: in.Log, cancel: cancel}
	if r.log == nil {
		r.log = discard{}
	}
	if in.Attempt == 0 {
		r.in.Attempt = 1
	}
	if in.Now == nil {
		r.in.Now = time.Now
	}
	if in.Started.IsZero() {
		r.in.Started = r.in.Now()
	}
	if in.View == "" {
		r.in.View = session.ViewInput
	}
	return r
}

// loop settles what an earlier process left open, and takes turns until one of them ends the run, and nobody wants more.
func (r *run) loop(ctx context.Context) (*Result, error) {
	res, err := r.resume(ctx)
	for err == nil && (res == nil || res.Stop != core.StopPolicy) {
		var more bool
		if more, err = r.listen(ctx, res != nil); err != nil || res != nil && !more {
			break
		}
		res, err = r.takeTurn(ctx)
	}
	switch cause := context.Cause(ctx); {
	case err == nil:
		return res, nil
	case cause == nil:
		return nil, err
	case errors.Is(cause, ErrAborted):
		return nil, r.abort(ctx)
	default:
		return nil, cause
	}
}

// commit stores the records, takes their messages into account and tells the consumer.
func (r *run) commit(ctx context.Context, recs []journal.Record) error {
	if err := r.log.Commit(ctx, recs...); err != nil {
		return err
	}
	for _, rec := range recs {
		if msg, ok := rec.(journal.Msg); ok {
			r.account(msg)
		}
		if r.yield != nil {
			r.tell(rec)
		}
	}
	return nil
}

// tell tells the consumer of a record that was committed.
func (r *run) tell(rec journal.Record) {
	switch rec := rec.(type) {
	case journal.Msg:
		r.emit(Event{Kind: EventMessage, Message: &rec})
	case journal.Note:
		r.emit(Event{Kind: EventNote, Note: &rec})
	}
}

// emit tells the consumer of an event, if there is one.
func (r *run) emit(e Event) {
	if r.yield == nil || r.left {
		return
	}
	e.Turn = r.turn + 1
	if !r.yield(e, nil) {
		r.left = true
		r.cancel(errLeft)
	}
}

// account adds what a committed message brought.
func (r *run) account(m core.Message) {
	if m.Usage != nil {
		r.usage = r.usage.Add(*m.Usage)
	}
	r.delta.apply(m.Set, m.Delete)
}

// show has the next request show messages behind those of the last one.
func (r *run) show(msgs ...core.Message) {
	if len(r.unseen) == 0 {
		r.unseen = slices.Clip(msgs)
		return
	}
	r.unseen = append(r.unseen, msgs...)
}

// prompt is what there is to show. What was shown before is mended already, but a message of a person changes what may be
// said again of the turns before it, see [session.Repair].
func (r *run) prompt() []core.Message {
	msgs := r.unseen
	r.unseen = nil
	if len(r.msgs) > 0 && slices.ContainsFunc(msgs, func(m core.Message) bool { return m.Role == core.RoleUser }) {
		msgs = append(slices.Clip(r.msgs), msgs...)
		r.msgs = nil
	}
	if n := len(r.msgs); n > 0 && cap(r.msgs)-n < len(msgs) {
		r.msgs = append(make([]core.Message, 0, n+len(msgs)+n/4+16), r.msgs...) // room for turns to come
	}
	r.msgs = session.AppendRepaired(r.msgs, msgs, r.cfg.Model.Name())
	return slices.Clip(r.msgs)
}

// message returns an empty message of this run.
func (r *run) message(role core.Role, parts ...core.Part) core.Message {
	return core.Message{Path: r.in.Path, Role: role, Author: r.cfg.Name, Branch: r.in.Branch, Parts: parts}
}

func (r *run) note(code, text string) journal.Note {
	return journal.Note{Path: r.in.Path, Code: code, Text: text}
}

// result ends the run with a message of the model.
func (r *run) result(m core.Message, stop core.StopReason) *Result {
	return &Result{Text: core.TextOf(m), Stop: stop, Usage: r.usage, Turns: r.turn, Saved: r.saved,
		Set: r.delta.set, Delete: r.delta.deleted()}
}
