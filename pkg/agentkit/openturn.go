package agentkit

import (
	"context"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// openTurn is a message of the model and what becomes of its calls, until all of them have a result.
type openTurn struct {
	calls   []core.ToolCall
	said    []core.Message          // the message, see message, and behind it the results
	results []core.Message          // those of said, by call; without parts where there is none
	intents map[string]journal.Call // those of an earlier process, by call id
	heard   []core.Message          // what persons said while the calls were made; it is shown behind the results

	jobs    []job             // the calls that may be made,
	starts  []journal.Record  // their intents,
	refused []core.Message    // the results of those that may not,
	pending []ApprovalRequest // and those that a person has to decide about

	running bool // the batch has begun
}

func newOpenTurn(msg core.Message) *openTurn {
	calls := core.CallsOf(msg)
	said := make([]core.Message, 1+len(calls))
	said[0] = msg
	return &openTurn{calls: calls, said: said, results: said[1:]}
}

// message is what the model said.
func (t *openTurn) message() core.Message { return t.said[0] }

// ruling says what is to become of a call: it is refused, a person is asked, or it is made.
type ruling struct {
	job
	refusal error
	asks    bool
	message string // what the person is asked
	begun   bool   // its intent is committed already
}

// rule notes what is to become of the n-th call.
func (r *run) rule(t *openTurn, n int, is ruling) {
	switch {
	case is.refusal != nil:
		t.refused = append(t.refused, r.refuse(t.calls[n], is.refusal))
		r.auditCall(t.calls[n], AuditEntry{Decision: AuditRefused})
	case is.asks:
		r.auditCall(t.calls[n], AuditEntry{Decision: AuditAsked})
		t.pending = append(t.pending, ApprovalRequest{Spec: is.tool.spec, Call: is.call, Message: is.message})
	default:
		t.jobs = append(t.jobs, is.job)
		if !is.begun {
			t.starts = append(t.starts, r.intent(is.job))
		}
	}
}

// put takes a result that was committed.
func (t *openTurn) put(m core.Message) {
	res, ok := core.ResultOf(m)
	if t == nil || !ok {
		return
	}
	for n, c := range t.calls {
		if c.ID == res.ID && !t.has(n) {
			t.results[n] = m
			return
		}
	}
}

// start takes the intent of a call that an earlier process committed.
func (t *openTurn) start(intent journal.Call) {
	if t.intents == nil {
		t.intents = map[string]journal.Call{}
	}
	t.intents[intent.ID] = intent
}

// answered says whether all calls have a result.
func (t *openTurn) answered() bool {
	return !slices.ContainsFunc(t.results, func(m core.Message) bool { return len(m.Parts) == 0 })
}

// has says whether the n-th call has a result.
func (t *openTurn) has(n int) bool { return len(t.results[n].Parts) > 0 }

// began says whether the n-th call was begun, by this process or an earlier one.
func (t *openTurn) began(n int) bool {
	if _, begun := t.intents[t.calls[n].ID]; begun {
		return true
	}
	return t.running && slices.ContainsFunc(t.jobs, func(j job) bool { return j.n == n })
}

// begin commits what was ruled about the calls of a turn: the intents of those that may run and the results of those that
// may not, between what goes before and what comes behind. Only then a call counts as answered.
func (r *run) begin(ctx context.Context, t *openTurn, before, behind []journal.Record) error {
	if err := ctx.Err(); err != nil { // a hook that was cut short must not decide anything
		return err
	}
	recs := slices.Concat(before, t.starts)
	for _, m := range t.refused {
		recs = append(recs, m)
	}
	if recs = append(recs, behind...); len(recs) > 0 {
		if err := r.commit(ctx, recs); err != nil {
			return err
		}
	}
	for _, m := range t.refused {
		t.put(m)
	}
	r.open = t
	return nil
}

// close makes the calls that may be made, and appends the message to the prompt with all its results, in call order. When
// a person has to decide about others of its calls the run ends after that, and the turn stays open.
func (r *run) close(ctx context.Context, t *openTurn) (*Result, error) {
	if len(t.jobs) > 0 {
		if err := r.batch(ctx, t); err != nil {
			return nil, err
		}
	}
	if len(t.pending) > 0 {
		return nil, &ApprovalError{Requests: t.pending}
	}
	r.show(t.said...)
	if len(t.heard) > 0 {
		r.show(t.heard...)
	}
	r.open = nil
	r.turn++
	if endsRun(t.results) && len(t.heard) == 0 {
		return r.result(t.message(), core.StopEndRun), nil
	}
	why, err := r.stops(t)
	if err != nil || why == "" {
		return nil, err
	}
	res := r.result(t.message(), core.StopPolicy)
	res.Why = why
	return res, nil
}

// endsRun reports whether every result asks for the end.
func endsRun(results []core.Message) bool {
	for _, m := range results {
		if core.StopReason(m.Stop) != core.StopEndRun {
			return false
		}
	}
	return true
}

// refuse answers a call that isn't run.
func (r *run) refuse(c core.ToolCall, why error) core.Message {
	return r.message(core.RoleTool, core.ToolResult{ID: c.ID, Name: c.Name, Text: why.Error(), Error: true})
}

// intent is the record that a call is about to run.
func (r *run) intent(j job) journal.Call {
	rec := journal.Call{Path: r.in.Path, ID: j.call.ID, Tool: j.tool.spec.Name, Server: j.tool.spec.Server,
		ReadOnly: j.tool.spec.Repeatable()}
	if rec.Server != "" {
		rec.Tool = j.tool.spec.ServerTool
	}
	if j.why == AuditEdited {
		rec.Args = string(j.call.Args)
	}
	return rec
}
