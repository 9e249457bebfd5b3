// Package v1alpha1 holds the objects that people write to run agent systems on a cluster.
//
// An [AgentTemplate] says what runs: a document in a ConfigMap, or a prompt. A [Harness] says where: an image, what it is
// allowed, and which templates it takes. [ModelConfig] and [RemoteMCPServer] are what both refer to. References stay
// inside a namespace.
//
// Every type, field and rule here ends up in the CustomResourceDefinitions of config/crd, so the comments are what
// `kubectl explain` prints.
//
// +kubebuilder:object:generate=true
// +groupName=plait.dev
package v1alpha1
