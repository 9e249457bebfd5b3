package jsonl_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

func TestOneStoreAtATimeWritesToASession(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	first, second := open(t, dir), open(t, dir)
	if err := first.Append(t.Context(), "s", 3, entry(3)); err != nil {
		t.Fatal(err)
	}
	var locked *journal.LockedError
	if err := second.Append(t.Context(), "s", 4, entry(4)); !errors.As(err, &locked) || locked.Session != "s" {
		t.Fatalf("append: %v, want a lock", err)
	}
	if _, err := second.AcquireLease(t.Context(), "s", "r", "b", time.Hour); !errors.As(err, &locked) {
		t.Fatalf("lease: %v, want a lock", err)
	}
	if found, err := findings(t, second, 1); err != nil || len(found) != 3 {
		t.Errorf("a reader finds %v, %v", found, err)
	}
	other := &journal.Entry{Records: []journal.Record{journal.Session{ID: "o"}}}
	if err := second.Append(t.Context(), "o", 1, other); err != nil {
		t.Errorf("another session: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.Append(t.Context(), "s", 4, entry(4)); err != nil {
		t.Errorf("after the first store was closed: %v", err)
	}
}

func TestALeaseLocksTheSession(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	first, second := open(t, dir), open(t, dir)
	if _, err := first.AcquireLease(t.Context(), "s", "r", "a", time.Hour); err != nil {
		t.Fatal(err)
	}
	var locked *journal.LockedError
	if err := second.Append(t.Context(), "s", 3, entry(3)); !errors.As(err, &locked) {
		t.Errorf("append: %v, want a lock", err)
	}
	if _, err := first.AcquireLease(t.Context(), "new", "r", "a", time.Hour); err != nil {
		t.Errorf("the lease of a run in a session that is yet to begin: %v", err)
	}
	if _, err := first.AcquireLease(t.Context(), "../s", "r", "a", time.Hour); err == nil {
		t.Error("a lease in a session that can't be")
	}
}

func TestEpochsGoOnFromThoseInTheFile(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	begin := &journal.Entry{Run: "r", Epoch: 7, Records: []journal.Record{journal.Run{ID: "r"}}}
	first := open(t, dir)
	if err := first.Append(t.Context(), "s", 3, begin); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open(t, dir)
	var stale *journal.StaleLeaseError
	older := &journal.Entry{Run: "r", Epoch: 6, Records: []journal.Record{journal.Stop{}}}
	if err := second.Append(t.Context(), "s", 4, older); !errors.As(err, &stale) || stale.Current != 7 {
		t.Errorf("an entry of epoch 6: %v", err)
	}
	lease, err := second.AcquireLease(t.Context(), "s", "r", "a", time.Hour)
	if err != nil || lease.Epoch != 8 {
		t.Errorf("the next lease: %+v, %v; want epoch 8", lease, err)
	}
}

// TestLockEndsWithTheProcess is also the other process, see lockElsewhere.
func TestLockEndsWithTheProcess(t *testing.T) {
	if dir := os.Getenv("JSONL_TEST_LOCK"); dir != "" {
		store := open(t, dir)
		if _, err := store.AcquireLease(t.Context(), "s", "r", "other", time.Hour); err != nil {
			t.Fatal(err)
		}
		fmt.Println("locked")
		_, _ = io.Copy(io.Discard, os.Stdin) // until killed
	}
	dir := t.TempDir()
	fill(t, dir, 2)
	kill := lockElsewhere(t, dir)
	store := open(t, dir)
	var locked *journal.LockedError
	if err := store.Append(t.Context(), "s", 3, entry(3)); !errors.As(err, &locked) {
		t.Errorf("while the other process lives: %v, want a lock", err)
	}
	kill()
	if err := store.Append(t.Context(), "s", 3, entry(3)); err != nil {
		t.Errorf("after the other process died: %v", err)
	}
}

// lockElsewhere lets another process lock the session s, until it is killed.
func lockElsewhere(t *testing.T, dir string) (kill func()) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestLockEndsWithTheProcess$")
	child.Env = append(os.Environ(), "JSONL_TEST_LOCK="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := child.StdinPipe(); err != nil { // stays open as long as this process lives
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "locked") {
		t.Fatalf("the child says %q, %v", line, err)
	}
	return func() {
		if err := child.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = child.Wait() // it was killed
	}
}

func TestSessionsThatWereNotUsedForLongAreClosed(t *testing.T) {
	store := open(t, t.TempDir(), jsonl.WithMaxOpen(2), jsonl.WithSync(jsonl.SyncInterval))
	begin := func(id string) *journal.Entry {
		return &journal.Entry{Records: []journal.Record{journal.Session{ID: id}}}
	}
	for _, id := range []string{"a", "b", "c"} {
		if err := store.Append(t.Context(), id, 1, begin(id)); err != nil {
			t.Fatal(err)
		}
		if id == "b" { // a is used after b
			if err := store.Append(t.Context(), "a", 2, entry(2)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := store.OpenSessions(); n != 2 {
		t.Errorf("%d sessions are open, want 2", n)
	}
	other := open(t, store.Dir())
	var locked *journal.LockedError
	if err := other.Append(t.Context(), "a", 3, entry(3)); !errors.As(err, &locked) {
		t.Errorf("a is used, but not locked: %v", err)
	}
	if err := other.Append(t.Context(), "b", 2, entry(2)); err != nil {
		t.Errorf("b was to be closed: %v", err)
	}
}

func TestSessionsThatArentThereAreNotKeptOpen(t *testing.T) {
	store := open(t, t.TempDir())
	var unknown *journal.UnknownSessionError
	if err := store.Append(t.Context(), "s", 2, entry(2)); !errors.As(err, &unknown) {
		t.Fatal(err)
	}
	if n := store.OpenSessions(); n != 0 {
		t.Errorf("%d sessions are open", n)
	}
}

func TestManyWritersWithFewOpenFiles(t *testing.T) {
	store := open(t, t.TempDir(), jsonl.WithMaxOpen(1), jsonl.WithSync(jsonl.SyncNever))
	var writers sync.WaitGroup
	for i := range 4 {
		id := fmt.Sprint("s", i)
		begin := &journal.Entry{Records: []journal.Record{journal.Session{ID: id}}}
		if err := store.Append(t.Context(), id, 1, begin); err != nil {
			t.Fatal(err)
		}
		appender := journal.NewAppender(store, id, 1, nil)
		for range 3 {
			writers.Go(func() {
				for range 20 {
					if _, err := appender.Append(t.Context(), "", 0, journal.Note{Code: "n"}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for range 2 { // these lease, so that several want one file at a time
			writers.Go(func() {
				for n := range 20 {
					if _, err := store.AcquireLease(t.Context(), id, fmt.Sprint("r", n), "a", 0); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	writers.Wait()
	if n := store.OpenSessions(); n > 4 {
		t.Errorf("%d sessions are open", n)
	}
}
