package adkparity

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const pageHead = `# What is different from ADK Go

<!-- Written by go test -update in test/adkparity. -->

Whoever knows the workflows of ADK Go 2.x will find the same constructs under the same names, and the same results. The
same graphs run on ADK v2.2.0 and on ours, from a table and thousands of them drawn at random; output, state, executions
and their inputs, the edges that were taken and the kind of error must agree. What may differ is listed here. ` + "`make parity`" + `
fails when something else differs, and when something of this list no longer does.

Numbers with D are defects of ADK, numbers with X decisions of ours. Nodes with a capital letter are joins; what the
nodes do is in ` + "`test/adkparity/differences.go`" + `.

## What a graph shows

| | what | graph | ADK | ours |
|---|---|---|---|---|
`

const pageRest = `
## What no graph shows

| | what | why |
|---|---|---|
`

// Page is the documentation of the table.
func Page() string {
	var shown, told strings.Builder
	rows := Differences()
	slices.SortStableFunc(rows, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.ID[0], b.ID[0]), cmp.Compare(a.number(), b.number()))
	})
	for _, d := range rows {
		if d.Graph == nil {
			fmt.Fprintf(&told, "| %s | %s | %s |\n", d.ID, d.What, d.Why)
			continue
		}
		fmt.Fprintf(&shown, "| %s | %s | `%s` | %s | %s |\n", d.ID, d.What, strings.ReplaceAll(d.Graph.text(), "|", `\|`), d.ADK, d.Ours)
	}
	return pageHead + shown.String() + pageRest + told.String()
}

func (d Difference) number() int {
	n, err := strconv.Atoi(d.ID[1:])
	if err != nil {
		return 0
	}
	return n
}

// text is the graph in one line, with what is inside.
func (g *Graph) text() string {
	var edges []string
	for _, e := range g.Edges {
		edges = append(edges, fmt.Sprintf("%s %s %s", e.From, e.arrow(), e.To))
	}
	for _, name := range g.names() {
		switch n := g.Nodes[name]; {
		case n.Inner != nil:
			edges = append(edges, fmt.Sprintf("%s is {%s}", name, n.Inner.text()))
		case len(n.Children) > 0:
			edges = append(edges, fmt.Sprintf("%s runs %s", name, strings.Join(n.Children, ", then ")))
		case n.Item != "":
			edges = append(edges, fmt.Sprintf("%s runs %s for each", name, n.Item))
		}
	}
	return strings.Join(edges, "; ")
}
