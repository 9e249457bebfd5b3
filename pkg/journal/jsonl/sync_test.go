package jsonl_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestIntervalForcesInTheBackground(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	synctest.Test(t, func(t *testing.T) {
		store := open(t, dir, jsonl.WithSync(jsonl.SyncInterval))
		if err := store.Append(t.Context(), "s", 3, entry(3)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(jsonl.SyncDelay / 2)
		if err := store.Append(t.Context(), "s", 4, entry(4)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !store.Pending("s") {
			t.Fatal("nothing is to be forced to the disk after an append")
		}
		time.Sleep(jsonl.SyncDelay / 2)
		synctest.Wait()
		if store.Pending("s") {
			t.Errorf("%s after the first append it is not forced", jsonl.SyncDelay)
		}
		if err := store.Append(t.Context(), "s", 5, entry(5)); err != nil {
			t.Fatal(err)
		}
		if !store.Pending("s") {
			t.Error("the next append isn't to be forced")
		}
	})
}

func TestOtherPoliciesLeaveNothingPending(t *testing.T) {
	for _, policy := range []jsonl.SyncPolicy{jsonl.SyncAlways, jsonl.SyncNever} {
		dir := t.TempDir()
		fill(t, dir, 2)
		store := open(t, dir, jsonl.WithSync(policy))
		if err := store.Append(t.Context(), "s", 3, entry(3)); err != nil || store.Pending("s") {
			t.Errorf("%s: pending %v, %v", policy, store.Pending("s"), err)
		}
	}
}

// countingDisk counts how often it was asked to keep a file.
type countingDisk struct {
	jsonl.SystemDisk
	syncs int
	err   error
}

func (d *countingDisk) Sync(*os.File) error {
	d.syncs++
	return d.err
}

func TestWhenFilesAreForced(t *testing.T) {
	for policy, want := range map[jsonl.SyncPolicy]struct{ appends, close int }{
		jsonl.SyncAlways: {2, 2}, jsonl.SyncInterval: {0, 1}, jsonl.SyncNever: {0, 0},
	} {
		dir := t.TempDir()
		fill(t, dir, 2)
		var disk countingDisk
		store := open(t, dir, jsonl.WithSync(policy), jsonl.WithDisk(&disk))
		for seq := 3; seq <= 4; seq++ {
			if err := store.Append(t.Context(), "s", int64(seq), entry(seq)); err != nil {
				t.Fatal(err)
			}
		}
		if disk.syncs != want.appends {
			t.Errorf("%s: forced %d times by two appends, want %d", policy, disk.syncs, want.appends)
		}
		if err := store.Close(); err != nil || disk.syncs != want.close {
			t.Errorf("%s: forced %d times by the close, want %d; %v", policy, disk.syncs, want.close, err)
		}
	}
}

func TestContentIsForcedAtOnce(t *testing.T) {
	for policy, want := range map[jsonl.SyncPolicy]int{jsonl.SyncAlways: 2, jsonl.SyncInterval: 2, jsonl.SyncNever: 0} {
		var disk countingDisk
		store := open(t, t.TempDir(), jsonl.WithSync(policy), jsonl.WithDisk(&disk))
		if _, err := store.PutConfig(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := store.CompareAndSwap(t.Context(), "app", "k", 0, journal.Some("x")); err != nil {
			t.Fatal(err)
		}
		if disk.syncs != want {
			t.Errorf("%s: forced %d times, want %d", policy, disk.syncs, want)
		}
	}
	dir := t.TempDir()
	broken := countingDisk{err: errors.New("the disk is gone")}
	store := open(t, dir, jsonl.WithDisk(&broken))
	if _, err := store.PutBlob(t.Context(), []byte("x")); !errors.Is(err, broken.err) {
		t.Errorf("a blob: %v", err)
	}
	if files, err := os.ReadDir(filepath.Join(dir, "blobs")); err != nil || len(files) != 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// What the background can't force to the disk fails the next append, since the one before it was told that all is well.
func TestAFailedSyncFailsTheNextAppend(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	synctest.Test(t, func(t *testing.T) {
		disk := countingDisk{err: errors.New("the disk is gone")}
		store := open(t, dir, jsonl.WithSync(jsonl.SyncInterval), jsonl.WithDisk(&disk))
		if err := store.Append(t.Context(), "s", 3, entry(3)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(jsonl.SyncDelay)
		synctest.Wait()
		if err := store.Append(t.Context(), "s", 4, entry(4)); !errors.Is(err, disk.err) {
			t.Fatalf("append: %v, want the error of the sync", err)
		}
		disk.err = nil
		if err := store.Append(t.Context(), "s", 4, entry(4)); err != nil {
			t.Errorf("the file was not opened anew: %v", err)
		}
	})
}

// A session that is closed for another one tells its own next user what couldn't be kept, be it an append or a lease, and
// nobody else.
func TestAFailedSyncIsToldToItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := countingDisk{err: errors.New("the disk is gone")}
		store := open(t, t.TempDir(), jsonl.WithSync(jsonl.SyncInterval), jsonl.WithMaxOpen(1), jsonl.WithDisk(&disk))
		for _, session := range []string{"a", "b"} {
			e := &journal.Entry{Records: []journal.Record{journal.Session{ID: session}}}
			if err := store.Append(t.Context(), session, 1, e); err != nil {
				t.Fatalf("%s begins: %v", session, err)
			}
		}
		if err := store.Append(t.Context(), "a", 2, entry(2)); !errors.Is(err, disk.err) {
			t.Errorf("append to the one that was closed: %v, want the error of its sync", err)
		}
		time.Sleep(jsonl.SyncDelay)
		synctest.Wait()
		if _, err := store.AcquireLease(t.Context(), "b", "r", "me", time.Hour); !errors.Is(err, disk.err) {
			t.Errorf("lease in the other one: %v, want the error of its sync", err)
		}
		disk.err = nil
		for _, session := range []string{"a", "b"} {
			if err := store.Append(t.Context(), session, 2, entry(2)); err != nil {
				t.Errorf("append to %s, when the disk is back: %v", session, err)
			}
		}
	})
}

func TestAFailedSyncFailsItsAppend(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	disk := countingDisk{err: errors.New("the disk is gone")}
	store := open(t, dir, jsonl.WithDisk(&disk))
	e := entry(3)
	if err := store.Append(t.Context(), "s", 3, e); !errors.Is(err, disk.err) || e.Seq != 0 {
		t.Fatalf("append: %v, number %d", err, e.Seq)
	}
	disk.err = nil
	if err := store.Append(t.Context(), "s", 3, e); err != nil {
		t.Errorf("the entry that may be lost wasn't taken back: %v", err)
	}
}

func TestAFailedWriteIsFoundOutByTheNextAppend(t *testing.T) {
	for _, policy := range []jsonl.SyncPolicy{jsonl.SyncAlways, jsonl.SyncInterval, jsonl.SyncNever} {
		dir := t.TempDir()
		fill(t, dir, 2)
		store := open(t, dir, jsonl.WithSync(policy))
		if err := store.Append(t.Context(), "s", 3, entry(3)); err != nil {
			t.Fatal(err)
		}
		if err := store.Break("s"); err != nil {
			t.Fatal(err)
		}
		e := entry(4)
		if err := store.Append(t.Context(), "s", 4, e); !errors.Is(err, os.ErrClosed) || e.Seq != 0 {
			t.Fatalf("%s: append: %v, number %d", policy, err, e.Seq)
		}
		if err := store.Append(t.Context(), "s", 4, e); err != nil {
			t.Errorf("%s: the file was not opened anew: %v", policy, err)
		}
		if found, err := findings(t, store, 1); err != nil || strings.Join(found, " ") != "1 2 3 4" {
			t.Errorf("%s: read %v, %v", policy, found, err)
		}
	}
}

func TestWhatIsStoredIsForTheOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "store")
	store := open(t, dir)
	if err := store.Append(t.Context(), "s", 1, entry(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutConfig(t.Context(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.CompareAndSwap(t.Context(), "app:a", "k", 0, journal.Some("x")); err != nil {
		t.Fatal(err)
	}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %s", path, info.Mode())
		}
		if err == nil && strings.HasPrefix(info.Name(), ".new") {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "kv", "app%3Aa.json")); err != nil {
		t.Error(err)
	}
}

func TestAStoreWithoutItsDirectory(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := jsonl.Open(taken); err == nil {
		t.Error("a file was opened as a store")
	}
	dir := t.TempDir()
	store := open(t, dir)
	for _, sub := range []string{"sessions", "blobs", "kv"} {
		if err := os.RemoveAll(filepath.Join(dir, sub)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Append(t.Context(), "s", 1, entry(1)); err == nil {
		t.Error("an append without a directory")
	}
	for _, err := range store.Runs(t.Context(), journal.RunFilter{}) {
		if err == nil {
			t.Error("a run without a directory")
		}
	}
	if _, err := store.PutBlob(t.Context(), []byte("x")); err == nil {
		t.Error("a blob without a directory")
	}
	if _, err := store.CompareAndSwap(t.Context(), "a", "k", 0, journal.Some(1)); err == nil {
		t.Error("a swap without a directory")
	}
}

func TestADigestLeadsToNoOtherFile(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	for _, name := range []string{"secret", "blobs/x", "blobs/" + strings.Repeat("A", 64)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"../secret", "x", strings.Repeat("A", 64), "./x", ""} {
		data, err := store.GetBlob(t.Context(), "sha256:"+name)
		if _, ok := errors.AsType[*journal.NotFoundError](err); !ok || data != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

func TestSharedStateThatWasEdited(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	for _, text := range []string{`{`, `[]`, `{"k":1}`, `{"k":{"value":1}}`} {
		if err := os.WriteFile(filepath.Join(dir, "kv", "app.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Get(t.Context(), "app", "k"); err == nil || !strings.Contains(err.Error(), "shared state app") {
			t.Errorf("get from %s: %v", text, err)
		}
		if _, err := store.CompareAndSwap(t.Context(), "app", "k", 0, journal.Some("x")); err == nil {
			t.Errorf("a swap in %s", text)
		}
	}
}

func TestEditedContentIsMended(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	digest, err := store.PutConfig(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "configs", strings.TrimPrefix(digest, "sha256:"))
	if err := os.WriteFile(name, []byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutConfig(t.Context(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if data, err := store.GetConfig(t.Context(), digest); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
}
