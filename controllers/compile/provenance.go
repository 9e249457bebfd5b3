package compile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

// provenance lists what the revision was made of, sorted by kind, name and key.
func (c *compilation) provenance() ([]Input, error) {
	var list []Input
	objects, err := c.objectInputs()
	if err != nil {
		return nil, err
	}
	list = append(list, objects...)
	for _, ref := range c.usedTexts() {
		text := c.in.Texts[ref]
		list = append(list, Input{
			APIVersion: "v1", Kind: kindConfigMap, Name: ref.Name, Key: ref.Key, UID: string(text.UID),
			Hash: adkconfigv1.Digest([]byte(text.Text)),
		})
	}
	for _, use := range c.manifest.Secrets {
		uid := c.in.Secrets[v1alpha1.KeyReference{Name: use.Name, Key: use.Key}].UID
		list = append(list, Input{
			APIVersion: "v1", Kind: kindSecret, Name: use.Name, Key: use.Key, UID: string(uid), Hash: use.HMAC,
		})
	}
	slices.SortFunc(list, func(a, b Input) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Key, b.Key))
	})
	return slices.Compact(list), nil
}

// objectInputs are the objects of plait.dev, each with the hash of those fields that count.
func (c *compilation) objectInputs() ([]Input, error) {
	var list []Input
	template := c.in.Template.Spec.DeepCopy()
	template.Revision, template.Suspend, template.RevisionHistoryLimit = "", false, nil
	harness := c.in.Harness.Spec.DeepCopy()
	harness.Replicas, harness.AllowedAgentTemplates, harness.ProgressDeadlineSeconds = nil, nil, nil
	add := func(kind, name string, uid types.UID, spec any) error {
		hash, err := digestOf(spec)
		list = append(list, Input{
			APIVersion: v1alpha1.GroupVersion().String(), Kind: kind, Name: name, UID: string(uid), Hash: hash,
		})
		return err
	}
	err := cmp.Or(
		add(kindTemplate, c.in.Template.Name, c.in.Template.UID, template),
		add(kindHarness, c.in.Harness.Name, c.in.Harness.UID, harness),
	)
	for _, name := range slices.Sorted(maps.Keys(c.config.GetModels())) {
		ref, _ := c.modelRef(name)
		m := c.in.ModelConfigs[ref]
		err = cmp.Or(err, add(kindModelConfig, m.Name, m.UID, m.Spec))
	}
	for _, name := range slices.Sorted(maps.Keys(c.servers)) {
		s := c.in.Servers[name]
		err = cmp.Or(err, add(kindServer, s.Name, s.UID, s.Spec))
	}
	return list, err
}

// usedTexts are the keys of ConfigMaps that are in the config, sorted.
func (c *compilation) usedTexts() []v1alpha1.KeyReference {
	var refs []v1alpha1.KeyReference
	if ref := c.in.Template.Spec.WorkflowFrom; ref != nil {
		refs = append(refs, *ref)
	}
	for _, p := range c.prompts {
		refs = append(refs, v1alpha1.KeyReference{Name: p.GetName(), Key: p.GetKey()})
	}
	for name := range c.config.GetModels() {
		ref, _ := c.modelRef(name)
		if faux := c.in.ModelConfigs[ref].Spec.Faux; faux != nil {
			refs = append(refs, faux.ScriptFrom)
		}
	}
	slices.SortFunc(refs, compareRefs)
	return slices.Compact(refs)
}
