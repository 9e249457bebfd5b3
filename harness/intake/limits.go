package intake

import (
	"errors"
	"fmt"
	"time"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow"
)

// checkMaxLimits refuses bounds that this release can't keep: a policy that isn't enforced is worse than none.
func checkMaxLimits(l *adkconfigv1.Limits) error {
	var errs []error
	for _, bound := range []struct {
		name string
		set  bool
	}{
		{"max_tokens", l.GetMaxTokens() > 0},
		{"max_cost_usd", l.GetMaxCostUsd() > 0},
		{"max_turns", l.GetMaxTurns() > 0},
	} {
		if bound.set {
			errs = append(errs, fmt.Errorf("agent config: policy.max_limits.%s: this release can't keep this limit", bound.name))
		}
	}
	return errors.Join(errs...)
}

// withinMaxLimits bounds the limits of a document, with the defaults of the format in the place of those it doesn't set.
func withinMaxLimits(l workflow.Limits, bound *adkconfigv1.Limits) workflow.Limits {
	defaults := declarative.RunLimits{MaxSteps: l.MaxSteps, MaxVisits: l.MaxVisits}.WithDefaults()
	l.MaxSteps = within(defaults.MaxSteps, int(bound.GetMaxSteps()))
	l.MaxVisits = within(defaults.MaxVisits, int(bound.GetMaxVisits()))
	l.MaxDuration = within(l.MaxDuration, bound.GetMaxDuration().AsDuration())
	return l
}

// within returns the smaller of two limits of which 0 is none.
func within[T int | time.Duration](limit, bound T) T {
	if bound == 0 || limit != 0 && limit < bound {
		return limit
	}
	return bound
}
