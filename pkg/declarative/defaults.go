package declarative

import (
	"cmp"
	"time"
)

// The defaults of the format. They never change under the name v0.2.
const (
	DefaultMaxSteps      = 10_000
	DefaultMaxVisits     = 1_000
	DefaultMaxTurns      = 50
	DefaultMaxIters      = 100
	DefaultMaxAttempts   = 5
	DefaultInitialDelay  = time.Second
	DefaultMaxDelay      = time.Minute
	DefaultBackoffFactor = 2.0
	DefaultJitter        = 1.0
	DefaultModel         = "default"
	DefaultItems         = "input"
)

// WithDefaults returns the limits with a value for those that always apply.
func (r RunLimits) WithDefaults() RunLimits {
	r.MaxSteps = cmp.Or(r.MaxSteps, DefaultMaxSteps)
	r.MaxVisits = cmp.Or(r.MaxVisits, DefaultMaxVisits)
	return r
}

// WithDefaults returns the limits with a value for MaxTurns, which always applies.
func (a AgentLimits) WithDefaults() AgentLimits {
	a.MaxTurns = cmp.Or(a.MaxTurns, DefaultMaxTurns)
	return a
}

// WithDefaults returns the policy with a value for every field but When.
func (r Retry) WithDefaults() Retry {
	r.MaxAttempts = cmp.Or(r.MaxAttempts, DefaultMaxAttempts)
	r.InitialDelay = cmp.Or(r.InitialDelay, DefaultInitialDelay)
	r.MaxDelay = cmp.Or(r.MaxDelay, DefaultMaxDelay)
	r.BackoffFactor = cmp.Or(r.BackoffFactor, DefaultBackoffFactor)
	if r.Jitter == nil {
		jitter := DefaultJitter
		r.Jitter = &jitter
	}
	return r
}
