package workflow

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/plait-dev/plait/pkg/journal"
)

// State is the state of the session, or of the isolated activation around, as one attempt sees it: what is committed, and above it what the attempt itself wrote.
// Keys that begin with app: or user: are shared with other sessions, those that begin with temp: end with the run, and
// the others belong to the session. Others see a write when the activation ends or an agent's turn is committed; the
// writes of a failed attempt are never seen. A State is safe for concurrent use.
type State struct {
	shared *values

	mu  sync.Mutex
	own delta
}

// delta is a set of writes; nil means that the key is deleted. Null isn't a value of the state.
type delta map[string]any

// Get returns the value of a key, and whether there is one. The value must not be changed.
func (s *State) Get(key string) (any, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.own[key]; ok {
		return v, v != nil
	}
	return s.shared.get(key)
}

// Set gives a key a value; nil deletes it. Values without a JSON form are refused.
func (s *State) Set(key string, value any) error {
	n, err := journal.Normalize(value)
	if err != nil {
		return Errorf(CodeOutputValue, "state %q: %w", key, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		s.own = delta{}
	}
	s.own[key] = n
	return nil
}

// Delete removes a key.
func (s *State) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		s.own = delta{}
	}
	s.own[key] = nil
}

// All returns the whole state as it is now. The map must not be changed, and doesn't change either.
func (s *State) All() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.shared.snapshot()
	if len(s.own) == 0 {
		return all
	}
	all = maps.Clone(all)
	s.own.applyTo(all)
	return all
}

// take returns what was written since the last call.
func (s *State) take() delta {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.own
	s.own = nil
	return own
}

// takeWith is take with the writes of a result, which go last.
func (s *State) takeWith(added delta) delta {
	own := s.take()
	switch {
	case len(own) == 0:
		return added
	case len(added) > 0:
		maps.Copy(own, added)
	}
	return own
}

func (d delta) applyTo(m map[string]any) {
	for k, v := range d {
		if v == nil {
			delete(m, k)
		} else {
			m[k] = v
		}
	}
}

// split returns the writes as the journal records them.
func (d delta) split() (set map[string]any, del []string) {
	for k, v := range d {
		if v == nil {
			del = append(del, k)
			continue
		}
		if set == nil {
			set = make(map[string]any, len(d))
		}
		set[k] = v
	}
	slices.Sort(del)
	return set, del
}

// join is the inverse of split.
func joinDelta(set map[string]any, del []string) delta {
	if len(set) == 0 && len(del) == 0 {
		return nil
	}
	d := make(delta, len(set)+len(del))
	maps.Copy(d, set)
	for _, k := range del {
		d[k] = nil
	}
	return d
}

// values is the committed state of a run. The loop writes it, everyone reads it.
type values struct {
	mu sync.RWMutex
	m  map[string]any
	// lent says that m was handed out, so that it must be copied before it is changed.
	lent bool
	// common is where the shared keys are; nil: here.
	common *values

	// Only the loop uses these: how many commits of the run wrote something, and who wrote each key last in it.
	commits *int
	writers map[string]write
}

// write says which activation wrote a key, and with which commit.
type write struct {
	path    string
	trigger int
	commit  int
	pos     journal.Pos // of a write that was restored
}

// conflict is a key that two activations wrote without knowing of each other.
type conflict struct {
	key, winner, loser string
}

func newValues(m map[string]any) *values {
	return &values{m: m, lent: true, commits: new(int), writers: map[string]write{}}
}

// isolated are the values of a session within that of the run, whose values v are.
func (v *values) isolated(m map[string]any) *values {
	return &values{m: m, lent: true, common: v, commits: v.commits, writers: map[string]write{}}
}

// home is where a key is.
func (v *values) home(key string) *values {
	if v.common != nil && journal.IsShared(key) {
		return v.common
	}
	return v
}

func (v *values) get(key string) (any, bool) {
	v = v.home(key)
	v.mu.RLock()
	defer v.mu.RUnlock()
	value, ok := v.m[key]
	return value, ok
}

func (v *values) snapshot() map[string]any {
	if v.common != nil {
		return v.withCommon()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lent = true
	return v.m
}

func (v *values) withCommon() map[string]any {
	all := maps.Clone(v.common.snapshot())
	maps.DeleteFunc(all, func(key string, _ any) bool { return !journal.IsShared(key) })
	v.mu.RLock()
	defer v.mu.RUnlock()
	maps.Copy(all, v.m)
	return all
}

// commit applies the writes of an activation and returns those that counted. A write loses when the present value was
// committed after the activation began, by one that was triggered later: who wins depends on the order of triggers,
// not on speed.
func (v *values) commit(by *activation, d delta) (applied delta, conflicts []conflict) {
	applied = d
	for _, key := range slices.Sorted(maps.Keys(d)) {
		last, written := v.home(key).writers[key]
		if !written || last.commit <= by.startCommit || last.trigger == by.trigger || isInside(last.path, by.path) {
			continue
		}
		c := conflict{key: key, winner: by.path, loser: last.path}
		if present, _ := v.get(key); journal.Equal(present, d[key]) {
			continue
		}
		if last.trigger > by.trigger {
			c.winner, c.loser = c.loser, c.winner
			if len(applied) == len(d) {
				applied = maps.Clone(d)
			}
			delete(applied, key)
		}
		conflicts = append(conflicts, c)
	}
	v.apply(by.path, by.trigger, applied)
	return applied, conflicts
}

// isInside says that an activation is part of another one, which knows of its writes.
func isInside(path, composite string) bool {
	rest, ok := strings.CutPrefix(path, composite)
	return ok && rest != "" && (rest[0] == '/' || rest[0] == '~')
}

// apply makes writes visible.
func (v *values) apply(path string, trigger int, d delta) {
	if len(d) == 0 {
		return
	}
	*v.commits++
	w := write{path: path, trigger: trigger, commit: *v.commits}
	if v.common == nil {
		v.put(d, w)
		return
	}
	shared := d.sharedOnly()
	if len(shared) == len(d) {
		v.common.put(d, w)
		return
	}
	v.common.put(shared, w)
	own := maps.Clone(d)
	maps.DeleteFunc(own, func(key string, _ any) bool { return journal.IsShared(key) })
	v.put(own, w)
}

func (v *values) put(d delta, w write) {
	v.change(d)
	for k := range d {
		v.writers[k] = w
	}
}

func (v *values) change(d delta) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.lent {
		v.m = maps.Clone(v.m)
		v.lent = false
	}
	d.applyTo(v.m)
}

// restoreWrite restores that a key was written; writes are restored in their order.
func (v *values) restoreWrite(key string, w journal.Write, trigger int) {
	*v.commits++
	v.writers[key] = write{path: w.Path, trigger: trigger, commit: *v.commits, pos: w.Pos}
}

// commitsBefore counts the restored commits that an activation could see that started at pos.
func (v *values) commitsBefore(pos journal.Pos) int {
	n := 0
	if v.common != nil {
		n = v.common.commitsBefore(pos)
	}
	for _, w := range v.writers {
		if w.pos.Compare(pos) < 0 {
			n = max(n, w.commit)
		}
	}
	return n
}
