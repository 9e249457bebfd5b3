package adkparity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Verdict says what was compared of a graph, and what did not agree.
type Verdict struct {
	// Kind is "agreed", or why the graph was not compared in full: ids of declared differences, or a reason.
	Kind string
	// Compared are the aspects that had to agree.
	Compared []Aspect
	// Shown is set when nothing had to agree and something did differ.
	Shown bool
	// Trouble tells what disagrees without being declared; empty when all is well.
	Trouble string
}

// troubled is the kind of graphs that don't agree.
const troubled = "trouble"

// Bench runs a graph on either engine, each time in a bubble of time of its own.
type Bench interface {
	ADK(g *Graph, schedule int) Outcome
	Ours(g *Graph, schedule int) (Outcome, Trace)
	// Document runs it on ours, as a document.
	Document(g *Graph, schedule int) (Outcome, Trace)
}

// Judge runs a graph under a number of schedules on our engine, looks for declared differences, and compares the rest
// with ADK under two schedules.
func Judge(g *Graph, bench Bench, schedules int) Verdict {
	ours, found, trouble := alike(g, bench, schedules)
	if trouble != "" {
		return Verdict{Kind: troubled, Trouble: trouble}
	}
	aspects, kind := common(g, ours, found)
	v := Verdict{Kind: kind, Compared: aspects}
	if len(aspects) == 0 {
		v.Shown = shows(g, bench, ours, found)
		return v
	}
	for _, schedule := range []int{0, 3} {
		theirs := bench.ADK(g, schedule)
		if found.IDs["X1"] && theirs.Class == SeveralOutputs && ours.Class == Completed {
			theirs.Class = Completed // at the end of a run that is complete but for this
		}
		if diffs := theirs.Diff(ours.AsADK(g), aspects...); len(diffs) > 0 {
			v.Kind = troubled
			v.Trouble = fmt.Sprintf("ADK differs under schedule %d:\n%sADK: %v, ours: %v", schedule, show(diffs), theirs.Err, ours.Err)
			return v
		}
	}
	return v
}

// alike runs a graph on our engine alone. All schedules must give what the first one gives, and so must the graph as a
// document; the trouble says where not.
func alike(g *Graph, bench Bench, schedules int) (first Outcome, found Findings, trouble string) {
	first, trace := bench.Ours(g, 0)
	if first.broken() {
		return first, found, fmt.Sprintf("ours: %s: %v", first.Class, first.Err)
	}
	if found = Examine(g, trace); found.Impossible != "" {
		return first, found, "ours: nothing led to " + found.Impossible
	}
	for schedule := 1; schedule < schedules; schedule++ {
		next, trace := bench.Ours(g, schedule)
		if next.broken() {
			return first, found, fmt.Sprintf("ours under schedule %d: %s: %v", schedule, next.Class, next.Err)
		}
		found.add(Examine(g, trace))
		if diffs := first.Diff(next, steady(g, first, found)...); len(diffs) > 0 && trouble == "" {
			trouble = fmt.Sprintf("ours differs between schedule 0 (-) and %d (+):\n%s", schedule, show(diffs))
		}
	}
	document, _ := bench.Document(g, 0)
	if diffs := first.Diff(document, steady(g, first, found)...); len(diffs) > 0 && trouble == "" {
		trouble = fmt.Sprintf("ours differs as a document (+): %v\n%s", document.Err, show(diffs))
	}
	if first.Class != Completed && found.Parallel {
		// How far a run gets that fails depends on time: what it could meet, it meets when nothing fails.
		_, trace := bench.Ours(mended(g), 0)
		found.add(Examine(g, trace))
	}
	if found.IDs["D1"] {
		trouble = "" // which activation of a node is its first depends on time
	}
	return first, found, trouble
}

// add puts the findings of another run to those of the first.
func (f *Findings) add(other Findings) {
	maps.Copy(f.IDs, other.IDs)
	f.Parallel = f.Parallel || other.Parallel
}

// broken reports whether a run of ours ended as none may.
func (o Outcome) broken() bool {
	return slices.Contains([]Class{Refused, Hung, Crashed, Other}, o.Class)
}

