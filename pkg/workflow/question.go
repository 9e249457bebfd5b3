package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

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
func RequestInput(q Question) error { return &interrupt{q} }

// interrupt is a question on its way from a body to the run.
type interrupt struct{ Question }

func (i *interrupt) Error() string { return "a person is asked: " + i.Message }

// Answer answers one question.
type Answer struct {
	// ID is that of the interrupt.
	ID    string
	Value any
	// By is who answers.
	By string
}

// Answer returns the answer to what the body asked for in this attempt, and whether there is one.
func (c *Context) Answer() (value any, answered bool) { return c.act.answer.Get() }

// ask makes the record of a question.
func (r *run) ask(q Question) (journal.Ask, error) {
	if r.rec == nil || r.rec.writer == nil {
		return journal.Ask{}, Errorf(CodeJournal, "a run without a store can't wait for a person")
	}
	ask := journal.Ask{ID: "i_" + r.env.IDs(), Kind: journal.AskInput, Message: q.Message}
	var err error
	if ask.Payload, err = journal.Normalize(q.Payload); err != nil {
		return ask, Errorf(CodeOutputValue, "payload of the question: %w", err)
	}
	if ask.Schema, err = journal.Normalize(q.Schema); err != nil {
		return ask, Errorf(CodeOutputValue, "schema of the question: %w", err)
	}
	if _, err = answerSchema(ask.Schema); err != nil {
		return ask, Errorf(CodeOutputValue, "schema of the question: %w", err)
	}
	if q.Deadline > 0 {
		ask.Deadline = r.env.Clock.Now().Add(q.Deadline).UTC().Truncate(time.Millisecond)
	}
	return ask, nil
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
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// checkAnswers holds answers against the questions that are open. Either all of them are right, or none is taken.
func checkAnswers(open []journal.Interrupt, answers []Answer) ([]journal.Answer, error) {
	byID := map[string]journal.Interrupt{}
	for _, i := range open {
		byID[i.Ask.ID] = i
	}
	var errs []error
	var records []journal.Answer
	for _, a := range answers {
		i, ok := byID[a.ID]
		if !ok {
			errs = append(errs, fmt.Errorf("no question with the id %q is open", a.ID))
			continue
		}
		delete(byID, a.ID) // a second answer finds it closed
		value, err := journal.Normalize(a.Value)
		if err == nil {
			err = fits(i.Ask, value)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("the answer to %q: %w", i.Ask.Message, err))
			continue
		}
		records = append(records, journal.Answer{ID: a.ID, Path: i.Path, Value: journal.Some(value), By: a.By, Via: journal.ViaPerson})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, Errorf(CodeAnswer, "%w", err)
	}
	return records, nil
}

func fits(ask journal.Ask, value any) error {
	schema, err := answerSchema(ask.Schema)
	if err != nil || schema == nil {
		return err
	}
	return schema.Validate(value)
}
