package session_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

func TestMemoryChainsMessagesAndKeepsOrder(t *testing.T) {
	var m session.Memory
	given := user("b")
	given.ID = "mine"
	call := journal.Call{Path: "p", ID: "c1", Tool: "t"}
	if err := m.Commit(t.Context(), user("a"), call); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(t.Context(), given, user("c")); err != nil {
		t.Fatal(err)
	}
	id := func(m core.Message, id, parent string) core.Message { m.ID, m.Parent = id, parent; return m }
	a, b, c := id(user("a"), "m1", ""), id(user("b"), "mine", "m1"), id(user("c"), "m3", "mine")
	if diff := cmp.Diff([]journal.Record{a, call, b, c}, m.Records()); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]core.Message{a, b, c}, m.Messages()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestMemoryTakesNothingWhenTheContextIsDone(t *testing.T) {
	var m session.Memory
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Commit(ctx, user("a")); !errors.Is(err, context.Canceled) || len(m.Records()) != 0 {
		t.Errorf("err %v, records %v", err, m.Records())
	}
}
