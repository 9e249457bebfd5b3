package run

import (
	"context"
	"errors"

	"github.com/plait-dev/plait/pkg/journal"
)

// Find looks up a run by its id. Sessions that can't be read are passed over, unless the run isn't found in the others:
// then the first of their errors is returned, because the run may be in one of them.
func Find(ctx context.Context, store journal.Log, id string) (journal.RunInfo, error) {
	if id == "" { // a filter without an id asks for all runs
		return journal.RunInfo{}, errors.New("the id of the run is empty")
	}
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
	return journal.RunInfo{}, &NotFoundError{Run: id}
}
