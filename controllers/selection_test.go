//go:build integration

package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// strict is a harness whose documents get no tools.
const strict = `
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: strict}
spec:
  managed: {}
  auth: {none: {}}
  allowedAgentTemplates: {selector: {matchLabels: {team: support}}}
  documentPolicy: {harnessTools: []}
`

var _ = Describe("The selection of templates", func() {
	It("says what harnesses want when nobody takes one", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(supportTriage)
		Eventually(w.condition("support-triage", v1alpha1.ConditionAccepted)).Should(
			Equal("False NotSelected there is no Harness in the namespace"))
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: other}
spec: {managed: {}, auth: {none: {}}, allowedAgentTemplates: {selector: {matchLabels: {team: sales}}}}
---
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: shut}
spec: {managed: {}, auth: {none: {}}}
`)
		want := "False NotSelected no Harness takes the template: Harness other wants the labels team=sales; " +
			"Harness shut takes no template: it has no allowedAgentTemplates"
		Eventually(w.condition("support-triage", v1alpha1.ConditionAccepted)).Should(Equal(want))
		Expect(w.condition("support-triage", v1alpha1.ConditionReady)()).To(Equal(want))
		Eventually(w.events()).Should(ConsistOf(HavePrefix("NotSelected ")))
	})

	It("runs a template on each harness, and what one refuses another may run", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(strict)
		w.supportTriage()
		w.revision()
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(
			MatchRegexp("^False PolicyViolation Harness strict: .*write_file"))
		t := w.template()
		Expect(t.Status.Harnesses).To(HaveLen(2))
		standard := rollout(t, "standard")
		Expect(conditionText(standard.Conditions, t.Generation, v1alpha1.ConditionCompatible)).To(HavePrefix("True "))
		Expect(rollout(t, "strict").DesiredRevision).To(BeEmpty())
		Expect(w.exists(&appsv1.Deployment{}, "support-triage-strict")()).To(BeFalse())

		w.becomesReady()
		Eventually(func() string { return w.template().Status.Harness }).Should(Equal("strict +1"))
	})

	It("takes away what is of no use when a harness takes the template no more", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: AgentTemplate
metadata: {name: support-triage, labels: {team: sales}}
spec:
  modelConfig: {name: default-model}
  workflowFrom: {name: support-triage, key: agentsystem.yaml}
`)
		Eventually(w.condition("support-triage", v1alpha1.ConditionAccepted)).Should(HavePrefix("False NotSelected "))
		Eventually(w.exists(&appsv1.Deployment{}, "support-triage-standard")).Should(BeFalse())
		Eventually(w.exists(&corev1.Service{}, "support-triage-standard")).Should(BeFalse())
		Eventually(w.exists(&corev1.ServiceAccount{}, "support-triage-standard")).Should(BeFalse())
		Eventually(w.exists(&networkingv1.NetworkPolicy{}, "support-triage-standard")).Should(BeFalse())
		Eventually(func() []string { return w.revisions() }).Should(BeEmpty())
		Expect(w.exists(&corev1.ConfigMap{}, "support-triage")()).To(BeTrue())
		Expect(w.template().Status.Harnesses).To(BeEmpty())
	})

	It("ends with the harness", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.delete(&v1alpha1.Harness{}, "standard")
		Eventually(w.exists(&appsv1.Deployment{}, "support-triage-standard")).Should(BeFalse())
		Eventually(w.condition("support-triage", v1alpha1.ConditionAccepted)).Should(HavePrefix("False NotSelected "))
	})
})
