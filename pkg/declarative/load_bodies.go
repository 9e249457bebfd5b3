package declarative

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

func (l *loader) function(o source.Object, noun string) Body {
	o.Require(noun, "function")
	return &Function{Function: o.NonEmpty("function"), Config: o.JSON("config"), RerunOnResume: o.Bool("rerun_on_resume")}
}

func (l *loader) cel(o source.Object) Body {
	l.atMostOne(o, "route", "routes")
	return &CEL{
		Vars:       l.vars(o),
		Output:     l.expression(o.Field("output")),
		Route:      l.expression(o.Field("route")),
		Routes:     l.routeRules(o),
		StateDelta: l.named(o, "state_delta", "a map of expressions by state key"),
		Escalate:   l.expression(o.Field("escalate")),
	}
}

// varName is what can stand behind "vars." in CEL. The expression is never written to.
var varName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// celWords can't be names in CEL.
func celWords() []string {
	return []string{
		"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
		"loop", "namespace", "package", "return", "var", "void", "while",
	}
}

func (l *loader) vars(o source.Object) []Var {
	const noun = "an entry of vars"
	var all []Var
	seen := map[string]source.Place{}
	for _, p := range o.List("vars", "a list of {name, expr}") {
		entry, ok := l.object(p, fields.Var, nil)
		if !ok || !entry.Require(noun, "name", "expr") {
			all = append(all, Var{}) // so that indexes agree with the file
			continue
		}
		name := l.name(entry, "name", varName, "letters, digits and _, and starts with a letter or _")
		at := entry.Field("name")
		if slices.Contains(celWords(), name) {
			l.report.Value(at, diag.BadName, fmt.Sprintf("%q can't be the name of a variable; it is a word of CEL", name), "")
		}
		if first, twice := seen[name]; twice && name != "" {
			l.report.Value(at, diag.DuplicateName, fmt.Sprintf("%q is the name of two vars; the first is at %s", name, first.Where()), "")
		} else {
			seen[name] = at
		}
		all = append(all, Var{Name: name, Expr: l.expression(entry.Field("expr"))})
	}
	return all
}

func (l *loader) routeRules(o source.Object) []RouteRule {
	const noun = "an entry of routes"
	var all []RouteRule
	for _, p := range o.List("routes", "a list of {route, when}") {
		var rule RouteRule
		if entry, ok := l.object(p, fields.RouteRule, nil); ok && entry.Require(noun, "route", "when") {
			rule = RouteRule{Route: l.producedRoute(entry.Field("route")), When: l.expression(entry.Field("when"))}
		}
		all = append(all, rule)
	}
	return all
}

func (l *loader) tool(o source.Object, noun string) Body {
	o.Require(noun, "tool")
	tool, server := o.NonEmpty("tool"), o.NonEmpty("server")
	if before, after, both := strings.Cut(tool, "/"); both && !o.Has("server") {
		if server, tool = before, after; before == "" || after == "" {
			l.report.Value(o.Field("tool"), diag.BadValue,
				fmt.Sprintf("%q isn't a tool; one of a server is written server/tool", o.Field("tool").Node().Text()), "")
			server, tool = "", ""
		}
	}
	return &Tool{
		Tool:      tool,
		Server:    server,
		Args:      l.named(o, "args", "a map of expressions by argument"),
		HasArgs:   o.Has("args"),
		Approval:  o.Enum("approval", ApprovalAlways) != "",
		OnUnknown: o.Enum("on_unknown", OnUnknownRetry, OnUnknownFail),
	}
}

// What a tool node does when the process died during its call and nobody knows whether it happened.
const (
	OnUnknownRetry = "retry"
	OnUnknownFail  = "fail"
)

func (l *loader) agentRef(o source.Object, noun string) Body {
	o.Require(noun, "agent")
	return &AgentRef{Agent: o.NonEmpty("agent"), Isolation: l.isolation(o)}
}

func (l *loader) subgraph(o source.Object, noun string) Body {
	if o.Has("agent") {
		for _, field := range [...]string{"nodes", "edges", "max_concurrency"} {
			l.atMostOne(o, "agent", field)
		}
		return &Subgraph{Agent: o.NonEmpty("agent")}
	}
	if !o.Has("nodes") && !o.Has("edges") {
		l.exactlyOne(o, noun, "nodes", "agent")
		return &Subgraph{Graph: &Graph{}}
	}
	o.Require(noun, "nodes", "edges")
	return &Subgraph{Graph: l.graph(o, noun)}
}

func (l *loader) worker(o source.Object, noun string) Body {
	w := &Worker{Items: l.expression(o.Field("items")), MaxConcurrency: int(o.Int("max_concurrency", 1))}
	if o.Require(noun, "worker") {
		w.Worker = l.inner(o.Field("worker"))
	}
	return w
}

func (l *loader) dynamic(o source.Object, noun string) Body {
	o.Require(noun, "function")
	d := &Dynamic{Function: o.NonEmpty("function"), MaxIters: int(o.Int("max_iters", 1))}
	for _, p := range o.List("children", "a list of node ids and nodes") {
		var c Child
		if p.Node().Kind() == source.Map {
			n := l.node(p)
			c.Inline = &n
			if n.Type == TypeJoin {
				l.report.Value(p.Field("type"), diag.BadValue, "a join can't be a child of a dynamic node; nothing leads to it", "")
			}
		} else if c.ID = l.report.Text(p, "the id of a node, or a node"); c.ID == "" {
			l.report.Value(p, diag.MissingField, "the id of a node is empty", "")
		}
		d.Children = append(d.Children, c)
	}
	return d
}

func (l *loader) hitl(o source.Object, noun string) Body {
	o.Require(noun, "message")
	h := &HITL{
		Message:        l.text(o.Field("message")),
		Payload:        l.expression(o.Field("payload")),
		ResponseSchema: l.schema(o, "response_schema"),
		Deadline:       o.Duration("deadline"),
		OnDeadline:     l.onDeadline(o.Field("on_deadline")),
	}
	if o.Has("on_deadline") && !o.Has("deadline") {
		l.report.Key(o.Field("on_deadline"), diag.MissingField, `"on_deadline" needs "deadline" beside it; without one it never happens`, "")
	}
	return h
}

func (l *loader) onDeadline(p source.Place) *OnDeadline {
	const noun = "on_deadline"
	if !p.Exists() {
		return nil
	}
	o, ok := l.object(p, fields.OnDeadline, nil)
	if !ok {
		return nil
	}
	switch l.exactlyOne(o, noun, "output", "route") {
	case "output":
		return &OnDeadline{Output: l.expression(o.Field("output"))}
	case "route":
		return &OnDeadline{Route: l.producedRoute(o.Field("route"))}
	}
	return nil
}
