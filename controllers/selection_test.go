//go:build integration

package controllers_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
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

	It("keeps what runs while a selector can't be read", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(strict)
		w.supportTriage()
		first := w.revision()
		w.edit("Please rephrase.", "Please say it again.")
		second := w.revision(first)
		w.quiet()

		uid := w.deployment().UID
		broken := strings.Replace(standard, "{team: support}", `{"te am!": bad value}`, 1)
		w.apply(broken)
		Eventually(w.harnessCondition("standard", v1alpha1.ConditionReady)).Should(MatchRegexp(
			`^False InvalidSelector spec.allowedAgentTemplates.selector: .*"te am!".*what runs stays`))
		Eventually(func() []v1alpha1.HarnessRollout { return w.template().Status.Harnesses }).Should(HaveLen(1))
		w.edit("Please rephrase.", "Please speak up.")
		w.quiet()
		Expect(w.deployment().UID).To(Equal(uid))
		Expect(apply.RevisionOf(w.deployment())).To(Equal(second))
		Expect(w.revisions()).To(ConsistOf(first, second))
		for _, obj := range []client.Object{&corev1.Service{}, &corev1.ServiceAccount{}, &networkingv1.NetworkPolicy{}} {
			Expect(w.exists(obj, "support-triage-standard")()).To(BeTrue())
		}

		w.apply(standard)
		third := w.revision(first, second)
		Expect(w.deployment().UID).To(Equal(uid))
		Expect(w.revisions()).To(ConsistOf(first, second, third))
		Eventually(w.harnessCondition("standard", v1alpha1.ConditionReady)).Should(HavePrefix("True Ready "))

		By("ending what runs when the selector is mended so that it takes the template no more")
		w.apply(broken)
		Eventually(func() []v1alpha1.HarnessRollout { return w.template().Status.Harnesses }).Should(HaveLen(1))
		w.apply(strings.Replace(standard, "team: support", "team: sales", 1))
		Eventually(w.exists(&appsv1.Deployment{}, "support-triage-standard")).Should(BeFalse())
		Eventually(func() []string { return w.revisions() }).Should(BeEmpty())
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
