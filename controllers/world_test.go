//go:build integration

package controllers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/harness/harnesstest"
)

// world is a namespace with what people do in it.
type world struct {
	ctx       context.Context
	namespace string
}

// newWorld makes a namespace for the spec that runs.
func newWorld(ctx context.Context) *world {
	GinkgoHelper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "spec-"}}
	Expect(cluster.client.Create(ctx, ns)).To(Succeed())
	return &world{ctx: ctx, namespace: ns.Name}
}

// apply applies objects as kubectl does.
func (w *world) apply(yaml string) {
	GinkgoHelper()
	Expect(w.tryApply(yaml)).To(Succeed())
}

func (w *world) tryApply(yaml string) error { return applyYAML(w.ctx, yaml, w.namespace) }

// applyYAML applies objects in a namespace; without one each is applied where it says itself.
func applyYAML(ctx context.Context, yaml, namespace string) error {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewBufferString(yaml), 4096)
	for {
		obj := &unstructured.Unstructured{}
		switch err := decoder.Decode(obj); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if namespace != "" {
			obj.SetNamespace(namespace)
		}
		err := cluster.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(obj), client.FieldOwner("people"), client.ForceOwnership)
		if err != nil {
			return err
		}
	}
}

// configMap applies a ConfigMap with one key or several.
func (w *world) configMap(name string, data map[string]string) {
	GinkgoHelper()
	obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
	obj.SetName(name)
	obj.SetNamespace(w.namespace)
	Expect(unstructured.SetNestedStringMap(obj.Object, data, "data")).To(Succeed())
	Expect(cluster.client.Apply(w.ctx, client.ApplyConfigurationFromUnstructured(obj), client.FieldOwner("people"), client.ForceOwnership)).To(Succeed())
}

func (w *world) delete(obj client.Object, name string) {
	GinkgoHelper()
	obj.SetNamespace(w.namespace)
	obj.SetName(name)
	Expect(cluster.client.Delete(w.ctx, obj)).To(Succeed())
}

// example reads a file of the support-triage example.
func example(name string) string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(harnesstest.Repository(), "examples", "support-triage", name))
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}

// standard is a harness that takes what is labelled team: support.
const standard = `
apiVersion: plait.dev/v1alpha1
kind: Harness
metadata: {name: standard}
spec:
  byo: {image: "registry.example/harness:v1", allowTags: true}
  auth: {none: {}}
  allowedAgentTemplates: {selector: {matchLabels: {team: support}}}
  documentPolicy: {harnessTools: [write_file]}
`

// supportTriage are the template of the example and its model.
const supportTriage = `
apiVersion: plait.dev/v1alpha1
kind: ModelConfig
metadata: {name: default-model}
spec:
  provider: faux
  model: scripted
  faux: {scriptFrom: {name: scripted-model, key: model.yaml}}
---
apiVersion: plait.dev/v1alpha1
kind: AgentTemplate
metadata: {name: support-triage, labels: {team: support}}
spec:
  modelConfig: {name: default-model}
  workflowFrom: {name: support-triage, key: agentsystem.yaml}
`

// crmService is the Service of the MCP server that the document names.
const crmService = `
apiVersion: v1
kind: Service
metadata: {name: crm-mcp}
spec: {ports: [{port: 8080}]}
`

// supportTriage applies the example with all that it needs, on the harness "standard".
func (w *world) supportTriage() {
	GinkgoHelper()
	w.apply(crmService)
	w.configMap("support-triage", map[string]string{"agentsystem.yaml": example("agentsystem.yaml")})
	w.apply(example("prompts.yaml"))
	w.configMap("scripted-model", map[string]string{"model.yaml": example("model.yaml")})
	w.apply(standard)
	w.apply(supportTriage)
}

// template reads the template of the example.
func (w *world) template() *v1alpha1.AgentTemplate {
	GinkgoHelper()
	t := &v1alpha1.AgentTemplate{}
	Expect(cluster.client.Get(w.ctx, w.key("support-triage"), t)).To(Succeed())
	return t
}

