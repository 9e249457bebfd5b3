package main

import (
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// Both sides give the same answers, again and again, else what is compared isn't the same. What ours allocates doesn't
// depend on the machine.
func TestBothAnswer(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			ours, err := onOurs(c)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := onADK(c)
			if err != nil {
				t.Fatal(err)
			}
			own, adk := allocations(t, c, ours), allocations(t, c, theirs)
			t.Logf("ADK %.1f, ours %.1f: %.3f", adk, own, own/adk)
			if own > c.mostAllocs*adk {
				t.Errorf("%.3f of ADK's allocations, at most %.2f", own/adk, c.mostAllocs)
			}
		})
	}
}

func allocations(t *testing.T, c message, answer answering) float64 {
	t.Helper()
	return testing.AllocsPerRun(20, func() {
		if err := c.check(answer(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func TestAMissedGoalIsTold(t *testing.T) {
	cost := func(cpu time.Duration, allocs float64) []benchkit.Cost {
		return []benchkit.Cost{{CPU: cpu, Allocs: allocs}}
	}
	if missed := (row{"r", cost(budget, 2), cost(5*budget, 10)}).misses(); len(missed) != 0 {
		t.Errorf("%q", missed)
	}
	missed := (row{"r", cost(budget+1, 3), cost(4*budget, 10)}).misses()
	if len(missed) != 2 || !strings.HasPrefix(missed[0], "r: 0.250 of ADK's CPU time") {
		t.Errorf("%q", missed)
	}
}
