package memory

import (
	"context"
	"maps"

	"github.com/plait-dev/plait/pkg/journal"
)

// Get implements [journal.KV].
func (s *Store) Get(ctx context.Context, scope, key string) (journal.Item, error) {
	if err := ctx.Err(); err != nil {
		return journal.Item{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.items[scope][key], nil
}

// List implements [journal.KV].
func (s *Store) List(ctx context.Context, scope string) (map[string]journal.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	items := maps.Clone(s.items[scope])
	maps.DeleteFunc(items, func(_ string, item journal.Item) bool { return !item.Value.Present() })
	return items, nil
}

// CompareAndSwap implements [journal.KV].
func (s *Store) CompareAndSwap(
	ctx context.Context, scope, key string, version int64, value journal.Optional,
) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	item := s.items[scope][key]
	if item.Version != version {
		return 0, &journal.VersionError{Scope: scope, Key: key, Version: version, Current: item.Version}
	}
	if s.items[scope] == nil {
		s.items[scope] = map[string]journal.Item{}
	}
	s.items[scope][key] = journal.Item{Value: value, Version: version + 1}
	return version + 1, nil
}
