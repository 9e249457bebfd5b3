//go:build !race

package agentkit_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/internal/cputime"
	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// fastest is the least of many measurements: what else happens on the machine only adds to them.
func fastest(t *testing.T, work func()) time.Duration {
	t.Helper()
	least := time.Hour
	for range 50 {
		took, err := cputime.Of(work)
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, took)
	}
	return least
}

func TestATurnCostsLessThanAMillisecondBesideModelAndTools(t *testing.T) {
	const turns = 40
	for _, history := range []int{1, 500} {
		var msgs []core.Message
		for range history {
			msgs = append(msgs, core.UserMessage("hello"))
		}
		a := newAgent(t, agentkit.Config{Model: asker{turns}, Tools: []core.Tool{says("look", "sunny")}})
		took := fastest(t, func() {
			if _, err := a.Run(t.Context(), agentkit.RunInput{History: msgs, View: session.ViewSession}); err != nil {
				t.Fatal(err)
			}
		}) / turns
		t.Logf("behind %d messages: %v", history, took)
		if took >= time.Millisecond {
			t.Errorf("behind %d messages a turn costs %v", history, took)
		}
	}
}

// instant is a model that answers at once.
type instant struct{}

func (instant) Name() string { return "instant" }

func (instant) Stream(context.Context, *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		_ = yield(core.Delta{Kind: core.TextDelta, Text: "done"}, nil) && yield(core.Delta{Kind: core.Done, Stop: core.StopEnd}, nil)
	}
}

func TestAnAnswerOfTheCacheCostsLessThanHalfAMillisecond(t *testing.T) {
	req := &core.Request{Tools: []core.Spec{{Name: "look", InputSchema: []byte(`{"type":"object"}`)}}}
	for range 50 {
		req.Messages = append(req.Messages, core.UserMessage(strings.Repeat("hello ", 20)))
	}
	cached := agentkit.CachedAnswers(agentkit.NewMemoryCache(1))(instant{})
	collect(t, cached, req)
	direct := fastest(t, func() { collect(t, instant{}, req) })
	hit := fastest(t, func() {
		if collect(t, cached, req).Saved == nil {
			t.Fatal("the answer isn't of the cache")
		}
	})
	t.Logf("a hit costs %v, an answer without a cache %v", hit, direct)
	if hit-direct >= time.Millisecond/2 {
		t.Errorf("a hit costs %v more than an answer that is there", hit-direct)
	}
}
