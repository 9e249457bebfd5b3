package workflow

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/plait-dev/plait/pkg/journal"
)

// tokens counts what the model calls of a run use.
type tokens struct {
	total atomic.Int64

	mu    sync.Mutex
	parts map[Spender]*atomic.Int64
}

// Spender is a part of a run whose model calls are counted together.
type Spender struct {
	// Author is who writes the messages of the part.
	Author string

	// Node is the node whose activations count, as [Context.Definition] gives it; empty: whatever the author writes.
	Node string
}

func (s Spender) wrote(m journal.Msg) bool {
	return m.Author == s.Author && (s.Node == "" || definitionOf(m.Path) == s.Node)
}

// Definition is the node of the activation as the document of the graph has it: its path without the numbers of
// activations, attempts and items, such as outer/inner for outer@2/inner@1.
func (c *Context) Definition() string { return definitionOf(c.Path()) }

func definitionOf(path string) string {
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if end := strings.IndexAny(step, "@~"); end >= 0 {
			steps[i] = step[:end]
		} else {
			steps[i] = "" // an item
		}
	}
	return strings.Join(steps, "/")
}

// Tokens is how many tokens the model calls of a part of the run have used, in both directions, those of caches
// included, in this process and in earlier ones.
func (c *Context) Tokens(s Spender) int64 { return c.run().counter(s).Load() }

// Spend counts the tokens of a model call for the run and for a part of it. What it counts beside the usage of committed
// messages is forgotten when the process ends.
func (c *Context) Spend(s Spender, n int64) {
	c.run().counter(s).Add(n)
	c.run().tokens.total.Add(n)
}

// AllowModelCall says whether [Limits.MaxTokens] leaves the run another model call. When it doesn't the run ends, with
// [CodeLimit].
func (c *Context) AllowModelCall() error {
	limit := c.run().env.Limits.MaxTokens
	if limit == 0 || c.run().tokens.total.Load() < limit {
		return nil
	}
	return c.ask(message{kind: exhausted})
}

// counter is what counts the tokens of a part. It begins with what is recorded.
func (r *run) counter(s Spender) *atomic.Int64 {
	r.tokens.mu.Lock()
	defer r.tokens.mu.Unlock()
	if n := r.tokens.parts[s]; n != nil {
		return n
	}
	if r.tokens.parts == nil {
		r.tokens.parts = map[Spender]*atomic.Int64{}
	}
	n := &atomic.Int64{}
	n.Store(r.recorded(s))
	r.tokens.parts[s] = n
	return n
}

// recorded sums up the usage of a part's messages.
func (r *run) recorded(s Spender) int64 {
	if r.rec == nil {
		return 0
	}
	r.rec.mu.RLock()
	defer r.rec.mu.RUnlock()
	sum := int64(0)
	for m := range r.rec.fold.Messages(r.id) {
		if m.Usage != nil && s.wrote(m) {
			sum += m.Usage.Tokens()
		}
	}
	return sum
}

// exhaust ends the run because its tokens are used up.
func (r *run) exhaust(m *message, executes bool) {
	if executes {
		r.exceeded(m.ctx.Path(), fmt.Sprintf("max_tokens is %d, and %d are used", r.env.Limits.MaxTokens, r.tokens.total.Load()))
	}
	m.reply <- errRunOver
}
