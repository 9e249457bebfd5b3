package declarative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// nodeType is what the format says of a type of nodes.
type nodeType struct {
	name   NodeType
	noun   string
	timed  bool // it may have timeout and retry
	inner  bool // it may be the body of a parallel_worker
	fields []string
	load   func(l *loader, o source.Object, noun string) Body
}

// The fields that nodes have whatever their type.
func nodeFields() []string {
	return []string{"id", "type", "description", "input_schema", "output_schema", "input", "max_visits"}
}

// The fields of nodes that take time and may fail.
func timedFields() []string { return []string{"timeout", "retry"} }

// The fields of the body of a parallel_worker whatever its type.
func innerFields() []string {
	return []string{"type", "description", "timeout", "input_schema", "output_schema", "input"}
}

func nodeTypes() []nodeType {
	return []nodeType{
		{TypeFunction, "a function node", true, true, []string{"function", "config", "rerun_on_resume"}, (*loader).function},
		{TypeCEL, "a cel node", true, true, []string{"vars", "output", "route", "routes", "state_delta", "escalate"}, (*loader).cel},
		{TypeTool, "a tool node", true, true, []string{"tool", "server", "args", "approval", "on_unknown"}, (*loader).tool},
		{TypeLLM, "an llm node", true, true, llmFields(), (*loader).llmNode},
		{TypeAgent, "an agent node", true, true, []string{"agent", "isolation"}, (*loader).agentRef},
		{TypeJoin, "a join node", false, false, nil, (*loader).join},
		{TypeWorkflow, "a workflow node", true, false, []string{"nodes", "edges", "max_concurrency", "agent"}, (*loader).subgraph},
		{TypeParallelWorker, "a parallel_worker node", true, false, []string{"worker", "items", "max_concurrency"}, (*loader).worker},
		{TypeDynamic, "a dynamic node", true, false, []string{"function", "children", "max_iters"}, (*loader).dynamic},
		{TypeHITL, "a hitl node", false, false, []string{"message", "payload", "response_schema", "deadline", "on_deadline"}, (*loader).hitl},
	}
}

// node reads a node of a graph, or a child of a dynamic node.
func (l *loader) node(p source.Place) (n Node) {
	t, ok := l.nodeType(p, nodeTypes())
	if !ok { // reported; its id still counts
		n.ID = l.report.Text(p.Field("id"), "a string")
		return n
	}
	fields := slices.Concat(nodeFields(), t.fields)
	if t.timed {
		fields = append(fields, timedFields()...)
	}
	o, _ := l.report.Object(p, t.noun, fields, func(field string) string { return nodeFieldHint(t, field) })
	n.ID, n.Type = o.NonEmpty("id"), t.name
	if !o.Require("a node", "id") {
		return n
	}
	l.common(o, &n)
	n.MaxVisits = int(o.Int("max_visits", 1))
	if t.timed {
		n.Retry = l.retry(o.Field("retry"))
	}
	n.Body = t.load(l, o, t.noun)
	return n
}

// inner reads the body of a parallel_worker: a node without a place in a graph.
func (l *loader) inner(p source.Place) (n Node) {
	types := slices.DeleteFunc(nodeTypes(), func(t nodeType) bool { return !t.inner })
	t, ok := l.nodeType(p, types)
	if !ok {
		return n
	}
	o, _ := l.report.Object(p, t.noun, slices.Concat(innerFields(), t.fields), func(field string) string {
		switch field {
		case "retry":
			return "retry is a field of the parallel_worker itself, and means each item"
		case "id", "max_visits":
			return "the worker has no place of its own in the graph; " + field + " is a field of the parallel_worker"
		}
		return nodeFieldHint(t, field)
	})
	n.Type = t.name
	l.common(o, &n)
	n.Body = t.load(l, o, t.noun)
	return n
}

// nodeType reads the type of a node before the rest, as it decides what the rest may be.
func (l *loader) nodeType(p source.Place, types []nodeType) (t nodeType, ok bool) {
	var names []string
	for _, t := range types {
		names = append(names, string(t.name))
	}
	at := p.Field("type")
	if !l.report.Want(p, source.Map, "a node (a map)") {
		return t, false
	}
	if !at.Exists() {
		l.report.Value(p, diag.MissingField, `a node needs the field "type"`, "it is one of "+strings.Join(names, ", "))
		return t, false
	}
	name := l.report.Text(at, "one of "+strings.Join(names, ", "))
	i := slices.Index(names, name)
	if i < 0 {
		l.report.Value(at, diag.BadValue, fmt.Sprintf("%q is no type of nodes here; there are %s", name, strings.Join(names, ", ")),
			diag.DidYouMean(name, names))
		l.report.Break(p)
		return t, false
	}
	return types[i], true
}

// nodeFieldHint says why a node of a type doesn't have a field that others have.
func nodeFieldHint(t nodeType, field string) string {
	if slices.Contains(timedFields(), field) {
		if t.name == TypeHITL {
			return "a hitl node waits for a person as long as it takes; deadline and on_deadline bound that"
		}
		return "a join does nothing that could take time or fail"
	}
	var owners []string
	for _, other := range nodeTypes() {
		if slices.Contains(other.fields, field) {
			owners = append(owners, string(other.name))
		}
	}
	return owned(field, "nodes of type", owners)
}

func (l *loader) common(o source.Object, n *Node) {
	n.Description = o.String("description")
	n.Timeout = o.Duration("timeout")
	n.InputSchema = o.JSON("input_schema")
	n.OutputSchema = o.JSON("output_schema")
	n.Input = l.expression(o.Field("input"))
}

func (l *loader) retry(p source.Place) *Retry {
	if !p.Exists() {
		return nil
	}
	fields := []string{"max_attempts", "initial_delay", "max_delay", "backoff_factor", "jitter", "when"}
	o, ok := l.report.Object(p, "retry", fields, nil)
	if !ok {
		return nil
	}
	r := &Retry{
		MaxAttempts:  int(o.Int("max_attempts", 1)),
		InitialDelay: o.Duration("initial_delay"),
		MaxDelay:     o.Duration("max_delay"),
		Jitter:       o.Float("jitter", 0, 1),
		When:         l.expression(o.Field("when")),
	}
	if factor := o.Float("backoff_factor", 1, maxBackoffFactor); factor != nil {
		r.BackoffFactor = *factor
	}
	return r
}

// maxBackoffFactor keeps delays from leaping to max_delay by a slip of the keyboard.
const maxBackoffFactor = 1000
