package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// answersKey is the field of a data part that holds answers by the ids of the questions.
const answersKey = "answers"

// answer goes on with a task that waits, by a message that is for it.
func (h *handler) answer(ctx context.Context, principal string, m *a2a.Message) (*run.Begun, journal.RunInfo, error) {
	info, err := h.runs.Run(principal, string(m.TaskID))
	switch {
	case err != nil:
		return nil, info, h.reply(ctx, err)
	case m.ContextID != "" && m.ContextID != info.Session:
		return nil, info, invalid("message.contextId is %q, but the task belongs to another context", m.ContextID)
	case info.Status != journal.Waiting:
		return nil, info, notForTask(info)
	}
	open, err := h.questions(ctx, info)
	if err != nil {
		return nil, info, h.reply(ctx, err)
	}
	answers, err := answersOf(m, open, principal)
	if err != nil {
		return nil, info, err
	}
	w, err := h.runs.Answer(ctx, info, answers)
	var engine *workflow.RunError
	switch {
	case errors.As(err, &engine) && engine.Code == workflow.CodeAnswer:
		return nil, info, invalid("%v", engine)
	case errors.As(err, new(*run.NotWaitingError)):
		return nil, info, a2a.NewError(a2a.ErrUnsupportedOperation, err.Error())
	case err != nil:
		return nil, info, h.reply(ctx, err)
	}
	return &run.Begun{Session: info.Session, Run: info.Run, Repeated: true, Watcher: w}, info, nil
}

// questions are those that a run waits for.
func (h *handler) questions(ctx context.Context, info journal.RunInfo) ([]journal.Interrupt, error) {
	view, err := readSession(ctx, h.runs.Store(), info.Session)
	if err != nil {
		return nil, err
	}
	r, err := view.run(info.Run)
	if err != nil {
		return nil, err
	}
	return r.Interrupts, nil
}

// answersOf takes the answers from a message: those of its data part, or its text, which answers the only question if
// that takes text.
func answersOf(m *a2a.Message, open []journal.Interrupt, by string) ([]workflow.Answer, error) {
	var answers []workflow.Answer
	var texts []string
	for i, p := range m.Parts {
		switch content := p.Content.(type) {
		case a2a.Text:
			texts = append(texts, string(content))
		case a2a.Data:
			given, err := answersIn(content.Value, open, by)
			if err != nil {
				return nil, invalid("message.parts[%d]: %v", i, err)
			}
			answers = append(answers, given...)
		default:
			return nil, invalid("message.parts[%d] is neither text nor data", i)
		}
	}
	switch {
	case len(answers) > 0:
		return answers, nil
	case len(open) == 1 && workflow.TakesText(open[0].Ask) && len(texts) > 0:
		return []workflow.Answer{{ID: open[0].Ask.ID, Value: strings.Join(texts, "\n"), By: by}}, nil
	default:
		return nil, invalid("the task waits for answers to %s: send a data part {%q: {ID: VALUE}}", listed(open), answersKey)
	}
}

// answersIn takes the answers out of a data part. What fits no open question is for the engine to refuse.
func answersIn(value any, open []journal.Interrupt, by string) ([]workflow.Answer, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	data, err := journal.DecodeValue(text)
	if err != nil {
		return nil, err
	}
	fields, _ := data.(map[string]any)
	given, ok := fields[answersKey].(map[string]any)
	if !ok || len(fields) != 1 || len(given) == 0 {
		return nil, fmt.Errorf("the data must be {%q: {ID: VALUE}}", answersKey)
	}
	var answers []workflow.Answer
	for _, id := range slices.Sorted(maps.Keys(given)) {
		ask := journal.Ask{ID: id}
		if i := slices.IndexFunc(open, func(i journal.Interrupt) bool { return i.Ask.ID == id }); i >= 0 {
			ask = open[i].Ask
		}
		a, err := workflow.AnswerTo(ask, given[id], by)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// listed names questions by their ids.
func listed(open []journal.Interrupt) string {
	var names []string
	for _, i := range open {
		name := fmt.Sprintf("%s (%s)", i.Ask.ID, i.Ask.Message)
		if i.Ask.Kind == journal.AskApproval {
			name = fmt.Sprintf(`%s (%s VALUE is {"decision": "approve"}, {"decision": "edit", "args": {…}} or {"decision": "reject", `+
				`"reason": TEXT})`, i.Ask.ID, i.Ask.Message)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// questionsMessage asks the person behind a client, in words and as data.
func questionsMessage(info a2a.TaskInfo, open []journal.Interrupt) *a2a.Message {
	var words []string
	var questions []any
	for _, i := range open {
		words = append(words, i.Ask.Message)
		q := map[string]any{"id": i.Ask.ID, "kind": string(i.Ask.Kind), "message": i.Ask.Message, "node": i.Path}
		if i.Ask.Kind == journal.AskApproval {
			q["tool"] = i.Ask.Tool
			q["args"], _ = journal.DecodeValue([]byte(i.Ask.Args)) // what isn't JSON isn't asked about
		}
		if i.Ask.Payload != nil {
			q["payload"] = i.Ask.Payload
		}
		if i.Ask.Schema != nil {
			q["schema"] = i.Ask.Schema
		}
		if !i.Ask.Deadline.IsZero() {
			q["deadline"] = i.Ask.Deadline.Format(time.RFC3339Nano)
		}
		questions = append(questions, q)
	}
	m := remark(info, string(info.TaskID)+".questions", strings.Join(words, "\n"))
	m.Parts = append(m.Parts, a2a.NewDataPart(map[string]any{"questions": questions}))
	return m
}
