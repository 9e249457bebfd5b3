package agentkit

import (
	"container/list"
	"context"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// MemoryCache is an [AnswerCache] in memory that keeps the answers that were used last.
type MemoryCache struct {
	mu      sync.Mutex
	max     int
	recent  *list.List // of keyed answers, the newest first
	entries map[string]*list.Element
}

var _ AnswerCache = (*MemoryCache)(nil)

type keyedAnswer struct {
	key    string
	answer core.Answer
}

// NewMemoryCache returns a cache that keeps at most that many answers.
func NewMemoryCache(most int) *MemoryCache {
	return &MemoryCache{max: most, recent: list.New(), entries: map[string]*list.Element{}}
}

// Get returns an answer that is kept; it never fails.
func (c *MemoryCache) Get(_ context.Context, key string) (core.Answer, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		return core.Answer{}, false, nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(keyedAnswer).answer, true, nil
}

// Put keeps an answer in the place of the one that wasn't used for the longest time; it never fails.
func (c *MemoryCache) Put(_ context.Context, key string, answer core.Answer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.recent.Remove(e)
	}
	c.entries[key] = c.recent.PushFront(keyedAnswer{key, answer})
	for c.recent.Len() > c.max {
		oldest := c.recent.Back()
		delete(c.entries, c.recent.Remove(oldest).(keyedAnswer).key)
	}
	return nil
}
