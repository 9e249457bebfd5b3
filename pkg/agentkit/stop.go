package agentkit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// StopPolicy decides behind each batch of tool calls whether the run ends there, successfully and with what the model has
// said so far, see [core.StopPolicy]. It returns why, or "" to go on. Unlike a limit it isn't a failure; unlike a
// tool that asks for the end it is the caller's decision.
//
// A policy is asked again about the last turn of a run that is taken up again. One that looks at nothing but the turn it
// is given, but for the time, says the same then.
type StopPolicy func(t TurnDone) (why string)

// TurnDone is a turn whose calls all have a result.
type TurnDone struct {
	Turn    int            // from 1
	Message core.Message   // the model's, with its calls
	Results []core.Message // in call order

	// Usage is what the run has consumed, earlier attempts and processes included, and Elapsed the time since it began.
	Usage   core.Usage
	Elapsed time.Duration
}

// AfterTurns ends a run behind its n-th turn.
func AfterTurns(n int) StopPolicy {
	return StopIf(fmt.Sprintf("turn %d is done", n), func(t TurnDone) bool { return t.Turn >= n })
}

// AfterTokens ends a run that has consumed n tokens, in both directions and with those of caches.
func AfterTokens(n int64) StopPolicy {
	return StopIf(fmt.Sprintf("%d tokens are used", n), func(t TurnDone) bool { return t.Usage.Tokens() >= n })
}

// AfterCost ends a run that has cost that much, in US dollars.
func AfterCost(usd float64) StopPolicy {
	return StopIf(amount(usd)+" US dollars are spent", func(t TurnDone) bool { return t.Usage.Cost >= usd })
}

// AfterTime ends a run that began that long ago.
func AfterTime(d time.Duration) StopPolicy {
	return StopIf(d.String()+" are over", func(t TurnDone) bool { return t.Elapsed >= d })
}

// AfterTool ends a run behind a successful call of one of the tools.
func AfterTool(names ...string) StopPolicy {
	return StopIf("a call of "+strings.Join(names, " or ")+" succeeded", func(t TurnDone) bool {
		return slices.ContainsFunc(t.Results, func(m core.Message) bool {
			res, _ := core.ResultOf(m)
			return !res.Error && slices.Contains(names, res.Name)
		})
	})
}

// StopIf ends a run behind the first turn that has the property.
func StopIf(why string, property func(t TurnDone) bool) StopPolicy {
	return func(t TurnDone) string {
		if property(t) {
			return why
		}
		return ""
	}
}

// AnyOf ends a run as soon as one of the policies does, for the reason of the first that does.
func AnyOf(policies ...StopPolicy) StopPolicy {
	return func(t TurnDone) string {
		for _, p := range policies {
			if why := p(t); why != "" {
				return why
			}
		}
		return ""
	}
}

// AllOf ends a run behind the first turn about which all of the policies agree; without any it never does.
func AllOf(policies ...StopPolicy) StopPolicy {
	return func(t TurnDone) string {
		reasons := make([]string, len(policies))
		for i, p := range policies {
			if reasons[i] = p(t); reasons[i] == "" {
				return ""
			}
		}
		return strings.Join(reasons, ", and ")
	}
}

// stops asks the policy about a turn. One that panics fails the run.
func (r *run) stops(t *openTurn) (why string, err error) {
	if r.cfg.Stop == nil {
		return "", nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the stop policy panicked: %v", p)
		}
	}()
	return r.cfg.Stop(TurnDone{Turn: r.turn, Message: t.message(), Results: t.results, Usage: r.usage, Elapsed: r.elapsed()}), nil
}
