package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/journal"
)

func newRuns(streams Streams) *cobra.Command {
	var dir, form string
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs of a store, oldest first",
		Long: "runs lists the runs of a store, oldest first. Of one that failed it says by what, and which field of the document that " +
			"comes from; -o json has the whole message.",
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if form != "text" && form != "json" {
				return fmt.Errorf("--output %s: the forms are text and json", form)
			}
			store, dir, err := readStore(dir)
			if err != nil {
				return err
			}
			defer store.Close()
			return listRuns(cmd.Context(), streams, store, dir, form)
		},
	}
	addStoreFlag(cmd, &dir)
	cmd.Flags().StringVarP(&form, "output", "o", "text", "text or json")
	return cmd
}

// listedRun is a run as it is listed.
type listedRun struct {
	Run     string      `json:"run"`
	Session string      `json:"session"`
	Status  string      `json:"status"`
	Reason  string      `json:"reason,omitempty"` // of one that is suspended
	Started time.Time   `json:"started"`
	Error   *runFailing `json:"error,omitempty"`
}

// runFailing is what a run failed by.
type runFailing struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
}

// listRuns lists the runs of the sessions that can be read, and names those that can't, and entries that are damaged.
func listRuns(ctx context.Context, streams Streams, store journal.Store, dir, form string) error {
	all := []listedRun{}
	listed := map[string]bool{} // sessions with runs
	hidden := false
	for r, err := range store.Runs(ctx, journal.RunFilter{}) {
		if err != nil {
			hidden = true
			streams.sayf("plait: %v", err)
			continue
		}
		listed[r.Session] = true
		all = append(all, listedRun{Run: r.Run, Session: r.Session, Status: string(r.Status), Reason: r.Reason,
			Started: r.Started.UTC(), Error: failureOf(ctx, store, r)})
	}
	for _, session := range sessionsIn(dir) {
		if tellDamage(ctx, streams, store, session) && !listed[session] {
			hidden = true
		}
	}
	write := writeRuns
	if form == "json" {
		write = func(streams Streams, all []listedRun) error { return encode(streams, all) }
	}
	err := write(streams, all)
	if err == nil && hidden {
		err = errors.New("a session can't be read, so its runs aren't listed")
	}
	return err
}

// failureOf reads what a run failed by; nil when it didn't.
func failureOf(ctx context.Context, store journal.Store, r journal.RunInfo) *runFailing {
	if r.Status != journal.Failed {
		return nil
	}
	session, err := journal.Load(ctx, store, r.Session)
	if err != nil { // the run was listed by what could be read of it
		return nil
	}
	past := session.Run(r.Run)
	if past == nil || past.Done == nil || past.Done.Err == nil {
		return nil
	}
	return &runFailing{past.Done.Err.Code, past.Done.Err.Message, past.Done.Err.Field}
}

func writeRuns(streams Streams, all []listedRun) error {
	var text strings.Builder
	text.WriteString("RUN\tSESSION\tSTATUS\tSTARTED\n")
	for _, r := range all {
		status := status(r.Status, r.Reason)
		if r.Error != nil {
			status += ": " + strings.TrimSuffix(r.Error.Code+" at "+r.Error.Field, " at ")
		}
		text.WriteString(strings.Join([]string{r.Run, r.Session, status, r.Started.Format(time.RFC3339)}, "\t") + "\n")
	}
	table := tabwriter.NewWriter(streams.Out, 0, 0, 3, ' ', 0)
	_, err := io.WriteString(table, text.String())
	return errors.Join(err, table.Flush())
}

func statusText(r journal.RunInfo) string { return status(string(r.Status), r.Reason) }

func status(name, reason string) string {
	if reason == "" {
		return name
	}
	return name + ": " + reason
}
