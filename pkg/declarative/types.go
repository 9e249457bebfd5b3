package declarative

import (
	"time"

	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// APIVersion and Kind are what every document of this format says at its top.
const (
	APIVersion = "adk.declarative/v0.2"
	Kind       = "AgentSystem"
)

// Document is one AgentSystem: plain values, close to what the author wrote. [Load] makes one from YAML or JSON and
// keeps the place of every value, so that [Validate] can point at it; a Document built in Go has no places.
//
// The zero value of a field means that the author left it out; defaults are applied by those who read the field,
// by the accessor where there is one, and never written back.
type Document struct {
	APIVersion string
	Kind       string
	Metadata   Metadata
	RootAgent  string // empty: the only agent that nothing refers to
	MCPServers []MCPServer
	Agents     []Agent
	Limits     RunLimits

	origin *origin
}

// origin is the text that a document was loaded from, with what the loader said of it.
type origin struct {
	file   *source.File
	report *source.Report
	failed bool // there was an error
}

// Metadata describes a document; it reaches the agent card and has no effect on execution.
type Metadata struct {
	Name        string
	Description string
	Labels      map[string]string
}

// RunLimits bound one run; zero means the default (steps, visits) or no bound.
type RunLimits struct {
	MaxSteps    int
	MaxVisits   int
	MaxDuration time.Duration
	MaxTokens   int64
	MaxCostUSD  float64
}

// AgentLimits bound one agent or llm node over all its activations of a run, but MaxTurns, which bounds one activation.
type AgentLimits struct {
	MaxDuration time.Duration
	MaxTokens   int64
	MaxCostUSD  float64
	MaxTurns    int
}

// MCPServer is one entry of mcp_servers.
type MCPServer struct {
	Name        string
	Description string
	URL         string
	URLEnv      string
	Headers     []Header // sorted by name
	Tools       []string // allow list; empty: all that the server offers
	Timeout     time.Duration
	Connect     ConnectMode
}

// Header is one HTTP header of a server: exactly one of Value and Env is set.
type Header struct {
	Name  string
	Value string
	Env   string
}

// ConnectMode says whether a harness waits for a server before it reports ready.
type ConnectMode string

// The modes; the empty mode means [ConnectRequired].
const (
	ConnectRequired ConnectMode = "required"
	ConnectLazy     ConnectMode = "lazy"
)

// AgentClass is the kind of an agent; empty means [LlmAgent].
type AgentClass string

// The five classes.
const (
	LlmAgent        AgentClass = "LlmAgent"
	WorkflowAgent   AgentClass = "Workflow"
	SequentialAgent AgentClass = "SequentialAgent"
	ParallelAgent   AgentClass = "ParallelAgent"
	LoopAgent       AgentClass = "LoopAgent"
)

// Agent is one entry of agents. Class decides which of the parts below Description may be set.
type Agent struct {
	Name        string
	Description string
	Class       AgentClass

	LLM           *LLM   // LlmAgent
	Graph         *Graph // Workflow
	SubAgents     []SubAgent
	MaxIterations int // LoopAgent
}

// SubAgent refers to another agent of the document.
type SubAgent struct {
	Name      string
	Isolation Isolation
}

// Isolation says whose session a sub-agent works in; empty means [Shared].
type Isolation string

// The two ways of working in a session.
const (
	Shared   Isolation = "Shared"
	Isolated Isolation = "Isolated"
)

// Graph is the body of a Workflow agent or of a workflow node.
type Graph struct {
	Nodes          []Node
	Edges          []Edge
	MaxConcurrency int    // 0: no cap
	StateSchema    Schema // Workflow agents only
}

// Edge leads from each of From to each of To, as the author wrote it; canonical form holds one edge a pair.
// Routes are texts whatever type they had ("7" for 7); empty Routes make the edge unconditional.
type Edge struct {
	From   []string
	To     []string
	Routes []string
}

// Schema is a JSON Schema 2020-12 as decoded JSON; nil when the author gave none.
type Schema any

// NodeType names what a node does.
type NodeType string

// The ten types of v0.2.
const (
	TypeFunction       NodeType = "function"
	TypeCEL            NodeType = "cel"
	TypeTool           NodeType = "tool"
	TypeLLM            NodeType = "llm"
	TypeAgent          NodeType = "agent"
	TypeJoin           NodeType = "join"
	TypeWorkflow       NodeType = "workflow"
	TypeParallelWorker NodeType = "parallel_worker"
	TypeDynamic        NodeType = "dynamic"
	TypeHITL           NodeType = "hitl"
)

// Node is one node of a graph: what all types share, and the Body that its type has.
type Node struct {
	ID           string
	Type         NodeType
	Description  string
	Timeout      time.Duration
	Retry        *Retry
	InputSchema  Schema
	OutputSchema Schema
	Input        expr.Source
	MaxVisits    int
	Body         Body // nil only when the node is broken
}

// Retry is a node's retry policy as written; zero fields take the defaults of [Retry.WithDefaults].
type Retry struct {
	MaxAttempts   int
	InitialDelay  time.Duration
	MaxDelay      time.Duration
	BackoffFactor float64
	Jitter        *float64
	When          expr.Source
}

// Body is what one node type adds to [Node]. The set is closed: *Function, *CEL, *Tool, *LLM, *AgentRef, *Join,
// *Subgraph, *Worker, *Dynamic and *HITL.
type Body interface{ body() }

func (*Function) body() {}
func (*CEL) body()      {}
func (*Tool) body()     {}
func (*LLM) body()      {}
func (*AgentRef) body() {}
func (*Join) body()     {}
func (*Subgraph) body() {}
func (*Worker) body()   {}
func (*Dynamic) body()  {}
func (*HITL) body()     {}

// Function calls a registered Go function.
type Function struct {
	Function      string
	Config        any
	RerunOnResume *bool
}

// CEL evaluates expressions; without Output its input passes through.
type CEL struct {
	Vars       []Var
	Output     expr.Source
	Route      expr.Source
	Routes     []RouteRule
	StateDelta []Named // sorted by name
	Escalate   expr.Source
}

// Var is one ordered entry of a cel node's vars.
type Var struct {
	Name string
	Expr expr.Source
}

// RouteRule is one entry of routes; the first whose When is true gives the route.
type RouteRule struct {
	Route string
	When  expr.Source
}

// Named is an expression under a name: an argument, a state key.
type Named struct {
	Name string
	Expr expr.Source
}

// Tool calls one tool: of an MCP server when Server is set, else a registered or a harness tool.
type Tool struct {
	Tool      string
	Server    string
	Args      []Named // sorted by name
	HasArgs   bool    // false: the arguments come from the input by the rules of the format
	Approval  bool
	OnUnknown string // "retry" (default) or "fail"
}

// LLM is an inline LLM agent, or the body of an LlmAgent.
type LLM struct {
	Model                 string
	Mode                  string // "single_turn" or "chat"; empty: by place
	Instruction           string
	InstructionFrom       *PromptRef
	GlobalInstruction     string
	GlobalInstructionFrom *PromptRef
	Tools                 []ToolRef
	Approval              []string
	Generate              Generate
	OutputKey             string
	OutputSchema          Schema // LlmAgents; a node's is in Node.OutputSchema
	IncludeContents       string // "default" or "none"
	BeforeModel           []HookRule
	AfterModel            []HookRule
	BeforeTool            []HookRule
	AfterTool             []HookRule
	Limits                AgentLimits
}

// PromptRef names a ConfigMap key that holds a prompt.
type PromptRef struct{ Name, Key string }

// ToolRef is one entry of an llm's tools: a name (a server, server/tool, a registered or a harness tool) or an agent.
type ToolRef struct {
	Name      string
	Agent     string
	Isolation Isolation
}

// Generate holds the sampling settings of a model call; nil and zero fields are left to the provider.
type Generate struct {
	Temperature     *float64
	TopP            *float64
	MaxOutputTokens int
	Stop            []string
	Thinking        string
	Seed            *int64
}

// HookRule is one rule of a hook list: a registered Go hook, or a CEL verdict.
type HookRule struct {
	Hook   string
	Config any
	When   expr.Source // absent: always
	Reject *Text
	Accept bool
	Ask    *Text
}

// Text is a literal text, or an expression that computes one.
type Text struct {
	Literal string
	Expr    expr.Source
}

// AgentRef runs another agent of the document.
type AgentRef struct {
	Agent     string
	Isolation Isolation
}

// Join collects what its incoming edges bring.
type Join struct{}

// Subgraph is a nested workflow: a graph of its own, or a Workflow agent by name.
type Subgraph struct {
	Graph *Graph
	Agent string
}

// Worker maps an inline body over a list.
type Worker struct {
	Worker         Node // its ID is empty
	Items          expr.Source
	MaxConcurrency int
}

// Dynamic is a registered Go function that schedules children.
type Dynamic struct {
	Function string
	Children []Child
	MaxIters int
}

// Child is a node that a dynamic node may schedule: a node of the same graph by id, or one written inline.
type Child struct {
	ID     string
	Inline *Node
}

// HITL pauses for a person.
type HITL struct {
	Message        Text
	Payload        expr.Source
	ResponseSchema Schema
	Deadline       time.Duration
	OnDeadline     *OnDeadline
}

// OnDeadline says how a hitl node goes on when nobody answered in time: exactly one field is set.
type OnDeadline struct {
	Output expr.Source
	Route  string
}
