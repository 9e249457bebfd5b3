package workflow

import (
	"math"
	"time"
)

// RetryConfig says how a failed attempt is repeated. Zero fields have the default that is named with them. Errors
// marked [Terminal], inputs that break their schema and exceeded limits are never repeated.
type RetryConfig struct {
	// MaxAttempts counts the first attempt, too; default 5.
	MaxAttempts int

	// InitialDelay is the pause before the second attempt; default 1 s. Each further pause is BackoffFactor (default 2)
	// times the one before, up to MaxDelay (default 60 s).
	InitialDelay  time.Duration
	MaxDelay      time.Duration
	BackoffFactor float64

	// Jitter spreads each pause evenly over ± that part of it, within 0 and MaxDelay; nil means 1.
	Jitter *float64

	// When decides whether a failure is worth another attempt; nil means always. It must have no effects. An error of
	// its own means no, and is noted.
	When func(ctx *Context, e *NodeError) (bool, error)
}

// The defaults of [RetryConfig].
const (
	defaultMaxAttempts   = 5
	defaultInitialDelay  = time.Second
	defaultMaxDelay      = time.Minute
	defaultBackoffFactor = 2
	defaultJitter        = 1
)

func (r *RetryConfig) maxAttempts() int { return orDefault(r.MaxAttempts, defaultMaxAttempts) }

// delay is the pause after the given number of failed attempts; u is a random number from -1 up to 1.
func (r *RetryConfig) delay(failed int, u float64) time.Duration {
	initial := float64(orDefault(r.InitialDelay, defaultInitialDelay))
	longest := float64(orDefault(r.MaxDelay, defaultMaxDelay))
	factor := orDefault(r.BackoffFactor, defaultBackoffFactor)
	jitter := float64(defaultJitter)
	if r.Jitter != nil {
		jitter = *r.Jitter
	}
	d := min(longest, initial*math.Pow(factor, float64(failed-1)))
	return time.Duration(min(longest, max(0, d*(1+jitter*u))))
}

// orDefault returns v, or def when v is zero.
func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
