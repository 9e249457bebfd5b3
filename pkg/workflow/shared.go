package workflow

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// sharedState is the part of the state that lives in the store for all sessions of an application or of a user. A run
// reads it when it begins or is taken up. A write goes there after it was recorded; if the process dies in between, the
// next owner of the run makes up for it.
type sharedState struct {
	kv     journal.KV
	scopes map[string]string // by prefix
	late   delta             // what was recorded, and may not have been written before the run was taken up
}

func newSharedState(kv journal.KV, s journal.Session) *sharedState {
	return &sharedState{kv: kv, scopes: map[string]string{
		journal.AppPrefix:  journal.AppPrefix + s.App,
		journal.UserPrefix: journal.UserPrefix + s.App + "/" + s.User,
	}}
}

// load puts the shared values into m, in place of those that the session's log remembers.
func (s *sharedState) load(ctx context.Context, m map[string]any) error {
	maps.DeleteFunc(m, func(key string, _ any) bool { return journal.IsShared(key) })
	for prefix, scope := range s.scopes {
		items, err := s.kv.List(ctx, scope)
		if err != nil {
			return err
		}
		for key, item := range items {
			m[prefix+key] = item.Value.Value()
		}
	}
	s.late.applyTo(m)
	return nil
}

// save writes the shared keys of d.
func (s *sharedState) save(ctx context.Context, d delta) error {
	for _, key := range slices.Sorted(maps.Keys(d)) {
		if !journal.IsShared(key) {
			continue
		}
		prefix, rest, _ := strings.Cut(key, ":")
		value := journal.Optional{}
		if d[key] != nil {
			value = journal.Some(d[key])
		}
		if err := s.put(ctx, s.scopes[prefix+":"], rest, value); err != nil {
			return err
		}
	}
	return nil
}

// put replaces a value, whoever else writes it at the same time: the last one wins.
func (s *sharedState) put(ctx context.Context, scope, key string, value journal.Optional) error {
	item, err := s.kv.Get(ctx, scope, key)
	for err == nil && !item.Value.Equal(value) {
		_, err = s.kv.CompareAndSwap(ctx, scope, key, item.Version, value)
		if _, raced := errors.AsType[*journal.VersionError](err); !raced {
			return err
		}
		item, err = s.kv.Get(ctx, scope, key)
	}
	return err
}