// shows reports whether ADK does differ where it may. After D1 and D9 it leaves goroutines behind, so those aren't tried.
func shows(g *Graph, bench Bench, ours Outcome, found Findings) bool {
	if found.IDs["D1"] || ours.Class != Completed && found.Parallel {
		return false
	}
	return len(bench.ADK(g, 0).Diff(ours.AsADK(g), Aspects()...)) > 0
}

// steady lists what our engine must do alike under every schedule. What is still running when a run fails depends on
// the schedule, and so does which of several activations of a node is its first, and who writes a shared key last.
func steady(g *Graph, o Outcome, found Findings) []Aspect {
	switch {
	case found.IDs["D1"], o.Class != Completed && found.Parallel && failures(g) > 1:
		return nil
	case o.Class != Completed && found.Parallel:
		return []Aspect{ErrorAspect}
	case found.Parallel && sharesState(g):
		return []Aspect{OutputAspect, CallsAspect, FiredAspect, TakenAspect, BranchAspect, ErrorAspect}
	}
	return Aspects()
}

// common lists what ADK must do like us, and why not all.
func common(g *Graph, o Outcome, found Findings) (aspects []Aspect, kind string) {
	aspects = steady(g, o, found)
	drop := func(gone ...Aspect) {
		aspects = slices.DeleteFunc(aspects, func(a Aspect) bool { return slices.Contains(gone, a) })
	}
	ids := slices.Sorted(maps.Keys(found.IDs))
	for _, id := range ids {
		switch id {
		case "X1":
			drop(OutputAspect)
		case "X4", "D15":
			drop(StateAspect)
		case "X16", "X17":
			drop(BranchAspect)
		default: // other activations than ours, or none
			drop(Aspects()...)
		}
	}
	if o.Class != Completed && found.Parallel && retries(g) {
		ids = append(ids, "D9")
		drop(Aspects()...)
	}
	kind = strings.Join(ids, " ")
	switch {
	case kind != "":
	case o.Class != Completed && found.Parallel && failures(g) > 1:
		kind = "timing: several failures"
	case o.Class != Completed && found.Parallel:
		kind = "timing: fails while others run"
	case found.Parallel && sharesState(g):
		kind = "timing: shared state"
	default:
		kind = "agreed"
	}
	return aspects, kind
}

// sharesState reports whether two nodes write the same key.
func sharesState(g *Graph) bool {
	writers := map[string]map[string]bool{}
	collectWriters(g, writers)
	return slices.ContainsFunc(slices.Collect(maps.Values(writers)), func(w map[string]bool) bool { return len(w) > 1 })
}

func collectWriters(g *Graph, writers map[string]map[string]bool) {
	for name, n := range g.Nodes {
		if n.Inner != nil {
			collectWriters(n.Inner, writers)
		}
		for _, act := range n.Acts {
			for key := range act.State {
				if writers[key] == nil {
					writers[key] = map[string]bool{}
				}
				writers[key][name] = true
			}
		}
	}
}

// retries reports whether a node is tried again after a failure.
func retries(g *Graph) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(g.Nodes)), func(n Node) bool {
		return n.Inner != nil && retries(n.Inner) || n.Attempts > 1 && n.Item == ""
	})
}

// failures counts the nodes that fail for good, at one time or another.
func failures(g *Graph) int {
	count := 0
	for _, n := range g.Nodes {
		if n.Inner != nil {
			count += failures(n.Inner)
		}
		if slices.ContainsFunc(n.Acts, func(a Act) bool { return a.Fails == Forever }) {
			count++
		}
	}
	return count
}

// mended is the graph without failures for good.
func mended(g *Graph) *Graph {
	m := *g
	m.Nodes = map[string]Node{}
	for name, n := range g.Nodes {
		n.Acts = slices.Clone(n.Acts)
		for i := range n.Acts {
			if n.Acts[i].Fails == Forever {
				n.Acts[i].Fails = 0
			}
		}
		if n.Inner != nil {
			n.Inner = mended(n.Inner)
		}
		m.Nodes[name] = n
	}
	return &m
}
