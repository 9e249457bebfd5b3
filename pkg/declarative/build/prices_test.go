package build_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
)

// A limit of costs is refused over calls whose price nobody knows, at the model that makes them, wherever the limit stands.
func TestMaxCost_needs_prices(t *testing.T) {
	free, err := faux.New("free", faux.Script{})
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]core.Model{"default": free, "wrapped": provider.Limit(agentkit.CachedAnswers(nil)(free), provider.Limits{}),
		"unpriced": &counting{}, "standby": provider.Failover(free, &counting{})}
	const tail = ` (counting) aren't known, and max_cost_usd of `
	cases := []struct {
		name, document string
		limited        bool
		want           []string
	}{
		{"no limit", "agents: [{ name: a, model: unpriced }]", false, nil},
		{"priced", "{ limits: { max_cost_usd: 1 }, agents: [{ name: a, model: wrapped }] }", false, nil},
		{"the run", "{ limits: { max_cost_usd: 1 }, agents: [{ name: a, model: unpriced }] }", false,
			[]string{`agents[a].model: the prices of the model "unpriced"` + tail + `the run is over its calls`}},
		{"the harness", "agents: [{ name: a, model: unpriced }]", true,
			[]string{`agents[a].model: the prices of the model "unpriced"` + tail + `the run is over its calls`}},
		{"a stand-in", "{ limits: { max_cost_usd: 1 }, agents: [{ name: a, model: standby }] }", false,
			[]string{`agents[a].model: the prices of the model "standby" (free) aren't known, and max_cost_usd of the run is over its calls`}},
		{"below an agent", `
root_agent: a
agents:
  - { name: a, limits: { max_cost_usd: 1 }, tools: [{ agent: b }], sub_agents: [c] }
  - { name: b, agent_class: SequentialAgent, sub_agents: [d] }
  - { name: c, model: unpriced }
  - name: d
    agent_class: Workflow
    nodes:
      - { id: x, type: parallel_worker, items: "[1]", worker: { type: llm, model: unpriced } }
      - { id: y, type: workflow, nodes: [{ id: z, type: llm, model: unpriced }], edges: [{ from: START, to: z }] }
    edges: [{ from: START, to: x }, { from: x, to: y }]`, false,
			[]string{
				`agents[c].model: the prices of the model "unpriced"` + tail + `the agent a is over its calls`,
				`agents[d].nodes[x].worker.model: the prices of the model "unpriced"` + tail + `the agent a is over its calls`,
				`agents[d].nodes[y].nodes[z].model: the prices of the model "unpriced"` + tail + `the agent a is over its calls`,
			}},
		{"beside a node", `
agents:
  - name: a
    agent_class: Workflow
    nodes:
      - { id: x, type: llm, limits: { max_cost_usd: 1 } }
      - { id: y, type: llm, model: unpriced }
    edges: [{ from: START, to: x }, { from: x, to: y }]`, false, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			checked := checkedDocument(t, c.document)
			_, found := build.Build(checked, build.Options{Models: models, CostLimited: c.limited})
			var got []string
			for _, d := range found {
				got = append(got, d.Path+": "+d.Message)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// checkedDocument is a valid document of what follows apiVersion and kind.
func checkedDocument(t *testing.T, text string) *declarative.Checked {
	t.Helper()
	const head = "apiVersion: adk.declarative/v0.2, kind: AgentSystem"
	if text[0] == '{' {
		text = "{ " + head + "," + text[1:]
	} else {
		text = "apiVersion: adk.declarative/v0.2\nkind: AgentSystem\n" + text
	}
	doc, found := declarative.Load("document.yaml", []byte(text))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	return checked
}
