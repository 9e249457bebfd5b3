package graph_test

import "testing"

func TestCheck_routes(t *testing.T) {
	runChecks(t, []checkCase{
		{name: "unknown routes", graph: "START -> a -[x]-> b; a -[DEFAULT]-> c"},
		{name: "known and complete", graph: "a! x y; START -> a -[x]-> b; a -[y]-> c"},
		{name: "an edge for a route that is never produced", graph: "a: x y; START -> a -[x,z]-> b; a -[DEFAULT]-> c", want: []string{
			`warning unused-route at edge 1: the edge a -> b waits for the route "z", which "a" never produces; it produces "x", "y"`,
		}},
		{name: "a node that never routes", graph: "a: ; START -> a -[z]-> b; a -[DEFAULT]-> c", want: []string{
			`warning unused-route at edge 1: the edge a -> b waits for the route "z", which "a" never produces`,
		}},
		{name: "a route that nothing takes", graph: "a! x y; START -> a -[x]-> b -> d; a -> c -> d", want: []string{
			`warning unused-route at a: "a" produces the route "y", but none of its edges takes it (add an edge with this route, or a DEFAULT edge)`,
		}},
		{name: "DEFAULT takes what is left", graph: "a: x y; START -> a -[x]-> b; a -[DEFAULT]-> c"},
		{name: "DEFAULT is never reached", graph: "a! x y; START -> a -[x]-> b; a -[y]-> c; a -[DEFAULT]-> d", want: []string{
			`warning unused-route at edge 3: the DEFAULT edge a -> d never fires: "a" always produces a route that another edge takes`,
		}},
		{name: "a join can't fail and never routes", graph: "START -> a -> J -[ERROR]-> b; START -> c -> J -[x]-> d; J -> e", want: []string{
			"warning unused-route at edge 2: the ERROR edge J -> b never fires: a join can't fail",
			`warning unused-route at edge 5: the edge J -> d waits for the route "x", which "J" never produces`,
		}},
		{name: "routes may all miss", graph: "START -> a -[x]-> b", want: []string{
			`warning no-default at a: "a" has no DEFAULT edge: when no route matches, the branch ends there without an output (add an edge with the route DEFAULT)`,
		}},
		{name: "an unconditional edge goes on", graph: "START -> a -[x]-> b -> d; a -> c -> d"},
	})
}

func TestCheck_joins(t *testing.T) {
	const several = `(lead them to a join, or to one last node, if one output is wanted)`
	runChecks(t, []checkCase{
		{name: "nothing to join", graph: "START -> a -> J -> b", want: []string{
			`warning pointless-join at J: the join "J" has one incoming edge, so there is nothing to join (remove it, or lead the other branches to it)`,
		}},
		{name: "fan-out and join", graph: "START -> a -> J -> c; START -> b -> J"},
		{name: "J12", graph: "START -> a -> b -> d -> J -> end; a -> c -> d; START -> e -> J", want: []string{
			`warning fan-in-before-join at d: "d" runs more than once when "a" fans out, so the join "J" behind it fires more than once, too (put a join in front of "d")`,
		}},
		{name: "fan-in with no join behind it", graph: "START -> a -> b -> d; a -> c -> d"},
		{name: "fan-in by exclusive routes", graph: "START -> r -[x]-> b -> d -> J -> end; r -[DEFAULT]-> c -> d; START -> e -> J"},
		{name: "fan-in by a loop", graph: "START -> f -> a -> J -> g -[again]-> f; f -> b -> J; g -[DEFAULT]-> end"},
		{name: "directly and round a corner", graph: "START -> a -> d -> J -> end; a -> c -> d; START -> e -> J", want: []string{
			`warning fan-in-before-join at d: "d" runs more than once when "a" fans out, so the join "J" behind it fires more than once, too (put a join in front of "d")`,
		}},
		{name: "a join's branch meets one that did not pass it", graph: "START -> x -> J -> d -> K -> end; START -> y -> J; START -> z -> d; START -> w -> K", want: []string{
			`warning fan-in-before-join at d: "d" runs more than once when "START" fans out, so the join "K" behind it fires more than once, too (put a join in front of "d")`,
		}},
		{name: "two ends", graph: "START -> a -> b; a -> c", want: []string{
			`warning several-outputs at a: the ends b, c can all be reached when "a" fans out; the output is then a map by node id ` + several,
		}},
		{name: "two ends of START", graph: "START -> b; START -> c", want: []string{
			`warning several-outputs: the ends b, c can all be reached when "START" fans out; the output is then a map by node id ` + several,
		}},
		{name: "one end by a route or another", graph: "START -> a -[x]-> b; a -[DEFAULT]-> c"},
		{name: "routes behind a join", graph: "START -> a -> J -> r -[x]-> s; r -[DEFAULT]-> t; START -> b -> J"},
		{name: "an end beside a join", graph: "START -> a -> J -> t; START -> b -> J; START -> z", want: []string{
			`warning several-outputs: the ends t, z can all be reached when "START" fans out; the output is then a map by node id ` + several,
		}},
		{name: "the same route twice", graph: "START -> a -[x]-> b; a -[x]-> c; a -[DEFAULT]-> d", want: []string{
			`warning several-outputs at a: the ends b, c can all be reached when "a" fans out; the output is then a map by node id ` + several,
		}},
		{name: "ERROR edges fan out, too", graph: "START -> a -[ERROR]-> b; a -[ERROR]-> c; a -> d", want: []string{
			`warning several-outputs at a: the ends b, c can all be reached when "a" fans out; the output is then a map by node id ` + several,
		}},
	})
}
