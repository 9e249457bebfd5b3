package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
)

// findRun looks a run up. What can't be read of the store is told when it isn't found: it may be there.
func findRun(ctx context.Context, streams Streams, store journal.Store, dir, id string) (journal.RunInfo, error) {
	info, err := run.Find(ctx, store, id)
	if err == nil || id == "" {
		return info, err
	}
	damaged := false
	for _, session := range sessionsIn(dir) {
		damaged = tellDamage(ctx, streams, store, session) || damaged
	}
	if _, absent := errors.AsType[*run.NotFoundError](err); absent && damaged {
		err = fmt.Errorf("there is no run %q in what can be read of this store", id)
	} else if !absent {
		err = fmt.Errorf("there is no run %q in what can be read of this store: %w", id, err)
	}
	return info, err
}

// configOf returns the config that a run began with.
func (l *local) configOf(ctx context.Context, r journal.RunInfo) ([]byte, error) {
	if r.Config == "" { // it is named where the run begins
		return nil, errDamaged
	}
	config, err := l.store.GetConfig(ctx, r.Config)
	if err != nil {
		return nil, fmt.Errorf("the config that run %s began with: %w", r.Run, err)
	}
	return config, nil
}

// maxDamage is how many damaged entries of a session are named.
const maxDamage = 5

// tellDamage names the entries of a session that can't be read, and says whether there are any: they are why a run may not
// go on. A session that isn't there has none.
func tellDamage(ctx context.Context, streams Streams, store journal.Store, session string) bool {
	n := 0
	for _, err := range store.Read(ctx, session, 1) {
		damage, ok := errors.AsType[*journal.DamagedError](err)
		if !ok {
			continue
		}
		if n++; n <= maxDamage {
			streams.sayf("warning: %v", damage)
		}
	}
	if n > maxDamage {
		streams.sayf("warning: session %s: %d more entries are damaged", session, n-maxDamage)
	}
	return n > 0
}

// sessionsIn lists the sessions of the store in a folder, whose layout is documented. The store itself tells of runs, and so
// doesn't tell of a session in which none can be read.
func sessionsIn(dir string) []string {
	files, err := os.ReadDir(filepath.Join(dir, "sessions"))
	if err != nil {
		return nil // which the store itself reports
	}
	var sessions []string
	for _, file := range files {
		if id, ok := strings.CutSuffix(file.Name(), ".jsonl"); ok {
			sessions = append(sessions, id)
		}
	}
	return sessions
}
