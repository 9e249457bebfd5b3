package declarative

import (
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// Options say what a document may refer to outside of itself. A nil list means that it isn't known, so that nothing is
// checked against it; an empty one that there is nothing.
type Options struct {
	// Expressions is the language of expressions. Nil: one is made for the call, which takes about a millisecond.
	Expressions *expr.Env

	// Functions, Tools and Hooks are the names that the program has registered.
	Functions, Tools, Hooks []string
	// Models are the names of models that are mapped, "default" among them if it is.
	Models []string

	// HarnessTools are those of [HarnessTools] that the harness lets documents use. exit_loop needs no leave.
	HarnessTools []string
	// Env are the variables that the harness exposes to documents.
	Env []ExposedVar
	// MCPHosts are the hosts of MCP servers that documents may name: a host, host:port, or *.domain.
	MCPHosts []string
}

// ExposedVar is a variable that a document may use in headers and as url_env.
type ExposedVar struct {
	Name string
	// Hosts are those that its value may be sent to, in the form of [Options.MCPHosts]; nil: any.
	Hosts []string
}

// Checked is a document without errors, with what was found out about it. It is immutable if its document is.
type Checked struct {
	// Document is the document that was checked. One that was built in Go was copied, so that its expressions know their
	// places.
	Document *Document
	// Root is the agent that runs start with.
	Root *Agent

	programs map[string]*expr.Program
}

// Program returns the compiled form of an expression of the document; nil for an absent expression and for one that
// isn't the document's.
func (c *Checked) Program(src expr.Source) *expr.Program {
	if p := c.programs[src.Path()]; p != nil && p.Source() == src {
		return p
	}
	return nil
}

// Validate finds everything that is wrong with what the parts of a document are to each other. What [Load] has reported
// isn't reported again, nor is what only follows from it. Checked is nil when there are errors here or were any in Load.
//
// A document that was built in Go is checked like one that was loaded; findings about it have a path but no position.
func Validate(doc *Document, opts Options) (*Checked, diag.List) {
	if doc.origin == nil {
		loaded, found := reload(doc)
		if found.HasErrors() {
			return nil, found
		}
		doc = loaded
	}
	v := newValidator(doc, opts)
	v.run()
	list := v.report.List()
	if list.HasErrors() || doc.origin.failed {
		return nil, list
	}
	return &Checked{Document: doc, Root: &doc.Agents[v.root], programs: v.programs}, list
}

// validator checks one document. Its parts are in the files named after what they check.
type validator struct {
	doc    *Document
	opts   Options
	report *source.Report
	at     source.Place // of the document

	agents   map[string]int // by name, the first of each
	servers  map[string]int
	sites    []*site
	llms     []llmSite
	graphs   []graphSite
	refs     []*ref
	from     [][]*ref   // refs by the agent that refers
	shared   [][]string // see sharedAgents
	root     int        // index of the root agent, -1 when there is none
	programs map[string]*expr.Program
}

func newValidator(doc *Document, opts Options) *validator {
	return &validator{
		doc: doc, opts: opts, report: doc.origin.report.Next(), at: doc.origin.file.Root(), root: -1,
		agents: map[string]int{}, servers: map[string]int{}, programs: map[string]*expr.Program{},
	}
}

func (v *validator) run() {
	v.names()
	v.collect()
	v.references()
	cyclic := v.agentCycles()
	v.findRoot(cyclic)
	if !cyclic {
		v.depth()
		v.loops()
		v.parallelAgents()
		v.unguarded()
	}
	for i := range v.graphs {
		v.graph(&v.graphs[i])
	}
	v.nodesAlone()
	v.declaredState()
	v.serverPolicy()
	v.registered()
	v.toolLists()
	v.schemas()
	v.expressions()
}

// agentAt is the place of an agent.
func (v *validator) agentAt(i int) source.Place { return v.at.Field("agents").Item(i) }

// unknown reports a name that none of the known ones is.
func (v *validator) unknown(p source.Place, message, name string, known []string) {
	v.report.Value(p, diag.UnknownRef, message, v.hint(name, known))
}

// hint names the nearest of some names, or all when they are few.
func (v *validator) hint(name string, known []string) string {
	const few = 8
	if v.report.Full() {
		return ""
	}
	switch hint := diag.DidYouMean(name, known); {
	case hint != "":
		return hint
	case len(known) == 0:
		return "there are none"
	case len(known) <= few:
		return "one of: " + list(known)
	}
	return ""
}

// has reports whether a name is in a list of the options, which may be unknown.
func has(known []string, name string) bool { return known == nil || slices.Contains(known, name) }
