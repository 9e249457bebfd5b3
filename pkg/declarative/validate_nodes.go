package declarative

import (
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// nodesAlone checks what nodes outside of the flow of a graph can be: bodies of workers, and children of dynamic nodes.
func (v *validator) nodesAlone() {
	for i := range v.sites {
		s := v.sites[i]
		switch s.role {
		case inGraph:
		case asWorker:
			v.chat(s.node, s.at, "this is the body of a parallel_worker")
		case asChild:
			v.chat(s.node, s.at, fmt.Sprintf("%q is a child of a dynamic node", s.node.ID))
		}
		if d, ok := s.node.Body.(*Dynamic); ok {
			v.children(d, s)
		}
	}
}

// children checks the names of what a dynamic node may schedule.
func (v *validator) children(d *Dynamic, s *site) {
	var ids []string
	for _, n := range s.graph.Nodes {
		ids = append(ids, n.ID)
	}
	seen := map[string]bool{}
	for i, c := range d.Children {
		p := s.at.Field("children").Item(i)
		id := c.ID
		if c.Inline != nil {
			id, p = c.Inline.ID, p.Field("id")
			if why := graph.CheckName(id); why != "" && id != "" {
				v.report.Value(p, diag.BadName, fmt.Sprintf("%q can't be a node id: %s", id, why), `use letters, digits, "_" and "-"`)
			}
		} else if id != "" && !slices.Contains(ids, id) {
			v.unknown(p, fmt.Sprintf("%q is no node of this workflow", id), id, ids)
		}
		if seen[id] && id != "" {
			v.report.Value(p, diag.DuplicateName, fmt.Sprintf("%q is the name of two children", id), "")
		}
		seen[id] = true
	}
}

// registered checks names of what the program has registered.
func (v *validator) registered() {
	for i := range v.sites {
		s := v.sites[i]
		switch b := s.node.Body.(type) {
		case *Function:
			v.function(s.at.Field("function"), b.Function)
		case *Dynamic:
			v.function(s.at.Field("function"), b.Function)
		}
	}
	for _, x := range v.llms {
		v.model(x)
		for _, hooks := range x.llm.hookLists() {
			for i, h := range hooks.rules {
				if p := x.at.Field(hooks.field).Item(i).Field("hook"); h.Hook != "" && !has(v.opts.Hooks, h.Hook) {
					v.unknown(p, fmt.Sprintf("no hook %q is registered", h.Hook), h.Hook, v.opts.Hooks)
				}
			}
		}
	}
}

func (v *validator) function(p source.Place, name string) {
	if name != "" && !has(v.opts.Functions, name) {
		v.unknown(p, fmt.Sprintf("no function %q is registered", name), name, v.opts.Functions)
	}
}

func (v *validator) model(x llmSite) {
	name := x.llm.Model
	if name == "" {
		name = DefaultModel
	}
	if has(v.opts.Models, name) {
		return
	}
	p := x.at.Field("model")
	if !p.Exists() {
		p = x.at
	}
	v.unknown(p, fmt.Sprintf("no model is mapped to the name %q", name), name, v.opts.Models)
}

// hookList is one of the four lists of rules of an LLM.
type hookList struct {
	field string
	rules []HookRule
}

func (l *LLM) hookLists() []hookList {
	return []hookList{{"before_model", l.BeforeModel}, {"after_model", l.AfterModel}, {"before_tool", l.BeforeTool}, {"after_tool", l.AfterTool}}
}
