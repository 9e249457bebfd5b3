package workflow

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/plait-dev/plait/internal/schemas"
	"github.com/plait-dev/plait/pkg/journal"
)

// The codes of questions.
const (
	CodeDeadline Code = "deadline" // nobody answered in time
	CodeAnswer   Code = "answer"   // an answer that fits no open question, or not the question
)

// Question is what a node asks a person.
type Question struct {
	Message string

	// Payload is shown with the question; nil when there is none.
	Payload any

	// Schema is the JSON Schema of an acceptable answer, as a JSON value; nil accepts anything.
	Schema any

	// Deadline is how long the question is open, from when it is asked; 0 means for ever. See [NodeConfig.OnDeadline].
	Deadline time.Duration
}

// RequestInput makes the error that a body returns to ask a person. The activation waits then, without a goroutine and
// for as long as it takes; what the attempt wrote to the state is dropped. The answer is the activation's output, or,
// with [NodeConfig.RerunOnResume], what [Context.Answer] gives when the body runs again.
//
// When nothing else is left to do the run waits: its events end with [RunWaiting], and [Workflow.Resume] takes it up with
// answers. A run without a store can't wait.
func RequestInput(q Question) error {
	ask := journal.Ask{Kind: journal.AskInput, Message: q.Message, Payload: q.Payload, Schema: q.Schema}
	return &interrupt{[]request{{ask: ask, within: q.Deadline}}}
}

// interrupt is what a body asks on its way to the run.
type interrupt struct{ requests []request }

// request is one question before it is asked.
type request struct {
	ask    journal.Ask
	within time.Duration // 0: for ever
}

func (i *interrupt) Error() string { return "a person is asked: " + i.requests[0].ask.Message }

// Answer answers one question: with a Value what [RequestInput] asks, with a Decision what [RequestApproval] asks.
type Answer struct {
	// ID is that of the interrupt.
	ID    string
	Value any

	// Decision is what happens with the call. Args are what it is to be made with instead, for [journal.Edit]; Reason is
	// told to who wanted to make the call, for [journal.Reject].
	Decision journal.Decision
	Args     json.RawMessage
	Reason   string

	// By is who answers.
	By string
}

// Answer returns the answer to what the body asked for in this attempt, and whether there is one.
func (c *Context) Answer() (value any, answered bool) {
	if c.act.pause == nil {
		return nil, false
	}
	return c.act.pause.answer.Get()
}

// pause is what an activation waits for, and what came of it.
type pause struct {
	open   []journal.Ask
	answer journal.Optional // to what the present attempt has asked
}

// deadline is when the first of the open questions answers itself; zero means never.
func (p *pause) deadline() time.Time {
	var first time.Time
	for _, ask := range p.open {
		if first.IsZero() || !ask.Deadline.IsZero() && ask.Deadline.Before(first) {
			first = ask.Deadline
		}
	}
	return first
}

// close takes a question that was answered out, and says whether another one is open.
func (p *pause) close(id string) (more bool) {
	p.open = slices.DeleteFunc(p.open, func(ask journal.Ask) bool { return ask.ID == id })
	return len(p.open) > 0
}

// ask makes the record of a question.
func (r *run) ask(q request) (journal.Ask, error) {
	ask := q.ask
	ask.ID = questionID(r.env.IDs)
	var err error
	if ask.Payload, err = journal.Normalize(ask.Payload); err != nil {
		return ask, Errorf(CodeOutputValue, "payload of the question: %w", err)
	}
	if ask.Schema, err = journal.Normalize(ask.Schema); err != nil {
		return ask, Errorf(CodeOutputValue, "schema of the question: %w", err)
	}
	if _, err = answerSchema(ask.Schema); err != nil {
		return ask, Errorf(CodeOutputValue, "schema of the question: %w", err)
	}
	if q.within > 0 {
		ask.Deadline = r.env.Clock.Now().Add(q.within).UTC().Truncate(time.Millisecond)
	}
	return ask, nil
}

func questionID(ids func() string) string { return "i_" + ids() }

// askAll makes the records of questions.
func (r *run) askAll(questions []request) ([]journal.Ask, error) {
	if r.rec == nil || r.rec.writer == nil {
		return nil, Errorf(CodeJournal, "a run without a store can't wait for a person")
	}
	asks := make([]journal.Ask, 0, len(questions))
	for _, q := range questions {
		ask, err := r.ask(q)
		if err != nil {
			return nil, err
		}
		asks = append(asks, ask)
	}
	return asks, nil
}

// answerSchema compiles the schema of a question; nil for none.
func answerSchema(schema any) (Validator, error) {
	if schema == nil {
		return nil, nil
	}
	text, err := journal.EncodeValue(schema)
	if err != nil {
		return nil, err
	}
	return schemas.Compile(text)
}
