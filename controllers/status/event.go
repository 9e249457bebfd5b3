package status

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Event is something that people may want to know when it happens.
type Event struct {
	// Type is corev1.EventTypeNormal or corev1.EventTypeWarning.
	Type string
	// Reason is one of a condition or of an event, Action what the controller did.
	Reason, Action string
	// Note is at most [MaxMessage] long.
	Note string
}

// The actions of events.
const (
	actionCheck   = "Check"
	actionCompile = "Compile"
	actionRollOut = "RollOut"
	actionSelect  = "Select"
)

func normal(reason, action, note string) Event {
	return Event{corev1.EventTypeNormal, reason, action, Cut(note)}
}

func warning(reason, action, note string) Event {
	return Event{corev1.EventTypeWarning, reason, action, Cut(note)}
}

// Events tell what is different from before. What was so already isn't told again, by whatever controller.
func Events(before, after *v1alpha1.AgentTemplateStatus, results map[string]*compile.Result) []Event {
	var events []Event
	accepted := get(after.Conditions, v1alpha1.ConditionAccepted)
	if was := get(before.Conditions, v1alpha1.ConditionAccepted); accepted.status == metav1.ConditionFalse && was.status != accepted.status {
		events = append(events, warning(accepted.reason, actionSelect, accepted.message))
	}
	for _, now := range after.Harnesses {
		events = append(events, rolloutEvents(rolloutOn(before, now.Harness), now, results[now.Harness])...)
	}
	return events
}

// rolloutOn is how a template is on a harness.
func rolloutOn(s *v1alpha1.AgentTemplateStatus, harness string) v1alpha1.HarnessRollout {
	for _, r := range s.Harnesses {
		if r.Harness == harness {
			return r
		}
	}
	return v1alpha1.HarnessRollout{}
}

func rolloutEvents(before, after v1alpha1.HarnessRollout, result *compile.Result) []Event {
	var events []Event
	on := "Harness " + after.Harness + ": "
	if f, fell := fell(before, after, v1alpha1.ConditionResolvedRefs); fell {
		events = append(events, warning(f.reason, actionCheck, on+f.message))
	}
	if f, fell := fell(before, after, v1alpha1.ConditionCompatible); fell {
		events = append(events, warning(f.reason, actionCompile, on+everything(f, result)))
	}
	if f, fell := fell(before, after, v1alpha1.ConditionReady); fell && isRolloutReason(f.reason) {
		events = append(events, warning(f.reason, actionRollOut, on+f.message))
	}
	if now := after.LatestSuccessfulRevision; now != "" && now != before.LatestSuccessfulRevision {
		events = append(events, normal(v1alpha1.EventRevisionReady, actionRollOut, fmt.Sprintf("%srevision %s serves", on, now)))
	}
	return events
}

// isRolloutReason says whether Ready is false because of the rollout itself.
func isRolloutReason(reason string) bool {
	switch reason {
	case v1alpha1.ReasonRolloutStuck, v1alpha1.ReasonRevisionMissing, v1alpha1.ReasonNameTaken, v1alpha1.ReasonRejected:
		return true
	default:
		return false
	}
}

// fell says whether a condition is false and wasn't so before, or for another reason.
func fell(before, after v1alpha1.HarnessRollout, kind string) (verdict, bool) {
	was, is := get(before.Conditions, kind), get(after.Conditions, kind)
	return is, is.status == metav1.ConditionFalse && is != was
}

// everything is why there is no revision, and then all that the compiler has found: first the errors, as an event has room
// for little. Conditions show the first.
func everything(f verdict, result *compile.Result) string {
	if result == nil {
		return f.message
	}
	var errs, warnings []string
	for _, d := range result.Diagnostics {
		if d.Severity == diag.Error {
			errs = append(errs, d.Error())
		} else {
			warnings = append(warnings, d.Error())
		}
	}
	if len(errs) == 0 { // the document isn't what is wrong
		errs = []string{f.message}
	}
	return strings.Join(append(errs, warnings...), "\n")
}

// RevisionCreated tells of a new revision.
func RevisionCreated(harness, revision string) Event {
	return normal(v1alpha1.EventRevisionCreated, actionCompile, fmt.Sprintf("Harness %s: revision %s is made", harness, revision))
}

// InputChanged tells which inputs made another revision of one.
func InputChanged(harness, from, to string, before, after []compile.Input) Event {
	changes := changes(before, after)
	if len(changes) == 0 {
		changes = []string{"what the controller makes of them"}
	}
	note := fmt.Sprintf("Harness %s: from revision %s to %s: %s", harness, from, to, strings.Join(changes, "; "))
	return normal(v1alpha1.EventInputChanged, actionCompile, note)
}

// changes names the inputs that differ.
func changes(before, after []compile.Input) []string {
	was := map[string]string{}
	for _, in := range before {
		was[inputName(in)] = in.Hash
	}
	var list []string
	for _, in := range after {
		name := inputName(in)
		switch hash, known := was[name]; {
		case !known:
			list = append(list, name+" is new")
		case hash != in.Hash:
			list = append(list, name+" has changed")
		}
		delete(was, name)
	}
	for _, in := range before {
		if _, gone := was[inputName(in)]; gone {
			list = append(list, inputName(in)+" is used no more")
		}
	}
	return list
}

func inputName(in compile.Input) string {
	if in.Key == "" {
		return in.Kind + " " + in.Name
	}
	return fmt.Sprintf("%s %s, key %s,", in.Kind, in.Name, in.Key)
}
