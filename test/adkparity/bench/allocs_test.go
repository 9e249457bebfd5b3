package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A node of ours needs at most the part of ADK's allocations that is the goal.
func TestAllocations_per_node(t *testing.T) {
	for _, c := range cases() {
		if c.journal {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			err := onADK(t.Context(), c, func(theirs once) error {
				return onOurs(t.Context(), c, t.TempDir(), func(ours once) error {
					adk, own := allocations(t, theirs)/float64(c.nodes), allocations(t, ours)/float64(c.nodes)
					t.Logf("ADK %.1f, ours %.1f a node: %.3f", adk, own, own/adk)
					if own > c.most*adk {
						t.Errorf("%.3f of ADK's allocations, at most %.2f", own/adk, c.most)
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

func allocations(t *testing.T, run once) float64 {
	t.Helper()
	return testing.AllocsPerRun(5, func() {
		if err := run(); err != nil {
			t.Error(err)
		}
	})
}

// The goals look at the right numbers.
func TestMisses(t *testing.T) {
	small := row{benchCase: benchCase{name: "small", most: 0.1}, adkCost: cost{1000, 1000, 100}, ourCost: cost{100, 200, 10}}
	grown := row{
		benchCase: benchCase{name: "large", most: 0.1, growsFrom: "small"},
		adkCost:   cost{1000, 1000, 100}, ourCost: cost{119, 250, 10},
	}
	want := []string{
		"large: 0.119 of ADK's CPU time, at most 0.10",
		"large: a node costs 1.25 times the bytes that it costs in small, at most 1.2",
	}
	if diff := cmp.Diff(want, misses([]row{small, grown})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
