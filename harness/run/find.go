package run

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/journal"
)

// NotFoundError says that a store has no run of that id.
type NotFoundError struct{ Run string }

// Error names the run.
func (e *NotFoundError) Error() string { return fmt.Sprintf("there is no run %q in this store", e.Run) }

// Find looks up a run by its id. Sessions that can't be read are passed over, unless the run isn't found in the others:
// then the first of their errors is returned, because the run may be in one of them.
func Find(ctx context.Context, store journal.Log, id string) (journal.RunInfo, error) {
	var unread error
	for info, err := range store.Runs(ctx, journal.RunFilter{Run: id}) {
		switch {
		case err == nil:
			return info, nil
		case unread == nil:
			unread = err
		}
	}
	if unread != nil {
		return journal.RunInfo{}, unread
	}
	return journal.RunInfo{}, &NotFoundError{id}
}
