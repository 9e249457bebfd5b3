package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/plait-dev/plait/test/benchkit"
)

// mostAllocations is what a node of ours needs in each case, rounded up: more is a step back, whatever ADK needs.
func mostAllocations() map[string]float64 {
	return map[string]float64{
		"chain of 100": 0.7, "chain of 1000": 0.3, "fan-out of 100, join": 1.5, "fan-out of 1000, join": 0.5,
		"worker over 100": 1.5, "worker over 1000": 0.5, "loop of 100 laps": 1, "loop of 1000 laps": 0.8,
		"nested 8 deep": 9.5, "nested 80 deep": 4, "chain of 100, ours of pure nodes": 0.7,
	}
}

// A node of ours needs at most the part of ADK's allocations that is the goal, and no more than it has needed.
func TestAllocations_per_node(t *testing.T) {
	for _, c := range cases() {
		if c.journal {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			err := onADK(t.Context(), c, func(theirs benchkit.Side) error {
				return onOurs(t.Context(), c, t.TempDir(), func(ours benchkit.Side) error {
					adk, own := allocations(t, theirs)/float64(c.nodes), allocations(t, ours)/float64(c.nodes)
					t.Logf("ADK %.1f, ours %.1f a node: %.3f", adk, own, own/adk)
					if own > c.most*adk {
						t.Errorf("%.3f of ADK's allocations, at most %.2f", own/adk, c.most)
					}
					if most := mostAllocations()[c.name]; own > most {
						t.Errorf("%.1f allocations a node, at most %.1f", own, most)
					}
					return nil
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func allocations(t *testing.T, run benchkit.Side) float64 {
	t.Helper()
	return testing.AllocsPerRun(5, func() {
		if err := run(); err != nil {
			t.Error(err)
		}
	})
}

// The goals look at the right numbers.
func TestMisses(t *testing.T) {
	small := row{benchCase: benchCase{name: "small", most: 0.1}, ourCost: benchkit.Cost{CPU: 100, Bytes: 200, Allocs: 10},
		adkCost: benchkit.Cost{Allocs: 100}, cpuRatio: 0.1}
	grown := row{
		benchCase: benchCase{name: "large", most: 0.1, growsFrom: "small"},
		ourCost:   benchkit.Cost{CPU: 119, Bytes: 250, Allocs: 10}, adkCost: benchkit.Cost{Allocs: 100}, cpuRatio: 0.119,
	}
	want := []string{
		"large: 0.119 of ADK's CPU time, at most 0.10",
		"large: a node costs 1.25 times the bytes that it costs in small, at most 1.2",
	}
	if diff := cmp.Diff(want, misses([]row{small, grown})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
