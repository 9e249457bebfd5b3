//go:build integration

package controllers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/plait-dev/plait/harness/harnesstest"
)

// refused are objects, as the spec of a kind, that break one rule each.
func refused() []struct{ kind, spec, message string } {
	return []struct{ kind, spec, message string }{
		{"AgentTemplate", `{modelConfig: {name: m}}`, "give exactly one of workflowFrom, systemPrompt and systemPromptFrom"},
		{"AgentTemplate", `{modelConfig: {name: m}, systemPrompt: a, workflowFrom: {name: a, key: b}}`,
			"give exactly one of workflowFrom, systemPrompt and systemPromptFrom"},
		{"AgentTemplate", `{systemPrompt: a}`, "a template with a prompt needs modelConfig"},
		{"AgentTemplate", `{workflowFrom: {name: a, key: b}, models: [{name: default, modelConfig: {name: m}}]}`,
			"the model default is modelConfig; models are further names"},
		{"AgentTemplate", `{workflowFrom: {name: a, key: b}, tools: [{mcp: {server: {name: crm}}}, {mcp: {server: {name: crm}}}]}`,
			"each server may be listed once"},
		{"Harness", `{auth: {none: {}}}`, "give either byo, an image of your own, or managed, the image of this release"},
		{"Harness", `{auth: {none: {}}, managed: {}, byo: {image: "a@sha256:b"}}`,
			"give either byo, an image of your own, or managed, the image of this release"},
		{"Harness", `{auth: {none: {}}, managed: {}, replicas: 2, sessionStore: {file: {persistentVolumeClaim: {name: c}}}}`,
			"sessions in files are written by one pod: replicas must be at most 1"},
		{"Harness", `{auth: {none: {}}, byo: {image: "a:v1"}}`, "name the image by digest (NAME@sha256:…), or set allowTags: true"},
		{"Harness", `{auth: {none: {}}, managed: {}, env: [{name: PLAIT_AUTH, value: x}]}`,
			"variables that begin with PLAIT_ are set by the controller"},
		{"Harness", `{auth: {none: {}}, managed: {}, env: [{name: A}]}`, "give either value or secretKeyRef"},
		{"Harness", `{auth: {none: {}}, managed: {}, env: [{name: A, value: x, secretKeyRef: {name: a, key: b}}]}`,
			"give either value or secretKeyRef"},
		{"Harness", `{auth: {none: {}}, managed: {}, sessionStore: {}}`, "give file"},
		{"Harness", `{auth: {}, managed: {}}`, "give either bearer, callers with a key, or none, everybody"},
		{"Harness", `{auth: {none: {}, bearer: {secretName: a}}, managed: {}}`, "give either bearer, callers with a key, or none, everybody"},
		{"Harness", `{auth: {none: {}}, managed: {}, documentPolicy: {env: [{name: PLAIT_AUTH, hosts: [a]}]}}`,
			"variables that begin with PLAIT_ can't be exposed"},
		{"Harness", `{auth: {none: {}}, managed: {}, documentPolicy: {maxLimits: {maxDuration: 0s}}}`,
			"the duration must be longer than 0s"},
		{"ModelConfig", `{provider: faux, model: a}`, "faux belongs to the provider faux, which needs it"},
		{"ModelConfig", `{provider: openai, model: a, faux: {scriptFrom: {name: a, key: b}}}`,
			"faux belongs to the provider faux, which needs it"},
		{"ModelConfig", `{provider: anthropic, model: a, compat: {profile: vllm}}`,
			"compat belongs to the providers openai and openai-responses"},
		{"ModelConfig", `{provider: openai, model: a, promptCache: 1h}`, "promptCache belongs to the provider anthropic"},
		{"ModelConfig", `{provider: anthropic, model: a, promptCacheKey: k}`,
			"promptCacheKey belongs to the providers openai and openai-responses"},
		{"ModelConfig", `{provider: openai, model: a, reasoningSummary: auto}`,
			"reasoningSummary belongs to the provider openai-responses"},
		{"ModelConfig", `{provider: openai, model: a, headers: [{name: Host, value: x}]}`,
			"Host, Content-Length, Cookie and Mcp-* are set by the client itself"},
		{"ModelConfig", `{provider: openai, model: a, headers: [{name: X-Key}]}`, "give either value or secretKeyRef"},
		{"RemoteMCPServer", `{url: "http://a", headers: [{name: Mcp-Session-Id, value: x}]}`,
			"Host, Content-Length, Cookie and Mcp-* are set by the client itself"},
		{"RemoteMCPServer", `{url: "http://a", headers: [{name: X-Key}]}`, "give either value or secretKeyRef"},
		{"RemoteMCPServer", `{url: "http://a", timeout: 0s}`, "the timeout must be longer than 0s"},
	}
}

var _ = Describe("The API server", func() {
	It("refuses what breaks a rule, in the rule's words", func(ctx context.Context) {
		w := newWorld(ctx)
		for _, r := range refused() {
			err := w.tryApply(fmt.Sprintf("{apiVersion: plait.dev/v1alpha1, kind: %s, metadata: {name: refused}, spec: %s}", r.kind, r.spec))
			Expect(err).To(MatchError(ContainSubstring(r.message)), "%s %s", r.kind, r.spec)
		}
	})

	It("has no rule that no object here breaks", func() {
		files, err := filepath.Glob(filepath.Join(harnesstest.Repository(), "config", "crd", "*.yaml"))
		Expect(err).NotTo(HaveOccurred())
		for _, file := range files {
			text, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			crd := &apiextensionsv1.CustomResourceDefinition{}
			Expect(yaml.Unmarshal(text, crd)).To(Succeed())
			for _, message := range messages(crd.Spec.Versions[0].Schema.OpenAPIV3Schema) {
				Expect(brokenBy(crd.Spec.Names.Kind)).To(ContainElement(message), file)
			}
		}
	})
})

// brokenBy are the messages of the rules that objects of a kind break here.
func brokenBy(kind string) []string {
	var all []string
	for _, r := range refused() {
		if r.kind == kind {
			all = append(all, r.message)
		}
	}
	return all
}

// messages are those of all rules of a schema.
func messages(s *apiextensionsv1.JSONSchemaProps) []string {
	var all []string
	for _, rule := range s.XValidations {
		all = append(all, rule.Message)
	}
	for _, below := range s.Properties {
		all = append(all, messages(&below)...)
	}
	if s.Items != nil && s.Items.Schema != nil {
		all = append(all, messages(s.Items.Schema)...)
	}
	return all
}
