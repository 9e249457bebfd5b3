package compile

import (
	"github.com/plait-dev/plait/api/v1alpha1"
)

// The kinds of objects that revisions are made of.
const (
	kindTemplate    = "AgentTemplate"
	kindHarness     = "Harness"
	kindModelConfig = "ModelConfig"
	kindServer      = "RemoteMCPServer"
	kindConfigMap   = "ConfigMap"
	kindSecret      = "Secret"
)

// object is one of the objects of plait.dev.
type object interface {
	*v1alpha1.AgentTemplate | *v1alpha1.Harness | *v1alpha1.ModelConfig | *v1alpha1.RemoteMCPServer
	GetName() string
}

func kindOf[T object](o T) string {
	switch any(o).(type) {
	case *v1alpha1.AgentTemplate:
		return kindTemplate
	case *v1alpha1.Harness:
		return kindHarness
	case *v1alpha1.ModelConfig:
		return kindModelConfig
	default:
		return kindServer
	}
}

// of begins sentences about a field of an object. The kind isn't the object's own, which is empty when it was read from
// a cluster.
func of[T object](o T) string { return kindOf(o) + " " + o.GetName() + ": " }
