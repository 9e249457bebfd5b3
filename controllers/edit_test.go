//go:build integration

package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
)

var _ = Describe("An edit", func() {
	var w *world
	var first string
	BeforeEach(func(ctx context.Context) {
		w = newWorld(ctx)
		w.supportTriage()
		first = w.revision()
		w.quiet()
	})

	It("of the document makes a new revision and keeps the old one", func(ctx context.Context) {
		w.ctx = ctx
		before := len(cluster.writes.in(w.namespace))
		w.edit("Please rephrase.", "Please say it again.")
		second := w.revision(first)
		Expect(w.revisions()).To(ConsistOf(first, second))
		w.quiet()
		api := "/namespaces/" + w.namespace + "/"
		Expect(cluster.writes.in(w.namespace)[before:]).To(Equal([]string{
			"PATCH /api/v1" + api + "configmaps/support-triage-standard-" + second,
			"PATCH /apis/apps/v1" + api + "deployments/support-triage-standard",
			"PATCH /apis/plait.dev/v1alpha1" + api + "agenttemplates/support-triage/status",
		}))
		Eventually(w.events()).Should(ContainElement(
			"InputChanged Harness standard: from revision " + first + " to " + second +
				": ConfigMap support-triage, key agentsystem.yaml, has changed"))
	})

	It("of a prompt makes a new revision", func(ctx context.Context) {
		w.ctx = ctx
		w.configMap("prompts", map[string]string{"answer": "Answer."})
		w.revision(first)
	})

	It("back makes the first revision again and no third one", func(ctx context.Context) {
		w.ctx = ctx
		w.edit("Please rephrase.", "Please say it again.")
		second := w.revision(first)
		w.edit("rephrase", "rephrase")
		Expect(w.revision(second)).To(Equal(first))
		Expect(w.revisions()).To(ConsistOf(first, second))
	})

	It("of a comment writes nothing but the status", func(ctx context.Context) {
		w.ctx = ctx
		source := w.template().Status.Workflow.SourceHash
		before := cluster.writes.children(w.namespace)
		w.edit("# Support triage:", "# Triage of support mail:")
		Eventually(func() string { return w.template().Status.Workflow.SourceHash }).ShouldNot(Equal(source))
		Consistently(func() []string { return cluster.writes.children(w.namespace) }).Should(Equal(before))
	})

	It("of another key of the ConfigMap writes nothing", func(ctx context.Context) {
		w.ctx = ctx
		before := cluster.writes.in(w.namespace)
		w.configMap("support-triage", map[string]string{"agentsystem.yaml": example("agentsystem.yaml"), "notes": "unrelated"})
		Consistently(func() []string { return cluster.writes.in(w.namespace) }).Should(Equal(before))
	})

	It("that makes the same ConfigMap anew writes nothing but the status", func(ctx context.Context) {
		w.ctx = ctx
		before := cluster.writes.children(w.namespace)
		w.delete(&corev1.ConfigMap{}, "support-triage")
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("False ReferenceMissing "))
		w.edit("rephrase", "rephrase")
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("False Progressing "))
		Expect(w.revision()).To(Equal(first))
		Consistently(func() []string { return cluster.writes.children(w.namespace) }).Should(Equal(before))
	})

	It("that breaks the document leaves the Deployment alone until it is mended", func(ctx context.Context) {
		w.ctx = ctx
		before := w.deployment().ResourceVersion
		w.edit("{ from: lookup, to: reply }", "{ from: lookup, to: replay }")
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(MatchRegexp(
			`^False WorkflowInvalid configmap/support-triage/agentsystem.yaml:\d+:\d+: error\[unknown-reference\]: .*replay`))
		t := w.template()
		Expect(conditionText(t.Status.Conditions, t.Generation, v1alpha1.ConditionReady)).To(HavePrefix("False WorkflowInvalid "))
		Expect(t.Status.Diagnostics).NotTo(BeEmpty())
		Expect(t.Status.Diagnostics[0].Line).To(BeNumerically(">", 1))
		Expect(t.Status.Diagnostics[0].Column).To(BeNumerically(">", 1))
		Expect(rollout(t, "standard").DesiredRevision).To(Equal(first))
		Eventually(w.events()).Should(ContainElement(HavePrefix("WorkflowInvalid Harness standard: configmap/support-triage/")))
		Consistently(func() string { return w.deployment().ResourceVersion }).Should(Equal(before))

		w.edit("Please rephrase.", "Please say it again.")
		w.revision(first)
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(HavePrefix("True Compatible "))
		Expect(w.template().Status.Diagnostics).To(BeEmpty())
	})
})
