// Package graph holds what the engine and the validator both have to know about a graph before anything runs: the
// rules of names and edges, the checks, and the reachability that joins need. It imports the standard library only.
package graph

// The sentinels of the format. START is the only one that is a place; DEFAULT and ERROR are routes.
const (
	Start   = "START"
	Default = "DEFAULT"
	Error   = "ERROR"
)

// Spec is a graph as an author describes it: nodes in declaration order and one edge for each pair of ends.
type Spec struct {
	Nodes []Node
	Edges []Edge
}

// Node is what the checks need to know of a node.
type Node struct {
	ID   string
	Join bool
	// Routes are the routes that the node can produce, when RoutesKnown; a node that routes by an expression or by Go
	// code has RoutesKnown false. A node with RoutesKnown and no Routes never routes.
	Routes      []string
	RoutesKnown bool
	// AlwaysRoutes says that one of Routes is produced on every success, so that nothing falls through.
	AlwaysRoutes bool
}

// Edge leads from one node (or [Start]) to another. Without Routes it is unconditional; Routes may hold concrete
// texts, [Default] or [Error].
type Edge struct {
	From, To string
	Routes   []string
}

// Rule is the stable kebab-case name of a check, equal to the diagnostic code that the validator reports it under.
type Rule string

// Problem is one finding about a Spec.
type Problem struct {
	Rule    Rule
	Warning bool
	// Node is the index into Spec.Nodes that the finding is about, or -1; Edge likewise into Spec.Edges.
	Node, Edge int
	Message    string
	Hint       string
}
