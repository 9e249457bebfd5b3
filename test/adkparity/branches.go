package adkparity

import (
	"maps"
	"regexp"
)

// onBranch is what stands between a node and its branch in [Outcome.Branches].
const onBranch = " on "

var segmentPattern = regexp.MustCompile(`(\w+)@\d+(?:/(\d+))?`)

// AsADK is an outcome of ours with its branches in the spelling of ADK, which X14 and X15 declare to be another one:
// activations have no ordinals, and an item goes by the name of the body.
func (o Outcome) AsADK(g *Graph) Outcome {
	nodes := g.everyNode()
	spelled := map[string]int{}
	for branch, n := range o.Branches {
		branch = segmentPattern.ReplaceAllStringFunc(branch, func(segment string) string {
			part := segmentPattern.FindStringSubmatch(segment)
			if part[2] == "" {
				return part[1] + "@1"
			}
			return nodes[part[1]].Item + "@" + part[2]
		})
		spelled[branch] += n
	}
	o.Branches = spelled
	return o
}

// NeedsDocument reports whether there is something in the graph that only documents can have.
func (g *Graph) NeedsDocument() bool {
	for _, n := range g.everyNode() {
		if n.Agent != nil || n.Tool != "" || n.Team != "" || n.Ref {
			return true
		}
	}
	return false
}

// everyNode has what is special about the nodes of the graph and of those inside of it.
func (g *Graph) everyNode() map[string]Node {
	all := maps.Clone(g.Nodes)
	for _, n := range g.Nodes {
		if n.Inner != nil {
			maps.Copy(all, n.Inner.everyNode())
		}
	}
	return all
}
