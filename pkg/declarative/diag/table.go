package diag

import "slices"

// Stage is the part of plait that reports a code.
type Stage string

// The stages, in the order in which a document passes them.
const (
	StageLoad     Stage = "load"     // the text of a file, and each value by itself
	StageValidate Stage = "validate" // the parts of a document against each other
	StageObjects  Stage = "objects"  // the objects of a cluster against each other
	StageBuild    Stage = "build"    // a valid document against this program
)

// Info is one row of the table of codes.
type Info struct {
	Code     Code
	Severity Severity
	Stage    Stage
	// Summary is one line without a final stop.
	Summary string
}

// Table is the one list of what plait can say about a document, in the order of the documentation.
func Table() []Info {
	return []Info{
		{Syntax, Error, StageLoad, "The file is neither YAML nor JSON"},
		{Encoding, Error, StageLoad, "A byte or a character that a document can't hold: not UTF-8, or a control character"},
		{TooLarge, Error, StageLoad, "Over one of the sizes of the format: bytes, agents, servers, nodes, edges"},
		{TooDeep, Error, StageLoad, "Values nested deeper than the format allows, or workflows nested deeper than 8"},
		{Alias, Error, StageLoad, "An alias or merge key that can't be resolved, or that makes the document too large"},
		{DuplicateKey, Error, StageLoad, "A key stands twice in one map"},
		{Version, Error, StageLoad, "The `apiVersion` or `kind` is that of another format"},
		{UnknownField, Error, StageLoad, "A field that the format doesn't have at this place"},
		{MissingField, Error, StageLoad, "A required field is absent or empty"},
		{WrongType, Error, StageLoad, "A value of another type than the field's"},
		{BadValue, Error, StageLoad, "The type is right, but the value is outside what the field allows"},
		{Exclusive, Error, StageLoad, "Fields that exclude each other, or none of those of which one is required"},
		{BadName, Error, StageLoad, "A name outside its pattern, or a reserved one"},
		{PromptSource, Error, StageLoad, "A prompt from a place that isn't allowed, or one that can't be found"},

		{DuplicateName, Error, StageValidate, "Two things of one kind have the same name"},
		{UnknownRef, Error, StageValidate, "A name that nothing has: an agent, a node, a server, a tool, a function, a model"},
		{RootAgent, Error, StageValidate, "No agent is the root of the others, or several are"},
		{AgentCycle, Error, StageValidate, "Agents that contain each other"},
		{AmbiguousTool, Error, StageValidate, "One tool name means two tools"},
		{ToolNotAllowed, Error, StageValidate, "A harness tool that the harness doesn't let documents use"},
		{EnvNotExposed, Error, StageValidate, "A variable that the harness doesn't expose to documents, or not to this host"},
		{HostNotAllowed, Error, StageValidate, "An MCP server on a host that the harness doesn't let documents reach"},
		{LoopWithoutExit, Error, StageValidate, "A LoopAgent without `max_iterations` below which nothing can escalate"},
		{ExitOutsideLoop, Error, StageValidate, "`exit_loop` or `escalate` where there is no loop to end"},
		{ChatAfterStart, Error, StageValidate, "An LLM in chat mode that isn't directly after START"},
		{ReservedRoute, Error, StageValidate, "A node gives the route `DEFAULT` or `ERROR`"},
		{BadSchema, Error, StageValidate, "A JSON Schema that isn't one, or that refers to another document"},
		{SchemaMismatch, Error, StageValidate, "The schemas at the two ends of an edge differ"},
		{UndeclaredState, Error, StageValidate, "A state key that the workflow's `state_schema` doesn't have"},
		{ImplicitToolArgs, Warning, StageValidate, "What a user wrote becomes the arguments of a tool"},
		{RouteFromText, Warning, StageValidate, "The text of a model is the route, and there is no DEFAULT edge"},
		{SharedParallelAgent, Warning, StageValidate, "A Shared agent can be active twice at once"},
		{UnguardedSubagent, Warning, StageValidate, "An agent has `before_tool` rules and its sub-agent, which has tools, has none"},

		{NoStart, Error, StageValidate, "No edge leaves START"},
		{EdgeToStart, Error, StageValidate, "An edge leads to START"},
		{StartRoute, Error, StageValidate, "An edge from START waits for a route"},
		{DuplicateEdge, Error, StageValidate, "Two edges with the same ends"},
		{SeveralDefaults, Error, StageValidate, "Two DEFAULT edges leave one node"},
		{Unreachable, Error, StageValidate, "No path leads from START to the node"},
		{NoEnd, Error, StageValidate, "No path leads from the node to an end"},
		{UnconditionalCycle, Error, StageValidate, "A cycle of edges without routes never ends"},
		{DefaultCycle, Error, StageValidate, "A cycle that DEFAULT edges alone keep alive never ends"},
		{UnusedRoute, Warning, StageValidate, "A route that no edge takes, or an edge that no route fires"},
		{NoDefault, Warning, StageValidate, "Routes may match nothing, and there is no DEFAULT edge"},
		{PointlessJoin, Warning, StageValidate, "A join with one incoming edge"},
		{FanInBeforeJoin, Warning, StageValidate, "A node that one fan-out triggers twice, upstream of a join"},
		{SeveralOutputs, Warning, StageValidate, "One fan-out reaches several ends, so the output is a map"},

		{CELSyntax, Error, StageValidate, "An expression that doesn't parse"},
		{CELType, Error, StageValidate, "Types that don't fit, in an expression or between its result and its place"},
		{CELUnknownVar, Error, StageValidate, "A variable, field or function that doesn't exist"},
		{CELLimit, Error, StageValidate, "An expression that is too large or too deeply nested"},
		{CELLiteral, Error, StageValidate, "A regular expression, duration or timestamp in an expression that isn't one"},

		{ObjectInvalid, Error, StageObjects, "An object that can't be read, or that breaks a rule of its kind"},
		{ObjectMissing, Error, StageObjects, "An object refers to another one that isn't there"},
		{HarnessRefuses, Error, StageObjects, "A Harness can't run a template that it takes"},
		{NoHarness, Warning, StageObjects, "No Harness takes an AgentTemplate"},

		{NotInThisBuild, Error, StageBuild, "Part of the format that this program can't run"},
		{UnknownPrice, Error, StageBuild, "`max_cost_usd` over calls of a model whose prices aren't known"},
	}
}

// Lookup returns the row of a code; ok is false when the table has none.
func Lookup(c Code) (row Info, ok bool) {
	rows := Table()
	i := slices.IndexFunc(rows, func(r Info) bool { return r.Code == c })
	if i < 0 {
		return Info{}, false
	}
	return rows[i], true
}

// Severity returns what the table says of a code; a code that isn't in the table is an [Error].
func (c Code) Severity() Severity {
	row, _ := Lookup(c)
	return row.Severity
}
