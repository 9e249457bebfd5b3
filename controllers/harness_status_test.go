//go:build integration

package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// harnessCondition is "STATUS REASON MESSAGE" of a condition of a harness.
func (w *world) harnessCondition(name, kind string) func() string {
	return func() string {
		h := &v1alpha1.Harness{}
		if err := cluster.client.Get(w.ctx, w.key(name), h); err != nil {
			return err.Error()
		}
		return conditionText(h.Status.Conditions, h.Generation, kind)
	}
}

var _ = Describe("A harness", func() {
	It("says what is missing, and what it is good for", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: safe}
spec:
  managed: {}
  auth: {bearer: {secretName: keys}}
  sessionStore: {file: {persistentVolumeClaim: {name: sessions}}}
  allowedAgentTemplates: {selector: {}}
`)
		Eventually(w.harnessCondition("safe", v1alpha1.ConditionReady)).Should(Equal("False ReferenceMissing " +
			"spec.auth.bearer: there is no Secret keys; spec.sessionStore.file.persistentVolumeClaim: there is no PersistentVolumeClaim sessions"))
		Expect(w.harnessCondition("safe", v1alpha1.ConditionDurable)()).To(Equal("True Persistent sessions are kept on the claim sessions"))
		Expect(w.harnessCondition("safe", v1alpha1.ConditionAuthenticated)()).To(Equal("True Bearer callers need a key of the Secret keys"))
		w.apply(`
{apiVersion: v1, kind: Secret, metadata: {name: keys}, stringData: {web: a-key}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: sessions}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`)
		Eventually(w.harnessCondition("safe", v1alpha1.ConditionReady)).Should(Equal("True Ready everything that it refers to is there"))

		w.apply(standard)
		Eventually(w.harnessCondition("standard", v1alpha1.ConditionDurable)).Should(HavePrefix("False EphemeralSessions "))
		Expect(w.harnessCondition("standard", v1alpha1.ConditionAuthenticated)()).To(HavePrefix("False Unauthenticated "))
	})

	It("counts the templates that it takes", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(standard)
		w.apply(supportTriage)
		templates := func() []string {
			h := &v1alpha1.Harness{}
			Expect(cluster.client.Get(ctx, w.key("standard"), h)).To(Succeed())
			Expect(h.Status.TemplateCount).To(BeEquivalentTo(len(h.Status.Templates)))
			return h.Status.Templates
		}
		Eventually(templates).Should(Equal([]string{"support-triage"}))
		w.patchf(`{"metadata": {"labels": {"team": "sales"}}}`)
		Eventually(templates).Should(BeEmpty())
	})

	It("with a store of files and keys makes pods that have both", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.apply(`
{apiVersion: v1, kind: Secret, metadata: {name: keys}, stringData: {web: a-key}}
---
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: standard}
spec:
  byo: {image: "registry.example/harness:v1", allowTags: true}
  auth: {bearer: {secretName: keys}}
  allowedAgentTemplates: {selector: {matchLabels: {team: support}}}
  documentPolicy: {harnessTools: [write_file]}
  sessionStore: {file: {persistentVolumeClaim: {name: sessions}}}
`)
		second := w.revision(first)
		d := w.deployment()
		Expect(d.Spec.Strategy.Type).To(BeEquivalentTo("Recreate"))
		Expect(d.Spec.Strategy.RollingUpdate).To(BeNil())
		volumes := map[string]string{}
		for _, v := range d.Spec.Template.Spec.Volumes {
			switch {
			case v.PersistentVolumeClaim != nil:
				volumes[v.Name] = v.PersistentVolumeClaim.ClaimName
			case v.Secret != nil:
				volumes[v.Name] = v.Secret.SecretName
			case v.ConfigMap != nil:
				volumes[v.Name] = v.ConfigMap.Name
			}
		}
		Expect(volumes).To(Equal(map[string]string{"config": "support-triage-standard-" + second, "data": "sessions", "keys": "keys"}))

		w.apply(standard)
		Expect(w.revision(second)).To(Equal(first))
		Expect(w.deployment().Spec.Strategy.RollingUpdate).NotTo(BeNil())
	})
})
