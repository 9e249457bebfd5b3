package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Harness says where and how templates run: the program, what it and the documents may do, and which templates it takes.
// Every template that it takes gets a Deployment of its own.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=harn,categories=plait
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Templates",type=integer,JSONPath=`.status.templateCount`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Harness struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted.
	Spec HarnessSpec `json:"spec"`

	// Status is what the controller made of it.
	// +optional
	Status HarnessStatus `json:"status,omitempty"`
}

// HarnessList is a list of Harnesses.
//
// +kubebuilder:object:root=true
type HarnessList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Harness `json:"items"`
}

// HarnessSpec is what is wanted of a harness.
//
// +kubebuilder:validation:XValidation:rule="has(self.byo) != has(self.managed)",message="give either byo, an image of your own, or managed, the image of this release"
// +kubebuilder:validation:XValidation:rule="!has(self.sessionStore) || !has(self.sessionStore.file) || self.replicas <= 1",message="sessions in files are written by one pod: replicas must be at most 1"
type HarnessSpec struct {
	// BYO is a program of your own.
	// +optional
	BYO *BYOHarness `json:"byo,omitempty"`

	// Managed is the program of this release.
	// +optional
	Managed *ManagedHarness `json:"managed,omitempty"`

	// Env are environment variables of the program. Those that begin with PLAIT_ are the controller's.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Env []EnvVar `json:"env,omitempty"`

	// AllowedAgentTemplates says which templates of the namespace the harness takes. Absent means none.
	// +optional
	AllowedAgentTemplates *TemplateSelector `json:"allowedAgentTemplates,omitempty"`

	// Replicas of each template.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	Replicas *int32 `json:"replicas,omitempty"`

	// Resources of the container.
	// +optional
	Resources *corev1.ResourceRequirements `json:"resources,omitempty"`

	// SessionStore says where sessions are kept. Absent means in the pod: they end with it.
	// +optional
	SessionStore *SessionStore `json:"sessionStore,omitempty"`

	// Auth says who is let in.
	Auth Auth `json:"auth"`

	// DocumentPolicy is what documents may ask for, beyond what every document may.
	// +optional
	DocumentPolicy *DocumentPolicy `json:"documentPolicy,omitempty"`

	// PodTemplate is laid over the pods.
	// +optional
	PodTemplate *PodOverlay `json:"podTemplate,omitempty"`

	// NetworkPolicy restricts what pods may reach and by whom they are reached.
	// +optional
	NetworkPolicy *NetworkPolicy `json:"networkPolicy,omitempty"`

	// URL is the base of the agents' addresses as clients see them; the template's name is added. It stands in the agent
	// card. Absent means the address at which the card was asked for.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://[^/?#@]+`
	URL string `json:"url,omitempty"`

	// MaxConcurrentRuns is how many runs of a pod execute at once.
	// +optional
	// +kubebuilder:default=64
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	MaxConcurrentRuns *int32 `json:"maxConcurrentRuns,omitempty"`

	// TerminationGracePeriodSeconds is the time that a pod has to end. Runs under way have ten seconds less.
	// +optional
	// +kubebuilder:default=60
	// +kubebuilder:validation:Minimum=15
	// +kubebuilder:validation:Maximum=3600
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`

	// ProgressDeadlineSeconds is how long pods of a new revision may take to become ready before the rollout counts as
	// stuck.
	// +optional
	// +kubebuilder:default=300
	// +kubebuilder:validation:Minimum=10
	// +kubebuilder:validation:Maximum=86400
	ProgressDeadlineSeconds *int32 `json:"progressDeadlineSeconds,omitempty"`
}

// BYOHarness is a program of your own that keeps the harness contract.
//
// +kubebuilder:validation:XValidation:rule="self.image.contains('@sha256:') || (has(self.allowTags) && self.allowTags)",message="name the image by digest (NAME@sha256:…), or set allowTags: true"
type BYOHarness struct {
	// Image of the container.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Image string `json:"image"`

	// AllowTags lets Image name a tag, which may come to mean something else without a new revision.
	// +optional
	AllowTags bool `json:"allowTags,omitempty"`

	// Command and Args take the place of the image's own.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	Command []string `json:"command,omitempty"`
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	Args []string `json:"args,omitempty"`

	// Capabilities are what the program prints with --capabilities. Absent means that it isn't known which functions and
	// tools it has; a document that names one is then checked by the pod alone.
	// +optional
	Capabilities *Capabilities `json:"capabilities,omitempty"`
}

// ManagedHarness is the program of this release; it has no settings yet.
type ManagedHarness struct{}

// Capabilities are what documents can use of a program.
type Capabilities struct {
	// Documents says whether it runs documents.
	Documents bool `json:"documents"`

	// Functions, Tools and Hooks are the names of the Go parts that it has registered.
	// +optional
	// +listType=set
	Functions []string `json:"functions,omitempty"`
	// +optional
	// +listType=set
	Tools []string `json:"tools,omitempty"`
	// +optional
	// +listType=set
	Hooks []string `json:"hooks,omitempty"`

	// ConfigVersions are the versions of the config that it reads.
	// +optional
	// +listType=set
	ConfigVersions []string `json:"configVersions,omitempty"`
}

// EnvVar is an environment variable.
type EnvVar struct {
	// Name of the variable.
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_]*$`
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('PLAIT_')",message="variables that begin with PLAIT_ are set by the controller"
	Name string `json:"name"`

	Value `json:",inline"`
}

