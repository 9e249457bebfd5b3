package journal

import (
	"slices"
	"strings"
)

// Node is a message or a checkpoint in the transcript's tree.
type Node struct {
	// Record is a [Msg] or a [Sum].
	Record Record
	ID     string
	Parent string
	Run    string
	Pos    Pos
}

// Node returns the message or checkpoint of that id, or nil.
func (s *SessionState) Node(id string) *Node { return s.nodes[id] }

// View is from where a transcript is seen: the session's, or that of an isolated activation.
type View struct {
	// Branch is the branch of who sees it; empty for the trunk.
	Branch string

	// Within is the isolated activation that it is the transcript of, by its path, and Runs are its run and those that this
	// one goes on from, see [SessionState.Lineage]; both are empty for the session's.
	Within string
	Runs   []string
}

// of says that a message or checkpoint belongs to the transcript.
func (v View) of(n *Node, within string) bool {
	return within == v.Within && (within == "" || slices.Contains(v.Runs, n.Run))
}

// sees says that a message of a branch is seen: the trunk, the branch itself and those that it forked from are, and from
// the trunk all.
func (v View) sees(branch string) bool {
	return v.Branch == "" || branch == "" || branch == v.Branch || strings.HasPrefix(v.Branch, branch+".")
}

// Thread returns the transcript that leads to a message, oldest first, as it is seen: from the last checkpoint on, which
// comes first and is followed by the messages that it left as they are. As in ADK Go, who is on the trunk sees all branches,
// so that an agent behind a join knows what was said before it. What belongs to another transcript is passed over.
func (s *SessionState) Thread(tip string, v View) []*Node {
	var thread []*Node
	var checkpoint *Node
	upto := ""
	for n := s.nodes[tip]; n != nil && n.ID != upto; n = s.nodes[n.Parent] {
		switch r := n.Record.(type) {
		case Sum:
			if checkpoint == nil && v.of(n, r.Within) {
				checkpoint, upto = n, r.Upto
			}
		case Msg:
			if v.of(n, r.Within) && v.sees(r.Branch) {
				thread = append(thread, n)
			}
		}
	}
	if checkpoint != nil {
		thread = append(thread, checkpoint)
	}
	slices.Reverse(thread)
	return thread
}
