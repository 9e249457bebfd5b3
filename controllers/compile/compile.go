package compile

import (
	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Compile makes the revision of a template on a harness, or says why there is none. Equal inputs give equal results.
// Inputs aren't changed, so several calls may share what is in them.
func Compile(in *Inputs) *Result {
	c := &compilation{in: in, result: &Result{}, secrets: map[string]v1alpha1.KeyReference{}}
	for _, step := range []func() *Refusal{
		c.checkObjects,      // they keep the rules of their kinds
		c.checkCapabilities, // the program runs documents
		c.readDocument,      // or makes one of the prompt
		c.addTools,          // those of the template
		c.validate,          // the document, against what the harness allows
		c.makeConfig,        // with as much of the policy as the document needs
		c.makeManifest,      // everything else of the pod
		c.makeRevision,      // which has to fit into a ConfigMap
	} {
		if c.result.Refusal = step(); c.result.Refusal != nil {
			break
		}
	}
	return c.result
}

// compilation is one call of [Compile].
type compilation struct {
	in     *Inputs
	result *Result

	doc     *declarative.Document
	prompts []*adkconfigv1.PromptSource
	allowed allowed
	usage   usage
	checked *declarative.Checked

	late       []lateFinding     // of the steps before the validator
	disallowed []diag.Diagnostic // models, see disallowedModels

	servers   map[string]*adkconfigv1.MCPServer // of the template's tools, by name
	secrets   map[string]v1alpha1.KeyReference  // by the variable that holds them
	config    *adkconfigv1.AgentConfig
	configRaw []byte
	manifest  *Manifest
}

// find adds findings about the document.
func (c *compilation) find(found ...diag.Diagnostic) {
	c.result.Diagnostics = append(c.result.Diagnostics, found...)
}
