package adkparity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/plait-dev/plait/test/adkparity"
)

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
				if diff := cmp.Diff(theirs.Ended, ours.Ended); tc.timed && diff != "" {
					t.Fatalf("schedule %d: bodies whose context ended (-ADK +ours):\n%s", schedule, diff)
				}
				if diffs := theirs.Diff(ours.AsADK(tc.graph), Aspects()...); len(diffs) > 0 {
					t.Fatalf("schedule %d: %v\nADK: %v, ours: %v", schedule, diffs, theirs.Err, ours.Err)
				}
				if tc.timed && theirs.Peak != ours.Peak {
					t.Fatalf("ADK ran %d at once, ours %d", theirs.Peak, ours.Peak)
				}
				if tc.onlyGo {
					continue
				}
				doc, _ := bubbles{t}.Document(tc.graph, schedule)
				if diffs := ours.Diff(doc, Aspects()...); len(diffs) > 0 {
					t.Fatalf("schedule %d, as a document: %v\n%v", schedule, diffs, doc.Err)
				}
				want := Outcome{Output: tc.output, Class: tc.class}
				if tc.class == "" {
					want.Class = Completed
				}
				if diffs := want.Diff(ours, OutputAspect, ErrorAspect); tc.output != nil && len(diffs) > 0 || want.Class != ours.Class {
					t.Fatalf("not what the scenario says: %v", diffs)
				}
				calls := 0
				for _, n := range ours.Calls {
					calls += n
				}
				if calls != tc.calls {
					t.Fatalf("%d executions, want %d: %v", calls, tc.calls, ours.Calls)
				}
			}
		})
	}
}
