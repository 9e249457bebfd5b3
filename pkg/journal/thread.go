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

// Thread returns the transcript that leads to a message, oldest first, as an agent on that branch sees it: from the last
// checkpoint on, which comes first and is followed by the messages that it left as they are. As in ADK Go, who is on the
// trunk sees all branches, so that an agent behind a join knows what was said before it.
func (s *SessionState) Thread(tip, branch string) []*Node {
	var thread []*Node
	var checkpoint *Node
	upto := ""
	for n := s.nodes[tip]; n != nil && n.ID != upto; n = s.nodes[n.Parent] {
		switch r := n.Record.(type) {
		case Sum:
			if checkpoint == nil {
				checkpoint, upto = n, r.Upto
			}
		case Msg:
			if seenFrom(branch, r.Branch) {
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

// seenFrom reports whether a message of branch of is seen on a branch: the trunk, the branch itself and those that it
// forked from are, and from the trunk all.
func seenFrom(branch, of string) bool {
	return branch == "" || of == "" || of == branch || strings.HasPrefix(branch, of+".")
}
