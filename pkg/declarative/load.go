package declarative

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// The sizes of the format. The size of a file is [source.MaxBytes].
const (
	MaxAgents        = 200
	MaxMCPServers    = 200
	MaxNodes         = 1000 // per workflow
	MaxEdges         = 5000 // per workflow, one for each pair of ends
	MaxRoutes        = 5000 // on the edges of a workflow
	MaxWorkflowDepth = 8
)

// Load reads a document from YAML or JSON. The file name is what findings call it. Everything that is wrong with the
// text and with each value by itself is found; what the parts are to each other is for [Validate].
//
// The document is nil when there is nothing to look at: the text can't be parsed, it is of another format, or it is
// larger than the format allows. Otherwise it lacks the parts that the findings are about, and Validate can tell what
// else is wrong with it.
func Load(file string, data []byte) (*Document, diag.List) {
	return LoadFile(source.Parse(file, data))
}

// reload makes a loaded document of one that was built in Go, so that there is one set of checks. It has no positions.
func reload(doc *Document) (*Document, diag.List) {
	data, err := Canonicalize(doc)
	if err != nil {
		return nil, diag.List{source.Place{}.Diagnostic(diag.BadValue, err.Error(), "")}
	}
	return LoadFile(source.ParseUnplaced(data))
}

// LoadFile is [Load] for a text that was parsed already, for instance a key of a ConfigMap by [source.ParseWithin]. It takes
// what the parser returns.
func LoadFile(f *source.File, found diag.List) (*Document, diag.List) {
	if f == nil {
		return nil, found
	}
	l := loader{report: source.NewReport(found), format: fields.New()}
	doc := l.document(f.Root())
	list := l.report.List()
	if l.oversize {
		return nil, list
	}
	if doc != nil {
		doc.origin = &origin{file: f, report: l.report, failed: list.HasErrors()}
	}
	return doc, list
}

// loader turns the tree of a file into a document.
type loader struct {
	report   *source.Report
	format   *fields.Table
	oversize bool // more work than a document may make
}

// object starts to read a map whose family has one shape.
func (l *loader) object(p source.Place, f fields.Family, elsewhere func(field string) string) (source.Object, bool) {
	return l.shape(p, l.format.Shape(f, ""), elsewhere)
}

// shape starts to read a map that has a shape.
func (l *loader) shape(p source.Place, s *fields.Shape, elsewhere func(field string) string) (source.Object, bool) {
	return l.report.Object(p, s.Noun, s.Names(), func(field string) string {
		hint := ""
		if elsewhere != nil {
			hint = elsewhere(field)
		}
		return cmp.Or(hint, l.format.Elsewhere(s, field))
	})
}

func (l *loader) document(p source.Place) *Document {
	if !l.version(p) {
		return nil
	}
	o, ok := l.object(p, fields.Document, nil)
	if !ok {
		return nil
	}
	doc := &Document{
		APIVersion: o.String("apiVersion"),
		Kind:       o.String("kind"),
		Metadata:   l.metadata(o.Field("metadata")),
		RootAgent:  o.NonEmpty("root_agent"),
		Limits:     l.runLimits(o.Field("limits")),
	}
	servers := o.List("mcp_servers", "a list of MCP servers")
	l.size(o.Field("mcp_servers"), len(servers), MaxMCPServers, "MCP servers", "a document")
	for _, p := range servers {
		doc.MCPServers = append(doc.MCPServers, l.server(p))
	}
	o.Require("a document", "agents")
	agents := o.List("agents", "a list of agents")
	l.size(o.Field("agents"), len(agents), MaxAgents, "agents", "a document")
	if o.Field("agents").Node().Kind() == source.List && len(agents) == 0 {
		l.report.Value(o.Field("agents"), diag.MissingField, `"agents" is empty; a document has at least one agent`, "")
	}
	for _, p := range agents {
		doc.Agents = append(doc.Agents, l.agent(p))
	}
	return doc
}

