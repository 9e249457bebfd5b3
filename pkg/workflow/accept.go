package workflow

import (
	"errors"
	"fmt"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// checkAnswers holds answers against the questions that are open. Either all of them are right, or none is taken. A question
// whose time was over by now takes none, whether or not the run has got to know of it.
func checkAnswers(open []journal.Interrupt, answers []Answer, now time.Time) ([]journal.Answer, error) {
	byID := map[string]journal.Interrupt{}
	for _, i := range open {
		byID[i.Ask.ID] = i
	}
	lapsing := lapsingBy(open, now)
	var errs []error
	var records []journal.Answer
	for _, a := range answers {
		i, ok := byID[a.ID]
		if !ok {
			errs = append(errs, fmt.Errorf("no question with the id %q is open", a.ID))
			continue
		}
		delete(byID, a.ID) // a second answer finds it closed
		if late, lapses := lapsing[i.Path]; lapses {
			errs = append(errs, refusedAnswer(i.Ask, fmt.Errorf("%w; the run is to be resumed without answers", lateError(late))))
			continue
		}
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

// lapsingBy returns the activations one of whose questions nobody has answered in time, with the time.
func lapsingBy(open []journal.Interrupt, now time.Time) map[string]time.Time {
	lapsing := map[string]time.Time{}
	for _, i := range open {
		if deadline := i.Ask.Deadline; !deadline.IsZero() && !deadline.After(now) {
			lapsing[i.Path] = deadline
		}
	}
	return lapsing
}

// lateError says that nobody answered in time.
func lateError(deadline time.Time) error {
	return Errorf(CodeDeadline, "nobody answered before %s", deadline.Format(time.RFC3339))
}

// TakesText says that bare text may answer a question: it takes a value whose schema doesn't want another type.
func TakesText(ask journal.Ask) bool {
	if ask.Kind != journal.AskInput {
		return false
	}
	schema, _ := ask.Schema.(map[string]any)
	kind, typed := schema["type"]
	return ask.Schema == nil || schema != nil && (!typed || kind == "string")
}

// AnswerTo makes an answer of its JSON form: for an approval an object {"decision": "approve" | "edit" | "reject"}, with
// "args" (the object of the edited arguments) and "reason" as they are needed; for everything else the value itself.
func AnswerTo(ask journal.Ask, value any, by string) (Answer, error) {
	a := Answer{ID: ask.ID, By: by}
	if ask.Kind != journal.AskApproval {
		a.Value = value
		return a, nil
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return a, refusedAnswer(ask, fmt.Errorf(`it asks for {"decision": "approve", "edit" or "reject"}, not for %v`, value))
	}
	for name, v := range fields {
		if err := a.setField(name, v); err != nil {
			return a, refusedAnswer(ask, err)
		}
	}
	return a, nil
}

func (a *Answer) setField(name string, v any) (err error) {
	text, isText := v.(string)
	switch {
	case name == "args":
		a.Args, err = journal.EncodeValue(v)
		return err
	case name != "decision" && name != "reason":
		return fmt.Errorf("it has decision, args and reason, not %q", name)
	case !isText:
		return fmt.Errorf("%s must be text", name)
	case name == "decision":
		a.Decision = journal.Decision(text)
	default:
		a.Reason = text
	}
	return nil
}

// refusedAnswer says which question an answer was meant for.
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
