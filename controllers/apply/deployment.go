package apply

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// replicaSetHistory is how many old ReplicaSets stay. Going back is a matter of revisions; one helps to see what changed.
const replicaSetHistory = 1

// deployment is the only object of a template on a harness that changes with the revision. Whoever else scales it may,
// if the harness names no replicas.
func (r *Rollout) deployment() *appsv1.Deployment {
	history := int32(replicaSetHistory)
	return &appsv1.Deployment{
		TypeMeta:   typeMeta(appsv1.SchemeGroupVersion.String(), "Deployment"),
		ObjectMeta: r.meta(),
		Spec: appsv1.DeploymentSpec{
			Replicas:                r.Harness.Spec.Replicas,
			Selector:                &metav1.LabelSelector{MatchLabels: r.selector()},
			Strategy:                r.strategy(),
			ProgressDeadlineSeconds: r.Harness.Spec.ProgressDeadlineSeconds,
			RevisionHistoryLimit:    &history,
			Template:                r.pod(),
		},
	}
}

// strategy never takes a pod away before a new one is ready, so that a revision which can't start replaces none that
// works. Files have one writer: there the old pod has to go first.
func (r *Rollout) strategy() appsv1.DeploymentStrategy {
	if r.Manifest.Claim != "" {
		return appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	}
	unavailable, surge := intstr.FromInt32(0), intstr.FromInt32(1)
	return appsv1.DeploymentStrategy{
		Type:          appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: &unavailable, MaxSurge: &surge},
	}
}

// RevisionOf is the short hash of the revision that a Deployment's pods have; empty for none.
func RevisionOf(d *appsv1.Deployment) string {
	if d == nil {
		return ""
	}
	return d.Spec.Template.Labels[LabelRevision]
}
