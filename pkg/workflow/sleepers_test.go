package workflow_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Runs that wait for people cost their place on the disk: no goroutine, and next to nothing of the heap.
func TestE50_ten_thousand_runs_that_wait(t *testing.T) {
	count := 10_000
	if testing.Short() {
		count = 500
	}
	store, err := jsonl.Open(t.TempDir(), jsonl.WithSync(jsonl.SyncNever))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l := newLab().does("ask", asks(workflow.Question{}))
	w := l.build(t, "START -> a -> ask -> b")
	begin := func(n int) {
		var last workflow.EventKind
		for e, err := range w.Run(context.Background(), workflow.RunRequest{Store: store, Session: fmt.Sprintf("s_%d", n)}) {
			if err != nil {
				t.Fatal(err)
			}
			last = e.Kind
		}
		if last != workflow.RunWaiting {
			t.Fatalf("run %d ended with %s", n, last)
		}
	}
	begin(count) // what is there once is there now
	l.calls = nil
	before, goroutines := heap(), runtime.NumGoroutine()
	for n := range count {
		begin(n)
		l.calls = nil
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, before there were %d", runtime.NumGoroutine(), goroutines)
		}
	}
	if each := (int64(heap()) - int64(before)) / int64(count); each > 2<<10 {
		t.Errorf("each run keeps %d bytes of the heap, at most 2048", each)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
