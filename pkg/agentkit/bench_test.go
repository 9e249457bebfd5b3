package agentkit_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// asker asks for one tool call in each turn but the last, at next to no cost of its own.
type asker struct{ turns int }

func (asker) Name() string { return "asker" }

func (m asker) Stream(_ context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		end := core.Delta{Kind: core.Done, Stop: core.StopEnd, Usage: core.Usage{Input: 1, Output: 1}}
		if req.Turn >= m.turns {
			_ = yield(core.Delta{Kind: core.TextDelta, Text: "done"}, nil) && yield(end, nil)
			return
		}
		_ = yield(core.Delta{Kind: core.CallStart, ID: "c1", Name: "look"}, nil) &&
			yield(core.Delta{Kind: core.CallDelta, Text: `{"city":"Berlin"}`}, nil) && yield(end, nil)
	}
}

// BenchmarkTurn measures a turn with one tool call, at several lengths of the history.
func BenchmarkTurn(b *testing.B) {
	for _, history := range []int{1, 50, 500} {
		b.Run(fmt.Sprintf("history=%d", history), func(b *testing.B) {
			var msgs []core.Message
			for range history {
				msgs = append(msgs, core.UserMessage("hello"))
			}
			const turns = 40
			a, err := agentkit.New(agentkit.Config{Name: "bot", Model: asker{turns}, Tools: []core.Tool{says("look", "sunny")}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for range b.N/turns + 1 {
				if _, err := a.Run(b.Context(), agentkit.RunInput{History: msgs, View: session.ViewSession}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
