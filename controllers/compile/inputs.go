package compile

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// Inputs are all that a revision of a template on a harness is made of. [Resolve] fills what Template and Harness refer
// to.
type Inputs struct {
	Template *v1alpha1.AgentTemplate
	Harness  *v1alpha1.Harness

	// ManagedImage is the image of harnesses that are managed.
	ManagedImage string

	// Source is the document of spec.workflowFrom, parsed; nil for a template with a prompt.
	Source *Source

	// ModelConfigs that the template names, by the name of the object.
	ModelConfigs map[string]*v1alpha1.ModelConfig

	// Servers are all RemoteMCPServers of the namespace, by name.
	Servers map[string]*v1alpha1.RemoteMCPServer

	// Services are the names of the Services of the namespace. Nil means that they aren't known: every host without a dot
	// is then taken for one.
	Services []string

	// Texts are the keys of ConfigMaps that are used, Secrets those of Secrets.
	Texts   map[v1alpha1.KeyReference]Text
	Secrets map[v1alpha1.KeyReference]Secret
}

// Text is the content of one key of a ConfigMap.
type Text struct {
	Text string
	UID  types.UID
}

// Secret stands for the content of one key of a Secret, which the compiler never sees.
type Secret struct {
	// HMAC is the HMAC-SHA-256 of the value in lower-case hexadecimal digits, by a key of the installation. A plain hash
	// would let whoever reads a revision test guesses of the value.
	HMAC string
	UID  types.UID
}
