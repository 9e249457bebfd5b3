package graph

// Check reports everything that is wrong with s, errors before warnings, in an order that depends on s alone: by rule,
// then by declaration. A finding that only follows from another one is left out: with an edge that leads nowhere, for
// example, nothing is said about nodes that it might have reached.
func Check(s Spec) []Problem {
	c := newChecker(s)
	c.run()
	return c.problems
}

// checker holds the usable part of a spec and collects what is wrong with it.
type checker struct {
	*view
	problems []Problem
	inCycle  []bool // nodes of a cycle that was reported
}

func newChecker(s Spec) *checker {
	return &checker{view: newView(s), inCycle: make([]bool, len(s.Nodes)+1)}
}

func (c *checker) run() {
	c.names()
	c.ends()
	c.startEdges()
	c.duplicateEdges()
	c.severalDefaults()
	c.unreachable()
	c.unconditionalCycles()
	c.defaultCycles()
	c.noEnd()

	c.unusedRoutes()
	c.noDefault()
	c.pointlessJoins()
	c.fanOuts()
}

func (c *checker) node(rule Rule, node int, message, hint string) {
	c.problems = append(c.problems, Problem{Rule: rule, Node: node, Edge: -1, Message: message, Hint: hint})
}

func (c *checker) edge(rule Rule, edge int, message, hint string) {
	c.problems = append(c.problems, Problem{Rule: rule, Node: -1, Edge: edge, Message: message, Hint: hint})
}

func (c *checker) warnNode(rule Rule, node int, message, hint string) {
	c.node(rule, node, message, hint)
	c.problems[len(c.problems)-1].Warning = true
}

func (c *checker) warnEdge(rule Rule, edge int, message, hint string) {
	c.edge(rule, edge, message, hint)
	c.problems[len(c.problems)-1].Warning = true
}
