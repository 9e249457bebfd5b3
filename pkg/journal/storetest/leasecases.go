package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

func acquire(t *testing.T, store journal.Store, owner string, ttl time.Duration) journal.Lease {
	t.Helper()
	l, err := store.AcquireLease(t.Context(), "s", "r", owner, ttl)
	if err != nil {
		t.Fatalf("%s acquires the lease: %v", owner, err)
	}
	return l
}

func testLease(t *testing.T, store journal.Store) {
	start(t, store, "s")
	first := acquire(t, store, "a", time.Hour)
	equal(t, "lease", first, journal.Lease{Session: "s", Run: "r", Owner: "a", Epoch: 1, Until: first.Until})

	_, err := store.AcquireLease(t.Context(), "s", "r", "b", time.Hour)
	equal(t, "owner in the error", want[*journal.LeaseHeldError](t, err).Lease.Owner, "a")
	if other, err := store.AcquireLease(t.Context(), "s", "r2", "b", time.Hour); err != nil || other.Epoch != 1 {
		t.Errorf("another run's lease: %v, %v", other, err)
	}

	renewed, err := store.RenewLease(t.Context(), first, 2*time.Hour)
	if err != nil || renewed.Epoch != 1 || !renewed.Until.After(first.Until) {
		t.Fatalf("renewed: %v, %v; want it to last longer than %v", renewed, err, first.Until)
	}
	if _, err := store.RenewLease(t.Context(), first, 0); err != nil { // over at once
		t.Fatal(err)
	}
	second := acquire(t, store, "b", time.Hour)
	equal(t, "epoch after a takeover", second.Epoch, int64(2))

	_, err = store.RenewLease(t.Context(), first, time.Hour)
	equal(t, "error", *want[*journal.StaleLeaseError](t, err),
		journal.StaleLeaseError{Session: "s", Run: "r", Epoch: 1, Current: 2})
	if err := store.ReleaseLease(t.Context(), first); err != nil {
		t.Errorf("releasing a stale lease: %v", err)
	}
	_, err = store.AcquireLease(t.Context(), "s", "r", "c", time.Hour)
	want[*journal.LeaseHeldError](t, err)

	if err := store.ReleaseLease(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	_, err = store.RenewLease(t.Context(), second, time.Hour)
	want[*journal.StaleLeaseError](t, err)
	equal(t, "epoch after a release", acquire(t, store, "c", time.Hour).Epoch, int64(3))
	equal(t, "epoch for the same owner", acquire(t, store, "c", time.Hour).Epoch, int64(4))
}

func testStaleEpoch(t *testing.T, store journal.Store) {
	start(t, store, "s")
	step := func(epoch int64) *journal.Entry { return entry("r", epoch, journal.Own{Owner: "x", Epoch: epoch}) }
	add(t, store, "s", 2, entry("r", 0, journal.Run{ID: "r"}))
	first := acquire(t, store, "a", 0)
	add(t, store, "s", 3, step(first.Epoch))
	second := acquire(t, store, "b", time.Hour)
	for _, stale := range []int64{0, first.Epoch, second.Epoch + 1} {
		err := want[*journal.StaleLeaseError](t, store.Append(t.Context(), "s", 4, step(stale)))
		equal(t, "error", *err, journal.StaleLeaseError{Session: "s", Run: "r", Epoch: stale, Current: second.Epoch})
	}
	add(t, store, "s", 4, step(second.Epoch))
	add(t, store, "s", 5, entry("other", 0, journal.Run{ID: "other"}))
	if err := store.ReleaseLease(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	want[*journal.StaleLeaseError](t, store.Append(t.Context(), "s", 6, step(second.Epoch)))
}

func testRequests(t *testing.T, store journal.Store) {
	start(t, store, "s")
	l := acquire(t, store, "a", time.Hour)
	add(t, store, "s", 2, entry("r", l.Epoch, journal.Run{ID: "r"}))
	add(t, store, "s", 3, entry("r", 0, journal.Cancel{By: "u"}))
	add(t, store, "s", 4, entry("r", 0, journal.Answer{ID: "i"}, journal.Note{Code: "n"}))
	add(t, store, "s", 5, entry("r", 0, journal.Queue{Run: "q"}, journal.Msg{ID: "m", Role: journal.RoleUser}))
	for _, r := range []journal.Record{journal.Msg{ID: "n", Role: journal.RoleModel}, journal.Done{}, journal.Stop{}} {
		want[*journal.StaleLeaseError](t, store.Append(t.Context(), "s", 6, entry("r", 0, journal.Cancel{}, r)))
	}
	want[*journal.StaleLeaseError](t, store.Append(t.Context(), "s", 6, entry("r", l.Epoch+1, journal.Cancel{})))
}

func testCanceled(t *testing.T, store journal.Store) {
	start(t, store, "s")
	l := acquire(t, store, "a", time.Hour)
	digest, err := store.PutBlob(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := canceled()
	for name, err := range map[string]error{
		"append":  store.Append(ctx, "s", 2, note("a")),
		"read":    firstError(store.Read(ctx, "s", 1)),
		"runs":    firstError(store.Runs(ctx, journal.RunFilter{})),
		"acquire": second(store.AcquireLease(ctx, "s", "r3", "a", time.Hour)),
		"renew":   second(store.RenewLease(ctx, l, time.Hour)),
		"release": store.ReleaseLease(ctx, l),
		"put":     second(store.PutBlob(ctx, []byte("y"))),
		"get":     second(store.GetBlob(ctx, digest)),
		"config":  second(store.PutConfig(ctx, []byte("y"))),
		"kv get":  second(store.Get(ctx, "app:a", "k")),
		"kv list": second(store.List(ctx, "app:a")),
		"kv swap": second(store.CompareAndSwap(ctx, "app:a", "k", 0, journal.Some("x"))),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
	}
	if n := len(read(t, store, "s", 1)); n != 1 {
		t.Errorf("the log has %d entries, want 1", n)
	}
	if _, err := store.GetBlob(t.Context(), journal.Digest([]byte("y"))); err == nil {
		t.Error("the blob was stored")
	}
	if item, err := store.Get(t.Context(), "app:a", "k"); err != nil || item.Version != 0 {
		t.Errorf("the key was written: %v, %v", item, err)
	}
	if _, err := store.RenewLease(t.Context(), l, time.Hour); err != nil {
		t.Errorf("the lease was released: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
