package status

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// Refusal is a harness that doesn't take a template, and why.
type Refusal struct{ Harness, Reason string }

// Template sums up how a template is on the harnesses that take it, which are sorted by name.
func Template(t *v1alpha1.AgentTemplate, rollouts []v1alpha1.HarnessRollout, refusals []Refusal, results []*compile.Result) {
	s := &t.Status
	s.ObservedGeneration = t.Generation
	s.Harnesses = rollouts
	s.Mode = v1alpha1.ModePrompt
	if t.Spec.WorkflowFrom != nil {
		s.Mode = v1alpha1.ModeWorkflow
	}
	s.Workflow = workflow(t, results)
	s.Diagnostics = diagnostics(results)
	s.Harness, s.Revision = shown(rollouts)
	if len(rollouts) == 0 {
		notSelected(t, refusals)
		return
	}
	set(&s.Conditions, t.Generation, v1alpha1.ConditionAccepted, yes(v1alpha1.ReasonAccepted, "taken by "+names(rollouts)))
	for _, kind := range []string{v1alpha1.ConditionResolvedRefs, v1alpha1.ConditionCompatible, v1alpha1.ConditionReady} {
		set(&s.Conditions, t.Generation, kind, summary(rollouts, kind))
	}
}

// notSelected says what the harnesses want. Of a template that nobody takes nothing else is known.
func notSelected(t *v1alpha1.AgentTemplate, refusals []Refusal) {
	message := "there is no Harness in the namespace"
	if len(refusals) > 0 {
		wants := make([]string, len(refusals))
		for i, r := range refusals {
			wants[i] = fmt.Sprintf("Harness %s %s", r.Harness, r.Reason)
		}
		message = "no Harness takes the template: " + strings.Join(wants, "; ")
	}
	nobody := no(v1alpha1.ReasonNotSelected, message)
	conditions := &t.Status.Conditions
	*conditions = slices.DeleteFunc(*conditions, func(c metav1.Condition) bool {
		return c.Type == v1alpha1.ConditionResolvedRefs || c.Type == v1alpha1.ConditionCompatible
	})
	set(conditions, t.Generation, v1alpha1.ConditionAccepted, nobody)
	set(conditions, t.Generation, v1alpha1.ConditionReady, nobody)
}

// names lists harnesses.
func names(rollouts []v1alpha1.HarnessRollout) string {
	all := make([]string, len(rollouts))
	for i, r := range rollouts {
		all[i] = r.Harness
	}
	return strings.Join(all, ", ")
}

// summary is the worst that a condition is on any harness. With several harnesses it says on which.
func summary(rollouts []v1alpha1.HarnessRollout, kind string) verdict {
	worst := slices.MaxFunc(rollouts, func(a, b v1alpha1.HarnessRollout) int {
		return badness(get(a.Conditions, kind)) - badness(get(b.Conditions, kind))
	})
	f := get(worst.Conditions, kind)
	switch {
	case len(rollouts) == 1:
	case f.status != metav1.ConditionTrue:
		f.message = fmt.Sprintf("Harness %s: %s", worst.Harness, f.message)
	case kind == v1alpha1.ConditionReady:
		f.message = fmt.Sprintf("%d harnesses serve", len(rollouts))
	}
	return f
}

// badness orders conditions: true, unknown, false.
func badness(f verdict) int {
	switch f.status {
	case metav1.ConditionTrue:
		return 0
	case metav1.ConditionFalse:
		return 2
	default:
		return 1
	}
}

// shown is the harness that a line about the template names, with its revision: the first that isn't ready, else the
// first, and how many more there are.
func shown(rollouts []v1alpha1.HarnessRollout) (harness, revision string) {
	if len(rollouts) == 0 {
		return "", ""
	}
	first := max(0, slices.IndexFunc(rollouts, func(r v1alpha1.HarnessRollout) bool {
		return get(r.Conditions, v1alpha1.ConditionReady).status != metav1.ConditionTrue
	}))
	harness = rollouts[first].Harness
	if more := len(rollouts) - 1; more > 0 {
		harness = fmt.Sprintf("%s +%d", harness, more)
	}
	return harness, rollouts[first].DesiredRevision
}
