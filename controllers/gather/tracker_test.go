package gather_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-dev/plait/controllers/gather"
)

func user(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: "agents", Name: name}
}

func users(t *testing.T, tracker *gather.Tracker, ref gather.Ref, want ...string) {
	t.Helper()
	var got []string
	for _, u := range tracker.Users("agents", ref) {
		got = append(got, u.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("users of %v (-want +got):\n%s", ref, diff)
	}
}

func TestTrackerKnowsUsers(t *testing.T) {
	var tracker gather.Tracker
	prompts, keys := gather.Ref{Kind: "ConfigMap", Name: "prompts"}, gather.Ref{Kind: "Secret", Name: "prompts"}
	users(t, &tracker, prompts)
	b := tracker.Begin(user("b"))
	b.Touch(prompts)
	b.Touch(prompts)
	users(t, &tracker, prompts, "b") // at once, and not when all is read
	b.End()
	a := tracker.Begin(user("a"))
	a.Touch(prompts)
	a.Touch(keys)
	a.End()
	users(t, &tracker, prompts, "a", "b")
	users(t, &tracker, keys, "a")
	users(t, &tracker, gather.Ref{Kind: "ConfigMap"})
	if got := tracker.Users("elsewhere", prompts); len(got) > 0 {
		t.Errorf("another namespace has the users %v", got)
	}
}

// What isn't touched any more is forgotten at the end and not before: a change meanwhile still finds the user.
func TestTrackerForgetsAtTheEnd(t *testing.T) {
	var tracker gather.Tracker
	old, kept, added := gather.Ref{Kind: "ConfigMap", Name: "old"}, gather.Ref{Kind: "ConfigMap", Name: "kept"}, gather.Ref{Kind: "ConfigMap", Name: "new"}
	uses := tracker.Begin(user("a"))
	uses.Touch(old)
	uses.Touch(kept)
	uses.End()
	uses = tracker.Begin(user("a"))
	uses.Touch(kept)
	uses.Touch(added)
	users(t, &tracker, old, "a")
	uses.End()
	users(t, &tracker, old)
	users(t, &tracker, kept, "a")
	users(t, &tracker, added, "a")
}

// A gathering that fails isn't ended: nothing that was used before is lost.
func TestTrackerKeepsWhatAFailureLeaves(t *testing.T) {
	var tracker gather.Tracker
	old, added := gather.Ref{Kind: "ConfigMap", Name: "old"}, gather.Ref{Kind: "ConfigMap", Name: "new"}
	uses := tracker.Begin(user("a"))
	uses.Touch(old)
	uses.End()
	tracker.Begin(user("a")).Touch(added)
	users(t, &tracker, old, "a")
	users(t, &tracker, added, "a")
}

func TestTrackerForgetsWhoIsGone(t *testing.T) {
	var tracker gather.Tracker
	ref := gather.Ref{Kind: "ConfigMap", Name: "shared"}
	for _, name := range []string{"a", "b"} {
		uses := tracker.Begin(user(name))
		uses.Touch(ref)
		uses.End()
	}
	tracker.Forget(user("a"))
	tracker.Forget(user("never seen"))
	users(t, &tracker, ref, "b")
}

// Workers gather for different users at the same time.
func TestTrackerIsSafeForConcurrentUse(t *testing.T) {
	var tracker gather.Tracker
	shared := gather.Ref{Kind: "ConfigMap", Name: "shared"}
	var workers sync.WaitGroup
	for i := range 8 {
		workers.Go(func() {
			for n := range 50 {
				uses := tracker.Begin(user(fmt.Sprint(i)))
				uses.Touch(shared)
				uses.Touch(gather.Ref{Kind: "ConfigMap", Name: fmt.Sprint(n)})
				tracker.Users("agents", shared)
				uses.End()
			}
		})
	}
	workers.Wait()
	users(t, &tracker, shared, "0", "1", "2", "3", "4", "5", "6", "7")
	users(t, &tracker, gather.Ref{Kind: "ConfigMap", Name: "48"})
	users(t, &tracker, gather.Ref{Kind: "ConfigMap", Name: "49"}, "0", "1", "2", "3", "4", "5", "6", "7")
}
