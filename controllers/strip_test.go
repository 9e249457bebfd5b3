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
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/controllers/apply"
)

var _ = Describe("What others add to a Deployment", func() {
	It("is taken out of its pods, of which the revision says everything", func(ctx context.Context) {
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

	It("isn't fought for with a program that puts it back", func(ctx context.Context) {
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

	It("stays when admission does, and nothing is written again for that", func(ctx context.Context) {
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
