package workflow

import (
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// CodeStateSchema is the failure of an attempt that wrote to the state what its workflow doesn't allow.
const CodeStateSchema Code = "state-schema"

// WithStateCheck has check look at what the nodes of the workflow write to the session's own state, but not at what they
// remove and at keys that begin with app:, user: or temp:. A write that it refuses fails the attempt with [CodeStateSchema],
// or the turn that an agent is about to commit. Inner workflows have checks of their own, or none; teams have none.
func WithStateCheck(check func(key string, value any) error) Option {
	return optionFunc(func(w *Workflow) { w.stateCheck = check })
}

// checkState looks at what the attempt has written and not committed, and at what it is about to write in addition.
func (c *Context) checkState(added map[string]any) error {
	in := c.act.in
	for in.wf == nil {
		in = in.outer
	}
	check := in.wf.stateCheck
	if check == nil {
		return nil
	}
	writes := c.state.pending()
	maps.Copy(writes, added)
	for _, key := range slices.Sorted(maps.Keys(writes)) {
		if writes[key] == nil || isShared(key) || strings.HasPrefix(key, journal.TempPrefix) {
			continue
		}
		if err := check(key, writes[key]); err != nil {
			return Errorf(CodeStateSchema, "state %q: %w", key, err)
		}
	}
	return nil
}

// pending is a copy of what was written since the last commit.
func (s *State) pending() delta {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := delta{}
	maps.Copy(pending, s.own)
	return pending
}

// checkTurn looks at what the messages of a turn would write.
func (c *Context) checkTurn(records []journal.Record) error {
	added := delta{}
	for _, rec := range records {
		if m, ok := rec.(journal.Msg); ok {
			maps.Copy(added, m.Set)
		}
	}
	return c.checkState(added)
}