func (w *world) key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: w.namespace, Name: name}
}

// condition is "STATUS REASON MESSAGE" of a condition of the template, empty for one that isn't there or is about an
// older generation.
func (w *world) condition(template, kind string) func() string {
	return func() string {
		t := &v1alpha1.AgentTemplate{}
		if err := cluster.client.Get(w.ctx, w.key(template), t); err != nil {
			return err.Error()
		}
		return conditionText(t.Status.Conditions, t.Generation, kind)
	}
}

func conditionText(conditions []metav1.Condition, generation int64, kind string) string {
	c := apimeta.FindStatusCondition(conditions, kind)
	if c == nil || c.ObservedGeneration != generation {
		return ""
	}
	return fmt.Sprintf("%s %s %s", c.Status, c.Reason, c.Message)
}

// revision waits until the example runs in a revision on the harness "standard", other than those, and returns its short
// hash.
func (w *world) revision(others ...string) string {
	GinkgoHelper()
	var revision string
	Eventually(func(g Gomega) {
		d := &appsv1.Deployment{}
		g.Expect(cluster.client.Get(w.ctx, w.key("support-triage-standard"), d)).To(Succeed())
		revision = apply.RevisionOf(d)
		g.Expect(others).NotTo(ContainElement(revision))
		g.Expect(rollout(w.template(), "standard").DesiredRevision).To(Equal(revision))
	}).Should(Succeed())
	return revision
}

// rollout is a template on one harness.
func rollout(t *v1alpha1.AgentTemplate, harness string) v1alpha1.HarnessRollout {
	for _, r := range t.Status.Harnesses {
		if r.Harness == harness {
			return r
		}
	}
	return v1alpha1.HarnessRollout{}
}

// revisions lists the short hashes of the ConfigMaps of the example's revisions on the harness "standard".
func (w *world) revisions() []string {
	GinkgoHelper()
	var list corev1.ConfigMapList
	Expect(cluster.client.List(w.ctx, &list, client.InNamespace(w.namespace), client.MatchingLabels{
		apply.LabelTemplate: "support-triage", apply.LabelHarness: "standard",
	})).To(Succeed())
	var all []string
	for _, cm := range list.Items {
		all = append(all, cm.Labels[apply.LabelRevision])
	}
	return all
}

// deployment reads that of the example on the harness "standard".
func (w *world) deployment() *appsv1.Deployment {
	GinkgoHelper()
	d := &appsv1.Deployment{}
	Expect(cluster.client.Get(w.ctx, w.key("support-triage-standard"), d)).To(Succeed())
	return d
}

// quiet waits until the controller has nothing more to do: all that happens in the namespace afterwards has a cause
// after that.
func (w *world) quiet() {
	GinkgoHelper()
	last := -1
	Eventually(func(g Gomega) {
		before := len(cluster.writes.in(w.namespace))
		defer func() { last = before }()
		g.Expect(before).To(Equal(last))
		g.Expect(settled(w.namespace, before)).To(BeTrue())
	}).Should(Succeed())
}

// settled says whether the controller writes nothing for a while.
func settled(namespace string, writes int) bool {
	return InterceptGomegaFailure(func() {
		Consistently(func() int { return len(cluster.writes.in(namespace)) }, "300ms").Should(Equal(writes))
	}) == nil
}

// exists says whether an object is there.
func (w *world) exists(obj client.Object, name string) func() bool {
	return func() bool {
		err := cluster.client.Get(w.ctx, w.key(name), obj)
		return err == nil || !apierrors.IsNotFound(err)
	}
}

// edit changes a text in the document.
func (w *world) edit(from, to string) {
	GinkgoHelper()
	document := example("agentsystem.yaml")
	Expect(document).To(ContainSubstring(from))
	w.configMap("support-triage", map[string]string{"agentsystem.yaml": strings.ReplaceAll(document, from, to)})
}