// version checks that the file is of this format; nothing else would make sense of another one.
func (l *loader) version(p source.Place) bool {
	fine := true
	for _, want := range [...]struct{ field, value string }{{"apiVersion", APIVersion}, {"kind", Kind}} {
		v := p.Field(want.field)
		switch {
		case p.Node().Kind() != source.Map:
		case !v.Exists():
			l.report.Add(p.Diagnostic(diag.MissingField, fmt.Sprintf("a document needs the field %q", want.field),
				fmt.Sprintf("write %s: %s", want.field, want.value)))
		case v.Node().Kind() != source.String || v.Node().Text() != want.value:
			l.report.Value(v, diag.Version, fmt.Sprintf("%q is %q; this version of plait reads %q only", want.field, v.Node().Text(), want.value), "")
			fine = false
		}
	}
	return fine
}

// size reports a list with too many entries.
func (l *loader) size(p source.Place, n, most int, what, of string) {
	if n > most {
		l.oversize = true
		l.report.Key(p, diag.TooLarge, fmt.Sprintf("%d %s; %s may have %d", n, what, of, most), "")
	}
}

func (l *loader) metadata(p source.Place) (m Metadata) {
	if !p.Exists() {
		return m
	}
	o, ok := l.object(p, fields.Metadata, nil)
	if !ok {
		return m
	}
	m.Name, m.Description = o.String("name"), o.String("description")
	for _, e := range o.Map("labels", "a map of strings") {
		if m.Labels == nil {
			m.Labels = map[string]string{}
		}
		m.Labels[e.Key()] = l.report.Text(e, "a string")
	}
	return m
}

func (l *loader) runLimits(p source.Place) (r RunLimits) {
	if !p.Exists() {
		return r
	}
	o, ok := l.object(p, fields.RunLimits, func(field string) string {
		if field == "max_turns" {
			return "max_turns is a limit of agents and llm nodes"
		}
		return ""
	})
	if !ok {
		return r
	}
	return RunLimits{
		MaxSteps:    int(o.Int("max_steps", 1)),
		MaxVisits:   int(o.Int("max_visits", 1)),
		MaxDuration: o.Duration("max_duration"),
		MaxTokens:   o.Int("max_tokens", 1),
		MaxCostUSD:  l.cost(o),
	}
}

func (l *loader) agentLimits(p source.Place) (a AgentLimits) {
	if !p.Exists() {
		return a
	}
	o, ok := l.object(p, fields.Limits, func(field string) string {
		if field == "max_steps" || field == "max_visits" {
			return field + " is a limit of the document"
		}
		return ""
	})
	if !ok {
		return a
	}
	return AgentLimits{
		MaxDuration: o.Duration("max_duration"),
		MaxTokens:   o.Int("max_tokens", 1),
		MaxCostUSD:  l.cost(o),
		MaxTurns:    int(o.Int("max_turns", 1)),
	}
}

func (l *loader) cost(o source.Object) float64 {
	value := o.Float("max_cost_usd", 0, math.Inf(1))
	switch {
	case value == nil:
		return 0
	case *value == 0:
		l.report.Value(o.Field("max_cost_usd"), diag.BadValue, `"max_cost_usd" is 0; it must be more`, "leave it out for no limit")
	}
	return *value
}

// exactlyOne reports a map that has none or several of the fields, of which it needs one. It returns the field that is
// there, or "".
func (l *loader) exactlyOne(o source.Object, noun string, fields ...string) string {
	found := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return !o.Has(f) })
	switch len(found) {
	case 0:
		if len(o.Unknown()) > 0 { // one of which was meant, probably
			return ""
		}
		l.report.Add(o.Diagnostic(diag.Exclusive, fmt.Sprintf("%s needs one of the fields %s", noun, strings.Join(fields, ", ")), ""))
		l.report.Break(o.Place)
		return ""
	case 1:
		return found[0]
	}
	l.excluded(o, found)
	return ""
}

// excluded reports all but the first of some fields that exclude each other.
func (l *loader) excluded(o source.Object, found []string) {
	for _, f := range found[1:] {
		l.report.Key(o.Field(f), diag.Exclusive, fmt.Sprintf("%q and %q exclude each other", found[0], f), "remove one of them")
	}
}

// atMostOne reports fields that exclude each other.
func (l *loader) atMostOne(o source.Object, fields ...string) {
	found := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return !o.Has(f) })
	if len(found) > 1 {
		l.excluded(o, found)
	}
}
