package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group and Version are what every object here says as its apiVersion.
const (
	Group   = "plait.dev"
	Version = "v1alpha1"
)

// GroupVersion is the apiVersion of the objects of this package.
func GroupVersion() schema.GroupVersion { return schema.GroupVersion{Group: Group, Version: Version} }

// AddToScheme makes the objects of this package known to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion(),
		&AgentTemplate{}, &AgentTemplateList{},
		&Harness{}, &HarnessList{},
		&ModelConfig{}, &ModelConfigList{},
		&RemoteMCPServer{}, &RemoteMCPServerList{},
	)
	metav1.AddToGroupVersion(s, GroupVersion())
	return nil
}
