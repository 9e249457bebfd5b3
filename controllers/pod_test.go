//go:build integration

package controllers_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
)

var _ = Describe("The pods", func() {
	It("are let into a namespace for restricted ones", func(ctx context.Context) {
		w := newWorld(ctx)
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
		label := client.RawPatch("application/merge-patch+json", []byte(`{"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}`))
		Expect(cluster.client.Patch(ctx, ns, label)).To(Succeed())
		w.supportTriage()
		w.revision()
		template := w.deployment().Spec.Template
		pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
		pod.Namespace, pod.Name = w.namespace, "restricted"
		Expect(cluster.client.Create(ctx, pod, client.DryRunAll)).To(Succeed())

		pod.ResourceVersion = ""
		pod.Spec.Containers[0].SecurityContext = nil
		Expect(cluster.client.Create(ctx, pod, client.DryRunAll)).To(MatchError(ContainSubstring("violates PodSecurity")))
	})

	It("get the key of a model from its Secret", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(standard)
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: ModelConfig
metadata: {name: default-model}
spec: {provider: anthropic, model: claude, apiKeySecretRef: {name: anthropic, key: key}}
---
apiVersion: plait.dev/v1alpha1
kind: AgentTemplate
metadata: {name: support-triage, labels: {team: support}}
spec: {modelConfig: {name: default-model}, systemPromptFrom: {name: prompts, key: answer}}
`)
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(And(
			ContainSubstring("ModelConfig default-model: spec.apiKeySecretRef: there is no Secret anthropic"),
			ContainSubstring("AgentTemplate support-triage: spec.systemPromptFrom: there is no ConfigMap prompts")))
		w.apply(example("prompts.yaml"))
		w.apply(`{apiVersion: v1, kind: Secret, metadata: {name: anthropic}, stringData: {key: planted}}`)
		first := w.revision()
		refs := map[string]string{}
		for _, v := range w.deployment().Spec.Template.Spec.Containers[0].Env {
			Expect(v.Value).NotTo(ContainSubstring("planted"))
			if v.ValueFrom != nil {
				refs[v.ValueFrom.SecretKeyRef.Name] = v.ValueFrom.SecretKeyRef.Key
				Expect(v.Name).To(HavePrefix("PLAIT_SECRET_"))
			}
		}
		Expect(refs).To(Equal(map[string]string{"anthropic": "key"}))
		w.configMap("prompts", map[string]string{"answer": "Answer."})
		w.revision(first)
	})

	It("need the Secret of keys, whose content they follow themselves", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		open := w.revision()
		w.apply(strings.Replace(standard, "{none: {}}", "{bearer: {secretName: keys}}", 1))
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(Equal(
			"False ReferenceMissing Harness standard: spec.auth.bearer: there is no Secret keys"))
		w.apply(`{apiVersion: v1, kind: Secret, metadata: {name: keys}, stringData: {web: one}}`)
		w.revision(open)
		w.quiet()
		before := cluster.writes.in(w.namespace)
		w.apply(`{apiVersion: v1, kind: Secret, metadata: {name: keys}, stringData: {web: two, cli: three}}`)
		Consistently(func() []string { return cluster.writes.in(w.namespace) }).Should(Equal(before))
	})

	It("may be none", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.apply(standard + "  replicas: 0\n")
		Eventually(func() int32 { return *w.deployment().Spec.Replicas }).Should(BeZero())
		w.becomesReady()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(
			Equal("False ScaledToZero the Harness wants no replicas, so that nothing serves"))
	})

	It("of a template with a long name have a short one", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		long := strings.Repeat("support.", 12) + "triage"
		w.apply(strings.Replace(supportTriage, "{name: support-triage, labels", "{name: "+long+", labels", 1))
		name := apply.Name(long, "standard")
		Eventually(w.exists(&appsv1.Deployment{}, name)).Should(BeTrue())
		service := &corev1.Service{}
		Expect(cluster.client.Get(ctx, w.key(name), service)).To(Succeed())
		Expect(service.Spec.Selector).To(HaveKeyWithValue(apply.LabelTemplate, apply.LabelValue(long)))
		w.delete(&v1alpha1.Harness{}, "standard")
		Eventually(w.exists(&appsv1.Deployment{}, name)).Should(BeFalse())
	})
})
