package gather_test

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/controllers/gather"
)

// Whatever users do, a tracker knows for every object exactly those who have touched it since their last but one pass
// began: what a pass that has ended didn't touch is forgotten, and nothing else.
func TestTrackerKnowsExactlyTheUsers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tracker gather.Tracker
		open := map[string]*gather.Uses{}       // passes under way
		touched := map[string]map[string]bool{} // by pass under way
		known := map[string]map[string]bool{}   // what counts
		name := rapid.SampledFrom([]string{"a", "b", "c"})
		object := rapid.SampledFrom([]string{"", "x", "y", "z"})
		t.Repeat(map[string]func(*rapid.T){
			"begin": func(t *rapid.T) {
				n := name.Draw(t, "user")
				open[n], touched[n] = tracker.Begin(user(n)), map[string]bool{}
			},
			"touch": func(t *rapid.T) {
				n, o := name.Draw(t, "user"), object.Draw(t, "object")
				if open[n] == nil {
					t.Skip()
				}
				open[n].Touch(gather.Ref{Kind: "ConfigMap", Name: o})
				touched[n][o] = true
				if known[n] == nil {
					known[n] = map[string]bool{}
				}
				known[n][o] = true
			},
			"end": func(t *rapid.T) {
				n := name.Draw(t, "user")
				if open[n] == nil {
					t.Skip()
				}
				open[n].End()
				known[n] = touched[n]
				delete(open, n)
			},
			"forget": func(t *rapid.T) {
				n := name.Draw(t, "user")
				tracker.Forget(user(n))
				delete(open, n)
				delete(known, n)
			},
			"": func(t *rapid.T) {
				for _, o := range []string{"", "x", "y", "z"} {
					var want []types.NamespacedName
					for _, n := range []string{"a", "b", "c"} {
						if known[n][o] {
							want = append(want, user(n))
						}
					}
					got := tracker.Users("agents", gather.Ref{Kind: "ConfigMap", Name: o})
					if !slices.Equal(got, want) {
						t.Fatal(fmt.Sprintf("%q is used by %v, want %v", o, got, want))
					}
				}
			},
		})
	})
}
