package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// CodeRejected says that a person rejected what the activation was about to do. It isn't retried.
const CodeRejected Code = "rejected"

// Approval is a call that a person has to approve before it is made.
type Approval struct {
	// Call tells the calls of one activation apart; it may be empty when there is but one.
	Call string

	// Tool and Args are the call, its arguments as a JSON object.
	Tool string
	Args json.RawMessage

	// Message is what the person is asked; empty: whether the tool may be called.
	Message string

	// Schema is the JSON Schema of the arguments, as a JSON value, which edited ones are held against; nil accepts any
	// object.
	Schema any

	// Deadline is how long the question is open, from when it is asked; 0 means for ever. When it passes, all that the
	// activation asks lapses, see [NodeConfig.OnDeadline].
	Deadline time.Duration
}

// RequestApproval makes the error that a body returns to have calls approved before it makes them. Like [RequestInput] it
// lets the activation wait. When each of them is decided, the body runs again in the same attempt, whatever
// [NodeConfig.RerunOnResume] says, and finds the decisions by [Context.Decision]. What the activation has done before it
// asks must be over.
//
// Edited arguments are held against the schema, and then shown to [NodeConfig.CheckEdit], before they are accepted: who
// edits gets the error, and the question stays open.
func RequestApproval(approvals ...Approval) error {
	requests := make([]request, 0, len(approvals))
	for _, a := range approvals {
		message := orElse(a.Message, func() string { return "May " + a.Tool + " be called?" })
		requests = append(requests, request{within: a.Deadline, ask: journal.Ask{Kind: journal.AskApproval, Message: message,
			Schema: a.Schema, Tool: a.Tool, Args: string(a.Args), Call: a.Call}})
	}
	if len(requests) == 0 {
		return errors.New("workflow: an approval was requested for no call")
	}
	return &interrupt{requests}
}

// Decision is what was decided about a call.
type Decision struct {
	// Approved is whether the call may be made, with Args: those that were asked about, or those that the person put in
	// their place.
	Approved bool
	Args     json.RawMessage
	Edited   bool

	// Reason may say why not.
	Reason string

	// By is who decided.
	By string
}

// Decision returns what was decided about a call that the body asked about by [RequestApproval], in this process or an
// earlier one, and whether anything was. It holds for all attempts, until the activation commits the next message of a
// model: the calls of that message are others, even under the same ids.
func (c *Context) Decision(call string) (Decision, bool) {
	rec := c.run().rec
	if rec == nil {
		return Decision{}, false
	}
	rec.mu.RLock()
	defer rec.mu.RUnlock()
	a := rec.fold.Run(rec.run).Activation(c.act.path)
	if a == nil {
		return Decision{}, false
	}
	for _, i := range slices.Backward(a.Answered) {
		if i.Ask.Kind == journal.AskApproval && i.Ask.Call == call {
			return decisionOf(i), true
		}
	}
	return Decision{}, false
}

func decisionOf(i journal.Interrupt) Decision {
	d := Decision{Approved: i.Answer.Decision != journal.Reject, Args: json.RawMessage(i.Ask.Args), Reason: i.Answer.Reason,
		By: i.Answer.By}
	if i.Answer.Decision == journal.Edit {
		d.Args, d.Edited = json.RawMessage(i.Answer.Args), true
	}
	return d
}

// decide makes the record of a decision.
func decide(rec *journal.Answer, ask journal.Ask, a Answer) error {
	switch {
	case a.Decision == "":
		return fmt.Errorf("it asks for a decision: %s, %s or %s", journal.Approve, journal.Edit, journal.Reject)
	case a.Value != nil:
		return fmt.Errorf("it asks for a decision, not for the value %v", a.Value)
	case a.Decision != journal.Edit && len(a.Args) > 0:
		return fmt.Errorf("arguments go with %s, not with %s", journal.Edit, a.Decision)
	}
	rec.Decision, rec.Reason = a.Decision, a.Reason
	switch a.Decision {
	case journal.Approve, journal.Reject:
		return nil
	case journal.Edit:
		rec.Args = string(a.Args)
		return edited(ask, a.Args)
	}
	return fmt.Errorf("the decision is %q, it must be %s, %s or %s", a.Decision, journal.Approve, journal.Edit, journal.Reject)
}

// edited holds edited arguments against the schema of those that were asked about.
func edited(ask journal.Ask, args json.RawMessage) error {
	value, err := journal.DecodeValue(args)
	if err != nil {
		return fmt.Errorf("the arguments are no JSON: %w", err)
	}
	if _, isObject := value.(map[string]any); !isObject {
		return errors.New("the arguments must be a JSON object")
	}
	if err := fits(ask, value); err != nil {
		return fmt.Errorf("the arguments don't fit: %w", err)
	}
	return nil
}

// checkEdits shows edited arguments to the nodes that are to work with them. Either all are right, or no answer is taken.
func (r *run) checkEdits(answers []journal.Answer) error {
	var errs []error
	for _, given := range answers {
		a := r.waitingAt(given.Path)
		if given.Decision != journal.Edit || a == nil || a.def.cfg.CheckEdit == nil {
			continue
		}
		i := slices.IndexFunc(a.pause.open, func(ask journal.Ask) bool { return ask.ID == given.ID })
		if err := a.ctx.checkEdit(a.pause.open[i], json.RawMessage(given.Args)); err != nil {
			errs = append(errs, refusedAnswer(a.pause.open[i], err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return Errorf(CodeAnswer, "%w", err)
	}
	return nil
}

func (c *Context) checkEdit(ask journal.Ask, args json.RawMessage) (err error) {
	defer contain(&err)
	return c.act.def.cfg.CheckEdit(c, ask, args)
}
