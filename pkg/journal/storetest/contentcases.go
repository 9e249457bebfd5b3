package storetest

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
)

// contentTest tests one of the two places for bytes by digest.
func contentTest(
	put func(journal.Store, context.Context, []byte) (string, error),
	get func(journal.Store, context.Context, string) ([]byte, error),
	tamper func(*testing.T, journal.Store, string),
) func(*testing.T, journal.Store) {
	return func(t *testing.T, store journal.Store) {
		for _, data := range [][]byte{[]byte("hello"), {}, []byte("hello"), {0, 255, '\n'}} {
			digest, err := put(store, t.Context(), data)
			if err != nil || digest != journal.Digest(data) {
				t.Fatalf("put %q: %s, %v; want %s", data, digest, err, journal.Digest(data))
			}
			got, err := get(store, t.Context(), digest)
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("get %q: %q, %v", data, got, err)
			}
		}
		mine := []byte("mine")
		digest, err := put(store, t.Context(), mine)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // what the caller does with its bytes is nothing to the store
			mine[0] = 'M'
			if mine, err = get(store, t.Context(), digest); err != nil || string(mine) != "mine" {
				t.Fatalf("the stored bytes were changed from outside: %q, %v", mine, err)
			}
		}
		for _, digest := range []string{journal.Digest([]byte("other")), "", "sha256:", "sha256:../../sessions/s", "hello"} {
			_, err := get(store, t.Context(), digest)
			equal(t, "digest of the error", want[*journal.NotFoundError](t, err).Digest, digest)
		}
		if tamper == nil {
			return
		}
		digest = journal.Digest([]byte("hello"))
		tamper(t, store, digest)
		_, err = get(store, t.Context(), digest)
		equal(t, "digest of the error", want[*journal.DigestError](t, err).Want, digest)
	}
}

func testApart(t *testing.T, store journal.Store) {
	digest, err := store.PutBlob(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.GetConfig(t.Context(), digest)
	want[*journal.NotFoundError](t, err)
}

func testKV(t *testing.T, store journal.Store) {
	ctx := t.Context()
	get := func(scope, key string, wanted journal.Item) {
		t.Helper()
		item, err := store.Get(ctx, scope, key)
		if err != nil || item.Version != wanted.Version || !item.Value.Equal(wanted.Value) {
			t.Fatalf("get %s %s: %v, %v; want %v", scope, key, item, err, wanted)
		}
	}
	swap := func(scope, key string, version int64, value journal.Optional, wanted int64) {
		t.Helper()
		got, err := store.CompareAndSwap(ctx, scope, key, version, value)
		if err != nil || got != wanted {
			t.Fatalf("swap %s %s at %d: %d, %v; want %d", scope, key, version, got, err, wanted)
		}
	}
	get("app:a", "k", journal.Item{})
	swap("app:a", "k", 0, journal.Some(Values()), 1)
	get("app:a", "k", journal.Item{Value: journal.Some(Values()), Version: 1})
	get("app:A", "k", journal.Item{})
	get("app:a", "K", journal.Item{})
	swap("app:a", "k", 1, journal.Some(nil), 2)
	get("app:a", "k", journal.Item{Value: journal.Some(nil), Version: 2})
	swap("app:a", "k", 2, journal.Optional{}, 3)
	get("app:a", "k", journal.Item{Version: 3})
	swap("app:a", "../k", 0, journal.Some("x"), 1)
	swap("user:../a/ü", "k", 0, journal.Some("y"), 1)

	for _, version := range []int64{0, 2, 4} {
		_, err := store.CompareAndSwap(ctx, "app:a", "k", version, journal.Some("lost"))
		equal(t, "error", *want[*journal.VersionError](t, err),
			journal.VersionError{Scope: "app:a", Key: "k", Version: version, Current: 3})
	}
	items, err := store.List(ctx, "app:a")
	if err != nil || len(items) != 1 || items["../k"].Value.Value() != "x" {
		t.Errorf("list: %v, %v; want the one key that has a value", items, err)
	}
	if items, err := store.List(ctx, "app:none"); err != nil || len(items) != 0 {
		t.Errorf("list of a scope without keys: %v, %v", items, err)
	}
}

func testKVRace(t *testing.T, store journal.Store) {
	const writers, each = 4, 10
	var done sync.WaitGroup
	for range writers {
		done.Go(func() {
			for n := 0; n < each; {
				item, err := store.Get(t.Context(), "app:a", "n")
				if err != nil {
					t.Error(err)
					return
				}
				count, _ := item.Value.Value().(int64)
				if _, err := store.CompareAndSwap(t.Context(), "app:a", "n", item.Version, journal.Some(count+1)); err == nil {
					n++
				}
			}
		})
	}
	done.Wait()
	item, err := store.Get(t.Context(), "app:a", "n")
	if err != nil || item.Value.Value() != int64(writers*each) || item.Version != writers*each {
		t.Errorf("after %d increments: %v, %v", writers*each, item, err)
	}
}
