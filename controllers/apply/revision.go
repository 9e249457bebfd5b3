package apply

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// RevisionConfigMap is the immutable ConfigMap of a revision: its config, all that is needed to take it up again, and
// what it was made of.
func RevisionConfigMap(t *v1alpha1.AgentTemplate, harness string, rev *compile.Revision) (*corev1.ConfigMap, error) {
	manifest, err := rev.Manifest.Bytes()
	if err != nil {
		return nil, err
	}
	provenance, err := json.Marshal(rev.Provenance)
	if err != nil {
		return nil, err
	}
	immutable := true
	cm := &corev1.ConfigMap{
		TypeMeta:   typeMeta(corev1.SchemeGroupVersion.String(), "ConfigMap"),
		ObjectMeta: meta(t, harness, RevisionName(t.Name, harness, rev.Short())),
		Immutable:  &immutable,
		Data: map[string]string{
			KeyConfig: string(rev.Config), KeyManifest: string(manifest), KeyProvenance: string(provenance),
		},
	}
	cm.Labels[LabelRevision] = rev.Short()
	return cm, nil
}

// ReadRevision reads the manifest of a revision back. One whose content isn't what its name says is refused: it isn't
// the revision that ran once.
func ReadRevision(cm *corev1.ConfigMap, t *v1alpha1.AgentTemplate, harness, short string) (*compile.Manifest, error) {
	m, hash, err := compile.ReadManifest([]byte(cm.Data[KeyManifest]))
	switch {
	case err != nil:
		return nil, fmt.Errorf("ConfigMap %s: %s: %w", cm.Name, KeyManifest, err)
	case hash[:len(short)] != short:
		return nil, fmt.Errorf("ConfigMap %s: %s is that of revision %s", cm.Name, KeyManifest, hash[:len(short)])
	case m.Namespace != t.Namespace || m.Template != t.Name || m.Harness != harness:
		return nil, fmt.Errorf("ConfigMap %s is a revision of %s/%s on %s", cm.Name, m.Namespace, m.Template, m.Harness)
	case adkconfigv1.Digest([]byte(cm.Data[KeyConfig])) != m.ConfigSHA256:
		return nil, fmt.Errorf("ConfigMap %s: %s isn't the config of the revision", cm.Name, KeyConfig)
	}
	return m, nil
}

// ReadProvenance reads what a revision was made of. One that can't be read explains nothing, and does no harm.
func ReadProvenance(cm *corev1.ConfigMap) []compile.Input {
	var inputs []compile.Input
	if err := json.Unmarshal([]byte(cm.Data[KeyProvenance]), &inputs); err != nil {
		return nil
	}
	return inputs
}
