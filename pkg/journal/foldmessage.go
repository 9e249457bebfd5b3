package journal

import "slices"

func (f *folder) message(r Msg) {
	f.grow(&Node{Record: r, ID: r.ID, Parent: r.Parent})
	if f.entry.Run == "" {
		return
	}
	run := f.run()
	switch {
	case run == nil:
		return
	case r.Path == "":
	case run.byPath[r.Path] == nil && !run.damaged:
		f.contradictf(r.Path, "it writes message %s without having started", r.ID)
	default:
		run.Stop = nil
		if r.Role == RoleModel {
			run.expire(r.Path)
		}
	}
	run.spend(r.Usage)
	f.commit(run, r.Path, r.Within, r.Set, r.Delete)
	for _, part := range r.Parts {
		if result, ok := part.(ToolResult); ok {
			run.Calls = slices.DeleteFunc(run.Calls, func(c OpenCall) bool {
				return c.Call.ID == result.ID && c.Call.Path == r.Path
			})
		}
	}
}

func (f *folder) checkpoint(r Sum) { f.grow(&Node{Record: r, ID: r.ID, Parent: r.Parent}) }

// grow adds a node to the transcript, whose tip it becomes.
func (f *folder) grow(n *Node) {
	switch {
	case n.ID == "":
		f.contradictf("", "the %s has no id", n.Record.Kind())
	case f.nodes[n.ID] != nil:
		f.contradictf("", "there are two messages %s", n.ID)
	case n.Parent != "" && f.nodes[n.Parent] == nil && !f.damaged:
		f.contradictf("", "message %s follows %s, which was never recorded", n.ID, n.Parent)
	default:
		n.Run, n.Pos = f.entry.Run, f.pos
		f.nodes[n.ID] = n
		f.Tip = n.ID
	}
}

func (f *folder) moveTip(r Tip) {
	switch {
	case f.nodes[r.ID] != nil:
		f.Tip = r.ID
	case !f.damaged:
		f.contradictf("", "the tip moves to message %s, which was never recorded", r.ID)
	}
}
