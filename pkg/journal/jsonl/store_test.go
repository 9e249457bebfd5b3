package jsonl_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

func TestStore(t *testing.T) {
	for _, policy := range []jsonl.SyncPolicy{jsonl.SyncAlways, jsonl.SyncInterval, jsonl.SyncNever} {
		t.Run(policy.String(), func(t *testing.T) {
			dirs := map[journal.Store]string{}
			tamper := func(sub string) func(*testing.T, journal.Store, string) {
				return func(t *testing.T, store journal.Store, digest string) {
					file := filepath.Join(dirs[store], sub, strings.TrimPrefix(digest, "sha256:"))
					if err := os.WriteFile(file, []byte("edited"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			storetest.Run(t, func(t *testing.T) journal.Store {
				dir := t.TempDir()
				store := open(t, dir, jsonl.WithSync(policy))
				dirs[store] = dir
				return store
			},
				storetest.WithConfigTamper(tamper("configs")),
				storetest.WithBlobTamper(tamper("blobs")),
				storetest.WithEntryTamper(func(t *testing.T, store journal.Store, session string, seq int64, text string) {
					path := file(dirs[store], session)
					stored, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					lines := slices.Collect(strings.Lines(string(stored)))
					lines[seq-1] = reseal(text)
					if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
						t.Fatal(err)
					}
				}),
				storetest.WithReopen(func(t *testing.T, store journal.Store) journal.Store {
					if err := store.Close(); err != nil {
						t.Fatal(err)
					}
					return open(t, dirs[store], jsonl.WithSync(policy))
				}))
		})
	}
}

func open(t *testing.T, dir string, options ...jsonl.Option) *jsonl.Store {
	t.Helper()
	store, err := jsonl.Open(dir, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}
