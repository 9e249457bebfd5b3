package workflow

import "fmt"

// Team is several nodes that work on one input: one after the other, again and again, or side by side. Each member begins
// with the input of the team, whatever those before it gave; they tell each other more by the state and the transcript. A
// team is immutable, and becomes part of a graph by [NewTeamNode].
//
// Members are activations like any other, with the path of the team before their own. Behind it they are numbered as the
// nodes of a graph are, so that with members of different names team@1/member@2 is that of the second lap. In events and
// limits they count as such; the team itself is one more.
type Team struct {
	name    string
	way     way
	members []*node
	maxLaps int
}

// way is how the members of a team work.
type way uint8

const (
	oneByOne way = iota
	inLaps
	sideBySide
)

// NewSequence makes a team whose members work one after the other. Its output is that of the last one.
func NewSequence(name string, members ...Node) *Team { return newTeam(name, oneByOne, 1, members) }

// NewLoop makes a team whose members work one after the other, and then begin again, maxLaps times; 0 is no bound but
// [Limits.MaxVisits] of each member. It ends behind a member that escalates, see [Result.Escalate], or below which
// something does. Its output is that of the member that worked last.
func NewLoop(name string, maxLaps int, members ...Node) *Team {
	return newTeam(name, inLaps, maxLaps, members)
}

// NewParallel makes a team whose members work side by side, each on a branch of its own. Its output is a map from their
// names to their outputs; who gave none isn't in it. When one fails for good the others are cancelled.
func NewParallel(name string, members ...Node) *Team { return newTeam(name, sideBySide, 1, members) }

func newTeam(name string, w way, maxLaps int, members []Node) *Team {
	t := &Team{name: name, way: w, maxLaps: maxLaps}
	for _, m := range members {
		if isNil(m) {
			t.members = append(t.members, nil)
			continue
		}
		t.members = append(t.members, m.definition())
	}
	return t
}

// NewTeamNode makes a node of a team. A retry begins with the first member again, and the timeout bounds the work of all of
// them. A member that fails for good is a failure of the node.
func NewTeamNode(name string, t *Team, cfg NodeConfig) Node {
	n := newNode(name, kindTeam, nil, cfg)
	n.team = t
	return n
}

// numberOf counts the activations of nodes with the name of a member up to that of the member in a lap.
func (t *Team) numberOf(member, lap int) int {
	before, all := 0, 0
	for i, m := range t.members {
		if m.name != t.members[member].name {
			continue
		}
		if all++; i <= member {
			before++
		}
	}
	return (lap-1)*all + before
}

// find is the inverse of numberOf; the member is -1 when there is none of the name.
func (t *Team) find(name string, number int) (member, lap int) {
	var places []int
	for i, m := range t.members {
		if m.name == name {
			places = append(places, i)
		}
	}
	if len(places) == 0 || number < 1 {
		return -1, 0
	}
	return places[(number-1)%len(places)], (number-1)/len(places) + 1
}

// problems reports what is wrong with a team of the node at that place.
func (t *Team) problems(i int, n *node) []Problem {
	var problems []Problem
	bad := func(format string, args ...any) {
		problems = append(problems, Problem{Rule: BadConfig, Node: i, Edge: -1, Message: fmt.Sprintf("node %q: ", n.name) +
			fmt.Sprintf(format, args...)})
	}
	if t == nil || len(t.members) == 0 {
		bad("the team has no members")
		return problems
	}
	if t.maxLaps < 0 {
		bad("maxLaps is %d; it must be 0 or more", t.maxLaps)
	}
	seen := map[string]bool{}
	for _, m := range t.members {
		switch {
		case m == nil || m.kind == kindJoin || m.kind == kindStart:
			bad("a member of a team is a node that can run by itself, not nil, a join or START")
			continue
		case seen[m.name] && t.way == sideBySide:
			bad("the team has two members %q; names of members that work side by side are unique", m.name)
		}
		seen[m.name] = true
		problems = append(problems, checkConfig(i, m)...)
	}
	return problems
}
