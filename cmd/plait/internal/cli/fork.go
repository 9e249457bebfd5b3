package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// forkFlags are the flags of plait fork.
type forkFlags struct {
	from, input, session string
	hasInput             bool // no input isn't the empty input
	set, remove          []string
	againFlags
}

func newFork(streams Streams) *cobra.Command {
	var f forkFlags
	cmd := &cobra.Command{
		Use:   "fork RUN --from ACTIVATION",
		Short: "Go another way from the middle of a run",
		Long: "fork begins a session with a run that goes on from the moment when an activation of RUN began (plait run names them as it goes, " +
			"such as answer@1): transcript and state are as they were then, with what is edited. What was finished then isn't done again; " +
			"what follows is, with effects of its own. RUN stays as it is. The files of its workspace aren't part of the fork.",
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.hasInput = cmd.Flags().Changed("input")
			if f.from == "" {
				return errors.New("--from is missing: the activation that begins again, such as answer@1")
			}
			if err := onlyOne(cmd, "with", "config"); err != nil {
				return err
			}
			return f.fork(cmd.Context(), streams, args[0])
		},
	}
	cmd.Flags().StringVar(&f.from, "from", "", "the `ACTIVATION` that begins again, such as answer@1")
	cmd.Flags().StringVar(&f.input, "input", "", "its input, as `JSON`, in the place of what it got")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "`KEY=JSON` writes a value into the state")
	cmd.Flags().StringArrayVar(&f.remove, "delete", nil, "removes a `KEY` of the state")
	cmd.Flags().StringVar(&f.session, "session", "", "id of the session that begins; by default a random one")
	f.add(cmd)
	return cmd
}

func (f *forkFlags) fork(ctx context.Context, streams Streams, id string) error {
	req := workflow.ForkRequest{From: f.from, Into: f.session, Delete: f.remove}
	if req.Into == "" {
		req.Into = "s_" + rand.Text()
	} else if err := checkSession(req.Into); err != nil {
		return err
	}
	var err error
	if req.Set, err = f.edits(); err != nil {
		return err
	}
	if f.hasInput {
		value, err := journal.DecodeValue([]byte(f.input))
		if err != nil {
			return fmt.Errorf("--input %s: %w; text stands in quotes: --input '\"text\"'", f.input, err)
		}
		req.Input = journal.Some(value)
	}
	start := func(s *run.Service, ctx context.Context, former journal.RunInfo, as string) iter.Seq2[workflow.Event, error] {
		req.As = as
		return s.Fork(ctx, former, req)
	}
	return f.again(ctx, streams, id, req.Into, start)
}

// edits reads what --set writes.
func (f *forkFlags) edits() (map[string]any, error) {
	edits := map[string]any{}
	for _, edit := range f.set {
		key, text, ok := strings.Cut(edit, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--set %s: write KEY=JSON", edit)
		}
		value, err := journal.DecodeValue([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("--set %s: %w; text stands in quotes: --set '%s=\"text\"'", edit, err, key)
		}
		edits[key] = value
	}
	return edits, nil
}
