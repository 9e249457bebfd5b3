//go:build integration

package controllers_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
)

var _ = Describe("What was made", func() {
	It("takes over no name of anybody else, and goes on when it is free", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(`{apiVersion: v1, kind: Service, metadata: {name: support-triage-standard}, spec: {ports: [{port: 80}]}}`)
		w.supportTriage()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(Equal(
			"False NameTaken the Service support-triage-standard belongs to nobody; delete or rename it, it isn't taken over"))
		Eventually(w.events()).Should(ContainElement(HavePrefix("NameTaken ")))
		Expect(w.exists(&appsv1.Deployment{}, "support-triage-standard")()).To(BeFalse())
		service := &corev1.Service{}
		Expect(cluster.client.Get(ctx, w.key("support-triage-standard"), service)).To(Succeed())
		Expect(service.Labels).To(BeEmpty())

		w.delete(&corev1.Service{}, "support-triage-standard")
		w.revision()
	})

	It("of two pairs with one name belongs to the first", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: triage-standard}
spec: {managed: {}, auth: {none: {}}, allowedAgentTemplates: {selector: {matchLabels: {team: other}}}}
---
apiVersion: plait.dev/v1alpha1
kind: AgentTemplate
metadata: {name: support, labels: {team: other}}
spec: {modelConfig: {name: default-model}, systemPrompt: Help.}
`)
		Eventually(w.condition("support", v1alpha1.ConditionReady)).Should(MatchRegexp(
			`^False NameTaken the \w+ support-triage-standard belongs to AgentTemplate support-triage; rename this template or the Harness, `))
	})

	It("of a template that is gone isn't that of the next of its name", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.delete(&v1alpha1.AgentTemplate{}, "support-triage")
		w.apply(supportTriage)
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(Equal("False NameTaken the ConfigMap " +
			"support-triage-standard-" + first + " belongs to an AgentTemplate support-triage that is gone; delete or rename it, it isn't taken over"))
		// There is no garbage collector here.
		w.delete(&corev1.ConfigMap{}, "support-triage-standard-"+first)
		w.delete(&networkingv1.NetworkPolicy{}, "support-triage-standard")
		w.delete(&corev1.Service{}, "support-triage-standard")
		w.delete(&corev1.ServiceAccount{}, "support-triage-standard")
		w.delete(&appsv1.Deployment{}, "support-triage-standard")
		Eventually(w.exists(&appsv1.Deployment{}, "support-triage-standard")).Should(BeTrue())
		Expect(w.revision()).To(Equal(first))
	})

	It("isn't written again because the API server writes it in other words", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.apply(`
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: standard}
spec:
  byo: {image: "registry.example/harness:v1", allowTags: true, command: [/harness], args: [""]}
  auth: {none: {}}
  allowedAgentTemplates: {selector: {matchLabels: {team: support}}}
  documentPolicy: {harnessTools: [write_file]}
  env: [{name: EMPTY, value: ""}, {name: REFERS, value: "$(EMPTY)"}]
  resources: {requests: {cpu: "0.5", memory: 1024Mi}, limits: {cpu: 2000m, memory: "2e9"}}
  terminationGracePeriodSeconds: 90
  podTemplate:
    labels: {team: support, plait.dev/revision: mine}
    annotations: {example.com/scrape: "true"}
    nodeSelector: {disk: fast}
    tolerations: [{key: agents, operator: Exists}, {key: more, value: x, effect: NoExecute, tolerationSeconds: 5}]
    affinity:
      podAntiAffinity:
        preferredDuringSchedulingIgnoredDuringExecution:
          - {weight: 1, podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {a: b}}}}
    topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]
    priorityClassName: high
    imagePullSecrets: [{name: registry}]