// TemplateSelector says which templates a harness takes.
type TemplateSelector struct {
	// Selector is compared with the labels of templates. One without requirements takes all of the namespace.
	Selector metav1.LabelSelector `json:"selector"`
}

// SessionStore says where sessions are kept.
//
// +kubebuilder:validation:XValidation:rule="has(self.file)",message="give file"
type SessionStore struct {
	// File keeps them in files on a claim. One pod at a time writes them, so a new revision starts after the pod of the
	// old one has ended.
	// +optional
	File *FileStore `json:"file,omitempty"`
}

// FileStore keeps sessions in files.
type FileStore struct {
	// PersistentVolumeClaim is the claim that they are kept on, each template in a folder of its own.
	PersistentVolumeClaim Reference `json:"persistentVolumeClaim"`

	// Fsync says when entries are forced to the disk: always, interval (within a second), never.
	// +optional
	// +kubebuilder:default=always
	// +kubebuilder:validation:Enum=always;interval;never
	Fsync string `json:"fsync,omitempty"`
}

// Auth says who is let in.
//
// +kubebuilder:validation:XValidation:rule="has(self.bearer) != has(self.none)",message="give either bearer, callers with a key, or none, everybody"
type Auth struct {
	// Bearer lets in whoever has a key.
	// +optional
	Bearer *BearerAuth `json:"bearer,omitempty"`

	// None lets in everybody.
	// +optional
	None *NoAuth `json:"none,omitempty"`
}

// BearerAuth lets in whoever has a key.
type BearerAuth struct {
	// SecretName is the Secret of keys: each of its keys is the name of a principal, its value the credential.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	SecretName string `json:"secretName"`
}

// NoAuth lets in everybody.
type NoAuth struct{}

