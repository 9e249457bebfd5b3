package workflow_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// oddKV is a store whose shared state can fail, or be changed by someone else at the wrong moment.
type oddKV struct {
	journal.Store
	list, get error
	// race runs before the first swap.
	race func()
}

func (s *oddKV) List(ctx context.Context, scope string) (map[string]journal.Item, error) {
	if s.list != nil {
		return nil, s.list
	}
	return s.Store.List(ctx, scope)
}

func (s *oddKV) Get(ctx context.Context, scope, key string) (journal.Item, error) {
	if s.get != nil {
		return journal.Item{}, s.get
	}
	return s.Store.Get(ctx, scope, key)
}

func (s *oddKV) CompareAndSwap(ctx context.Context, scope, key string, version int64, v journal.Optional) (int64, error) {
	if race := s.race; race != nil {
		s.race = nil
		race()
	}
	return s.Store.CompareAndSwap(ctx, scope, key, version, v)
}

func sharing(t *testing.T) *workflow.Workflow {
	t.Helper()
	return newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{Output: "a", State: map[string]any{"app:k": "mine", "own": 1}}, nil
	}).does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		k, _ := ctx.State().Get("app:k")
		return workflow.Result{Output: k}, nil
	}).build(t, "START -> a -> b")
}

func TestE54_shared_state_that_fails(t *testing.T) {
	broken := errors.New("broken")
	for name, store := range map[string]*oddKV{
		"when the run begins": {Store: memory.New(), list: broken},
		"when it is written":  {Store: memory.New(), get: broken},
	} {
		got := run(sharing(t), workflow.RunRequest{Store: store, App: "app"})
		if codeOf(got.err) != workflow.CodeJournal || !errors.Is(got.err, broken) {
			t.Errorf("%s: %v", name, got.err)
		}
	}
}

// Of two writers at the same time the last one wins.
func TestE54_shared_state_that_is_raced_for(t *testing.T) {
	store := &oddKV{Store: memory.New()}
	store.race = func() {
		if _, err := store.Store.CompareAndSwap(context.Background(), "app:app", "k", 0, journal.Some("theirs")); err != nil {
			t.Error(err)
		}
	}
	if got := run(sharing(t), workflow.RunRequest{Store: store, App: "app"}); got.err != nil {
		t.Fatal(got.err)
	}
	item, err := store.Get(context.Background(), "app:app", "k")
	if err != nil || item.Value.Value() != "mine" || item.Version != 2 {
		t.Errorf("k is %v, version %d, %v", item.Value.Value(), item.Version, err)
	}
}

// The process dies between the record and the shared state: the next owner makes up for it, before anything sees the state.
func TestE54_shared_state_after_a_crash(t *testing.T) {
	store := memory.New()
	dying := &oddKV{Store: store, get: storetest.ErrInjected}
	if got := run(sharing(t), workflow.RunRequest{Store: dying, App: "app", Session: "s", Run: "r"}); codeOf(got.err) != workflow.CodeJournal {
		t.Fatal(got.err)
	}
	got := resume(sharing(t), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
	item, err := store.Get(context.Background(), "app:app", "k")
	if diff := cmp.Diff(any("mine"), item.Value.Value()); diff != "" || err != nil || got.output != "mine" {
		t.Errorf("output %v, %v, %v\n%s", got.output, got.err, err, diff)
	}
}
