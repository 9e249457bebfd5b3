package agentkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/journal"
)

// act commits an answer that asks for tools, together with the intents of the calls that may run and the results of
// those that may not, and runs the batch.
func (r *run) act(ctx context.Context, msg core.Message, notes []journal.Record) (*Result, error) {
	t := newOpenTurn(msg)
	for n, c := range t.calls {
		if core.StopReason(msg.Stop) == core.StopMaxTokens {
			r.rule(t, n, ruling{refusal: errors.New(CutCall)})
			continue
		}
		r.rule(t, n, r.prepare(ctx, n, c))
	}
	if err := r.begin(ctx, t, []journal.Record{msg}, notes); err != nil {
		return nil, err
	}
	return r.close(ctx, t)
}

// answer commits an answer that asks for nothing. It ends the run, unless it doesn't fit the output schema: that the
// model is told once.
func (r *run) answer(ctx context.Context, msg core.Message, notes []journal.Record) (*Result, error) {
	output, misfit := r.checkOutput(core.TextOf(msg))
	if misfit != nil {
		return nil, r.correct(ctx, msg, misfit, notes)
	}
	if err := r.commit(ctx, append([]journal.Record{msg}, notes...)); err != nil {
		return nil, err
	}
	r.show(msg)
	r.turn++
	res := r.result(msg, core.StopReason(msg.Stop))
	res.Output = output
	return res, nil
}

// goOn commits the beginning of an answer, which the next turn goes on with.
func (r *run) goOn(ctx context.Context, msg core.Message, notes []journal.Record) error {
	if err := r.commit(ctx, append([]journal.Record{msg}, notes...)); err != nil {
		return err
	}
	r.show(msg)
	r.turn++
	return nil
}

// correct commits an answer that doesn't fit with what the model is told about it. The second such answer fails the run;
// it isn't committed, so that another attempt asks again.
func (r *run) correct(ctx context.Context, msg core.Message, misfit error, notes []journal.Record) error {
	if r.told {
		return &OutputError{Err: misfit}
	}
	correction := r.message(core.RoleUser, core.Text{Text: fmt.Sprintf(
		"The answer doesn't fit the required JSON Schema: %v. Answer again, with nothing but JSON that fits it.", misfit)})
	if err := r.commit(ctx, append([]journal.Record{msg, correction}, notes...)); err != nil {
		return err
	}
	r.turn++
	r.told = true
	r.show(msg, correction)
	return nil
}

// checkOutput returns the answer as the JSON value that the output schema asks for. Text that isn't JSON may still be
// what a schema of a string asks for.
func (r *run) checkOutput(text string) (json.RawMessage, error) {
	if r.output == nil {
		return nil, nil
	}
	raw := json.RawMessage(strings.TrimSpace(text))
	misfit := jsonx.Check(raw)
	if misfit != nil {
		misfit = fmt.Errorf("it isn't JSON: %w", misfit)
	} else if misfit = r.output(raw); misfit == nil {
		return raw, nil
	}
	quoted, err := json.Marshal(text)
	if err == nil && r.output(quoted) == nil {
		return quoted, nil
	}
	return nil, misfit
}

// OutputError says that the model's answer doesn't fit the output schema, after it had been told.
type OutputError struct{ Err error }

// Error says where it doesn't fit.
func (e *OutputError) Error() string {
	return fmt.Sprintf("the answer doesn't fit output_schema: %v", e.Err)
}

// Unwrap returns the error of the check.
func (e *OutputError) Unwrap() error { return e.Err }

// Code returns "output-schema".
func (e *OutputError) Code() string { return "output-schema" }
