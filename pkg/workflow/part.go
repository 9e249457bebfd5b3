package workflow

import (
	"context"
	"slices"
	"time"
)

// PartLimits bound a part of a run. Reaching one fails the activation that notices, with [CodeLimit]. A zero field doesn't
// bound.
type PartLimits struct {
	// MaxTokens bounds the tokens of all model calls, in both directions, those of caches included.
	MaxTokens int64

	// MaxCostUSD bounds what they cost, in US dollars, as far as their usage tells it.
	MaxCostUSD float64

	// MaxDuration bounds the time in which an activation of the part executes; that of several at once counts once. It is
	// kept by the contexts that [Context.Enter] gives.
	MaxDuration time.Duration
}

// Enter makes the activation one of a part, until leave is called. What it and the activations below it spend counts for the
// part; what earlier processes recorded of it is part of that. The context ends with the attempt, and with a terminal
// error of [CodeLimit] as its cause when the part, or one around it, has executed for too long. A part without limits
// is only held by those around it.
func (c *Context) Enter(p Part) (inside context.Context, leave func()) {
	u := &c.run().use
	u.mu.Lock()
	defer u.mu.Unlock()
	var own *partUse
	if p.Limits != (PartLimits{}) {
		own = u.enter(c, p)
	}
	timed := slices.DeleteFunc(u.around(c.Path()), func(p *partUse) bool { return p.Limits.MaxDuration == 0 })
	if own == nil && len(timed) == 0 {
		return c, func() {}
	}
	inside, cancel := context.WithCancelCause(c)
	for _, part := range timed {
		part.admit(c.Path(), func() { cancel(part.tooLong(part == own)) })
	}
	return inside, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		for _, part := range timed {
			delete(part.inside, c.Path())
		}
		if own != nil {
			own.end(c.run().env.Clock)
			delete(u.at, c.Path())
		}
		cancel(nil)
	}
}

// enter notes that an activation of a part executes.
func (u *consumption) enter(c *Context, p Part) *partUse {
	own := c.run().part(c.Path(), p)
	u.at[c.Path()] = own
	own.begin(c.run().env.Clock, u)
	return own
}

// tooLong is the error of a part that has executed for too long.
func (p *partUse) tooLong(own bool) error {
	limit := p.Limits.MaxDuration.String()
	return p.exceeded(reached{"max_duration", limit, limit}, own)
}

// stint is the time in which a part executes.
type stint struct {
	executed time.Duration     // up to when nothing of it executed any more
	active   int               // its activations that execute
	since    time.Time         // when the first of them began
	stop     func() bool       // prevents that the time ends
	over     bool              // it has ended
	inside   map[string]func() // ends the contexts, by the paths of their activations
}

// admit has a context end with the time of the part.
func (p *partUse) admit(path string, end func()) {
	if p.inside == nil {
		p.inside = map[string]func(){}
	}
	p.inside[path] = end
	if p.over {
		end()
	}
}

// begin notes that an activation of the part executes.
func (p *partUse) begin(clock Clock, u *consumption) {
	if p.active++; p.active > 1 || p.Limits.MaxDuration == 0 {
		return
	}
	p.since = clock.Now()
	p.stop = clock.AfterFunc(p.Limits.MaxDuration-p.executed, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		p.over = true
		for _, end := range p.inside {
			end()
		}
	})
}

// end notes that an activation of the part executes no more.
func (p *partUse) end(clock Clock) {
	if p.active--; p.active > 0 || p.Limits.MaxDuration == 0 {
		return
	}
	p.executed += clock.Now().Sub(p.since)
	p.stop()
}