`)
		second := w.revision(first)
		w.quiet()
		Expect(w.deployment().Spec.Template.Labels).To(HaveKeyWithValue(apply.LabelRevision, second))
		before := cluster.writes.children(w.namespace)
		w.becomesReady()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("True Ready "))
		Consistently(func() []string { return cluster.writes.children(w.namespace) }).Should(Equal(before))
	})

	It("has to be what the API server takes, and goes on when it is", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		harness := `{apiVersion: plait.dev/v1alpha1, kind: Harness, metadata: {name: standard}, spec: {
byo: {image: "registry.example/harness:v1", allowTags: true}, auth: {none: {}}, documentPolicy: {harnessTools: [write_file]},
allowedAgentTemplates: {selector: {matchLabels: {team: support}}}, resources: {requests: {cpu: "%d"}, limits: {cpu: "2"}}}}`
		w.apply(fmt.Sprintf(harness, 3))
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(
			MatchRegexp(`^False Rejected Deployment.apps "support-triage-standard" is invalid: .*resources.requests.*2`))
		Eventually(w.events()).Should(ContainElement(HavePrefix("Rejected Harness standard: ")))
		Expect(apply.RevisionOf(w.deployment())).To(Equal(first))
		w.apply(fmt.Sprintf(harness, 1))
		w.revision(first)
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("False Progressing "))
	})

	It("is mended when somebody changes or deletes it", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		revision := w.revision()
		w.quiet()

		d := w.deployment()
		d.Spec.Template.Spec.Containers[0].Image = "registry.example/other:v1"
		d.Spec.Template.Spec.AutomountServiceAccountToken = nil
		Expect(cluster.client.Update(ctx, d)).To(Succeed())
		Eventually(func(g Gomega) {
			pod := w.deployment().Spec.Template.Spec
			g.Expect(pod.Containers[0].Image).To(Equal("registry.example/harness:v1"))
			g.Expect(pod.AutomountServiceAccountToken).To(HaveValue(BeFalse()))
		}).Should(Succeed())

		uid := d.UID
		d = w.deployment()
		d.Labels = map[string]string{"theirs": "x"}
		Expect(cluster.client.Update(ctx, d)).To(Succeed())
		Eventually(func() map[string]string { return w.deployment().Labels }).Should(And(
			HaveKeyWithValue(apply.LabelHarness, "standard"), HaveKeyWithValue("theirs", "x")))
		Consistently(func() types.UID { return w.deployment().UID }).Should(Equal(uid))

		policy := &networkingv1.NetworkPolicy{}
		Expect(cluster.client.Get(ctx, w.key("support-triage-standard"), policy)).To(Succeed())
		policy.Spec.Egress = append(policy.Spec.Egress, networkingv1.NetworkPolicyEgressRule{})
		rules := len(policy.Spec.Egress)
		Expect(cluster.client.Update(ctx, policy)).To(Succeed())
		Eventually(func() int {
			Expect(cluster.client.Get(ctx, w.key("support-triage-standard"), policy)).To(Succeed())
			return len(policy.Spec.Egress)
		}).Should(Equal(rules - 1))

		service := &corev1.Service{}
		Expect(cluster.client.Get(ctx, w.key("support-triage-standard"), service)).To(Succeed())
		service.Spec.Ports[0].TargetPort = intstr.FromInt32(1)
		Expect(cluster.client.Update(ctx, service)).To(Succeed())
		Eventually(func() string {
			Expect(cluster.client.Get(ctx, w.key("support-triage-standard"), service)).To(Succeed())
			return service.Spec.Ports[0].TargetPort.String()
		}).Should(Equal("a2a"))

		w.delete(&corev1.ConfigMap{}, "support-triage-standard-"+revision)
		Eventually(w.exists(&corev1.ConfigMap{}, "support-triage-standard-"+revision)).Should(BeTrue())
		w.delete(&corev1.Service{}, "support-triage-standard")
		Eventually(w.exists(&corev1.Service{}, "support-triage-standard")).Should(BeTrue())
		w.delete(&appsv1.Deployment{}, "support-triage-standard")
		Eventually(w.exists(&appsv1.Deployment{}, "support-triage-standard")).Should(BeTrue())
	})

	It("stays as others have added to it", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.quiet()
		d := w.deployment()
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, "example.com/note", "kept")
		Expect(cluster.client.Update(ctx, d)).To(Succeed())
		before := cluster.writes.in(w.namespace)
		Consistently(func() []string { return cluster.writes.in(w.namespace) }).Should(Equal(before))
		Expect(w.deployment().Annotations).To(HaveKeyWithValue("example.com/note", "kept"))
	})

	It("goes when it isn't wanted any more", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: Harness, metadata: {name: standard}, spec: {
byo: {image: "registry.example/harness:v1", allowTags: true}, auth: {none: {}}, documentPolicy: {harnessTools: [write_file]},
allowedAgentTemplates: {selector: {matchLabels: {team: support}}},
networkPolicy: {enabled: false}, podTemplate: {serviceAccountName: agents}}}`)
		w.revision(first)
		Eventually(w.exists(&networkingv1.NetworkPolicy{}, "support-triage-standard")).Should(BeFalse())
		Eventually(w.exists(&corev1.ServiceAccount{}, "support-triage-standard")).Should(BeFalse())
		Expect(w.deployment().Spec.Template.Spec.ServiceAccountName).To(Equal("agents"))
	})

	It("isn't written again by the next controller", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.becomesReady()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("True Ready "))
		w.quiet()
		told := w.events()()
		cluster.stop()
		startController()
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: AgentTemplate, metadata: {name: last}, spec: {modelConfig: {name: none}, systemPrompt: Help.}}`)
		Eventually(w.condition("last", v1alpha1.ConditionAccepted)).Should(HavePrefix("False "))
		Consistently(func() []string { return cluster.writes.in(w.namespace) }).Should(
			ConsistOf(HaveSuffix("/agenttemplates/last/status")))
		Expect(w.events()()).To(ConsistOf(told))
	})
})
