package compile

import (
	"context"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// Reader reads the objects of the namespace that inputs refer to. What isn't there is reported as a nil pointer or
// false, without an error; an error says that reading itself failed.
type Reader interface {
	ModelConfig(ctx context.Context, name string) (*v1alpha1.ModelConfig, error)

	// Servers are all RemoteMCPServers of the namespace, by name.
	Servers(ctx context.Context) (map[string]*v1alpha1.RemoteMCPServer, error)

	// Services are the names of all Services of the namespace, sorted; nil if they aren't known.
	Services(ctx context.Context) ([]string, error)

	// Text reads one key of a ConfigMap. Object says whether the ConfigMap is there, and ok whether it has the key.
	Text(ctx context.Context, ref v1alpha1.KeyReference) (text Text, object, ok bool, err error)

	// Secret reads one key of a Secret, likewise.
	Secret(ctx context.Context, ref v1alpha1.KeyReference) (secret Secret, object, ok bool, err error)

	// HasSecret says whether a Secret is there, whatever its keys.
	HasSecret(ctx context.Context, name string) (bool, error)
}

// Missing is something that inputs refer to and that isn't there.
type Missing struct {
	// By is the field that refers to it, for instance "AgentTemplate support-triage: spec.workflowFrom".
	By string
	// Kind, Name and, for one key of an object that is there, Key say what is missing.
	Kind, Name, Key string
}
