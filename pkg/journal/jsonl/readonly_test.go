package jsonl_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// A store that is only read makes nothing and takes nothing; what is empty may be missing of it.
func TestReadOnly(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	if _, err := jsonl.Open(dir, jsonl.ReadOnly()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is no store: %v", err)
	}
	store, err := jsonl.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	entry := func() *journal.Entry {
		return &journal.Entry{At: time.Unix(0, 0), Records: []journal.Record{journal.Session{ID: "s"}}}
	}
	if err := errors.Join(store.Append(ctx, "s", 1, entry()), store.Close()); err != nil {
		t.Fatal(err)
	}
	for _, empty := range []string{"blobs", "configs", "kv"} {
		if err := os.Remove(filepath.Join(dir, empty)); err != nil {
			t.Fatal(err)
		}
	}

	reader, err := jsonl.Open(dir, jsonl.ReadOnly())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if fold, err := journal.Load(ctx, reader, "s"); err != nil || fold.Seq != 1 {
		t.Errorf("reading gave %v", err)
	}
	for r, err := range reader.Runs(ctx, journal.RunFilter{}) {
		t.Errorf("the session without a run has %v, %v", r, err)
	}
	var unknown *journal.NotFoundError
	if _, err := reader.GetConfig(ctx, journal.Digest(nil)); !errors.As(err, &unknown) {
		t.Errorf("a config of none: %v", err)
	}
	if items, err := reader.List(ctx, "app:a"); err != nil || len(items) > 0 {
		t.Errorf("the items are %v, %v", items, err)
	}

	_, put := reader.PutBlob(ctx, []byte("x"))
	_, cas := reader.CompareAndSwap(ctx, "app:a", "k", 0, journal.Some(1))
	_, lease := reader.AcquireLease(ctx, "s", "r", "me", time.Minute)
	for what, err := range map[string]error{
		"append": reader.Append(ctx, "s", 2, entry()), "blob": put, "value": cas, "lease": lease,
	} {
		if !errors.Is(err, jsonl.ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}
