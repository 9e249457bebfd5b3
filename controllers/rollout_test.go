//go:build integration

package controllers_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
)

// There is no Deployment controller in these specs; they write what it would write.

// becomesReady says that all pods of the example serve.
func (w *world) becomesReady() {
	GinkgoHelper()
	d := w.deployment()
	n := *d.Spec.Replicas
	d.Status = appsv1.DeploymentStatus{
		ObservedGeneration: d.Generation, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n,
	}
	Expect(cluster.client.Status().Update(w.ctx, d)).To(Succeed())
}

// getsStuck says that the new pod of the example doesn't become ready in time, while the old one serves.
func (w *world) getsStuck() {
	GinkgoHelper()
	d := w.deployment()
	d.Status = appsv1.DeploymentStatus{
		ObservedGeneration: d.Generation, Replicas: 2, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1,
		Conditions: []appsv1.DeploymentCondition{{
			Type: appsv1.DeploymentProgressing, Status: corev1.ConditionFalse, Reason: "ProgressDeadlineExceeded",
		}},
	}
	Expect(cluster.client.Status().Update(w.ctx, d)).To(Succeed())
}

// pod makes a pod of a revision.
func (w *world) pod(name, revision string, status corev1.PodStatus) {
	GinkgoHelper()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name, Labels: map[string]string{
			apply.LabelTemplate: "support-triage", apply.LabelHarness: "standard", apply.LabelRevision: revision,
		}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: apply.ContainerName, Image: "registry.example/harness:v1"}}},
	}
	Expect(cluster.client.Create(w.ctx, pod)).To(Succeed())
	pod.Status = status
	Expect(cluster.client.Status().Update(w.ctx, pod)).To(Succeed())
}

var _ = Describe("A rollout", func() {
	It("is ready when its pods are, and says in their words why they aren't", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.becomesReady()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(
			Equal(fmt.Sprintf("True Ready revision %s serves", first)))
		Expect(rollout(w.template(), "standard").LatestSuccessfulRevision).To(Equal(first))
		Eventually(w.events()).Should(ContainElements(
			fmt.Sprintf("RevisionCreated Harness standard: revision %s is made", first),
			fmt.Sprintf("RevisionReady Harness standard: revision %s serves", first)))

		w.edit("Please rephrase.", "Please say it again.")
		second := w.revision(first)
		w.pod("new", second, corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name:                 apply.ContainerName,
			State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off"}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 2, Message: "PLAIT_AUTH isn't set\n"}},
		}}})
		w.getsStuck()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(Equal(fmt.Sprintf(
			"False RolloutStuck revision %s doesn't become ready: pod new: PLAIT_AUTH isn't set; revision %s goes on", second, first)))
		Eventually(w.events()).Should(ContainElement(HavePrefix("RolloutStuck Harness standard: revision " + second)))
		t := w.template()
		Expect(rollout(t, "standard").LatestSuccessfulRevision).To(Equal(first))
		Expect(t.Status.Revision).To(Equal(second))

		w.becomesReady()
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("True Ready "))
		Expect(rollout(w.template(), "standard").LatestSuccessfulRevision).To(Equal(second))
	})

	It("tells of one thing once", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		w.revision()
		w.becomesReady()
		Eventually(w.events()).Should(ConsistOf(HavePrefix("RevisionCreated "), HavePrefix("RevisionReady ")))
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: Harness, metadata: {name: standard}, spec: {
byo: {image: "registry.example/harness:v1", allowTags: true}, auth: {none: {}}, documentPolicy: {harnessTools: [write_file]},
allowedAgentTemplates: {selector: {matchLabels: {team: support}}}, replicas: 2}}`)
		Eventually(func() int32 { return *w.deployment().Spec.Replicas }).Should(BeEquivalentTo(2))
		w.becomesReady()
		Eventually(func() int32 { return rollout(w.template(), "standard").ReadyReplicas }).Should(BeEquivalentTo(2))
		Consistently(w.events()).Should(HaveLen(2))
	})
})
