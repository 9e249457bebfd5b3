package session

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// Memory is a transcript in memory. It takes the commits of an agent, so that the next run of a conversation sees the
// turns of the last one. The zero Memory is empty and ready, and safe for concurrent use; nothing outlives the process.
type Memory struct {
	mu      sync.Mutex
	records []journal.Record
	count   int
	tip     string
}

// Commit appends the records at once. Messages without an id get one, and the newest message as their parent.
func (m *Memory) Commit(ctx context.Context, recs ...journal.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range recs {
		if msg, ok := r.(journal.Msg); ok {
			if m.count++; msg.ID == "" {
				msg.ID = fmt.Sprintf("m%d", m.count)
			}
			if msg.Parent == "" {
				msg.Parent = m.tip
			}
			m.tip = msg.ID
			r = msg
		}
		m.records = append(m.records, r)
	}
	return nil
}

// Messages returns the transcript, oldest message first.
func (m *Memory) Messages() []core.Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	var msgs []core.Message
	for _, r := range m.records {
		if msg, ok := r.(journal.Msg); ok {
			msgs = append(msgs, msg)
		}
	}
	return msgs
}

// Records returns all that was committed, in order.
func (m *Memory) Records() []journal.Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records)
}
