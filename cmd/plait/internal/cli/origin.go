package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/plait-dev/plait/pkg/journal"
)

// runFiles is the scope of the store in which the command line keeps which run file a run began with. The config that
// the run is pinned to doesn't hold what the run file says of this machine: variables and folders.
const runFiles = "plait/run-files"

// keepOrigin notes the run file of a run; "" for a run of a document alone.
func keepOrigin(ctx context.Context, store journal.KV, run, path string) error {
	abs := path
	if path != "" {
		var err error
		if abs, err = filepath.Abs(path); err != nil {
			return err
		}
	}
	_, err := store.CompareAndSwap(ctx, runFiles, run, 0, journal.Some(abs))
	return err
}

// findOrigin returns the path that [keepOrigin] noted.
func findOrigin(ctx context.Context, store journal.KV, run string) (string, error) {
	item, err := store.Get(ctx, runFiles, run)
	if err != nil {
		return "", err
	}
	path, ok := item.Value.Value().(string)
	if !ok {
		return "", fmt.Errorf("the store doesn't know where run %s was started: name its run file with --config", run)
	}
	return path, nil
}
