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

	mu       sync.Mutex
	parts    map[Spender]*atomic.Int64
	spenders map[string]Spender // by the paths of their activations
}

// Spender is a part of a run whose model calls are counted together.
type Spender struct {
	// Author is who writes the messages of the part.
	Author string

	// Node is the node whose activations count, as [Context.Definition] gives it; empty: whatever the author writes.
	Node string
}

func (s Spender) wrote(m journal.Msg) bool {
	return m.Author == s.Author && (s.Node == "" || DefinitionOf(m.Path) == s.Node)
}

// Definition is the node of the activation as the document of the graph has it: its path without the numbers of
// activations, attempts and items, such as outer/inner for outer@2/inner@1.
func (c *Context) Definition() string { return DefinitionOf(c.Path()) }

// DefinitionOf is the [Context.Definition] of the activation with a path.
func DefinitionOf(path string) string {
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
// included, in this process and in earlier ones. The activation is one of the part; what those below it use counts, too.
func (c *Context) Tokens(s Spender) int64 { return c.run().counter(c.Path(), s).Load() }

// Spend counts the tokens of a model call for the run, for a part of it that the activation belongs to, and for the parts
// around that. What it counts beside the usage of committed messages is forgotten when the process ends.
func (c *Context) Spend(s Spender, n int64) {
	r := c.run()
	r.counter(c.Path(), s).Add(n)
	r.tokens.total.Add(n)
	r.tokens.mu.Lock()
	defer r.tokens.mu.Unlock()
	told := map[Spender]bool{s: true}
	for path := journal.ParentOf(c.Path()); path != ""; path = journal.ParentOf(path) {
		if around, ok := r.tokens.spenders[path]; ok && !told[around] {
			told[around] = true
			r.tokens.parts[around].Add(n)
		}
	}
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

// counter is what counts the tokens of a part, which an activation belongs to. It begins with what is recorded.
func (r *run) counter(path string, s Spender) *atomic.Int64 {
	t := &r.tokens
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.parts == nil {
		t.parts, t.spenders = map[Spender]*atomic.Int64{}, map[string]Spender{}
	}
	t.spenders[path] = s
	if t.parts[s] == nil {
		t.parts[s] = &atomic.Int64{}
		t.parts[s].Store(r.recorded(s))
	}
	return t.parts[s]
}

// recorded sums up the usage of the messages of a part's activations, and of those below them.
func (r *run) recorded(s Spender) int64 {
	if r.rec == nil {
		return 0
	}
	r.rec.mu.RLock()
	defer r.rec.mu.RUnlock()
	own := map[string]bool{}
	for m := range r.rec.fold.Messages(r.id) {
		own[m.Path] = own[m.Path] || s.wrote(m)
	}
	sum := int64(0)
	for m := range r.rec.fold.Messages(r.id) {
		for path := m.Path; m.Usage != nil && path != ""; path = journal.ParentOf(path) {
			if own[path] {
				sum += m.Usage.Tokens()
				break
			}
		}
	}
	return sum
}

// exhaust ends the run because its tokens are used up.
func (r *run) exhaust(m *message, executes bool) {
	if executes {
		r.exceeded(m.ctx.Path(), "limits.max_tokens", fmt.Sprintf("max_tokens is %d, and %d are used", r.env.Limits.MaxTokens, r.tokens.total.Load()))
	}
	m.reply <- errRunOver
}
