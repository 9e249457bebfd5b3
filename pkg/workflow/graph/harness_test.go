package graph_test

import (
	"regexp"
	"strings"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

var arrow = regexp.MustCompile(`-(?:\[([^\]]*)\])?->|->`)

// parse makes a spec of lines such as "START -> a -[x]-> J". Nodes with a capital first letter are joins. A line
// "a: x y" says that x and y are the routes that a can produce, "a! x y" that it always produces one of them.
func parse(text string) graph.Spec {
	var s graph.Spec
	index := map[string]int{graph.Start: -1}
	node := func(id string) string {
		if _, known := index[id]; !known {
			index[id] = len(s.Nodes)
			s.Nodes = append(s.Nodes, graph.Node{ID: id, Join: id != "" && 'A' <= id[0] && id[0] <= 'Z'})
		}
		return id
	}
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if id, routes, ok := strings.Cut(line, "!"); ok {
			declare(&s.Nodes[index[node(strings.TrimSpace(id))]], routes, true)
			continue
		}
		if id, routes, ok := strings.Cut(line, ":"); ok {
			declare(&s.Nodes[index[node(strings.TrimSpace(id))]], routes, false)
			continue
		}
		ends := arrow.Split(line, -1)
		node(strings.TrimSpace(ends[0]))
		for i, a := range arrow.FindAllStringSubmatch(line, -1) {
			e := graph.Edge{From: node(strings.TrimSpace(ends[i])), To: node(strings.TrimSpace(ends[i+1]))}
			if a[1] != "" {
				e.Routes = strings.Split(a[1], ",")
			}
			s.Edges = append(s.Edges, e)
		}
	}
	return s
}

func declare(n *graph.Node, routes string, always bool) {
	n.Routes, n.RoutesKnown, n.AlwaysRoutes = strings.Fields(routes), true, always
}
