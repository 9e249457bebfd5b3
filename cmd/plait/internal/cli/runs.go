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
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, _, err := openStore(dir, false)
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
	var errs []error
	var text strings.Builder
	text.WriteString("RUN\tSESSION\tSTATUS\tSTARTED\n")
	for r, err := range store.Runs(ctx, journal.RunFilter{}) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		status := string(r.Status)
		if r.Reason != "" {
			status += ": " + r.Reason
		}
		text.WriteString(strings.Join([]string{r.Run, r.Session, status, r.Started.UTC().Format(time.RFC3339)}, "\t") + "\n")
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	_, err := io.WriteString(table, text.String())
	return errors.Join(append(errs, err, table.Flush())...)
}
