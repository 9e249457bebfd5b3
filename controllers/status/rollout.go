package status

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/compile"
)

// Facts are what is known of a template on one harness.
type Facts struct {
	// Harness is its name, and Generation that of the template.
	Harness    string
	Generation int64

	// Missing is what inputs refer to and isn't there. Result is what the compiler says; nil if something is missing.
	Missing []compile.Missing
	Result  *compile.Result

	// Desired is the short hash of the revision that is to run; empty for none.
	Desired string
	// Hold is why it isn't the newest: v1alpha1.ReasonPinned or v1alpha1.ReasonSuspended, or empty.
	Hold string
	// Obstacle is why it isn't on the cluster; nil for nothing.
	Obstacle *Obstacle

	// Deployment is what there is of it; nil for none. PodMessage is why it is stuck.
	Deployment *appsv1.Deployment
	PodMessage string
}

// Obstacle keeps a revision from being rolled out.
type Obstacle struct{ Reason, Message string }

// Rollout says how a template is on one harness, going on from how it was.
func Rollout(before v1alpha1.HarnessRollout, f *Facts) v1alpha1.HarnessRollout {
	after := *before.DeepCopy()
	after.Harness = f.Harness
	after.DesiredRevision = f.Desired
	after.Replicas, after.ReadyReplicas = 0, 0
	if f.Deployment != nil {
		after.Replicas, after.ReadyReplicas = f.Deployment.Status.Replicas, f.Deployment.Status.ReadyReplicas
	}
	if phaseOf(f.Deployment) == phaseComplete {
		after.LatestSuccessfulRevision = apply.RevisionOf(f.Deployment)
	}
	refs, compatible := resolved(f), compatible(f)
	set(&after.Conditions, f.Generation, v1alpha1.ConditionResolvedRefs, refs)
	set(&after.Conditions, f.Generation, v1alpha1.ConditionCompatible, compatible)
	set(&after.Conditions, f.Generation, v1alpha1.ConditionReady, ready(f, after.LatestSuccessfulRevision, refs, compatible))
	return after
}

func resolved(f *Facts) verdict {
	if len(f.Missing) == 0 {
		return yes(v1alpha1.ReasonResolved, "every reference leads to something")
	}
	return no(v1alpha1.ReasonReferenceMissing, MissingMessage(f.Missing))
}

// MissingMessage names everything that is missing.
func MissingMessage(missing []compile.Missing) string {
	all := make([]string, len(missing))
	for i, m := range missing {
		all[i] = m.String()
	}
	return strings.Join(all, "; ")
}

func compatible(f *Facts) verdict {
	switch {
	case f.Result == nil:
		return unknown(v1alpha1.ReasonReferenceMissing, "what is missing has to be there before the rest is checked")
	case f.Result.Refusal != nil:
		return no(f.Result.Refusal.Reason, f.Result.Refusal.Message)
	default:
		return yes(v1alpha1.ReasonCompatible, "the harness may and can run it")
	}
}

// ready sums up. Inputs that can't be used don't count while spec.revision or spec.suspend keep the revision that runs.
func ready(f *Facts, latest string, refs, compatible verdict) verdict {
	if f.Hold == "" {
		for _, cause := range []verdict{refs, compatible} {
			if cause.status == metav1.ConditionFalse {
				return no(cause.reason, cause.message+serving(latest))
			}
		}
	}
	switch {
	case f.Obstacle != nil:
		return no(f.Obstacle.Reason, line(f.Obstacle.Message)+serving(latest))
	case f.Desired == "":
		return no(v1alpha1.ReasonSuspended, "spec.suspend keeps new revisions back, and there is none yet")
	case apply.RevisionOf(f.Deployment) != f.Desired:
		return no(v1alpha1.ReasonProgressing, fmt.Sprintf("revision %s is on its way", f.Desired))
	default:
		return rolledOut(f, latest)
	}
}

// rolledOut says how far the Deployment of the desired revision is.
func rolledOut(f *Facts, latest string) verdict {
	d := f.Deployment
	old := ""
	if latest != f.Desired {
		old = serving(latest)
	}
	switch phaseOf(d) {
	case phaseIdle:
		return no(v1alpha1.ReasonScaledToZero, "the Harness wants no replicas, so that nothing serves")
	case phaseStuck:
		return no(v1alpha1.ReasonRolloutStuck, fmt.Sprintf("revision %s doesn't become ready: %s", f.Desired, f.PodMessage)+old)
	case phaseComplete:
		return serves(f)
	case phaseProgressing:
	}
	message := fmt.Sprintf("revision %s is on its way: %d of %d pods are ready",
		f.Desired, min(d.Status.UpdatedReplicas, d.Status.ReadyReplicas), wanted(d))
	return no(v1alpha1.ReasonProgressing, message+old)
}

// serves says that the desired revision serves, and what keeps a newer one back.
func serves(f *Facts) verdict {
	switch f.Hold {
	case v1alpha1.ReasonPinned:
		return yes(f.Hold, fmt.Sprintf("revision %s serves; spec.revision keeps it", f.Desired))
	case v1alpha1.ReasonSuspended:
		return yes(f.Hold, fmt.Sprintf("revision %s serves; spec.suspend keeps it", f.Desired))
	default:
		return yes(v1alpha1.ReasonReady, fmt.Sprintf("revision %s serves", f.Desired))
	}
}

// serving says what serves meanwhile.
func serving(latest string) string {
	if latest == "" {
		return ""
	}
	return fmt.Sprintf("; revision %s goes on", latest)
}
