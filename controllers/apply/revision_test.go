package apply_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/compile"
)

// newRevision is a revision with a config, and what it was made of.
func newRevision(t *testing.T, config string) *compile.Revision {
	t.Helper()
	m := rich()
	m.ConfigSHA256 = adkconfigv1.Digest([]byte(config))
	text, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return &compile.Revision{
		Hash: adkconfigv1.Digest(text), Config: []byte(config), Manifest: m,
		Provenance: []compile.Input{{APIVersion: "v1", Kind: "ConfigMap", Name: "prompts", Key: "answer", Hash: "aa"}},
	}
}

func store(t *testing.T, rev *compile.Revision) *corev1.ConfigMap {
	t.Helper()
	cm, err := apply.RevisionConfigMap(newTemplate(), "standard", rev)
	if err != nil {
		t.Fatal(err)
	}
	return cm
}

func TestRevisionConfigMap(t *testing.T) {
	rev := newRevision(t, `{"config":true}`)
	cm := store(t, rev)
	if cm.Immutable == nil || !*cm.Immutable {
		t.Error("it can be changed")
	}
	if want := "support-triage-standard-" + rev.Short(); cm.Name != want || cm.Labels[apply.LabelRevision] != rev.Short() {
		t.Errorf("it is called %s with the labels %v, want %s", cm.Name, cm.Labels, want)
	}
	if cm.Data[apply.KeyConfig] != `{"config":true}` {
		t.Errorf("its config is %s", cm.Data[apply.KeyConfig])
	}
	if len(cm.OwnerReferences) != 1 || cm.OwnerReferences[0].UID != newTemplate().UID {
		t.Errorf("it belongs to %v", cm.OwnerReferences)
	}
	if diff := cmp.Diff(rev.Provenance, apply.ReadProvenance(cm)); diff != "" {
		t.Errorf("its inputs differ (-want +got):\n%s", diff)
	}
}

func TestReadRevision(t *testing.T) {
	rev := newRevision(t, `{"config":true}`)
	m, err := apply.ReadRevision(store(t, rev), newTemplate(), "standard", rev.Short())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rev.Manifest, m); diff != "" {
		t.Errorf("it is read as another one (-want +got):\n%s", diff)
	}
}

func TestReadRevisionRefuses(t *testing.T) {
	rev := newRevision(t, `{"config":true}`)
	other := newRevision(t, `{"config":false}`)
	for _, tt := range []struct {
		name   string
		change func(*corev1.ConfigMap)
		want   string
	}{
		{"another config", func(cm *corev1.ConfigMap) { cm.Data[apply.KeyConfig] = "{}" }, "config.json isn't the config of the revision"},
		{"no config", func(cm *corev1.ConfigMap) { delete(cm.Data, apply.KeyConfig) }, "config.json isn't the config of the revision"},
		{"another manifest", func(cm *corev1.ConfigMap) { cm.Data = store(t, other).Data }, "revision.json is that of revision " + other.Short()},
		{"no manifest", func(cm *corev1.ConfigMap) { delete(cm.Data, apply.KeyManifest) }, "revision.json: "},
		{"a manifest with one more field", func(cm *corev1.ConfigMap) {
			cm.Data[apply.KeyManifest] = strings.Replace(cm.Data[apply.KeyManifest], "{", `{"more":1,`, 1)
		}, `unknown field "more"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cm := store(t, rev)
			tt.change(cm)
			m, err := apply.ReadRevision(cm, newTemplate(), "standard", rev.Short())
			if m != nil || err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), cm.Name) {
				t.Errorf("got %v, %v, want an error with %q and the name", m, err, tt.want)
			}
		})
	}
	t.Run("another template's", func(t *testing.T) {
		tpl := newTemplate()
		tpl.Name = "other"
		if _, err := apply.ReadRevision(store(t, rev), tpl, "standard", rev.Short()); err == nil {
			t.Error("it is taken")
		}
		if _, err := apply.ReadRevision(store(t, rev), newTemplate(), "other", rev.Short()); err == nil {
			t.Error("it is taken on another harness")
		}
	})
}

// Provenance that somebody has broken explains nothing, and stops nothing.
func TestReadProvenanceOfNothing(t *testing.T) {
	if got := apply.ReadProvenance(&corev1.ConfigMap{Data: map[string]string{apply.KeyProvenance: "{"}}); got != nil {
		t.Errorf("got %v", got)
	}
	if got := apply.ReadProvenance(&corev1.ConfigMap{}); got != nil {
		t.Errorf("got %v", got)
	}
}
