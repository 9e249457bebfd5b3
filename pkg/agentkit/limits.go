package agentkit

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// DefaultMaxTurns is how often an agent calls its model in one run when [Config] doesn't say.
const DefaultMaxTurns = 50

// Limits bound one run. They are checked before each model call, so that a transcript never ends within a turn; what is
// used can exceed them by that call and the batch behind it. A zero field doesn't bound, but for MaxTurns.
//
// Turns, tokens and cost are counted from what was committed: a run that is taken up again has what was used before its
// process died. What subagents used is part of it, see [core.Result].Usage.
type Limits struct {
	// MaxTurns bounds the model calls; 0 means [DefaultMaxTurns].
	MaxTurns int

	// MaxTokens bounds all tokens in both directions, those of caches included.
	MaxTokens int64

	// MaxCostUSD bounds what the answers cost, in US dollars. Answers without a price, see [core.Usage], cost nothing.
	MaxCostUSD float64

	// MaxDuration bounds the time since the run began, by the clock of [RunInput]. It doesn't cut anything short: whoever wants
	// that gives the run a context with a deadline.
	MaxDuration time.Duration
}

// check names the limits that make no sense.
func (l Limits) check() error {
	var errs []error
	for _, x := range []struct {
		name  string
		wrong bool
		value any
	}{
		{"max_turns", l.MaxTurns < 0, l.MaxTurns},
		{"max_tokens", l.MaxTokens < 0, l.MaxTokens},
		{"max_cost_usd", l.MaxCostUSD < 0 || math.IsNaN(l.MaxCostUSD), l.MaxCostUSD},
		{"max_duration", l.MaxDuration < 0, l.MaxDuration},
	} {
		if x.wrong {
			errs = append(errs, fmt.Errorf("%s is %v, it can't be negative", x.name, x.value))
		}
	}
	return errors.Join(errs...)
}

// allowed checks the limits in front of a model call.
func (r *run) allowed() error {
	l := &r.cfg.Limits
	switch used := r.usage; {
	case r.turn >= l.MaxTurns:
		return &LimitError{Limit: "max_turns", Value: float64(l.MaxTurns), Used: float64(r.turn)}
	case l.MaxTokens > 0 && used.Tokens() >= l.MaxTokens:
		return &LimitError{Limit: "max_tokens", Value: float64(l.MaxTokens), Used: float64(used.Tokens())}
	case l.MaxCostUSD > 0 && used.Cost >= l.MaxCostUSD:
		return &LimitError{Limit: "max_cost_usd", Value: l.MaxCostUSD, Used: used.Cost}
	case l.MaxDuration > 0 && r.elapsed() >= l.MaxDuration:
		return &LimitError{Limit: "max_duration", Value: l.MaxDuration.Seconds(), Used: r.elapsed().Seconds()}
	}
	for _, m := range r.in.Meters {
		if err := m.Allow(); err != nil {
			return err
		}
	}
	return nil
}

// elapsed is the time since the run began.
func (r *run) elapsed() time.Duration { return r.in.Now().Sub(r.in.Started) }

// LimitError says that a run reached one of its limits.
type LimitError struct {
	// Limit is the name of the limit: max_turns, max_tokens, max_cost_usd, max_duration (in seconds), …
	Limit string
	// Value is what it is set to, Used what was used.
	Value, Used float64
}

// Error names the limit, its value and what was used.
func (e *LimitError) Error() string {
	return fmt.Sprintf("limit %s reached: %s of %s used", e.Limit, amount(e.Used), amount(e.Value))
}

// amount writes a number without an exponent, to six places: those of a price.
func amount(v float64) string {
	const places = 1e6
	return strconv.FormatFloat(math.Round(v*places)/places, 'f', -1, 64)
}

// Code returns "limit-exceeded".
func (e *LimitError) Code() string { return "limit-exceeded" }

// Meter bounds what model calls consume, over whatever it is shared by: the activations of one agent, a whole run. It
// is safe for concurrent use.
type Meter interface {
	// Allow is asked before each model call; its error, usually a *[LimitError], ends the run.
	Allow() error
	// Charge counts a model call that was made, or those that a tool made, see [core.Result].Usage.
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
		return &LimitError{Limit: "max_tokens", Value: float64(m.limit), Used: float64(used)}
	}
	return nil
}

// Charge counts the tokens of a call.
func (m *TokenMeter) Charge(u core.Usage) { m.used.Add(u.Tokens()) }

// charge counts what model calls consumed.
func (r *run) charge(used core.Usage) {
	for _, m := range r.in.Meters {
		m.Charge(used)
	}
}
