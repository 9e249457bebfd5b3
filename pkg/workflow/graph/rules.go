package graph

// The rules in the order in which [Check] reports them. Those from Unused on are warnings: the graph runs, but
// probably not as its author thinks.
const (
	BadName            Rule = "bad-name"            // an id that is empty, reserved, or breaks activation paths
	DuplicateName      Rule = "duplicate-name"      // two nodes with one id
	UnknownReference   Rule = "unknown-reference"   // an edge end that is no node
	NoStart            Rule = "no-start"            // no edge leaves START
	EdgeToStart        Rule = "edge-to-start"       // an edge points to START
	StartRoute         Rule = "start-route"         // an edge from START that waits for a route
	DuplicateEdge      Rule = "duplicate-edge"      // two edges with the same ends
	SeveralDefaults    Rule = "several-defaults"    // two DEFAULT edges leave one node
	Unreachable        Rule = "unreachable"         // no path from START
	UnconditionalCycle Rule = "unconditional-cycle" // a cycle of edges without routes
	DefaultCycle       Rule = "default-cycle"       // a cycle that DEFAULT edges keep alive for ever
	NoEnd              Rule = "no-end"              // a loop with no way out
	UnusedRoute        Rule = "unused-route"        // a route that no edge takes, or an edge that nothing fires
	NoDefault          Rule = "no-default"          // routes that may match nothing, and no DEFAULT edge
	PointlessJoin      Rule = "pointless-join"      // a join with one incoming edge
	FanInBeforeJoin    Rule = "fan-in-before-join"  // a node triggered twice by one fan-out, upstream of a join
	SeveralOutputs     Rule = "several-outputs"     // two ends that one fan-out can reach
)
