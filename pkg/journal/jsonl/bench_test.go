package jsonl_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// node are the records of the n-th node of a chain.
func node(n int) []journal.Record {
	path, next := fmt.Sprintf("lookup@%d", n), fmt.Sprintf("lookup@%d", n+1)
	from := "START"
	if n > 1 {
		from = fmt.Sprintf("lookup@%d", n-1)
	}
	return []journal.Record{
		journal.Start{Path: path, From: []string{from}, Attempt: 1},
		journal.End{Path: path, Output: journal.Some(map[string]any{"plan": "pro", "n": int64(n)}), Next: []string{next}},
	}
}

// BenchmarkRead reads and folds a chain of 1,000 nodes in 100 entries, from the file to the state.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 1)
	store, err := jsonl.Open(dir, jsonl.WithSync(jsonl.SyncNever))
	if err != nil {
		b.Fatal(err)
	}
	w := journal.NewAppender(store, "s", 1, nil).Writer("r", 0)
	records := []journal.Record{journal.Run{ID: "r"}}
	for n := 1; n <= 1000; n++ {
		records = append(records, node(n)...)
		if n%10 == 0 {
			if _, err := w.Commit(b.Context(), records...); err != nil {
				b.Fatal(err)
			}
			records = nil
		}
	}
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(file(dir, "s"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportMetric(float64(info.Size())/1000, "B/node")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := journal.Load(b.Context(), store, "s"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppend appends entries of one chain node each.
func BenchmarkAppend(b *testing.B) {
	for _, policy := range []jsonl.SyncPolicy{jsonl.SyncNever, jsonl.SyncInterval, jsonl.SyncAlways} {
		b.Run(policy.String(), func(b *testing.B) {
			dir := b.TempDir()
			fill(b, dir, 1)
			store, err := jsonl.Open(dir, jsonl.WithSync(policy))
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			w := journal.NewAppender(store, "s", 1, nil).Writer("r", 0)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := w.Commit(b.Context(), node(1)...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
