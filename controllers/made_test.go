//go:build integration

package controllers_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

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

	It("has pods of which the revision says everything", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		revision := w.revision()
		w.quiet()
		before := w.deployment()
		w.change("kubectl-edit", func(d *appsv1.Deployment) {
			d.Spec.Template.Labels["theirs"] = "x"
			pod := &d.Spec.Template.Spec
			pod.HostNetwork = true
			pod.NodeSelector = map[string]string{"disk": "slow"}
			pod.Volumes = append(pod.Volumes, corev1.Volume{Name: "theirs"})
			pod.InitContainers = []corev1.Container{{Name: "first", Image: "registry.example/first:v1"}}
			pod.Containers = append(pod.Containers, corev1.Container{Name: "sidecar", Image: "registry.example/sidecar:v1"})
			harness := &pod.Containers[0]
			harness.Command = []string{"/other"}
			harness.Env = append(harness.Env, corev1.EnvVar{Name: "THEIRS", Value: "x"})
			harness.EnvFrom = []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "a"}}}}
			harness.VolumeMounts = append(harness.VolumeMounts, corev1.VolumeMount{Name: "theirs", MountPath: "/theirs"})
			harness.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}
			harness.SecurityContext.Capabilities.Add = []corev1.Capability{"NET_ADMIN"}
		})
		Eventually(func() corev1.PodTemplateSpec { return w.deployment().Spec.Template }).Should(Equal(before.Spec.Template))

		By("leaving alone what isn't about what pods do")
		w.change("kubectl-rollout", func(d *appsv1.Deployment) {
			d.Spec.Template.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}
			d.Spec.Paused = true
		})
		w.change("kubectl-set", func(d *appsv1.Deployment) {
			harness := &d.Spec.Template.Spec.Containers[0]
			harness.Env = append(harness.Env, corev1.EnvVar{Name: "THEIRS", Value: "y"})
		})
		Eventually(func() corev1.PodSpec { return w.deployment().Spec.Template.Spec }).Should(Equal(before.Spec.Template.Spec))
		d := w.deployment()
		Expect(d.UID).To(Equal(before.UID))
		Expect(apply.RevisionOf(d)).To(Equal(revision))
		Expect(d.Spec.Template.Annotations).To(HaveKey("kubectl.kubernetes.io/restartedAt"))
		Expect(d.Spec.Paused).To(BeTrue())

		By("writing no more than that, and nothing that keeps a later revision from taking a field back")
		w.quiet()
		w.apply(strings.Replace(standard, "auth:", "env: [{name: THEIRS, value: ours}]\n  auth:", 1))
		second := w.revision(revision)
		Expect(w.deployment().Spec.Template.Spec.Containers[0].Env).To(ContainElement(corev1.EnvVar{Name: "THEIRS", Value: "ours"}))
		w.apply(standard)
		Expect(w.revision(second)).To(Equal(revision))
		Expect(w.deployment().Spec.Template.Spec.Containers[0].Env).To(Equal(before.Spec.Template.Spec.Containers[0].Env))
	})

	It("isn't fought for with a program that changes it back", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.quiet()
		patches := func() int {
			return len(slices.DeleteFunc(cluster.writes.children(w.namespace), func(request string) bool {
				return !strings.HasSuffix(request, "/deployments/support-triage-standard")
			}))
		}
		before := patches()
		meddled := func() bool {
			return slices.Contains(w.deployment().Spec.Template.Spec.Containers[0].Env, corev1.EnvVar{Name: "MEDDLED", Value: "yes"})
		}
		meddle := func(d *appsv1.Deployment) {
			harness := &d.Spec.Template.Spec.Containers[0]
			harness.Env = append(harness.Env, corev1.EnvVar{Name: "MEDDLED", Value: "yes"})
		}
		w.change("meddler", meddle)
		Eventually(meddled).Should(BeFalse())
		w.change("meddler", meddle)
		Consistently(meddled).Should(BeTrue())
		Expect(patches()).To(Equal(before + 1))

		By("taking out what others add, even if the program then has to do its work again")
		w.change("kubectl-edit", func(d *appsv1.Deployment) { d.Spec.Template.Spec.HostNetwork = true })
		Eventually(func() bool { return w.deployment().Spec.Template.Spec.HostNetwork }).Should(BeFalse())
		w.change("meddler", meddle)
		Consistently(meddled).Should(BeTrue())
		Expect(patches()).To(Equal(before + 2))
		Expect(w.deployment().Annotations).To(HaveKeyWithValue(apply.AnnotationStripped,
			MatchRegexp(`^\{"generation":\d+,"managers":\["(meddler","kubectl-edit|kubectl-edit","meddler)"\]\}$`)))
	})

	It("keeps what admission adds to it, and isn't written again for that", func(ctx context.Context) {
		w := newWorld(ctx)
		w.inject()
		w.supportTriage()
		w.revision()
		w.quiet()
		before := cluster.writes.children(w.namespace)
		injected := func() []corev1.EnvVar { return w.deployment().Spec.Template.Spec.Containers[0].Env }
		Expect(injected()).To(ContainElement(corev1.EnvVar{Name: "INJECTED", Value: "yes"}))
		Consistently(func() []string { return cluster.writes.children(w.namespace) }).Should(Equal(before))

		w.change("kubectl-set", func(d *appsv1.Deployment) { d.Spec.Template.Spec.HostNetwork = true })
		Eventually(func() bool { return w.deployment().Spec.Template.Spec.HostNetwork }).Should(BeFalse())
		w.quiet()
		Expect(injected()).To(ContainElement(corev1.EnvVar{Name: "INJECTED", Value: "yes"}))
		Expect(len(cluster.writes.children(w.namespace)) - len(before)).To(Equal(1))
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

// change changes the Deployment of the example as a program of that name does.
func (w *world) change(manager string, edit func(*appsv1.Deployment)) {
	GinkgoHelper()
	Expect(retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		d := w.deployment()
		edit(d)
		return cluster.client.Update(w.ctx, d, client.FieldOwner(manager))
	})).To(Succeed())
}

// inject lets admission add a variable to all Deployments of the namespace that are written from now on.
func (w *world) inject() {
	GinkgoHelper()
	Expect(applyYAML(w.ctx, fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: %[1]s}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %[1]s}}
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}]
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: |
          object.spec.template.spec.containers[0].env.exists(e, e.name == "INJECTED") ? [] :
          [JSONPatch{op: "add", path: "/spec/template/spec/containers/0/env/-", value: {"name": "INJECTED", "value": "yes"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: %[1]s}
spec: {policyName: %[1]s}
`, w.namespace), "")).To(Succeed())
	// The API server follows its policies with a delay.
	Eventually(func(g Gomega) {
		probe := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "probe"}}
		probe.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "probe"}}
		probe.Spec.Template.Labels = probe.Spec.Selector.MatchLabels
		probe.Spec.Template.Spec.Containers = []corev1.Container{{Name: "probe", Image: "probe", Env: []corev1.EnvVar{{Name: "A"}}}}
		g.Expect(cluster.client.Create(w.ctx, probe, client.DryRunAll)).To(Succeed())
		g.Expect(probe.Spec.Template.Spec.Containers[0].Env).To(HaveLen(2))
	}).Should(Succeed())
}
