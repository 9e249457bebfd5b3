package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

// MaxRevisionBytes bounds config, manifest and provenance together, which have to fit into a ConfigMap.
const MaxRevisionBytes = 900_000

// makeRevision names the revision by the hash of its manifest.
func (c *compilation) makeRevision() *Refusal {
	manifest, err := c.manifest.Bytes()
	if err != nil {
		return refuse(fmt.Sprintf("%s%v", of(c.in.Harness), err))
	}
	inputs, err := c.provenance()
	if err != nil {
		return refuse(err.Error())
	}
	explained, err := canonicalJSON(inputs)
	if err != nil {
		return refuse(err.Error())
	}
	if n := len(c.configRaw) + len(manifest) + len(explained); n > MaxRevisionBytes {
		return c.tooLarge(fmt.Sprintf("the revision has %s; it may have %s", kilobytes(n), kilobytes(MaxRevisionBytes)))
	}
	c.result.Revision = &Revision{
		Hash:       adkconfigv1.Digest(manifest),
		Config:     c.configRaw,
		Manifest:   c.manifest,
		Provenance: inputs,
	}
	return nil
}

// part is a text that a revision holds.
type part struct {
	name string
	size int
}

// tooLarge refuses what doesn't fit, and says which texts are to blame: the largest first.
func (c *compilation) tooLarge(what string) *Refusal {
	const named = 5
	parts := slices.SortedFunc(slices.Values(c.parts()), func(a, b part) int {
		return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.name, b.name))
	})
	var words []string
	for _, p := range parts[:min(named, len(parts))] {
		words = append(words, p.name+" has "+kilobytes(p.size))
	}
	return &Refusal{Reason: v1alpha1.ReasonTooLarge, Message: what + ": " + strings.Join(words, ", ")}
}

// parts are the texts that people can make shorter.
func (c *compilation) parts() []part {
	var parts []part
	for _, ref := range c.usedTexts() {
		parts = append(parts, part{fmt.Sprintf("configmap/%s/%s", ref.Name, ref.Key), len(c.in.Texts[ref].Text)})
	}
	if prompt := c.in.Template.Spec.SystemPrompt; prompt != nil {
		parts = append(parts, part{of(c.in.Template) + "spec.systemPrompt", len(*prompt)})
	}
	variables := part{name: of(c.in.Harness) + "spec.env"}
	for _, v := range c.in.Harness.Spec.Env {
		variables.size += len(v.Name) + len(orZero(v.Value.Value))
	}
	if variables.size > 0 {
		parts = append(parts, variables)
	}
	return parts
}

func kilobytes(n int) string { return fmt.Sprintf("%d kB", (n+999)/1000) }
