package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

// makeManifest writes down what the pod is made of.
func (c *compilation) makeManifest() *Refusal {
	spec := &c.in.Harness.Spec
	m := &Manifest{
		Version:      ManifestVersion,
		Namespace:    c.in.Template.Namespace,
		Template:     c.in.Template.Name,
		Harness:      c.in.Harness.Name,
		ConfigSHA256: adkconfigv1.Digest(c.configRaw),
		Image:        c.in.ManagedImage,
		Env:          c.env(),
		Egress:       c.egress(),
		Restricted:   spec.NetworkPolicy == nil || or(spec.NetworkPolicy.Enabled, true),

		TerminationGracePeriodSeconds: or(spec.TerminationGracePeriodSeconds, defaultGraceSeconds),
		Resources:                     unlessEmpty(spec.Resources),
		Pod:                           overlay(spec.PodTemplate),
	}
	var refusal *Refusal
	if m.Secrets, refusal = c.secretUses(m.Env); refusal != nil {
		return refusal
	}
	if spec.BYO != nil {
		m.Image, m.Command, m.Args = spec.BYO.Image, slices.Clone(spec.BYO.Command), slices.Clone(spec.BYO.Args)
	}
	if spec.Auth.Bearer != nil {
		m.AuthSecret = spec.Auth.Bearer.SecretName
	}
	if spec.SessionStore != nil && spec.SessionStore.File != nil {
		m.Claim = spec.SessionStore.File.PersistentVolumeClaim.Name
	}
	c.manifest = m
	return nil
}

// secretUses stand for the values of the secrets that variables hold.
func (c *compilation) secretUses(env []EnvVar) ([]SecretUse, *Refusal) {
	var uses []SecretUse
	for _, v := range env {
		if v.Secret == nil {
			continue
		}
		secret, ok := c.in.Secrets[*v.Secret]
		if !ok {
			return nil, refuse(fmt.Sprintf("the key %s of the %s %s wasn't read", v.Secret.Key, kindSecret, v.Secret.Name))
		}
		uses = append(uses, SecretUse{Name: v.Secret.Name, Key: v.Secret.Key, HMAC: secret.HMAC})
	}
	slices.SortFunc(uses, func(a, b SecretUse) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Key, b.Key))
	})
	return slices.Compact(uses), nil
}

// overlay is what is laid over the pod, in an order that has no meaning.
func overlay(o *v1alpha1.PodOverlay) *v1alpha1.PodOverlay {
	if o = unlessEmpty(o); o == nil {
		return nil
	}
	slices.SortFunc(o.ImagePullSecrets, func(a, b v1alpha1.Reference) int { return strings.Compare(a.Name, b.Name) })
	return o
}

// unlessEmpty is a copy, or nil when nothing is set.
func unlessEmpty[T any, P interface {
	*T
	DeepCopy() P
}](p P) P {
	if p == nil || equality.Semantic.DeepEqual(p, P(new(T))) {
		return nil
	}
	return p.DeepCopy()
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
