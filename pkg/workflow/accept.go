package workflow

import (
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/journal"
)

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
		rec, err := accept(i, a)
		if err != nil {
			errs = append(errs, refusedAnswer(i.Ask, err))
			continue
		}
		records = append(records, rec)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, Errorf(CodeAnswer, "%w", err)
	}
	return records, nil
}

func refusedAnswer(ask journal.Ask, err error) error {
	return fmt.Errorf("the answer to %q: %w", ask.Message, err)
}

// accept makes the record of an answer that fits its question.
func accept(i journal.Interrupt, a Answer) (journal.Answer, error) {
	rec := journal.Answer{ID: a.ID, Path: i.Path, By: a.By, Via: journal.ViaPerson}
	if i.Ask.Kind == journal.AskApproval {
		return rec, decide(&rec, i.Ask, a)
	}
	if a.Decision != "" {
		return rec, errors.New("it asks for a value, not for a decision")
	}
	value, err := journal.Normalize(a.Value)
	if err != nil {
		return rec, err
	}
	rec.Value = journal.Some(value)
	return rec, fits(i.Ask, value)
}

// fits holds a value against the schema of a question.
func fits(ask journal.Ask, value any) error {
	schema, err := answerSchema(ask.Schema)
	if err != nil || schema == nil {
		return err
	}
	return schema.Validate(value)
}
