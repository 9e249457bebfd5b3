package status_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/status"
)

// newDeployment is one of n replicas with a revision, in generation 2.
func newDeployment(revision string, n int32, s appsv1.DeploymentStatus) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Generation: 2}, Status: s}
	d.Spec.Replicas = &n
	d.Spec.Template.Labels = map[string]string{apply.LabelRevision: revision}
	return d
}

// complete, on its way and stuck are what the Deployment controller says of a rollout.
func complete(n int32) appsv1.DeploymentStatus {
	return appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n}
}

func onItsWay() appsv1.DeploymentStatus {
	return appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 2, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}
}

func stuck() appsv1.DeploymentStatus {
	s := onItsWay()
	s.Conditions = []appsv1.DeploymentCondition{
		{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue},
		{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionFalse, Reason: "ProgressDeadlineExceeded"},
	}
	return s
}

func TestStuck(t *testing.T) {
	older := stuck()
	older.ObservedGeneration = 1
	for _, tt := range []struct {
		name string
		d    *appsv1.Deployment
		want bool
	}{
		{"none", nil, false},
		{"on its way", newDeployment("a", 1, onItsWay()), false},
		{"too late", newDeployment("a", 1, stuck()), true},
		{"too late, before the spec changed", newDeployment("a", 1, older), false},
		{"too late, and nothing is wanted any more", newDeployment("a", 0, stuck()), false},
		{"complete", newDeployment("a", 1, complete(1)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := status.Stuck(tt.d); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func newPod(name string, age int64, s corev1.PodStatus) corev1.Pod {
	return corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(time.Unix(1000-age, 0))}, Status: s,
	}
}

func containers(name string, state, last corev1.ContainerState) corev1.PodStatus {
	return corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: name, State: state, LastTerminationState: last}}}
}

func waiting(reason, message string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
}

func terminated(message string) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 2, Message: message}}
}

func TestPodMessage(t *testing.T) {
	unschedulable := corev1.PodStatus{Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "0/1 nodes are available.",
	}}}
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	never := corev1.ContainerState{}
	for _, tt := range []struct {
		name string
		pods []corev1.Pod
		want string
	}{
		{"no pods", nil, "there are no pods"},
		{"the program's own words", []corev1.Pod{newPod("a", 0, containers("harness", terminated("PLAIT_AUTH isn't set\nand more\n"), never))},
			"pod a: PLAIT_AUTH isn't set; and more"},
		{"its last words while it waits", []corev1.Pod{newPod("a", 0, containers("harness", waiting("CrashLoopBackOff", "back-off 10s"), terminated("wrong")))},
			"pod a: wrong"},
		{"why it waits", []corev1.Pod{newPod("a", 0, containers("harness", waiting("ImagePullBackOff", `Back-off pulling image "x"`), never))},
			`pod a: ImagePullBackOff: Back-off pulling image "x"`},
		{"a reason alone", []corev1.Pod{newPod("a", 0, containers("harness", waiting("CreateContainerConfigError", ""), never))},
			"pod a: CreateContainerConfigError"},
		{"no place", []corev1.Pod{newPod("a", 0, unschedulable)}, "pod a: Unschedulable: 0/1 nodes are available"},
		{"another container's words", []corev1.Pod{newPod("a", 0, containers("sidecar", terminated("not mine"), never))},
			"pod a runs; its /readyz at port 8081 says what is missing"},
		{"it runs", []corev1.Pod{newPod("a", 0, containers("harness", running, never))},
			"pod a runs; its /readyz at port 8081 says what is missing"},
		{"it is being made", []corev1.Pod{newPod("a", 0, containers("harness", waiting("ContainerCreating", ""), never))},
			"pod a runs; its /readyz at port 8081 says what is missing"},
		{"the newest that says something", []corev1.Pod{
			newPod("old", 9, containers("harness", terminated("old"), never)),
			newPod("new", 1, containers("harness", terminated("new"), never)),
			newPod("newest", 0, containers("harness", running, never)),
		}, "pod new: new"},
		{"the first by name of the same age", []corev1.Pod{
			newPod("b", 0, containers("harness", terminated("of b"), never)),
			newPod("a", 0, containers("harness", terminated("of a"), never)),
		}, "pod a: of a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := status.PodMessage(newDeployment("r", 1, stuck()), tt.pods); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Pods that may not be made say nothing themselves.
func TestPodMessageOfAQuota(t *testing.T) {
	s := stuck()
	s.Conditions = append(s.Conditions, appsv1.DeploymentCondition{
		Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Message: "pods is forbidden: exceeded quota",
	})
	if got, want := status.PodMessage(newDeployment("r", 1, s), nil), "pods is forbidden: exceeded quota"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
