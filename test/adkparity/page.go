package adkparity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const pageHead = `# What is different from ADK Go

<!-- Written by go test -update in test/adkparity. -->

Whoever knows the workflows of ADK Go 2.x will find the same constructs under the same names, and the same results. The
same graphs run on ADK v2.2.0 and on ours, from a table and thousands of them drawn at random, on ours also as documents;
output, state, executions and their inputs, the edges that were taken, branches and the kind of error must agree, and of
agents under the same scripted model each request and each message. What may differ is listed here. ` + "`make parity`" + `
fails when something else differs, and when something of this list no longer does.

Numbers with D are defects of ADK, numbers with X decisions of ours. Nodes with a capital letter are joins; what the
nodes do is in ` + "`test/adkparity/differences.go` and `differences_agents.go`, and `test/adkparity/SCENARIOS.md`" + ` tells what else is compared.

## What a graph shows

| | what | graph | ADK | ours |
|---|---|---|---|---|
`

const pageReasons = `
## Why

Of what has a number with D the left column is why.

| | |
|---|---|
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
		fmt.Fprintf(&shown, "| %s | %s | `%s` | %s | %s |\n", d.ID, d.What, cell(d.Graph.text()), cell(d.ADK), cell(d.Ours))
	}
	var why strings.Builder
	reasons := Reasons()
	for _, id := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Compare(Difference{ID: a}.number(), Difference{ID: b}.number())
	}) {
		fmt.Fprintf(&why, "| %s | %s |\n", id, reasons[id])
	}
	return pageHead + shown.String() + pageReasons + why.String() + pageRest + told.String()
}

// cell is a text in a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ⏎ ", "<", "&lt;").Replace(text)
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
		case n.Team != "":
			edges = append(edges, fmt.Sprintf("%s is a %s of %s", name, n.Team, strings.Join(n.Members, ", ")))
		case n.Agent != nil:
			edges = append(edges, name+" is an agent")
		case n.Tool != "":
			edges = append(edges, name+" calls "+n.Tool)
		case n.Item != "":
			edges = append(edges, fmt.Sprintf("%s runs %s for each", name, n.Item))
		}
	}
	return strings.Join(edges, "; ")
}
