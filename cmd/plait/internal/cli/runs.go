package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
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
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, _, err := openStore(dir)
			if err != nil {
				return err
			}
			defer store.Close()
			return listRuns(cmd.Context(), streams.Out, store)
		},
	}
	addStoreFlag(cmd, &dir)
	return cmd
}

func listRuns(ctx context.Context, out io.Writer, store journal.Log) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "RUN\tSESSION\tSTATUS\tSTARTED")
	var unread []error
	for r, err := range store.Runs(ctx, journal.RunFilter{}) {
		if err != nil {
			unread = append(unread, err)
			continue
		}
		status := string(r.Status)
		if r.Reason != "" {
			status += ": " + r.Reason
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Run, r.Session, status, r.Started.UTC().Format(time.RFC3339))
	}
	return errors.Join(append(unread, table.Flush())...)
}
