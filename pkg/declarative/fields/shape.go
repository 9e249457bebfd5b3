package fields

import "slices"

// Family names the maps that may stand at one place of a document, such as all types of nodes.
type Family string

// The families.
const (
	Document     Family = "document"
	Metadata     Family = "metadata"
	RunLimits    Family = "run limits"
	Server       Family = "server"
	Header       Family = "header"
	Agent        Family = "agent"
	SubAgent     Family = "sub-agent"
	Node         Family = "node"
	Worker       Family = "worker"
	Retry        Family = "retry"
	Edge         Family = "edge"
	Var          Family = "var"
	RouteRule    Family = "route rule"
	Computed     Family = "computed text"
	OnDeadline   Family = "on_deadline"
	PromptSource Family = "prompt source"
	ConfigMapKey Family = "config map key"
	AgentTool    Family = "agent as a tool"
	Generate     Family = "generate"
	Limits       Family = "limits"
	Rule         Family = "rule"
	ToolRule     Family = "tool rule"
)

// title is how the type of a field calls a map of the family.
func (f Family) title(many bool) string {
	one, several := string(f), string(f)+"s"
	switch f {
	case Computed:
		one, several = "{expr: CEL}", "{expr: CEL}"
	case SubAgent:
		one, several = "{name, isolation}", "{name, isolation}"
	case AgentTool:
		one, several = "{agent, isolation}", "{agent, isolation}"
	case PromptSource:
		one, several = "{config_map}", "{config_map}"
	case ConfigMapKey:
		one, several = "{name, key}", "{name, key}"
	case Header:
		one, several = "{value} or {env}", "{value} or {env}"
	case Server:
		one, several = "MCP server", "MCP servers"
	case RouteRule:
		one, several = "{route, when}", "{route, when}"
	case Var:
		one, several = "{name, expr}", "{name, expr}"
	case ToolRule:
		one, several = "rule", "rules"
	case Metadata, RunLimits, Limits, Generate, Retry, OnDeadline:
		one, several = "map", "maps"
	case Document, Agent, Node, Worker, Edge, Rule:
	}
	return plural(one, several, many)
}

// Shape is one map of the document: which fields it has, and which of them belong together.
type Shape struct {
	Family Family
	// By is the field that tells the shapes of a family apart, and Word its value in this one. A shape that is alone in its
	// family has neither.
	By, Word string
	// Assumed says that this is the shape of a map without the field By.
	Assumed bool
	// Noun is what messages call the map, with its article: "an llm node".
	Noun string
	// Description is one or more sentences.
	Description string
	Fields      []Field
	// OneOf are the fields of which exactly one is there. In each group of NotBoth at most one is.
	OneOf   []string
	NotBoth [][]string
	// Whole are groups of fields of which at least one is there as a whole.
	Whole [][]string
	// Needs says which field a field doesn't stand without.
	Needs map[string]string
}

// Field is one field of a map.
type Field struct {
	Name string
	Type Type
	// Required fields are never left out.
	Required bool
	// Default is the value, in YAML, that the field has when it is left out; empty when there is none.
	Default string
	// Description is one or more sentences.
	Description string
	// Example is a value of the field, in YAML; several lines for a map or a list.
	Example string
}

// Names are the names of the fields, in the order of the reference.
func (s *Shape) Names() []string {
	names := make([]string, len(s.Fields))
	for i := range s.Fields {
		names[i] = s.Fields[i].Name
	}
	return names
}

// Field returns the field of a name, or nil.
func (s *Shape) Field(name string) *Field {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Fields[i]
}

// Title is what the reference calls the shape: "llm node", "LoopAgent".
func (s *Shape) Title() string {
	for _, article := range [...]string{"a ", "an "} {
		if len(s.Noun) > len(article) && s.Noun[:len(article)] == article {
			return s.Noun[len(article):]
		}
	}
	return s.Noun
}

// Table is all shapes of the format. It is never written to, so that it may be shared.
type Table struct{ shapes []Shape }

// New makes the table.
func New() *Table {
	return &Table{slices.Concat(documentShapes(), agentShapes(), nodeShapes(), graphShapes(), llmShapes())}
}

// Shapes are all shapes, in the order of the reference.
func (t *Table) Shapes() []*Shape {
	all := make([]*Shape, len(t.shapes))
	for i := range t.shapes {
		all[i] = &t.shapes[i]
	}
	return all
}

// Family returns the shapes of a family.
func (t *Table) Family(f Family) []*Shape {
	return slices.DeleteFunc(t.Shapes(), func(s *Shape) bool { return s.Family != f })
}

// Shape returns the shape of a family that has the word; "" is the word of a shape that is alone. It is nil when there is
// none.
func (t *Table) Shape(f Family, word string) *Shape {
	for i := range t.shapes {
		if s := &t.shapes[i]; s.Family == f && s.Word == word {
			return s
		}
	}
	return nil
}

// Words are the values that tell the shapes of a family apart.
func (t *Table) Words(f Family) []string {
	var all []string
	for _, s := range t.Family(f) {
		all = append(all, s.Word)
	}
	return all
}

// Owners are the words of those shapes of a family that have a field.
func (t *Table) Owners(f Family, field string) []string {
	var all []string
	for _, s := range t.Family(f) {
		if s.Field(field) != nil {
			all = append(all, s.Word)
		}
	}
	return all
}
