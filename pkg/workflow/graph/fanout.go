package graph

import (
	"fmt"
	"slices"
	"strings"
)

// fanOuts follows each set of edges that fire together and reports where their branches meet other than in a join:
// nodes that one fan-out triggers twice (when a join lies behind them), and several ends that it reaches.
func (c *checker) fanOuts() {
	if c.partial {
		return
	}
	f := fanOut{checker: c, fannedIn: make([]int, len(c.out)), ends: map[string]bool{}}
	for i := range f.fannedIn {
		f.fannedIn[i] = -1
	}
	for n := range c.out {
		for _, group := range c.firingTogether(n) {
			f.follow(n, group)
		}
	}
	f.reportFanIn()
	c.problems = append(c.problems, f.outputs...)
}

// firingTogether returns the sets of two or more edges of a node that one outcome fires: one produced route, no
// matching route, or a failure. Nodes that produce several routes at once are not considered: which ones is unknown.
func (c *checker) firingTogether(n int) [][]int {
	if len(c.out[n]) < 2 {
		return nil
	}
	var groups [][]int
	add := func(fires func(*link) bool) {
		var group []int
		for _, e := range c.out[n] {
			if fires(&c.edges[e]) {
				group = append(group, e)
			}
		}
		same := func(g []int) bool { return slices.Equal(g, group) }
		if len(group) > 1 && !slices.ContainsFunc(groups, same) {
			groups = append(groups, group)
		}
	}
	add(func(l *link) bool { return l.always || l.fallback })
	routes, known := c.routesOf(n)
	for _, e := range c.out[n] {
		for _, r := range c.edges[e].routes {
			if !known || slices.Contains(routes, r) {
				add(func(l *link) bool { return l.always || slices.Contains(l.routes, r) })
			}
		}
	}
	add(func(l *link) bool { return l.failure })
	return groups
}

// fanOut collects findings over all fan-outs of a graph.
type fanOut struct {
	*checker
	fannedIn []int // by node: the node whose fan-out triggers it twice, or -1
	ends     map[string]bool
	outputs  []Problem
}

// labels of a node are the branches that lead to it: up to two different ones, more makes no difference. 0 is none.
type labels [2]int

func (l *labels) add(x int) bool {
	switch {
	case x == 0 || l[0] == x || l[1] != 0:
		return false
	case l[0] == 0:
		l[0] = x
	default:
		l[1] = x
	}
	return true
}

// follow gives each edge of the group a label, carries the labels on, and looks where two of them meet. A join that
// two labels reach starts a branch of its own; as that may part labels that were one before, it looks again then.
func (f *fanOut) follow(from int, group []int) {
	merges := NewSet(len(f.out))
	for {
		at, triggers := f.spread(from, group, merges)
		again := false
		for n := range f.spec.Nodes {
			if f.isJoin(n) && triggers[n][1] != 0 && !merges.Has(n) {
				merges.Add(n)
				again = true
			}
		}
		if !again {
			f.collect(from, group, at, triggers)
			return
		}
	}
}

// spread returns for each node the labels it hands on and the labels that reach it.
func (f *fanOut) spread(from int, group []int, merges Set) (at, triggers []labels) {
	at, triggers = make([]labels, len(f.out)), make([]labels, len(f.out))
	var todo []int
	arrive := func(n, label int) {
		triggers[n].add(label)
		if n == from {
			return // the next lap of a loop is a fan-out of its own
		}
		if merges.Has(n) {
			label = len(f.edges) + 1 + n
		}
		if at[n].add(label) {
			todo = append(todo, n)
		}
	}
	for _, e := range group {
		arrive(f.edges[e].to, e+1)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range f.out[n] {
			for _, label := range at[n] {
				if label != 0 {
					arrive(f.edges[e].to, label)
				}
			}
		}
	}
	return at, triggers
}

func (f *fanOut) collect(from int, group []int, at, triggers []labels) {
	var reached labels
	var ends []string
	for n := range f.spec.Nodes {
		if triggers[n][1] != 0 && !f.isJoin(n) && f.meets(n, from, group, at) && f.fannedIn[n] < 0 {
			f.fannedIn[n] = from
		}
		if f.isEnd(n) && at[n][0] != 0 {
			reached.add(at[n][0])
			reached.add(at[n][1])
			ends = append(ends, f.id(n))
		}
	}
	key := strings.Join(ends, "\x00")
	if len(ends) < 2 || reached[1] == 0 || f.ends[key] {
		return
	}
	f.ends[key] = true
	node := from
	if node == f.start {
		node = -1
	}
	f.outputs = append(f.outputs, Problem{Rule: SeveralOutputs, Warning: true, Node: node, Edge: -1,
		Message: fmt.Sprintf("the ends %s can all be reached when %q fans out; the output is then a map by node id",
			strings.Join(ends, ", "), f.id(from)),
		Hint: "lead them to a join, or to one last node, if one output is wanted"})
}

// meets says that two branches come together at n, rather than having met before it.
func (f *fanOut) meets(n, from int, group []int, at []labels) bool {
	var direct labels
	for _, e := range f.in[n] {
		source := f.edges[e].from
		switch {
		case source == from && slices.Contains(group, e):
			direct.add(e + 1)
		case source != from && at[source][1] == 0:
			direct.add(at[source][0])
		}
	}
	return direct[1] != 0
}

// reportFanIn warns of nodes that run twice upstream of a join: which of the two runs first decides what the join
// pairs it with.
func (f *fanOut) reportFanIn() {
	for n, from := range f.fannedIn {
		if from < 0 {
			continue
		}
		behind := f.reach(n)
		join := slices.IndexFunc(f.spec.Nodes, func(m Node) bool {
			i := f.index[m.ID]
			return m.Join && behind.Has(i) && len(f.in[i]) > 1
		})
		if join < 0 {
			continue
		}
		msg := fmt.Sprintf("%q runs more than once when %q fans out, so the join %q behind it fires more than once, too",
			f.id(n), f.id(from), f.id(join))
		f.warnNode(FanInBeforeJoin, n, msg, fmt.Sprintf("put a join in front of %q", f.id(n)))
	}
}
