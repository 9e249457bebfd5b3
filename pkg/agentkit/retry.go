package agentkit

import (
	"context"
	"errors"
	randv2 "math/rand/v2"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// Retry says how often a model is asked again when a call failed in a way that may pass, see [core.Transient]. Nothing of
// the failed answer is acted on; what was shown of it may be said again. The zero value asks once.
type Retry struct {
	// Attempts is how often the model is asked for one answer, the first time included; 0 means once.
	Attempts int

	// Delay is the wait before the second attempt, and doubles from there; 0 means one second. Half of each wait is
	// random, so that many who were refused at once don't come back at once.
	Delay time.Duration

	// MaxDelay bounds a wait; 0 means one minute. A vendor that asks for more isn't asked again: to come back earlier
	// than it says would be refused as well.
	MaxDelay time.Duration

	// Rand draws a number from 0 up to 1; nil is math/rand.
	Rand func() float64
}

// wait says whether the model is asked again behind a failed attempt, counted from 1, and when.
func (c Retry) wait(attempt int, err error) (time.Duration, bool) {
	if attempt >= c.Attempts || !core.Transient(err) {
		return 0, false
	}
	most := c.MaxDelay
	if most <= 0 {
		most = time.Minute
	}
	if pe, ok := errors.AsType[*core.ProviderError](err); ok && pe.RetryAfter > 0 {
		return pe.RetryAfter, pe.RetryAfter <= most
	}
	delay := c.Delay
	if delay <= 0 {
		delay = time.Second
	}
	for range attempt - 1 {
		delay = min(2*delay, most)
	}
	draw := c.Rand
	if draw == nil {
		draw = randv2.Float64
	}
	delay = min(delay, most)
	return delay/2 + time.Duration(draw()*float64(delay/2)), true
}

// ask asks for one answer, as often as the agent's Retry allows. Each failure that is passed over is noted.
func (r *run) ask(ctx context.Context, req *core.Request) (core.Answer, error) {
	for attempt := 1; ; attempt++ {
		answer, err := r.attempt(ctx, req)
		if err == nil || ctx.Err() != nil {
			return answer, err
		}
		wait, again := r.cfg.Retry.wait(attempt, err)
		if !again {
			return answer, err
		}
		note := r.note("model-retry", (&ModelError{Model: r.cfg.Model.Name(), Err: err}).Error()+"; it is asked again in "+
			wait.Round(time.Millisecond).String())
		if err := r.commit(ctx, []journal.Record{note}); err != nil {
			return answer, err
		}
		if err := pause(ctx, wait); err != nil {
			return answer, err
		}
	}
}

// pause lets time pass.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
