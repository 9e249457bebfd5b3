package run_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a system of one node, "work", over a store in memory. The node answers "done: " and its input, unless the input
// is one of a few words.
type lab struct {
	store  journal.Store
	digest string

	mu      sync.Mutex
	entered map[string]int // by input: how often the node was executed
}

func newLab() *lab {
	return &lab{store: memory.New(), digest: "sha256:present", entered: map[string]int{}}
}

// The inputs that the node knows.
const (
	waits     = "wait"  // until it is cancelled
	obstinate = "deaf"  // for a second, whatever happens
	slow      = "slow"  // for a second
	fails     = "fail"  // at once
	speaks    = "speak" // shows three pieces of text
)

func (l *lab) work(ctx *workflow.Context, input any) (workflow.Result, error) {
	text, _ := input.(string)
	l.mu.Lock()
	l.entered[text]++
	n := l.entered[text]
	l.mu.Unlock()
	switch {
	case text == waits && n == 1:
		<-ctx.Done()
		return workflow.Result{}, ctx.Err()
	case text == obstinate:
		time.Sleep(time.Second)
	case text == slow:
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return workflow.Result{}, ctx.Err()
		}
	case text == fails:
		return workflow.Result{}, errors.New("it fails")
	case text == speaks:
		for _, piece := range []string{"one ", "two ", "three"} {
			ctx.Emit(workflow.Progress{Text: piece})
		}
	}
	return workflow.Result{Output: "done: " + text}, nil
}

// Workflow implements [run.System].
func (l *lab) Workflow() *workflow.Workflow {
	wf, err := workflow.New("test", []workflow.Edge{
		{From: workflow.Start, To: workflow.NewNode("work", l.work, workflow.NodeConfig{})},
	})
	if err != nil {
		panic(err)
	}
	return wf
}

// Limits implements [run.System].
func (l *lab) Limits() workflow.Limits { return workflow.Limits{} }

func (l *lab) executions(input string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entered[input]
}

func (l *lab) service(store journal.Store) *run.Service {
	return run.New(run.Config{Store: store, System: l, Digest: l.digest, App: "test", Owner: "lab"})
}

// supervisor makes the supervisor of a process over the store. The configs of digests are in it.
func (l *lab) supervisor(t *testing.T, edits ...func(*run.SupervisorConfig)) *run.Supervisor {
	t.Helper()
	digest, err := l.store.PutConfig(t.Context(), []byte("the present config"))
	if err != nil {
		t.Fatal(err)
	}
	l.digest = digest
	cfg := run.SupervisorConfig{Current: l.service(l.store), Logger: slog.New(slog.DiscardHandler)}
	for _, edit := range edits {
		edit(&cfg)
	}
	s, err := run.NewSupervisor(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { drainNow(s) })
	return s
}

// drainNow ends a supervisor without patience.
func drainNow(s *run.Supervisor) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.Drain(ctx)
}

// begin begins a run of the principal "ann".
func begin(t *testing.T, s *run.Supervisor, m run.Message) *run.Begun {
	t.Helper()
	if m.Principal == "" {
		m.Principal = "ann"
	}
	b, err := s.Begin(t.Context(), m)
	if err != nil {
		t.Fatalf("begin %+v: %v", m, err)
	}
	t.Cleanup(b.Watcher.Close)
	return b
}

// last returns the last event of a run, when it comes.
func last(t *testing.T, b *run.Begun) workflow.Event {
	t.Helper()
	for e, err := range b.Watcher.Events(t.Context()) {
		if err != nil {
			t.Fatalf("run %s: %v", b.Run, err)
		}
		ends := []workflow.EventKind{workflow.RunCompleted, workflow.RunFailed, workflow.RunCanceled, workflow.RunSuspended}
		if slices.Contains(ends, e.Kind) {
			return e
		}
	}
	t.Fatalf("run %s: the events end", b.Run)
	return workflow.Event{}
}

// status is that of a run of "ann".
func status(t *testing.T, s *run.Supervisor, id string) journal.Status {
	t.Helper()
	info, err := s.Run("ann", id)
	if err != nil {
		t.Fatal(err)
	}
	return info.Status
}

// recorded is the status of a run in the journal.
func (l *lab) recorded(t *testing.T, session, id string) journal.Status {
	t.Helper()
	fold, err := journal.Load(context.Background(), l.store, session)
	if err != nil {
		t.Fatal(err)
	}
	return fold.Run(id).Status()
}
