package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// answerFlags are the flags of plait answer.
type answerFlags struct {
	id   string
	json bool
	resumeFlags
}

func newAnswer(streams Streams) *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:   "answer RUN TEXT",
		Short: "Answer what a run asks, and go on with it",
		Long: "answer gives a run that waits for a person what it waits for, and goes on with it as resume does. An answer that doesn't fit " +
			"the question changes nothing.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.answer(cmd.Context(), streams, args[0], args[1])
		},
	}
	cmd.Flags().StringVar(&f.id, "id", "", "id of the question; not needed when the run asks one alone")
	cmd.Flags().BoolVar(&f.json, "json", false, "the answer is JSON, not text")
	cmd.Flags().StringVar(&f.config, "config", "", "run file of the run; by default the one that it was started with")
	f.add(cmd)
	return cmd
}

func (f *answerFlags) answer(ctx context.Context, streams Streams, id, text string) error {
	answer := workflow.Answer{ID: f.id, Value: text, By: "local"}
	if f.json {
		value, err := journal.DecodeValue([]byte(text))
		if err != nil {
			return fmt.Errorf("--json: %w", err)
		}
		answer.Value = value
	}
	if answer.ID == "" {
		var err error
		if answer.ID, err = f.onlyQuestion(ctx, id); err != nil {
			return err
		}
	}
	return f.resume(ctx, streams, id, answer)
}

// onlyQuestion returns the id of the question that a run asks, if it asks one.
func (f *answerFlags) onlyQuestion(ctx context.Context, id string) (string, error) {
	store, _, err := openStore(f.storeDir, false)
	if err != nil {
		return "", err
	}
	defer store.Close()
	info, err := run.Find(ctx, store, id)
	if err != nil {
		return "", err
	}
	past, err := journal.Load(ctx, store, info.Session)
	if err != nil {
		return "", err
	}
	open := past.Run(id).Interrupts
	switch len(open) {
	case 0:
		return "", failure{fmt.Errorf("run %s asks nothing, it is %s", id, info.Status)}
	case 1:
		return open[0].Ask.ID, nil
	}
	var questions strings.Builder
	for _, i := range open {
		fmt.Fprintf(&questions, "\n  --id %s  %s", i.Ask.ID, i.Ask.Message)
	}
	return "", errors.New("the run asks several things, say which one is answered:" + questions.String())
}
