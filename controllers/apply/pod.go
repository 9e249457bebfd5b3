package apply

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// ContainerName is the name of the container that runs the harness.
const ContainerName = "harness"

// The user of harness pods. Images of harnesses run as any user that isn't root.
const nonRoot = int64(65532)

// The variables that say which revision a pod has. They name the revision, so they can't be part of it.
const (
	EnvRevision     = "PLAIT_REVISION"
	EnvConfigSHA256 = "PLAIT_CONFIG_SHA256"
)

// The keys of a revision's ConfigMap.
const (
	KeyConfig     = "config.json"
	KeyManifest   = "revision.json"
	KeyProvenance = "provenance.json"
)

// pod is the pod of the revision, as restricted as Pod Security asks for.
func (r *Rollout) pod() corev1.PodTemplateSpec {
	no, yes, user, onMismatch := false, true, nonRoot, corev1.FSGroupChangeOnRootMismatch
	grace := r.Manifest.TerminationGracePeriodSeconds
	pod := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{}},
		Spec: corev1.PodSpec{
			ServiceAccountName:            r.name(),
			AutomountServiceAccountToken:  &no,
			EnableServiceLinks:            &no, // they would look like settings of the harness
			TerminationGracePeriodSeconds: &grace,
			SecurityContext: &corev1.PodSecurityContext{
				RunAsNonRoot: &yes, RunAsUser: &user, RunAsGroup: &user, FSGroup: &user, FSGroupChangePolicy: &onMismatch,
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			Containers: []corev1.Container{r.container()},
			Volumes:    r.volumes(),
		},
	}
	if r.Manifest.Pod != nil {
		overlay(&pod, r.Manifest.Pod)
	}
	maps.Copy(pod.Labels, labelsOf(r.Template.Name, r.Harness.Name))
	pod.Labels[LabelRevision] = r.Revision
	return pod
}

// overlay lays over a pod what people want of it. Labels of the controller come afterwards and win.
func overlay(pod *corev1.PodTemplateSpec, o *v1alpha1.PodOverlay) {
	maps.Copy(pod.Labels, o.Labels)
	pod.Annotations = maps.Clone(o.Annotations)
	pod.Spec.NodeSelector = o.NodeSelector
	pod.Spec.Tolerations = o.Tolerations
	pod.Spec.Affinity = o.Affinity
	pod.Spec.TopologySpreadConstraints = o.TopologySpreadConstraints
	pod.Spec.PriorityClassName = o.PriorityClassName
	if o.ServiceAccountName != "" {
		pod.Spec.ServiceAccountName = o.ServiceAccountName
	}
	for _, ref := range o.ImagePullSecrets {
		pod.Spec.ImagePullSecrets = append(pod.Spec.ImagePullSecrets, corev1.LocalObjectReference{Name: ref.Name})
	}
}

func (r *Rollout) container() corev1.Container {
	no, yes := false, true
	c := corev1.Container{
		Name:    ContainerName,
		Image:   r.Manifest.Image,
		Command: r.Manifest.Command,
		Args:    r.Manifest.Args,
		Env:     r.env(),
		Ports: []corev1.ContainerPort{
			{Name: portA2A, ContainerPort: a2aPort, Protocol: corev1.ProtocolTCP},
			{Name: portHealth, ContainerPort: healthPort, Protocol: corev1.ProtocolTCP},
		},
		LivenessProbe:            probe("/livez", 10, 6),
		ReadinessProbe:           probe("/readyz", 2, 3),
		VolumeMounts:             r.mounts(),
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: &no,
			ReadOnlyRootFilesystem:   &yes,
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
	}
	if r.Manifest.Resources != nil {
		c.Resources = *r.Manifest.Resources
	}
	return c
}

// env are the variables of the manifest and those that say which revision it is.
func (r *Rollout) env() []corev1.EnvVar {
	env := make([]corev1.EnvVar, 0, len(r.Manifest.Env)+2)
	for _, v := range r.Manifest.Env {
		env = append(env, envVar(v))
	}
	return append(env,
		corev1.EnvVar{Name: EnvConfigSHA256, Value: r.Manifest.ConfigSHA256},
		corev1.EnvVar{Name: EnvRevision, Value: r.Revision},
	)
}

func envVar(v compile.EnvVar) corev1.EnvVar {
	if v.Secret == nil {
		return corev1.EnvVar{Name: v.Name, Value: v.Value}
	}
	ref := &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: v.Secret.Name}, Key: v.Secret.Key}
	if v.Optional {
		ref.Optional = &v.Optional
	}
	return corev1.EnvVar{Name: v.Name, ValueFrom: &corev1.EnvVarSource{SecretKeyRef: ref}}
}

func probe(path string, periodSeconds, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromString(portHealth), Scheme: corev1.URISchemeHTTP},
		},
		PeriodSeconds: periodSeconds, TimeoutSeconds: 2, SuccessThreshold: 1, FailureThreshold: failures,
	}
}
