package workflow

import (
	"maps"
	"slices"

	"github.com/plait-dev/plait/pkg/journal"
)

// CodeStateSchema is the failure of an attempt that wrote to the state what its workflow doesn't allow.
const CodeStateSchema Code = "state-schema"

// WithStateCheck has check look at what the nodes of the workflow write to the session's own state, but not at what they
// remove and at keys that begin with app:, user: or temp:. A write that it refuses fails the attempt with [CodeStateSchema],
// or the turn that an agent is about to commit. Inner workflows have checks of their own, or none; teams have none. An
// isolated node of the workflow writes to a state of its own, which isn't looked at.
func WithStateCheck(check func(key string, value any) error) Option {
	return optionFunc(func(w *Workflow) { w.stateCheck = check })
}

// checkState looks at what the attempt has written and not committed, and at what it is about to write in addition.
func (c *Context) checkState(added map[string]any) error {
	check := c.act.stateCheck()
	if check == nil {
		return nil
	}
	writes := c.state.pending()
	maps.Copy(writes, added)
	for _, key := range slices.Sorted(maps.Keys(writes)) {
		if writes[key] == nil || !journal.IsPlain(key) {
			continue
		}
		if err := check(key, writes[key]); err != nil {
			return Errorf(CodeStateSchema, "state %q: %w", key, err)
		}
	}
	return nil
}

// stateCheck is that of the graph around the activation, as far as that writes to the same state.
func (a *activation) stateCheck() func(key string, value any) error {
	for ; a.own == nil; a = a.in.owner {
		if a.in.wf != nil {
			return a.in.wf.stateCheck
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
