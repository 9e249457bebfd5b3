//go:build integration

package controllers_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
)

var _ = Describe("A revision that is kept", func() {
	var w *world
	var first, second string
	BeforeEach(func(ctx context.Context) {
		w = newWorld(ctx)
		w.supportTriage()
		first = w.revision()
		w.edit("Please rephrase.", "Please say it again.")
		second = w.revision(first)
	})

	It("by spec.revision comes back and stays whatever is edited", func(ctx context.Context) {
		w.ctx = ctx
		w.patchf(`{"spec": {"revision": %q}}`, first)
		Expect(w.revision(second)).To(Equal(first))
		w.becomesReady()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(
			Equal(fmt.Sprintf("True Pinned revision %s serves; spec.revision keeps it", first)))

		w.edit("{ from: lookup, to: reply }", "{ from: lookup, to: replay }")
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(HavePrefix("False WorkflowInvalid "))
		Expect(w.condition("support-triage", v1alpha1.ConditionReady)()).To(HavePrefix("True Pinned "))
		Expect(w.revisions()).To(ConsistOf(first, second))

		w.edit("Please rephrase.", "Please say it again.")
		w.patchf(`{"spec": {"revision": null}}`)
		Expect(w.revision(first)).To(Equal(second))
	})

	It("by spec.revision has to be there", func(ctx context.Context) {
		w.ctx = ctx
		w.patchf(`{"spec": {"revision": "0123456789ab"}}`)
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("False RevisionMissing " +
			"there is no ConfigMap support-triage-standard-0123456789ab, which revision 0123456789ab is kept in"))
		Expect(apply.RevisionOf(w.deployment())).To(Equal(second))
	})

	It("by spec.revision has to be what its name says", func(ctx context.Context) {
		w.ctx = ctx
		cm := &corev1.ConfigMap{}
		Expect(cluster.client.Get(ctx, w.key("support-triage-standard-"+first), cm)).To(Succeed())
		w.delete(&corev1.ConfigMap{}, cm.Name)
		cm.ResourceVersion = ""
		cm.Data[apply.KeyConfig] += " "
		Expect(cluster.client.Create(ctx, cm)).To(Succeed())
		w.patchf(`{"spec": {"revision": %q}}`, first)
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(ContainSubstring(
			"RevisionMissing ConfigMap support-triage-standard-" + first + ": config.json isn't the config of the revision"))
		Expect(apply.RevisionOf(w.deployment())).To(Equal(second))
	})

	It("by spec.suspend stays, and inputs are still checked", func(ctx context.Context) {
		w.ctx = ctx
		w.becomesReady()
		w.patchf(`{"spec": {"suspend": true}}`)
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(
			Equal(fmt.Sprintf("True Suspended revision %s serves; spec.suspend keeps it", second)))
		hash := w.template().Status.Workflow.SourceHash
		w.edit("Please rephrase.", "Please write again.")
		Eventually(func() string { return w.template().Status.Workflow.SourceHash }).ShouldNot(Equal(hash))
		Expect(w.revisions()).To(ConsistOf(first, second))
		w.edit("{ from: lookup, to: reply }", "{ from: lookup, to: replay }")
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(HavePrefix("False WorkflowInvalid "))
		Expect(apply.RevisionOf(w.deployment())).To(Equal(second))

		w.edit("Please rephrase.", "Please write again.")
		w.patchf(`{"spec": {"suspend": false}}`)
		w.revision(first, second)
	})

	It("by the limit of the history is deleted when it is the oldest and no pod has it", func(ctx context.Context) {
		w.ctx = ctx
		w.becomesReady()
		Eventually(func() string {
			return rollout(w.template(), "standard").LatestSuccessfulRevision
		}).Should(Equal(second))
		w.pod("old", first, corev1.PodStatus{})
		w.patchf(`{"spec": {"revisionHistoryLimit": 0}}`)
		w.edit("Please rephrase.", "Please write again.")
		third := w.revision(first, second)
		w.edit("Please rephrase.", "Please speak up.")
		fourth := w.revision(first, second, third)
		Eventually(func() []string { return w.revisions() }).Should(ConsistOf(first, second, fourth))

		w.delete(&corev1.Pod{}, "old")
		w.becomesReady()
		Eventually(func() []string { return w.revisions() }).Should(ConsistOf(fourth))
	})
})

// patchf changes the template of the example.
func (w *world) patchf(format string, args ...any) {
	GinkgoHelper()
	t := w.template()
	patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, format, args...))
	Expect(cluster.client.Patch(w.ctx, t, patch)).To(Succeed())
}
