package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// AgentTemplate says what agents of a kind do: by a document with a graph of nodes, or by a prompt. Every Harness that
// takes the template runs it.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=agtpl,categories=plait
// +kubebuilder:printcolumn:name="Mode",type=string,JSONPath=`.status.mode`
// +kubebuilder:printcolumn:name="Harness",type=string,JSONPath=`.status.harness`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Revision",type=string,JSONPath=`.status.revision`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`
type AgentTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted.
	Spec AgentTemplateSpec `json:"spec"`

	// Status is what the controller made of it.
	// +optional
	Status AgentTemplateStatus `json:"status,omitempty"`
}

// AgentTemplateList is a list of AgentTemplates.
//
// +kubebuilder:object:root=true
type AgentTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []AgentTemplate `json:"items"`
}

// AgentTemplateSpec is what is wanted of a template.
//
// +kubebuilder:validation:XValidation:rule="(has(self.workflowFrom) ? 1 : 0) + (has(self.systemPrompt) ? 1 : 0) + (has(self.systemPromptFrom) ? 1 : 0) == 1",message="give exactly one of workflowFrom, systemPrompt and systemPromptFrom"
// +kubebuilder:validation:XValidation:rule="has(self.workflowFrom) || has(self.modelConfig)",message="a template with a prompt needs modelConfig"
// +kubebuilder:validation:XValidation:rule="!has(self.models) || self.models.all(m, m.name != 'default')",message="the model default is modelConfig; models are further names"
type AgentTemplateSpec struct {
	// Description says what the agents are for. It reaches their agent card if the document has no description itself.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`

	// ModelConfig is the ModelConfig that the document calls default.
	// +optional
	ModelConfig *Reference `json:"modelConfig,omitempty"`

	// Models are further names of models that the document may use.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=50
	Models []NamedModel `json:"models,omitempty"`

	// WorkflowFrom is the key of a ConfigMap that holds a document of kind AgentSystem.
	// +optional
	WorkflowFrom *KeyReference `json:"workflowFrom,omitempty"`

	// SystemPrompt is the instruction of an agent without a document.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=65536
	SystemPrompt *string `json:"systemPrompt,omitempty"`

	// SystemPromptFrom is the key of a ConfigMap that holds the instruction of an agent without a document.
	// +optional
	SystemPromptFrom *KeyReference `json:"systemPromptFrom,omitempty"`

	// Tools are what agents get beside the tools of the document. An MCP server becomes an entry of the document's
	// mcp_servers, under its own name; a document that has an entry of that name already is an error.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:XValidation:rule="self.all(t, self.exists_one(u, u.mcp.server.name == t.mcp.server.name))",message="each server may be listed once"
	Tools []Tool `json:"tools,omitempty"`

	// Revision is the short hash of the revision to run. Empty means the newest.
	// +optional
	// +kubebuilder:validation:Pattern=`^([0-9a-f]{12})?$`
	Revision string `json:"revision,omitempty"`

	// Suspend keeps the revision that runs: inputs are checked, and no new revision is made of them.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// RevisionHistoryLimit is how many old revisions of each harness are kept to go back to, beside those that pods use.
	// +optional
	// +kubebuilder:default=10
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`
}

// NamedModel is a model under the name that the document uses for it.
type NamedModel struct {
	// Name as the document has it.
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9._-]*$`
	Name string `json:"name"`

	// ModelConfig is the ModelConfig behind the name.
	ModelConfig Reference `json:"modelConfig"`
}

// Tool is what agents get beside the tools of the document.
type Tool struct {
	// MCP are the tools of an MCP server.
	MCP MCPTools `json:"mcp"`
}

// MCPTools are tools of an MCP server.
type MCPTools struct {
	// Server is the server's object.
	Server ServerReference `json:"server"`

	// Tools are the names of the tools that agents get. Empty means all that the server offers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=200
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	Tools []string `json:"tools,omitempty"`
}

