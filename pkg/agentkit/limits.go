package agentkit

import (
	"fmt"
	"sync/atomic"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// DefaultMaxTurns is how often an agent calls its model in one run when [Config] doesn't say.
const DefaultMaxTurns = 50

// LimitError says that a run reached one of its limits.
type LimitError struct {
	// Limit is the name of the limit in the document: max_turns, max_tokens, …
	Limit string
	// Value is what it is set to, Used what was used.
	Value, Used int64
}

// Error names the limit, its value and what was used.
func (e *LimitError) Error() string {
	return fmt.Sprintf("limit %s reached: %d of %d used", e.Limit, e.Used, e.Value)
}

// Code returns "limit-exceeded".
func (e *LimitError) Code() string { return "limit-exceeded" }

// Meter bounds what model calls consume, over whatever it is shared by: the activations of one agent, a whole run. It
// is safe for concurrent use.
type Meter interface {
	// Allow is asked before each model call; its error, usually a *[LimitError], ends the run.
	Allow() error
	// Charge counts a model call that was made.
	Charge(used core.Usage)
}

// TokenMeter is a [Meter] of all tokens in both directions, those of caches included. Because it is asked before a call
// and charged after it, what is used can exceed the limit by one call for each agent that works at the same time.
type TokenMeter struct {
	limit int64
	used  atomic.Int64
}

// NewTokenMeter returns a meter of which used tokens are already gone; after a restart that is what the journal has.
func NewTokenMeter(limit, used int64) *TokenMeter {
	m := &TokenMeter{limit: limit}
	m.used.Store(used)
	return m
}

// Allow returns a *[LimitError] when nothing is left.
func (m *TokenMeter) Allow() error {
	if used := m.used.Load(); used >= m.limit {
		return &LimitError{Limit: "max_tokens", Value: m.limit, Used: used}
	}
	return nil
}

// Charge counts the tokens of a call.
func (m *TokenMeter) Charge(u core.Usage) { m.used.Add(u.Tokens()) }
