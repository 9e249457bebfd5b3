package journal

import (
	"maps"
	"strings"
)

// OwnSession is what an isolated activation, and everything below it, has in the place of the session's state. What is
// common to all sessions, keys that [IsShared] knows, isn't part of it.
type OwnSession struct {
	// State is as in [SessionState], with the temporary keys.
	State map[string]any

	// Written says who wrote the present value of each key, or removed it, after the activation began.
	Written map[string]Write
}

// ownSession begins the session of an isolated activation: with the state that its start names, else with a copy of the
// plain state around it.
func (f *folder) ownSession(run *RunState, r Start) *OwnSession {
	own := &OwnSession{State: map[string]any{}, Written: map[string]Write{}}
	if v, ok := r.State.Get(); ok {
		given, isMap := v.(map[string]any)
		if !isMap {
			f.contradictf(r.Path, "its own state is no map")
		}
		maps.Copy(own.State, given)
		return own
	}
	around := f.State
	for a := run.parent(r.Path); a != nil; a = run.parent(a.Path) {
		if a.Own != nil {
			around = a.Own.State
			break
		}
	}
	maps.Copy(own.State, around)
	maps.DeleteFunc(own.State, func(key string, _ any) bool { return !IsPlain(key) })
	return own
}

// commit applies what an activation wrote to the state: to the session's, or to that of the isolated activation that it
// works within.
func (f *folder) commit(run *RunState, path, within string, set map[string]any, remove []string) {
	if len(set) == 0 && len(remove) == 0 {
		return
	}
	var own *OwnSession
	if within != "" {
		if a := run.byPath[within]; a != nil && a.Own != nil {
			own = a.Own
		} else if !run.damaged {
			f.contradictf(path, "it writes to the state of %s, which has none of its own", within)
			return
		}
	}
	origin := Write{Run: f.entry.Run, Path: path, Pos: f.pos}
	write := func(key string, value any, removed bool) {
		state, written := f.State, f.Written
		switch {
		case IsShared(key):
		case own != nil:
			state, written = own.State, own.Written
		case within != "":
			return // the start of what it was for is in an entry that is damaged
		case strings.HasPrefix(key, TempPrefix):
			state, written = run.Temp, nil
		}
		if removed {
			delete(state, key)
		} else {
			state[key] = value
		}
		if written != nil {
			written[key] = origin
		}
	}
	for key, value := range set {
		write(key, value, false)
	}
	for _, key := range remove {
		write(key, nil, true)
	}
}
