//go:build integration

package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
)

var _ = Describe("A template that a harness takes", func() {
	It("becomes an immutable revision and a Deployment that has its digest", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		revision := w.revision()

		cm := &corev1.ConfigMap{}
		Expect(cluster.client.Get(ctx, w.key("support-triage-standard-"+revision), cm)).To(Succeed())
		Expect(ptr.Deref(cm.Immutable, false)).To(BeTrue())
		env := map[string]string{}
		for _, v := range w.deployment().Spec.Template.Spec.Containers[0].Env {
			env[v.Name] = v.Value
		}
		Expect(env).To(HaveKeyWithValue(apply.EnvConfigSHA256, adkconfigv1.Digest([]byte(cm.Data[apply.KeyConfig]))))
		Expect(env).To(HaveKeyWithValue(apply.EnvRevision, revision))

		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(
			Equal("False Progressing revision " + revision + " is on its way: 0 of 1 pods are ready"))
		Expect(w.condition("support-triage", v1alpha1.ConditionAccepted)()).To(Equal("True Accepted taken by standard"))
		Expect(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)()).To(HavePrefix("True Resolved "))
		Expect(w.condition("support-triage", v1alpha1.ConditionCompatible)()).To(HavePrefix("True Compatible "))
	})
})
