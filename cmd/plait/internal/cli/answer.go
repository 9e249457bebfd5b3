package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// answerFlags are the flags of plait answer.
type answerFlags struct {
	id      string
	json    bool
	approve bool
	reject  bool
	edit    string
	reason  string
	resumeFlags
}

func newAnswer(streams Streams) *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:   "answer RUN [TEXT]",
		Short: "Answer what a run asks, and go on with it",
		Long: "answer gives a run that waits for a person what it waits for, and goes on with it as resume does. A question is answered " +
			"with TEXT, or with --json; whether a tool may be called with --approve, --edit or --reject. An answer that doesn't fit " +
			"the question changes nothing.",
		Args: arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := onlyOne(cmd, "approve", "edit", "reject", "json"); err != nil {
				return err
			}
			return f.answer(cmd.Context(), streams, args[0], args[1:])
		},
	}
	cmd.Flags().StringVar(&f.id, "id", "", "id of the question; not needed when the run asks one alone")
	cmd.Flags().BoolVar(&f.json, "json", false, "the answer is JSON, not text")
	cmd.Flags().BoolVar(&f.approve, "approve", false, "the tool may be called")
	cmd.Flags().StringVar(&f.edit, "edit", "", "the tool may be called, with these arguments, a JSON `OBJECT`, instead")
	cmd.Flags().BoolVar(&f.reject, "reject", false, "the tool may not be called")
	cmd.Flags().StringVar(&f.reason, "reason", "", "`TEXT` that says why not, with --reject")
	cmd.Flags().StringVar(&f.config, "config", "", "run file of the run; by default the one that it was started with")
	f.add(cmd)
	return cmd
}

func (f *answerFlags) answer(ctx context.Context, streams Streams, id string, text []string) error {
	ask, err := f.question(ctx, streams, id)
	if err != nil {
		return err
	}
	answer, err := f.give(ask, text)
	if err != nil {
		return fmt.Errorf("%w; write: plait answer %s%s --id %s %s",
			err, id, storeHint(cmp.Or(f.storeDir, defaultStore)), ask.ID, answerForm(ask))
	}
	return f.resume(ctx, streams, id, answer)
}

// give makes the answer to a question.
func (f *answerFlags) give(ask journal.Ask, text []string) (workflow.Answer, error) {
	answer := workflow.Answer{ID: ask.ID, By: "local"}
	switch decides := f.approve || f.reject || f.edit != ""; {
	case f.reason != "" && !f.reject:
		return answer, errors.New("--reason says why a call is rejected, and belongs to --reject")
	case ask.Kind == journal.AskApproval && !decides:
		return answer, errors.New("it is asked whether a tool may be called")
	case ask.Kind == journal.AskApproval && len(text) > 0:
		return answer, fmt.Errorf("%q is too much: it is asked whether a tool may be called", text[0])
	case ask.Kind == journal.AskApproval:
		return f.decide(answer), checkText("--reason: the text", f.reason)
	case decides:
		return answer, errors.New("it isn't asked whether a tool may be called")
	case len(text) == 0:
		return answer, errors.New("the answer is missing")
	case !f.json && !takesText(ask):
		return answer, errors.New("the question doesn't take text")
	case !f.json:
		answer.Value = text[0]
		return answer, checkText("the answer", text[0])
	}
	var err error
	if answer.Value, err = journal.DecodeValue([]byte(text[0])); err != nil {
		return answer, fmt.Errorf("--json: %w", err)
	}
	return answer, nil
}

func (f *answerFlags) decide(answer workflow.Answer) workflow.Answer {
	switch {
	case f.approve:
		answer.Decision = journal.Approve
	case f.reject:
		answer.Decision, answer.Reason = journal.Reject, f.reason
	default:
		answer.Decision, answer.Args = journal.Edit, json.RawMessage(f.edit)
	}
	return answer
}

// question returns the question that is answered: the one that is named, or the only one that the run asks.
func (f *answerFlags) question(ctx context.Context, streams Streams, id string) (journal.Ask, error) {
	open, info, err := f.openQuestions(ctx, streams, id)
	switch {
	case err != nil:
		return journal.Ask{}, err
	case len(open) == 0:
		return journal.Ask{}, failure{fmt.Errorf("run %s asks nothing, it is %s", id, statusText(info))}
	case f.id == "" && len(open) == 1:
		return open[0].Ask, nil
	}
	if i := slices.IndexFunc(open, func(i journal.Interrupt) bool { return i.Ask.ID == f.id }); i >= 0 {
		return open[i].Ask, nil
	}
	problem := "the run asks several things, say which one is answered:"
	if f.id != "" {
		problem = fmt.Sprintf("no question with the id %q is open; these are:", f.id)
	}
	var questions strings.Builder
	for _, i := range open {
		fmt.Fprintf(&questions, "\n  --id %s  %s", i.Ask.ID, firstLine(i.Ask.Message))
	}
	return journal.Ask{}, errors.New(problem + questions.String())
}

// openQuestions returns what a run asks.
func (f *answerFlags) openQuestions(
	ctx context.Context, streams Streams, id string,
) ([]journal.Interrupt, journal.RunInfo, error) {
	store, dir, err := readStore(f.storeDir)
	if err != nil {
		return nil, journal.RunInfo{}, err
	}
	defer store.Close()
	info, err := findRun(ctx, streams, store, dir, id)
	if err != nil {
		return nil, info, err
	}
	past, err := journal.Load(ctx, store, info.Session)
	if err != nil {
		return nil, info, err
	}
	if info.Status == journal.Suspended {
		tellDamage(ctx, streams, store, info.Session)
	}
	return past.Run(id).Interrupts, info, nil
}
