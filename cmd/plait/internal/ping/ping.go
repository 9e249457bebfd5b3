package ping

import (
	"context"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Answer is what came of a call.
type Answer struct {
	core.Answer

	Took time.Duration
}

// Call asks for one word. The least bound that all vendors take keeps the answer short; an answer that it cuts off is one.
func Call(ctx context.Context, m core.Model) (Answer, error) {
	const leastLimit = 16
	begun := time.Now()
	answer, err := core.Collect(m.Stream(ctx, &core.Request{
		Turn: 1, Attempt: 1,
		Messages: []core.Message{core.UserMessage("Answer with the word pong.")},
		Generate: core.Generate{MaxOutputTokens: leastLimit},
	}))
	return Answer{answer, time.Since(begun)}, err
}
