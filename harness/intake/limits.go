package intake

import (
	"time"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow"
)

// withinMaxLimits bounds the limits of a document, with the defaults of the format in the place of those it doesn't set.
func withinMaxLimits(l workflow.Limits, bound *adkconfigv1.Limits) workflow.Limits {
	defaults := declarative.RunLimits{MaxSteps: l.MaxSteps, MaxVisits: l.MaxVisits}.WithDefaults()
	l.MaxSteps = within(defaults.MaxSteps, int(bound.GetMaxSteps()))
	l.MaxVisits = within(defaults.MaxVisits, int(bound.GetMaxVisits()))
	l.MaxDuration = within(l.MaxDuration, bound.GetMaxDuration().AsDuration())
	l.MaxTokens = within(l.MaxTokens, bound.GetMaxTokens())
	l.MaxCostUSD = within(l.MaxCostUSD, bound.GetMaxCostUsd())
	return l
}

// within returns the smaller of two limits of which 0 is none.
func within[T int | int64 | float64 | time.Duration](limit, bound T) T {
	if bound == 0 || limit != 0 && limit < bound {
		return limit
	}
	return bound
}