// ServerReference names an object that describes an MCP server.
type ServerReference struct {
	// Kind of the object.
	// +optional
	// +kubebuilder:default=RemoteMCPServer
	// +kubebuilder:validation:Enum=RemoteMCPServer
	Kind string `json:"kind,omitempty"`

	// Name of the object, which is the server's name in the document, too.
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]*$`
	Name string `json:"name"`
}

// AgentTemplateStatus is what the controller made of a template.
type AgentTemplateStatus struct {
	// ObservedGeneration is the generation of the spec that the status is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Conditions are Ready, Accepted, ResolvedRefs and Compatible, over all harnesses.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Mode is Workflow for a document and Prompt for a prompt.
	// +optional
	Mode string `json:"mode,omitempty"`

	// Harness names the harness that Revision is about, and how many more there are: the first that isn't ready, else the
	// first by name.
	// +optional
	Harness string `json:"harness,omitempty"`

	// Revision is the short hash of the revision that Harness is to run.
	// +optional
	Revision string `json:"revision,omitempty"`

	// Workflow describes the document that was read last.
	// +optional
	Workflow *WorkflowStatus `json:"workflow,omitempty"`

	// Diagnostics are the first findings about the document.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=10
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`

	// Harnesses are the harnesses that take the template, by name.
	// +optional
	// +listType=map
	// +listMapKey=harness
	Harnesses []HarnessRollout `json:"harnesses,omitempty"`
}

// The values of AgentTemplateStatus.Mode.
const (
	ModeWorkflow = "Workflow"
	ModePrompt   = "Prompt"
)

// WorkflowStatus describes a document.
type WorkflowStatus struct {
	// ConfigMap and Key are where it was read.
	ConfigMap string `json:"configMap"`
	Key       string `json:"key"`

	// SourceHash is the SHA-256 of the key's text.
	SourceHash string `json:"sourceHash"`

	// SHA256 is that of the document in canonical form, prompts and tools of the template included. Empty while the
	// document has errors.
	// +optional
	SHA256 string `json:"sha256,omitempty"`

	// Agents, Nodes and Edges count the parts of a document without errors.
	// +optional
	Agents int32 `json:"agents,omitempty"`
	// +optional
	Nodes int32 `json:"nodes,omitempty"`
	// +optional
	Edges int32 `json:"edges,omitempty"`
}

// Diagnostic is one finding about a document.
type Diagnostic struct {
	// Code is the stable name of the rule.
	Code string `json:"code"`

	// Severity is error or warning.
	Severity string `json:"severity"`

	// File is configmap/NAME/KEY. Empty for a document that the controller made of a prompt.
	// +optional
	File string `json:"file,omitempty"`

	// Line and Column, from 1, are the place in the file. 0 means that there is none.
	// +optional
	Line int32 `json:"line,omitempty"`
	// +optional
	Column int32 `json:"column,omitempty"`

	// Path names the place, for instance agents[triage].nodes[classify].type.
	// +optional
	Path string `json:"path,omitempty"`

	// Message says what is wrong and what was expected.
	Message string `json:"message"`

	// Hint says what to do.
	// +optional
	Hint string `json:"hint,omitempty"`
}

// HarnessRollout is a template on one harness.
type HarnessRollout struct {
	// Harness is the name of the Harness.
	Harness string `json:"harness"`

	// DesiredRevision is the short hash of the revision that is to run.
	// +optional
	DesiredRevision string `json:"desiredRevision,omitempty"`

	// LatestSuccessfulRevision is the short hash of the last revision whose pods became ready; it serves until the next
	// one does.
	// +optional
	LatestSuccessfulRevision string `json:"latestSuccessfulRevision,omitempty"`

	// Replicas counts the pods there are, ReadyReplicas the ones that serve.
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// +optional
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`

	// Conditions are Ready, ResolvedRefs and Compatible, for this harness.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
