package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
			store, _, err := openStore(dir, false)
			if err != nil {
				return err
			}
			defer store.Close()
			return listRuns(cmd.Context(), streams, store)
		},
	}
	addStoreFlag(cmd, &dir)
	return cmd
}

// listRuns lists the runs of the sessions that can be read, and names those that can't, and entries that are damaged.
func listRuns(ctx context.Context, streams Streams, store journal.Store) error {
	var text strings.Builder
	text.WriteString("RUN\tSESSION\tSTATUS\tSTARTED\n")
	var sessions []string
	unread := 0
	for r, err := range store.Runs(ctx, journal.RunFilter{}) {
		if err != nil {
			unread++
			streams.sayf("plait: %v", err)
			continue
		}
		sessions = append(sessions, r.Session)
		status := string(r.Status)
		if r.Reason != "" {
			status += ": " + r.Reason
		}
		text.WriteString(strings.Join([]string{r.Run, r.Session, status, r.Started.UTC().Format(time.RFC3339)}, "\t") + "\n")
	}
	slices.Sort(sessions)
	for _, session := range slices.Compact(sessions) {
		tellDamage(ctx, streams, store, session)
	}
	table := tabwriter.NewWriter(streams.Out, 0, 0, 3, ' ', 0)
	_, err := io.WriteString(table, text.String())
	if err = errors.Join(err, table.Flush()); err == nil && unread > 0 {
		err = fmt.Errorf("sessions that can't be read, whose runs aren't listed: %d", unread)
	}
	return err
}
