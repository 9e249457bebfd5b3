package compile

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// ManifestVersion is the version of the form of a manifest.
const ManifestVersion = "v1"

// Manifest is what a pod of a revision is made of. It stands in the revision's ConfigMap, so that the revision can be
// taken up again when its inputs have changed. Everything that affects behaviour is in it, and nothing else: equal
// manifests are equal revisions.
type Manifest struct {
	Version string `json:"version"`

	Namespace string `json:"namespace"`
	Template  string `json:"template"`
	Harness   string `json:"harness"`

	// ConfigSHA256 is the digest of the config.
	ConfigSHA256 string `json:"configSHA256"`

	Image   string   `json:"image"`
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`

	// Env are the variables of the container but those that say which revision it is, sorted by name.
	Env []EnvVar `json:"env,omitempty"`

	// Secrets stand for the values that Env reads, sorted: a new value is a new revision.
	Secrets []SecretUse `json:"secrets,omitempty"`

	// AuthSecret is mounted as the folder of keys. Its content isn't part of the revision, because pods follow it.
	AuthSecret string `json:"authSecret,omitempty"`

	// Claim is mounted as the folder of sessions; empty means a folder of the pod.
	Claim string `json:"claim,omitempty"`

	// Egress are the places that the revision needs, sorted.
	Egress []Endpoint `json:"egress,omitempty"`
	// Restricted says that nothing else may be reached.
	Restricted bool `json:"restricted"`

	TerminationGracePeriodSeconds int64                        `json:"terminationGracePeriodSeconds"`
	Resources                     *corev1.ResourceRequirements `json:"resources,omitempty"`
	Pod                           *v1alpha1.PodOverlay         `json:"pod,omitempty"`
}

// EnvVar is a variable with its value, or with the Secret's key that holds it.
type EnvVar struct {
	Name   string                 `json:"name"`
	Value  string                 `json:"value,omitempty"`
	Secret *v1alpha1.KeyReference `json:"secret,omitempty"`
	// Optional lets a pod start without the Secret's key.
	Optional bool `json:"optional,omitempty"`
}

// SecretUse stands for the value of one key of a Secret.
type SecretUse struct {
	Name string `json:"name"`
	Key  string `json:"key"`
	HMAC string `json:"hmac"`
}

// Endpoint is a place that a revision calls.
type Endpoint struct {
	Host string `json:"host"`
	Port int32  `json:"port"`
	// Service says that the host is a Service of the namespace, whose pods may listen at another port.
	Service bool `json:"service,omitempty"`
}
