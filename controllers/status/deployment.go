package status

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/plait-dev/plait/controllers/apply"
)

// progressDeadlineExceeded is the reason that the Deployment controller gives.
const progressDeadlineExceeded = "ProgressDeadlineExceeded"

// phase is how far a Deployment is.
type phase int

const (
	phaseProgressing phase = iota
	phaseComplete
	phaseStuck
	phaseIdle // nothing is wanted
)

// phaseOf says how far a Deployment is. A status that is about an older spec says nothing.
func phaseOf(d *appsv1.Deployment) phase {
	switch {
	case d == nil || d.Status.ObservedGeneration < d.Generation:
		return phaseProgressing
	case wanted(d) == 0:
		return phaseIdle
	case isComplete(d):
		return phaseComplete
	case progressing(d).Reason == progressDeadlineExceeded:
		return phaseStuck
	default:
		return phaseProgressing
	}
}

// isComplete says whether all pods that are wanted serve, and no other ones are left.
func isComplete(d *appsv1.Deployment) bool {
	s := &d.Status
	return s.UpdatedReplicas >= wanted(d) && s.Replicas <= s.UpdatedReplicas && s.AvailableReplicas >= wanted(d)
}

func wanted(d *appsv1.Deployment) int32 { return ptr.Deref(d.Spec.Replicas, 1) }

func progressing(d *appsv1.Deployment) appsv1.DeploymentCondition {
	return condition(d, appsv1.DeploymentProgressing)
}

func condition(d *appsv1.Deployment, kind appsv1.DeploymentConditionType) appsv1.DeploymentCondition {
	for _, c := range d.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return appsv1.DeploymentCondition{}
}

// Stuck says whether the pods of a Deployment don't become ready in time, so that their own words are wanted.
func Stuck(d *appsv1.Deployment) bool { return phaseOf(d) == phaseStuck }

// PodMessage says in the pods' own words why they aren't ready: that of the newest pod that says something.
func PodMessage(d *appsv1.Deployment, pods []corev1.Pod) string {
	slices.SortFunc(pods, func(a, b corev1.Pod) int {
		return cmp.Or(b.CreationTimestamp.Compare(a.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	for _, pod := range pods {
		if message := podMessage(&pod); message != "" {
			return fmt.Sprintf("pod %s: %s", pod.Name, line(message))
		}
	}
	if c := condition(d, appsv1.DeploymentReplicaFailure); len(pods) == 0 && c.Status == corev1.ConditionTrue {
		return line(c.Message)
	}
	if len(pods) == 0 {
		return "there are no pods"
	}
	return fmt.Sprintf("pod %s runs; its /readyz at port 8081 says what is missing", pods[0].Name)
}

// podMessage is what a pod says of itself. The termination message comes first: it is what the program itself said.
func podMessage(pod *corev1.Pod) string {
	for _, c := range pod.Status.ContainerStatuses {
		if c.Name != apply.ContainerName {
			continue
		}
		for _, ended := range []*corev1.ContainerStateTerminated{c.State.Terminated, c.LastTerminationState.Terminated} {
			if ended != nil && ended.Message != "" {
				return ended.Message
			}
		}
		switch {
		case c.State.Waiting != nil && c.State.Waiting.Message != "":
			return c.State.Waiting.Reason + ": " + c.State.Waiting.Message
		case c.State.Waiting != nil && c.State.Waiting.Reason != "ContainerCreating":
			return c.State.Waiting.Reason
		}
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return c.Reason + ": " + c.Message
		}
	}
	return ""
}
