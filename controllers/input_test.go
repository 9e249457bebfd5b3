//go:build integration

package controllers_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// prompt is the example's template without its document.
const prompt = `
apiVersion: plait.dev/v1alpha1
kind: ModelConfig
metadata: {name: default-model}
spec: {provider: ollama, model: llama, baseURL: "http://ollama.example:11434"}
---
apiVersion: plait.dev/v1alpha1
kind: RemoteMCPServer
metadata: {name: crm}
spec: {url: "https://crm.example/mcp"}
---
apiVersion: plait.dev/v1alpha1
kind: AgentTemplate
metadata: {name: support-triage, labels: {team: support}}
spec:
  modelConfig: {name: default-model}
  systemPrompt: You help.
  tools: [{mcp: {server: {name: crm}, tools: [lookup_customer]}}]
`

var _ = Describe("A template with a prompt", func() {
	It("follows all that it is made of", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(standard)
		w.apply(prompt)
		last := w.revision()
		Expect(w.template().Status.Mode).To(Equal(v1alpha1.ModePrompt))
		Expect(w.template().Status.Workflow).To(BeNil())
		for _, change := range []string{
			`{apiVersion: plait.dev/v1alpha1, kind: ModelConfig, metadata: {name: default-model}, spec: {provider: ollama, model: qwen, baseURL: "http://ollama.example:11434"}}`,
			`{apiVersion: plait.dev/v1alpha1, kind: RemoteMCPServer, metadata: {name: crm}, spec: {url: "https://crm2.example/mcp"}}`,
			`{apiVersion: plait.dev/v1alpha1, kind: AgentTemplate, metadata: {name: support-triage, labels: {team: support}}, spec: {
modelConfig: {name: default-model}, systemPrompt: "You help a lot.", tools: [{mcp: {server: {name: crm}, tools: [lookup_customer]}}]}}`,
			`{apiVersion: plait.dev/v1alpha1, kind: Harness, metadata: {name: standard}, spec: {managed: {}, auth: {none: {}},
allowedAgentTemplates: {selector: {matchLabels: {team: support}}}}}`,
		} {
			w.apply(change)
			last = w.revision(last)
		}
		Expect(w.deployment().Spec.Template.Spec.Containers[0].Image).To(Equal(managedImage))
	})

	It("isn't concerned by what others use", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(standard)
		w.apply(prompt)
		w.revision()
		w.quiet()
		before := cluster.writes.in(w.namespace)
		w.configMap("others", map[string]string{"a": "b"})
		w.apply(`{apiVersion: v1, kind: Secret, metadata: {name: others}, stringData: {a: b}}`)
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: ModelConfig, metadata: {name: others}, spec: {provider: ollama, model: a}}`)
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: RemoteMCPServer, metadata: {name: others}, spec: {url: "http://others/mcp"}}`)
		w.apply(crmService)
		Consistently(func() []string { return cluster.writes.in(w.namespace) }).Should(Equal(before))
	})
})

var _ = Describe("A request that fails", func() {
	It("is made again, and keeps no other harness from going on", func(ctx context.Context) {
		w := newWorld(ctx)
		w.apply(prompt)
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: Harness, metadata: {name: another}, spec: {managed: {}, auth: {none: {}},
allowedAgentTemplates: {selector: {matchLabels: {team: support}}}}}`)
		Eventually(func() string { return rollout(w.template(), "another").DesiredRevision }).ShouldNot(BeEmpty())
		cluster.writes.failOnce(fmt.Sprintf("PATCH /apis/apps/v1/namespaces/%s/deployments/support-triage-standard", w.namespace))
		w.apply(standard)
		w.revision()
		Expect(rollout(w.template(), "another").DesiredRevision).NotTo(BeEmpty())
	})
})
