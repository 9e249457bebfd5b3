package workflow_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/workflow"
)

func TestE56_branches(t *testing.T) {
	for _, tc := range []struct {
		name, graph string
		want        map[string]string
	}{
		{"a chain stays on the trunk", "START -> a -> b", map[string]string{"a@1": "", "b@1": ""}},
		{"fan-out", "START -> a -> b -> c; a -> d", map[string]string{"a@1": "", "b@1": "b@1", "c@1": "b@1", "d@1": "d@1"}},
		{"below a fan-out", "START -> a -> c -> J -> e; a -> d -> J; START -> b",
			map[string]string{"a@1": "a@1", "b@1": "b@1", "c@1": "a@1.c@1", "d@1": "a@1.d@1", "e@1": "a@1"}},
		{"a join back on the trunk", "START -> a -> J -> c; START -> b -> J", map[string]string{"c@1": ""}},
		{"a join doesn't count as a successor", "START -> a -> b; a -> J -> c", map[string]string{"b@1": "", "c@1": ""}},
		{"names that begin alike", "START -> a -> J -> c; START -> ab -> J", map[string]string{"c@1": ""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			if got := run(l.build(t, tc.graph), workflow.RunRequest{}); got.err != nil {
				t.Fatal(got.err)
			}
			for _, c := range l.calls {
				if want, ok := tc.want[c.path]; ok && c.branch != want {
					t.Errorf("%s is on %q, want %q", c.path, c.branch, want)
				}
			}
		})
	}
}

// Ordinals are those of the activation, not always 1.
func TestE56_ordinals(t *testing.T) {
	l := newLab().routes("g", "again")
	run(l.build(t, "START -> a -> b -> J -> g -[again]-> a; a -> c -> J; g -[done]-> end"), workflow.RunRequest{})
	for _, c := range l.calls {
		if c.path == "b@2" && c.branch != "b@2" {
			t.Errorf("b@2 is on %q", c.branch)
		}
	}
}
