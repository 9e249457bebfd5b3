package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// Get implements [journal.KV].
func (s *Store) Get(ctx context.Context, scope, key string) (journal.Item, error) {
	items, err := s.items(ctx, scope)
	return items[key], err
}

// List implements [journal.KV].
func (s *Store) List(ctx context.Context, scope string) (map[string]journal.Item, error) {
	items, err := s.items(ctx, scope)
	for key, item := range items {
		if !item.Value.Present() {
			delete(items, key)
		}
	}
	return items, err
}

// CompareAndSwap implements [journal.KV]. A lock on the directory makes processes take turns.
func (s *Store) CompareAndSwap(
	ctx context.Context, scope, key string, version int64, value journal.Optional,
) (next int64, err error) {
	if s.readOnly {
		return 0, ErrReadOnly
	}
	s.kv.Lock()
	defer s.kv.Unlock()
	turn, err := os.OpenFile(s.path(kvDir, ".lock"), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, turn.Close()) }()
	if err := lock(turn); err != nil {
		return 0, err
	}
	items, err := s.items(ctx, scope)
	if err != nil {
		return 0, err
	}
	if current := items[key].Version; current != version {
		return 0, &journal.VersionError{Scope: scope, Key: key, Version: version, Current: current}
	}
	items[key] = journal.Item{Value: value, Version: version + 1}
	text, err := encodeItems(items)
	if err != nil {
		return 0, err
	}
	return version + 1, s.replace(s.scopePath(scope), text)
}

// items reads the file of a scope, which is {key: {"version": n, "value": v}}; removed values have no value.
func (s *Store) items(ctx context.Context, scope string) (map[string]journal.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(s.scopePath(scope))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]journal.Item{}, nil
	}
	if err != nil {
		return nil, err
	}
	items, err := decodeItems(text)
	if err != nil {
		return nil, fmt.Errorf("shared state %s: %w", scope, err)
	}
	return items, nil
}

func encodeItems(items map[string]journal.Item) ([]byte, error) {
	object := make(map[string]any, len(items))
	for key, item := range items {
		member := map[string]any{"version": item.Version}
		if v, ok := item.Value.Get(); ok {
			member["value"] = v
		}
		object[key] = member
	}
	return journal.EncodeValue(object)
}

func decodeItems(text []byte) (map[string]journal.Item, error) {
	v, err := journal.DecodeValue(text)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	items := make(map[string]journal.Item, len(object))
	for key, v := range object {
		member, _ := v.(map[string]any)
		version, isInt := member["version"].(int64)
		ok = ok && isInt
		item := journal.Item{Version: version}
		if value, there := member["value"]; there {
			item.Value = journal.Some(value)
		}
		items[key] = item
	}
	if !ok {
		return nil, errors.New("expected an object of keys, each with a version")
	}
	return items, nil
}

// scopePath writes what isn't a small letter, a digit, a dash or an underscore as %XX, so that scopes stay apart also
// where file names don't tell large letters from small ones.
func (s *Store) scopePath(scope string) string {
	var name strings.Builder
	for _, c := range []byte(scope) {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' {
			name.WriteByte(c)
		} else {
			fmt.Fprintf(&name, "%%%02X", c)
		}
	}
	return s.path(kvDir, name.String()+".json")
}
