package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// index knows the runs of a store and whose they are, so that a question about a run costs no search, and costs the same
// whether the run is another principal's or isn't there.
type index struct {
	mu       sync.RWMutex
	runs     map[string]journal.RunInfo
	order    []string          // the runs, oldest first
	sessions map[string]string // their principals
}

func newIndex() *index {
	return &index{runs: map[string]journal.RunInfo{}, sessions: map[string]string{}}
}

// load reads the runs of an application from a store. Sessions that can't be read are left out and returned as errors.
func (x *index) load(ctx context.Context, store journal.Log, app string) (unread []error, err error) {
	for info, err := range store.Runs(ctx, journal.RunFilter{App: app}) {
		if err != nil {
			unread = append(unread, err)
			continue
		}
		x.put(info)
	}
	return unread, ctx.Err()
}

func (x *index) put(info journal.RunInfo) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, known := x.runs[info.Run]; !known {
		x.order = append(x.order, info.Run)
	}
	x.runs[info.Run] = info
	x.sessions[info.Session] = info.Principal
}

// update notes a new status of a run, and why it has it.
func (x *index) update(run string, status journal.Status, reason string, at time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if info, known := x.runs[run]; known {
		info.Status, info.Reason, info.Updated = status, reason, at
		x.runs[run] = info
	}
}

// run returns a run of a principal.
func (x *index) run(principal, run string) (journal.RunInfo, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	info, known := x.runs[run]
	if !known || info.Principal != principal {
		return journal.RunInfo{}, false
	}
	return info, true
}

// owns reports whether there is a session and it is the principal's.
func (x *index) owns(principal, session string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	owner, known := x.sessions[session]
	return known && owner == principal
}

// all returns the runs that match, oldest first.
func (x *index) all(match func(journal.RunInfo) bool) []journal.RunInfo {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var found []journal.RunInfo
	for _, run := range x.order {
		if info := x.runs[run]; match(info) {
			found = append(found, info)
		}
	}
	return slices.Clip(found)
}
