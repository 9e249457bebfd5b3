package v1alpha1

// Reference names an object of the same namespace; the field says of which kind.
type Reference struct {
	// Name of the object.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// KeyReference names one key of a ConfigMap or Secret of the same namespace; the field says of which.
type KeyReference struct {
	// Name of the ConfigMap or Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Key in its data.
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key"`
}

// Value is a text that may be secret. A secret reaches a pod as an environment variable or a mounted file, and nothing
// else.
//
// +kubebuilder:validation:XValidation:rule="has(self.value) != has(self.secretKeyRef)",message="give either value or secretKeyRef"
type Value struct {
	// Value is the text itself, when it is no secret.
	// +optional
	// +kubebuilder:validation:MaxLength=32768
	Value *string `json:"value,omitempty"`

	// SecretKeyRef names the key of a Secret that holds the text.
	// +optional
	SecretKeyRef *KeyReference `json:"secretKeyRef,omitempty"`
}

// Header is one header of the requests to a server.
type Header struct {
	// Name of the header. Host, Content-Length, Cookie and names that begin with Mcp- can't be set.
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern="^[A-Za-z0-9!#$%&'*+.^_|~-]+$"
	// +kubebuilder:validation:XValidation:rule="!(self.lowerAscii() in ['host', 'content-length', 'cookie']) && !self.lowerAscii().startsWith('mcp-')",message="Host, Content-Length, Cookie and Mcp-* are set by the client itself"
	Name string `json:"name"`

	Value `json:",inline"`
}
