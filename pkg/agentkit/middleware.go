package agentkit

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Middleware is code around the model and the tools of an agent. Each element gets what it wraps and returns what is put
// in its place. The first element is the outermost: it sees a request or a call first and the answer last. It is applied
// once, by [New].
//
// Middleware changes how something is done; whether it is done is the business of [Hooks], which stand before and behind
// all of it. A panic in it is a failed model call, or a failed tool call; an answer streams through as the elements
// yield it.
type Middleware struct {
	// Model wraps the calls of the model. Each try of [Retry] goes through all of it.
	Model []func(next core.Model) core.Model

	// Tool wraps each tool. What the outermost element says in its Spec is what the model is told, and what counts when a
	// call is recorded or repeated.
	Tool []func(next core.Tool) core.Tool
}

// model wraps a model, and contains what goes wrong in it. It is nil when there is none.
func (m Middleware) model(inner core.Model) core.Model {
	if inner == nil {
		return nil
	}
	if outer := wrap(m.Model, inner); outer != nil {
		return contained{outer, inner}
	}
	return nil
}

// tool wraps a tool. It is nil when there is none.
func (m Middleware) tool(inner core.Tool) core.Tool {
	if inner == nil {
		return nil
	}
	return wrap(m.Tool, inner)
}

// wrap applies the elements from the last one, the innermost, to the first.
func wrap[T any](elements []func(T) T, inner T) T {
	for _, element := range slices.Backward(elements) {
		inner = element(inner)
	}
	return inner
}

// contained is a model whose panics are errors, and which costs what the innermost does.
type contained struct {
	core.Model
	inner core.Model
}

// Price implements [core.Priced].
func (m contained) Price(u core.Usage) (usd float64, known bool) { return core.PriceOf(m.inner, u) }

// Stream ends with an error when the model panics. A panic of the consumer isn't the model's, and goes on.
func (m contained) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		consuming, left := false, false
		defer func() {
			switch p := recover(); {
			case p == nil:
			case consuming:
				panic(p) //nolint:forbidigo // it goes on as it came
			case !left:
				yield(core.Delta{}, fmt.Errorf("it panicked: %v", p))
			}
		}()
		for d, err := range m.Model.Stream(ctx, req) {
			consuming = true
			more := yield(d, err)
			consuming = false
			if left = !more; left {
				return
			}
		}
	}
}
