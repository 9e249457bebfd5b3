package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/journal"
)

func newRuns(streams Streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs of a store, oldest first",
		Args:  arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, dir, err := readStore(dir)
			if err != nil {
				return err
			}
			defer store.Close()
			return listRuns(cmd.Context(), streams, store, dir)
		},
	}
	addStoreFlag(cmd, &dir)
	return cmd
}

// listRuns lists the runs of the sessions that can be read, and names those that can't, and entries that are damaged.
func listRuns(ctx context.Context, streams Streams, store journal.Store, dir string) error {
	var text strings.Builder
	text.WriteString("RUN\tSESSION\tSTATUS\tSTARTED\n")
	listed := map[string]bool{} // sessions with runs
	hidden := false
	for r, err := range store.Runs(ctx, journal.RunFilter{}) {
		if err != nil {
			hidden = true
			streams.sayf("plait: %v", err)
			continue
		}
		listed[r.Session] = true
		text.WriteString(strings.Join([]string{r.Run, r.Session, statusText(r), r.Started.UTC().Format(time.RFC3339)}, "\t") + "\n")
	}
	for _, session := range sessionsIn(dir) {
		if tellDamage(ctx, streams, store, session) && !listed[session] {
			hidden = true
		}
	}
	table := tabwriter.NewWriter(streams.Out, 0, 0, 3, ' ', 0)
	_, err := io.WriteString(table, text.String())
	if err = errors.Join(err, table.Flush()); err == nil && hidden {
		err = errors.New("a session can't be read, so its runs aren't listed")
	}
	return err
}

func statusText(r journal.RunInfo) string {
	if r.Reason == "" {
		return string(r.Status)
	}
	return string(r.Status) + ": " + r.Reason
}
