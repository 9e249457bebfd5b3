package status

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// maxTemplates are named in the status of a harness.
const maxTemplates = 100

// Harness says how a harness is: what it refers to and isn't there, and the names of the templates that it takes.
func Harness(h *v1alpha1.Harness, missing, templates []string) {
	s := &h.Status
	s.ObservedGeneration = h.Generation
	slices.Sort(templates)
	s.TemplateCount = int32(len(templates))
	s.Templates = templates[:min(maxTemplates, len(templates))]
	ready := yes(v1alpha1.ReasonReady, "everything that it refers to is there")
	if problem := compile.SelectorProblem(h); problem != "" {
		ready = no(v1alpha1.ReasonInvalidSelector, problem+"; until it is mended, what runs stays and nothing else is taken")
	} else if len(missing) > 0 {
		ready = no(v1alpha1.ReasonReferenceMissing, strings.Join(missing, "; "))
	}
	set(&s.Conditions, h.Generation, v1alpha1.ConditionReady, ready)
	set(&s.Conditions, h.Generation, v1alpha1.ConditionDurable, durable(h))
	set(&s.Conditions, h.Generation, v1alpha1.ConditionAuthenticated, authenticated(h))
}

func durable(h *v1alpha1.Harness) verdict {
	if h.Spec.SessionStore == nil || h.Spec.SessionStore.File == nil {
		return no(v1alpha1.ReasonEphemeralSessions, "sessions end with their pod; spec.sessionStore keeps them")
	}
	return yes(v1alpha1.ReasonPersistent, "sessions are kept on the claim "+h.Spec.SessionStore.File.PersistentVolumeClaim.Name)
}

func authenticated(h *v1alpha1.Harness) verdict {
	if h.Spec.Auth.Bearer == nil {
		return no(v1alpha1.ReasonUnauthenticated, "everybody who reaches a pod is let in")
	}
	return yes(v1alpha1.ReasonBearer, "callers need a key of the Secret "+h.Spec.Auth.Bearer.SecretName)
}
