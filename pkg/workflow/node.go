package workflow

import (
	"encoding/json"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// Node is a step of a workflow. Nodes are made by the New…Node constructors, are immutable, and may stand in several
// workflows.
type Node interface {
	// Name is the node's id, unique in a workflow.
	Name() string

	definition() *node
}

// NodeConfig is what all kinds of nodes have in common. The zero value is a node that is tried once, without limits.
type NodeConfig struct {
	Description string

	// Retry says how often a failed attempt is repeated; nil means never.
	Retry *RetryConfig

	// Timeout bounds the executing time of one attempt; 0 means unbounded. The attempt fails with [CodeTimeout] then,
	// its context is cancelled, and what it still returns is discarded.
	Timeout time.Duration

	// MaxVisits bounds the activations of this node in one execution of its graph; 0 means the run's
	// [Limits.MaxVisits].
	MaxVisits int

	// RerunOnResume runs the body again when what it asked for by [RequestInput] was answered. Otherwise the answer is the
	// output.
	RerunOnResume bool

	// OnDeadline gives the result when nobody answers in time; nil fails the activation with [CodeDeadline]. It must have
	// no effects.
	OnDeadline func(*Context) (Result, error)

	// CheckEdit accepts the arguments that a person puts in the place of those that [RequestApproval] asked about, or says
	// what is wrong with them: then the answer isn't taken. It is called on the goroutine that advances the run, must be
	// quick, and must have no effects. Nil accepts what fits the schema.
	CheckEdit func(ctx *Context, ask journal.Ask, args json.RawMessage) error

	// Blame names the field of the document that a failure with a code comes from when its error doesn't name one, see
	// [InField]: a timeout, for instance, or the mismatch of a schema. It must be quick. Nil names none.
	Blame func(Code) string

	// Pure promises that the body has no effect outside the run, depends on its context alone, and is quick. Pure nodes
	// hold no concurrency slot, run on the goroutine that advances the run, and need no durable record of their own.
	Pure bool

	// Isolated gives each activation of the node a session of its own: a state that begins as a copy of the plain one around
	// it, and an empty transcript with a trunk of its own. What is below the activation works in that session, too. Keys that
	// begin with app: or user: are common to all sessions; temp: isn't copied. Of what is written and said there nothing is
	// seen outside, or in other activations; the activation gives its output, its routes and whether it escalates. Attempts
	// go on in the session of the first one, as they do in that of a run. It means nothing for a join.
	Isolated bool

	// Input shapes what the body gets as its input; nil hands on what arrived, which is [Context.Input] while Input
	// runs. It is evaluated once, when the activation starts, and must have no effects. All attempts get its result;
	// if it fails there is none, and no other attempt.
	Input func(*Context) (any, error)

	// InputSchema accepts the (shaped) input or fails the activation with [CodeInputSchema], which is not retried.
	InputSchema Validator

	// OutputSchema accepts the output or fails the attempt with [CodeOutputSchema]. It isn't asked when there is none.
	OutputSchema Validator
}

// Validator accepts a value or says what is wrong with it. *jsonschema.Resolved is one.
type Validator interface{ Validate(value any) error }

// Result is what one attempt of a node gives.
type Result struct {
	// Output is the value for the successors; nil means that there is none.
	Output any

	// Routes choose among the node's edges. The reserved routes DEFAULT and ERROR fail the attempt.
	Routes []string

	// State is written to the session's state when the activation ends; a nil value deletes its key. It is added to,
	// and wins over, what the body wrote by [Context.State].
	State map[string]any

	// Escalate ends the innermost loop around the activation, see [NewLoop]. It is a mark: the member of the loop to which the
	// activation belongs goes on to its end first. Outside of loops it means nothing.
	Escalate bool
}

// isOutput says that there is nothing but an output.
func (res *Result) isOutput() bool { return res.Routes == nil && res.State == nil && !res.Escalate }

// kind is the type of a node as far as the engine treats types differently.
type kind uint8

const (
	kindFunction kind = iota
	kindTool
	kindAgent
	kindJoin
	kindWorkflow
	kindWorker
	kindDynamic
	kindTeam
	kindStart
)

// node is the definition behind every [Node].
type node struct {
	name string
	kind kind
	body func(*Context, any) (Result, error)
	cfg  NodeConfig
	// inner is the graph of a nested workflow. item is what a worker runs for each element, maxConcurrency how many at
	// once.
	inner          *Workflow
	item           *node
	maxConcurrency int
	maxChildren    int  // of a dynamic node
	speaks         bool // an agent, whose messages say what it gives
	team           *Team
	// firstPath is the id of the first activation in a run's root: most nodes run once.
	firstPath string
}

func newNode(name string, k kind, body func(*Context, any) (Result, error), cfg NodeConfig) *node {
	return &node{name: name, kind: k, body: body, cfg: cfg, firstPath: name + "@1"}
}

// Name returns the node's id.
func (n *node) Name() string { return n.name }

func (n *node) definition() *node { return n }

// pure says that an activation of the node is carried out within the transition that starts it.
func (n *node) pure() bool { return n.kind == kindJoin || n.cfg.Pure }

// composite says that an activation of the node has others inside of it and no body.
func (n *node) composite() bool {
	return n.kind == kindWorkflow || n.kind == kindWorker || n.kind == kindTeam
}

// leaf says that an activation of the node is work of its own, which counts where concurrency is bounded.
func (n *node) leaf() bool { return !n.pure() && !n.composite() && n.kind != kindDynamic }

type entry string

// Start is where every workflow begins: the source of the edges to the nodes that run first. Its value is the
// workflow's input.
const Start = entry(graph.Start)

// Name returns "START".
func (e entry) Name() string { return string(e) }

func (e entry) definition() *node { return &node{name: string(e), kind: kindStart} }

// NewNode makes a node whose body returns a full [Result]: an output, routes, and state.
func NewNode(name string, body func(*Context, any) (Result, error), cfg NodeConfig) Node {
	return newNode(name, kindFunction, body, cfg)
}

// NewJoinNode makes a node that waits for everything that can still arrive on its incoming edges and then hands on what
// came, as a map from the sources' ids to their outputs. Sources from which nothing can come any more are left out.
func NewJoinNode(name string) Node { return newNode(name, kindJoin, nil, NodeConfig{}) }

// NewJoinNodeWithConfig is [NewJoinNode] with the parts of a config that a join can have: Description, MaxVisits, Input,
// whose result it hands on in the place of the map, and the schemas of both. It does nothing that could take time or be
// tried again, so the rest is left out.
func NewJoinNodeWithConfig(name string, cfg NodeConfig) Node {
	return newNode(name, kindJoin, nil, NodeConfig{
		Description: cfg.Description, MaxVisits: cfg.MaxVisits, Input: cfg.Input, InputSchema: cfg.InputSchema, OutputSchema: cfg.OutputSchema,
	})
}

// visitsField is the field of the document that bounds how often the node is activated.
func (n *node) visitsField() string {
	if n.cfg.MaxVisits > 0 && n.cfg.Blame != nil {
		return n.cfg.Blame(CodeLimit)
	}
	return "limits.max_visits"
}
