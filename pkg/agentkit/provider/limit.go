package provider

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Limits are what may be used of a model in any minute; 0 means no limit.
type Limits struct {
	Requests int
	Tokens   int64 // in both directions, those of caches included
}

// Limit returns a model that keeps within limits: calls beyond them wait. Tokens are known when an answer has ended, so
// calls that are made at the same time can exceed their limit.
func Limit(m core.Model, limits Limits) core.Model {
	return &limited{Model: m, limits: limits}
}

type limited struct {
	core.Model
	limits Limits

	mu   sync.Mutex
	used []use // of the last minute, oldest first
}

// use is a request, or the tokens of one.
type use struct {
	at       time.Time
	requests int
	tokens   int64
}

// Price implements [core.Priced].
func (l *limited) Price(u core.Usage) (usd float64, known bool) { return core.PriceOf(l.Model, u) }

// Stream waits for its turn and asks the model.
func (l *limited) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		for wait := l.take(); wait > 0; wait = l.take() {
			timer := time.NewTimer(wait)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				yield(core.Delta{}, context.Cause(ctx))
				return
			}
		}
		for d, err := range l.Model.Stream(ctx, req) {
			if d.Kind == core.Done {
				u := d.Usage
				l.add(use{tokens: u.Input + u.Output + u.CacheRead + u.CacheWrite})
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// take counts a request, or says how long to wait before asking again.
func (l *limited) take() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for len(l.used) > 0 && now.Sub(l.used[0].at) >= time.Minute {
		l.used = l.used[1:]
	}
	requests, tokens := 0, int64(0)
	for _, u := range l.used {
		requests += u.requests
		tokens += u.tokens
	}
	if l.limits.Requests > 0 && requests >= l.limits.Requests || l.limits.Tokens > 0 && tokens >= l.limits.Tokens {
		return l.used[0].at.Add(time.Minute).Sub(now)
	}
	l.used = append(l.used, use{at: now, requests: 1})
	return 0
}

func (l *limited) add(u use) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u.at = time.Now()
	l.used = append(l.used, u)
}