// DocumentPolicy is what documents may ask for.
type DocumentPolicy struct {
	// MCPHosts are hosts of MCP servers that documents may name, as host, host:port or *.domain, beside Services of the
	// namespace and hosts of its RemoteMCPServers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=200
	// +kubebuilder:validation:items:MaxLength=253
	// +kubebuilder:validation:items:Pattern=`^(\*\.)?[A-Za-z0-9.-]+(:[0-9]+)?$|^\[[0-9a-fA-F:]+\](:[0-9]+)?$`
	MCPHosts []string `json:"mcpHosts,omitempty"`

	// Env are variables of the program that documents may use, with the hosts that each may be sent to.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Env []EnvGrant `json:"env,omitempty"`

	// HarnessTools are the tools of the program that documents may list. Absent means read_file, write_file, list_files and
	// edit_file.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=50
	HarnessTools *[]HarnessTool `json:"harnessTools,omitempty"`

	// Models are the names of models that documents may use. Absent means all that the template has.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	Models *[]string `json:"models,omitempty"`

	// MaxLimits are upper bounds of the document's limits; the smaller value holds.
	// +optional
	MaxLimits *MaxLimits `json:"maxLimits,omitempty"`
}

// HarnessTool is the name of a tool that comes with a harness.
//
// +kubebuilder:validation:Enum=read_file;write_file;list_files;edit_file;search_files;find_files;bash;run_command;powershell;fetch_url
type HarnessTool string

// EnvGrant lets documents use a variable.
type EnvGrant struct {
	// Name of the variable.
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_]*$`
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('PLAIT_')",message="variables that begin with PLAIT_ can't be exposed"
	Name string `json:"name"`

	// Hosts that its value may be sent to, as in mcpHosts.
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=253
	Hosts []string `json:"hosts"`
}

// MaxLimits are upper bounds of one run.
type MaxLimits struct {
	// MaxSteps counts activations, items and children included.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxSteps *int64 `json:"maxSteps,omitempty"`

	// MaxVisits counts visits of one node of one workflow instance.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxVisits *int64 `json:"maxVisits,omitempty"`

	// MaxDuration is executing time; waiting for a person doesn't count.
	// +optional
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s')",message="the duration must be longer than 0s"
	MaxDuration *metav1.Duration `json:"maxDuration,omitempty"`

	// MaxTokens counts input and output of all model calls.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxTokens *int64 `json:"maxTokens,omitempty"`

	// MaxCostUSD is the cost of all model calls in US dollars, for instance "0.5".
	// +optional
	MaxCostUSD *resource.Quantity `json:"maxCostUSD,omitempty"`

	// MaxTurns counts turns of one agent activation.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxTurns *int64 `json:"maxTurns,omitempty"`
}

// PodOverlay is laid over pods.
type PodOverlay struct {
	// Labels and Annotations are added. Those that the controller sets itself win.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
	// +optional
	Annotations map[string]string `json:"annotations,omitempty"`

	// NodeSelector, Tolerations, Affinity and TopologySpreadConstraints say where pods may run.
	// +optional
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// +optional
	// +listType=atomic
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// +optional
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// +optional
	// +listType=atomic
	TopologySpreadConstraints []corev1.TopologySpreadConstraint `json:"topologySpreadConstraints,omitempty"`

	// ServiceAccountName takes the place of the account that is made for each template. Its token isn't mounted either.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	ServiceAccountName string `json:"serviceAccountName,omitempty"`

	// PriorityClassName of the pods.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	PriorityClassName string `json:"priorityClassName,omitempty"`

	// ImagePullSecrets of the pods.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=20
	ImagePullSecrets []Reference `json:"imagePullSecrets,omitempty"`
}

// NetworkPolicy restricts the traffic of pods.
type NetworkPolicy struct {
	// Enabled makes a NetworkPolicy for each template: in to the A2A port, out to DNS and to the ports of models and MCP
	// servers.
	// +optional
	// +kubebuilder:default=true
	Enabled *bool `json:"enabled,omitempty"`
}

// HarnessStatus is what the controller made of a harness.
type HarnessStatus struct {
	// ObservedGeneration is the generation of the spec that the status is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Conditions are Ready, Durable and Authenticated.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// TemplateCount counts the templates that the harness takes, Templates names the first hundred.
	// +optional
	TemplateCount int32 `json:"templateCount"`
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	Templates []string `json:"templates,omitempty"`
}
