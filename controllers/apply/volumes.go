package apply

import corev1 "k8s.io/api/core/v1"

// The volumes of a pod.
const (
	volumeConfig    = "config"
	volumeData      = "data"
	volumeKeys      = "keys"
	volumeTmp       = "tmp"
	volumeWorkspace = "workspace"
)

// forGroup lets the group of the pod read a file, and nobody else.
const forGroup = int32(0o440)

// volumes are the folders that a harness needs. Of the revision's ConfigMap it sees the config and nothing else.
func (r *Rollout) volumes() []corev1.Volume {
	config := &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{
			Name: RevisionName(r.Template.Name, r.Harness.Name, r.Revision),
		},
		Items: []corev1.KeyToPath{{Key: KeyConfig, Path: KeyConfig}},
	}
	volumes := []corev1.Volume{
		{Name: volumeConfig, VolumeSource: corev1.VolumeSource{ConfigMap: config}},
		{Name: volumeData, VolumeSource: r.data()},
		{Name: volumeTmp, VolumeSource: emptyDir()},
		{Name: volumeWorkspace, VolumeSource: emptyDir()},
	}
	if r.Manifest.AuthSecret == "" {
		return volumes
	}
	mode := forGroup
	return append(volumes, corev1.Volume{Name: volumeKeys, VolumeSource: corev1.VolumeSource{
		Secret: &corev1.SecretVolumeSource{SecretName: r.Manifest.AuthSecret, DefaultMode: &mode},
	}})
}

func (r *Rollout) data() corev1.VolumeSource {
	if r.Manifest.Claim == "" {
		return emptyDir()
	}
	return corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: r.Manifest.Claim},
	}
}

func emptyDir() corev1.VolumeSource {
	return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
}

func (r *Rollout) mounts() []corev1.VolumeMount {
	data := corev1.VolumeMount{Name: volumeData, MountPath: "/data"}
	if r.Manifest.Claim != "" {
		data.SubPath = r.name() // templates share the claim of a harness, and no files
	}
	mounts := []corev1.VolumeMount{
		{Name: volumeConfig, MountPath: "/etc/plait", ReadOnly: true},
		data,
		{Name: volumeTmp, MountPath: "/tmp"},
		{Name: volumeWorkspace, MountPath: "/workspace"},
	}
	if r.Manifest.AuthSecret == "" {
		return mounts
	}
	return append(mounts, corev1.VolumeMount{Name: volumeKeys, MountPath: "/var/run/secrets/plait/keys", ReadOnly: true})
}
