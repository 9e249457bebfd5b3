package declarative

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// agentName is the pattern of agents' names. The expression is never written to.
var agentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,62}$`)

// The words that can't be names of agents, as they mean something in edges and transcripts.
func reservedNames() []string { return []string{graph.Start, graph.Default, graph.Error, "user"} }

func (l *loader) agent(p source.Place) (a Agent) {
	a.Class = l.class(p)
	shape := l.format.Shape(fields.Agent, string(cmp.Or(a.Class, LlmAgent)))
	if shape == nil { // reported; its name still counts
		a.Name = l.report.Text(p.Field("name"), "a string")
		return a
	}
	o, ok := l.shape(p, shape, func(field string) string {
		return owned(field, "agents of class", l.format.Owners(fields.Agent, field))
	})
	if !ok || !o.Require("an agent", "name") {
		return a
	}
	a.Name = l.name(o, "name", agentName, "letters, digits, _ and -, starts with a letter or _ and has at most 63 characters")
	if slices.Contains(reservedNames(), a.Name) {
		l.report.Value(o.Field("name"), diag.BadName, fmt.Sprintf("%q can't be the name of an agent; it has a meaning of its own", a.Name), "")
	}
	a.Description = o.String("description")
	switch cmp.Or(a.Class, LlmAgent) {
	case LlmAgent:
		l.llmAgent(o, &a)
	case WorkflowAgent:
		l.workflowAgent(o, shape.Noun, &a)
	case SequentialAgent, ParallelAgent, LoopAgent:
		l.compositeAgent(o, shape.Noun, &a)
	}
	return a
}

// class reads the class of an agent before the rest, as it decides what the rest may be.
func (l *loader) class(p source.Place) AgentClass {
	c := p.Field("agent_class")
	if !c.Exists() {
		return ""
	}
	names := l.format.Words(fields.Agent)
	name := l.report.Text(c, "one of "+strings.Join(names, ", "))
	if !l.report.Broken(c) && !slices.Contains(names, name) {
		l.report.Value(c, diag.BadValue, fmt.Sprintf("%q is no class of agents; there are %s", name, strings.Join(names, ", ")),
			cmp.Or(diag.DidYouMean(name, names), diag.DidYouMean(strings.TrimSuffix(name, "Agent")+" ", names)))
	}
	if l.report.Broken(c) {
		return "unknown"
	}
	return AgentClass(name)
}

// owned says where a field belongs, or nothing.
func owned(field, what string, owners []string) string {
	if len(owners) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is a field of %s %s", field, what, strings.Join(owners, ", "))
}

func (l *loader) llmAgent(o source.Object, a *Agent) {
	a.LLM = l.llm(o)
	a.LLM.OutputSchema = l.schema(o, "output_schema")
	a.SubAgents = l.subAgents(o, true)
}

func (l *loader) workflowAgent(o source.Object, noun string, a *Agent) {
	o.Require(noun, "nodes", "edges")
	a.Graph = l.graph(o, noun)
	a.Graph.StateSchema = l.schema(o, "state_schema")
}

func (l *loader) compositeAgent(o source.Object, noun string, a *Agent) {
	if o.Require(noun, "sub_agents") {
		a.SubAgents = l.subAgents(o, a.Class == ParallelAgent)
		if p := o.Field("sub_agents"); p.Node().Kind() == source.List && len(p.Items()) == 0 {
			l.report.Value(p, diag.MissingField, `"sub_agents" is empty; expected at least one`, "")
		}
	}
	if a.Class == LoopAgent {
		a.MaxIterations = int(o.Int("max_iterations", 1))
	}
}

// subAgents reads names or {name, isolation}.
func (l *loader) subAgents(o source.Object, unique bool) []SubAgent {
	const noun = "a sub-agent"
	var all []SubAgent
	seen := map[string]bool{}
	for _, p := range o.List("sub_agents", "a list of agents") {
		var s SubAgent
		if p.Node().Kind() == source.Map {
			if entry, _ := l.object(p, fields.SubAgent, nil); entry.Require(noun, "name") {
				s = SubAgent{Name: entry.NonEmpty("name"), Isolation: l.isolation(entry)}
			}
		} else if s.Name = l.report.Text(p, "the name of an agent or {name, isolation}"); s.Name == "" {
			l.report.Value(p, diag.MissingField, "the name of an agent is empty", "")
		}
		if unique && s.Name != "" && seen[s.Name] {
			l.report.Value(p, diag.DuplicateName, fmt.Sprintf("%q stands twice in \"sub_agents\"", s.Name), "remove one of them")
		}
		seen[s.Name] = true
		all = append(all, s)
	}
	return all
}

func (l *loader) isolation(o source.Object) Isolation {
	return Isolation(o.Enum("isolation", string(Shared), string(Isolated)))
}
