package declarative

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// The fields of nodes that take time and may fail.
func timedFields() []string { return []string{"timeout", "retry"} }

// node reads a node of a graph, or a child of a dynamic node.
func (l *loader) node(p source.Place) (n Node) {
	shape := l.nodeType(p, fields.Node)
	if shape == nil { // reported; its id still counts
		n.ID = l.report.Text(p.Field("id"), "a string")
		return n
	}
	n.Type = NodeType(shape.Word)
	o, _ := l.shape(p, shape, func(field string) string { return l.nodeFieldHint(n.Type, field) })
	n.ID = o.NonEmpty("id")
	if !o.Require("a node", "id") {
		return n
	}
	l.common(o, &n)
	n.MaxVisits = int(o.Int("max_visits", 1))
	n.Retry = l.retry(o.Field("retry"))
	n.Body = l.body(o, shape)
	return n
}

// inner reads the body of a parallel_worker: a node without a place in a graph.
func (l *loader) inner(p source.Place) (n Node) {
	shape := l.nodeType(p, fields.Worker)
	if shape == nil {
		return n
	}
	n.Type = NodeType(shape.Word)
	o, _ := l.shape(p, shape, func(field string) string {
		switch field {
		case "retry":
			return "retry is a field of the parallel_worker itself, and means each item"
		case "id", "max_visits":
			return "the worker has no place of its own in the graph; " + field + " is a field of the parallel_worker"
		}
		return l.nodeFieldHint(n.Type, field)
	})
	l.common(o, &n)
	n.Body = l.body(o, shape)
	return n
}

// nodeType reads the type of a node before the rest, as it decides what the rest may be. It is nil when there is no such
// type, which it reports.
func (l *loader) nodeType(p source.Place, family fields.Family) *fields.Shape {
	names := l.format.Words(family)
	at := p.Field("type")
	if !l.report.Want(p, source.Map, "a node (a map)") {
		return nil
	}
	if !at.Exists() {
		l.report.Value(p, diag.MissingField, `a node needs the field "type"`, "it is one of "+strings.Join(names, ", "))
		return nil
	}
	name := l.report.Text(at, "one of "+strings.Join(names, ", "))
	shape := l.format.Shape(family, name)
	if shape == nil {
		l.report.Value(at, diag.BadValue, fmt.Sprintf("%q is no type of nodes here; there are %s", name, strings.Join(names, ", ")),
			diag.DidYouMean(name, names))
		l.report.Break(p)
	}
	return shape
}

// nodeFieldHint says why a node of a type doesn't have a field that others have.
func (l *loader) nodeFieldHint(t NodeType, field string) string {
	if slices.Contains(timedFields(), field) {
		if t == TypeHITL {
			return "a hitl node waits for a person as long as it takes; deadline and on_deadline bound that"
		}
		return "a join does nothing that could take time or fail"
	}
	return cmp.Or(owned(field, "nodes of type", l.format.Owners(fields.Node, field)),
		owned(field, "agents of class", l.format.Owners(fields.Agent, field)))
}

// body reads what the type of a node adds to the fields that all have.
func (l *loader) body(o source.Object, shape *fields.Shape) Body {
	switch NodeType(shape.Word) {
	case TypeFunction:
		return l.function(o, shape.Noun)
	case TypeCEL:
		return l.cel(o)
	case TypeTool:
		return l.tool(o, shape.Noun)
	case TypeLLM:
		return l.llm(o)
	case TypeAgent:
		return l.agentRef(o, shape.Noun)
	case TypeWorkflow:
		return l.subgraph(o, shape.Noun)
	case TypeParallelWorker:
		return l.worker(o, shape.Noun)
	case TypeDynamic:
		return l.dynamic(o, shape.Noun)
	case TypeHITL:
		return l.hitl(o, shape.Noun)
	case TypeJoin:
	}
	return &Join{}
}

func (l *loader) common(o source.Object, n *Node) {
	n.Description = o.String("description")
	n.Timeout = o.Duration("timeout")
	n.InputSchema = l.schema(o, "input_schema")
	n.OutputSchema = l.schema(o, "output_schema")
	n.Input = l.expression(o.Field("input"))
}

// schema reads a JSON Schema, which the validator looks into.
func (l *loader) schema(o source.Object, field string) Schema {
	p := o.Field(field)
	if p.Exists() && p.Node().Kind() != source.Bool && !l.report.Want(p, source.Map, "a JSON Schema (a map, true or false)") {
		return nil
	}
	return o.JSON(field)
}

func (l *loader) retry(p source.Place) *Retry {
	if !p.Exists() {
		return nil
	}
	o, ok := l.object(p, fields.Retry, nil)
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
