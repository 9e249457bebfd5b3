package diag

// Code is the stable, documented name of a rule. Codes never change their meaning; docs and exit reports use them.
// [Table] says what each of them means.
type Code string

// The codes of the loader: what a file must be before it can be read as a document.
const (
	Syntax       Code = "syntax"
	Encoding     Code = "encoding"
	TooLarge     Code = "too-large"
	TooDeep      Code = "too-deep"
	Alias        Code = "alias"
	DuplicateKey Code = "duplicate-key"
	Version      Code = "version"
	UnknownField Code = "unknown-field"
	MissingField Code = "missing-field"
	WrongType    Code = "wrong-type"
	BadValue     Code = "bad-value"
	Exclusive    Code = "exclusive"
	BadName      Code = "bad-name"
	PromptSource Code = "prompt-source"
)

// The codes of the validator: what the parts of a document must be to each other.
const (
	DuplicateName       Code = "duplicate-name"
	UnknownRef          Code = "unknown-reference"
	RootAgent           Code = "root-agent"
	AgentCycle          Code = "agent-cycle"
	AmbiguousTool       Code = "ambiguous-tool"
	ToolNotAllowed      Code = "tool-not-allowed"
	EnvNotExposed       Code = "env-not-exposed"
	HostNotAllowed      Code = "host-not-allowed"
	LoopWithoutExit     Code = "loop-without-exit"
	ExitOutsideLoop     Code = "exit-outside-loop"
	ChatAfterStart      Code = "chat-after-start"
	ReservedRoute       Code = "reserved-route"
	BadSchema           Code = "bad-schema"
	SchemaMismatch      Code = "schema-mismatch"
	UndeclaredState     Code = "undeclared-state"
	ImplicitToolArgs    Code = "implicit-tool-args"
	RouteFromText       Code = "route-from-text"
	SharedParallelAgent Code = "shared-parallel-agent"
	UnguardedSubagent   Code = "unguarded-subagent"
)

// The codes of the graph checks, which the engine applies as well.
const (
	NoStart            Code = "no-start"
	EdgeToStart        Code = "edge-to-start"
	StartRoute         Code = "start-route"
	DuplicateEdge      Code = "duplicate-edge"
	SeveralDefaults    Code = "several-defaults"
	Unreachable        Code = "unreachable"
	NoEnd              Code = "no-end"
	UnconditionalCycle Code = "unconditional-cycle"
	DefaultCycle       Code = "default-cycle"
	UnusedRoute        Code = "unused-route"
	NoDefault          Code = "no-default"
	PointlessJoin      Code = "pointless-join"
	FanInBeforeJoin    Code = "fan-in-before-join"
	SeveralOutputs     Code = "several-outputs"
)

// The codes of the expression checks.
const (
	CELSyntax     Code = "cel-syntax"
	CELType       Code = "cel-type"
	CELUnknownVar Code = "cel-unknown-var"
	CELLimit      Code = "cel-limit"
	CELLiteral    Code = "cel-literal"
)

// The codes of the objects of a cluster: what they must be to each other.
const (
	ObjectInvalid  Code = "object-invalid"
	ObjectMissing  Code = "object-missing"
	HarnessRefuses Code = "harness-refuses"
	NoHarness      Code = "no-harness"
)

// The codes of the builder: valid documents that this program can't run.
const (
	NotInThisBuild Code = "not-in-this-build"
	UnknownPrice   Code = "unknown-price"
)
