package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// RemoteMCPServer says how to reach an MCP server. Its host is one that documents of the namespace may name.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=rmcp,categories=plait
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.url`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type RemoteMCPServer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is how to reach the server.
	Spec RemoteMCPServerSpec `json:"spec"`
}

// RemoteMCPServerList is a list of RemoteMCPServers.
//
// +kubebuilder:object:root=true
type RemoteMCPServerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []RemoteMCPServer `json:"items"`
}

// RemoteMCPServerSpec is how to reach an MCP server.
type RemoteMCPServerSpec struct {
	// Description says what the server is for.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`

	// URL of the server's MCP endpoint.
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://[^/?#@]+`
	URL string `json:"url"`

	// Headers of every request. One whose Secret key is empty is left out.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=50
	Headers []Header `json:"headers,omitempty"`

	// Timeout of one call. Absent means that calls have the time that their node has.
	// +optional
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s')",message="the timeout must be longer than 0s"
	Timeout *metav1.Duration `json:"timeout,omitempty"`
}
