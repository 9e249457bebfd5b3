package adkparity_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/plait-dev/plait/test/adkparity"
)

// Each scenario does the same on both engines, on ours also as a document, and what it says.
func TestConformance(t *testing.T) {
	for _, tc := range scenarios() {
		t.Run(tc.name, func(t *testing.T) {
			schedules := 6
			if tc.timed {
				schedules = 1
			}
			for schedule := range schedules {
				ours, _ := bubbles{t}.Ours(tc.graph, schedule)
				theirs := bubbles{t}.ADK(tc.graph, schedule)
				if diff := tc.differ(theirs, ours); diff != "" {
					t.Fatalf("schedule %d: %s\nADK: %v, ours: %v", schedule, diff, theirs.Err, ours.Err)
				}
				if diff := tc.misses(ours); diff != "" {
					t.Fatalf("schedule %d: %s", schedule, diff)
				}
				if tc.onlyGo {
					continue
				}
				document, _ := bubbles{t}.Document(tc.graph, schedule)
				if diffs := ours.Diff(document, Aspects()...); len(diffs) > 0 {
					t.Fatalf("schedule %d, as a document: %v\n%v", schedule, diffs, document.Err)
				}
			}
		})
	}
}

// differ tells how ours isn't like ADK's; empty if it is.
func (s scenario) differ(theirs, ours Outcome) string {
	diffs := theirs.Diff(ours.AsADK(s.graph), Aspects()...)
	if diff := cmp.Diff(theirs.Ended, ours.Ended); s.timed && diff != "" {
		diffs["bodies whose context ended"] = diff
	}
	if s.timed && theirs.Peak != ours.Peak {
		diffs["executing at once"] = fmt.Sprintf("-%d +%d", theirs.Peak, ours.Peak)
	}
	if len(diffs) == 0 {
		return ""
	}
	return fmt.Sprint(diffs)
}

// misses tells how ours isn't what the scenario says; empty if it is.
func (s scenario) misses(ours Outcome) string {
	want := Outcome{Output: s.output, Class: s.class}
	if s.class == "" {
		want.Class = Completed
	}
	if diffs := want.Diff(ours, OutputAspect, ErrorAspect); s.output != nil && len(diffs) > 0 || want.Class != ours.Class {
		return fmt.Sprintf("not what the scenario says: %v", diffs)
	}
	calls := 0
	for _, n := range ours.Calls {
		calls += n
	}
	if calls != s.calls {
		return fmt.Sprintf("%d executions, want %d: %v", calls, s.calls, ours.Calls)
	}
	return ""
}
