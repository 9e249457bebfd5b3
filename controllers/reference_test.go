//go:build integration

package controllers_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/gather"
)

var _ = Describe("A reference", func() {
	It("to nothing is named, and heals when the object comes", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(crmService)
		w.apply(standard)
		w.apply(supportTriage)
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(Equal("False ReferenceMissing " +
			"ModelConfig default-model: spec.faux.scriptFrom: there is no ConfigMap scripted-model; " +
			"AgentTemplate support-triage: spec.workflowFrom: there is no ConfigMap support-triage"))
		Expect(w.condition("support-triage", v1alpha1.ConditionReady)()).To(HavePrefix("False ReferenceMissing "))
		Expect(w.condition("support-triage", v1alpha1.ConditionCompatible)()).To(HavePrefix("Unknown "))
		Eventually(w.events()).Should(ContainElement(HavePrefix("ReferenceMissing Harness standard: ")))

		w.configMap("scripted-model", map[string]string{"model.yaml": example("model.yaml")})
		w.configMap("support-triage", map[string]string{"another": "key"})
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(Equal("False ReferenceMissing " +
			"AgentTemplate support-triage: spec.workflowFrom: the ConfigMap support-triage has no key agentsystem.yaml"))

		w.edit("rephrase", "rephrase")
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(ContainSubstring("there is no ConfigMap prompts"))
		w.apply(example("prompts.yaml"))
		w.revision()
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(HavePrefix("True Resolved "))
	})

	It("to a Service that a document may name heals when the Service comes", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.delete(&corev1.Service{}, "crm-mcp")
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(HavePrefix("False PolicyViolation "))
		w.apply(crmService)
		Eventually(w.condition("support-triage", v1alpha1.ConditionCompatible)).Should(HavePrefix("True "))
		Expect(w.revision()).To(Equal(first))
	})

	It("to a Secret follows its value, which stands in no object", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		bare := w.revision()
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: standard}
spec:
  byo: {image: "registry.example/harness:v1", allowTags: true}
  auth: {none: {}}
  allowedAgentTemplates: {selector: {matchLabels: {team: support}}}
  documentPolicy: {harnessTools: [write_file]}
  env: [{name: TOKEN, secretKeyRef: {name: tokens, key: token}}]
`)
		Eventually(w.condition("support-triage", v1alpha1.ConditionResolvedRefs)).Should(Equal(
			"False ReferenceMissing Harness standard: spec.env[TOKEN]: there is no Secret tokens"))
		markers := []string{"planted-marker-one", "planted-marker-two"}
		secret := `{apiVersion: v1, kind: Secret, metadata: {name: tokens}, stringData: {token: %q}}`
		w.apply(fmt.Sprintf(secret, markers[0]))
		first := w.revision(bare)
		w.apply(fmt.Sprintf(secret, markers[1]))
		second := w.revision(first)
		Eventually(w.events()).Should(ContainElement(
			"InputChanged Harness standard: from revision " + first + " to " + second + ": Secret tokens, key token, has changed"))
		w.quiet()
		for _, marker := range markers {
			sum := sha256.Sum256([]byte(marker))
			for _, trace := range []string{marker, base64.StdEncoding.EncodeToString([]byte(marker)), hex.EncodeToString(sum[:])} {
				for _, obj := range w.everything() {
					Expect(obj).NotTo(ContainSubstring(trace))
				}
			}
		}
	})

})

var _ = Describe("The key of the installation", func() {
	It("is one for all replicas that start at the same time", func(ctx context.Context) {
		w := newWorld(ctx)
		keys := make([]string, 8)
		var replicas sync.WaitGroup
		for i := range keys {
			replicas.Go(func() {
				defer GinkgoRecover()
				replica := &gather.Installation{Live: cluster.client, Writer: cluster.client, Namespace: w.namespace}
				key, err := replica.Key(ctx)
				Expect(err).NotTo(HaveOccurred())
				keys[i] = string(key)
			})
		}
		replicas.Wait()
		secret := &corev1.Secret{}
		Expect(cluster.client.Get(ctx, w.key(gather.InstallationSecret), secret)).To(Succeed())
		Expect(secret.Data["hmac-key"]).To(HaveLen(32))
		Expect(keys).To(HaveEach(string(secret.Data["hmac-key"])))
	})

	It("has to have its length", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(`{apiVersion: v1, kind: Secret, metadata: {name: plait-installation}, stringData: {hmac-key: short}}`)
		replica := &gather.Installation{Live: cluster.client, Writer: cluster.client, Namespace: w.namespace}
		_, err := replica.Key(ctx)
		Expect(err).To(MatchError(ContainSubstring("hmac-key has 5 bytes, expected 32; delete the Secret to have it made anew")))
	})
})

// everything is all that is in the namespace, as JSON, but the Secrets themselves.
func (w *world) everything() []string {
	GinkgoHelper()
	var all []string
	for _, gvk := range []schema.GroupVersionKind{
		{Version: "v1", Kind: "ConfigMap"},
		{Version: "v1", Kind: "Service"},
		{Version: "v1", Kind: "ServiceAccount"},
		{Version: "v1", Kind: "Event"},
		{Group: "apps", Version: "v1", Kind: "Deployment"},
		{Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy"},
		{Group: v1alpha1.Group, Version: v1alpha1.Version, Kind: "AgentTemplate"},
		{Group: v1alpha1.Group, Version: v1alpha1.Version, Kind: "Harness"},
		{Group: v1alpha1.Group, Version: v1alpha1.Version, Kind: "ModelConfig"},
	} {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(gvk)
		Expect(cluster.client.List(w.ctx, list, client.InNamespace(w.namespace))).To(Succeed())
		Expect(list.Items).NotTo(BeEmpty(), gvk.Kind)
		for i := range list.Items {
			text, err := json.Marshal(&list.Items[i])
			Expect(err).NotTo(HaveOccurred())
			all = append(all, string(text))
		}
	}
	return all
}
