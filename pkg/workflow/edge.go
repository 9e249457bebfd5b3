package workflow

// Edge leads from one node to another. Two edges with the same ends are an error: write one with a [MultiRoute].
type Edge struct {
	From, To Node
	// Route says when the edge fires; nil means whenever From succeeds.
	Route Route
}

// Chain returns the edges that lead from each node to the next one. Fewer than two nodes make no edge.
func Chain(nodes ...Node) []Edge {
	var edges []Edge
	for i := 1; i < len(nodes); i++ {
		edges = append(edges, Edge{From: nodes[i-1], To: nodes[i]})
	}
	return edges
}
