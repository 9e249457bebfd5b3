package workflow

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// cut is the log of a session up to where an activation began.
type cut struct {
	run, from string

	fold     *journal.SessionState
	records  []journal.Record // of the run
	messages []placed         // of the session
	found    bool
	state    map[string]any // what the fork begins with
}

// placed is a message, a checkpoint or a change of the tip, with the run that recorded it.
type placed struct {
	run string
	journal.Record
}

func (c *cut) read(entries iter.Seq2[*journal.Entry, error]) error {
	for e, err := range entries {
		if err != nil {
			return err
		}
		first := *e
		if e.Run == c.run {
			if i := slices.IndexFunc(e.Records, c.begins); i >= 0 {
				first.Records, c.found = slices.Concat(e.Records[:i+1], c.besides(e.Records, i)), true
			}
		}
		if err := c.fold.Apply(&first); err != nil {
			return err
		}
		c.take(&first)
		if c.found {
			return nil
		}
	}
	return nil
}

// begins says that a record is the first start of the activation that is forked from.
func (c *cut) begins(rec journal.Record) bool {
	start, ok := rec.(journal.Start)
	return ok && start.Path == c.from
}

// besides returns the starts behind the one that is forked from which the same transition caused. What the entry of a graph
// triggers isn't recorded but by starting.
func (c *cut) besides(records []journal.Record, from int) []journal.Record {
	begun := func(path string) bool {
		return path == "" || c.fold.Run(c.run) != nil && c.fold.Run(c.run).Activation(path) != nil ||
			slices.ContainsFunc(records[:from], func(rec journal.Record) bool {
				start, ok := rec.(journal.Start)
				return ok && start.Path == path
			})
	}
	var more []journal.Record
	for _, rec := range records[from+1:] {
		start, ok := rec.(journal.Start)
		if ok && len(start.From) == 1 && journal.NodeOf(start.From[0]) == journal.StartNode && begun(journal.ParentOf(start.Path)) {
			more = append(more, start)
		}
	}
	return more
}

func (c *cut) take(e *journal.Entry) {
	for _, rec := range e.Records {
		switch rec := rec.(type) {
		case journal.Msg:
			rec.Set, rec.Delete, rec.Usage = nil, nil, nil
			c.messages = append(c.messages, placed{e.Run, rec})
		case journal.Sum, journal.Tip:
			c.messages = append(c.messages, placed{e.Run, rec})
		}
	}
	if e.Run == c.run {
		c.records = append(c.records, e.Records...)
	}
}

// edit applies the edits to the state and the input.
func (c *cut) edit(t *retrace, req ForkRequest) *RunError {
	c.state = maps.Clone(c.fold.State)
	maps.DeleteFunc(c.state, func(key string, _ any) bool { return journal.IsShared(key) })
	begins := slices.IndexFunc(t.records, c.begins)
	start, _ := t.records[begins].(journal.Start)
	start.State = journal.Optional{} // an isolated activation copies the state with the edits
	if err := c.editState(t, req); err != nil {
		return err
	}
	if value, given := req.Input.Get(); given {
		value, err := journal.Normalize(value)
		if err != nil {
			return badRequest("input: %w", err)
		}
		start.Input = journal.Some(value)
	}
	t.records[begins] = start
	return nil
}

// editState edits the state that the activation begins with: that of the session, or of the isolated activation around.
func (c *cut) editState(t *retrace, req ForkRequest) *RunError {
	set, err := journal.Normalize(req.Set)
	if err != nil {
		return badRequest("state: %w", err)
	}
	plain, temp := c.state, t.temp
	if own := c.ownState(t); own != nil {
		plain, temp = own, own
	}
	edits, _ := set.(map[string]any)
	for key, value := range edits {
		switch {
		case journal.IsShared(key):
			return badRequest("state %q: a fork doesn't edit what sessions share", key)
		case strings.HasPrefix(key, journal.TempPrefix):
			temp[key] = value
		default:
			plain[key] = value
		}
	}
	for _, key := range req.Delete {
		of := plain
		if strings.HasPrefix(key, journal.TempPrefix) {
			of = temp
		}
		if err := c.delete(key, of, edits); err != nil {
			return err
		}
	}
	return nil
}

// ownState is the state of the innermost isolated activation that the one that is forked from belongs to, as it is told
// again; nil when that is the session's.
func (c *cut) ownState(t *retrace) map[string]any {
	for path := journal.ParentOf(c.from); path != ""; path = journal.ParentOf(path) {
		for _, rec := range t.records {
			if start, ok := rec.(journal.Start); ok && start.Path == path && start.Isolated {
				state, _ := start.State.Value().(map[string]any)
				return state
			}
		}
	}
	return nil
}

// delete takes a key out of the state. One that isn't there is misspelt, or what it was for is lost.
func (c *cut) delete(key string, of, edits map[string]any) *RunError {
	if _, both := edits[key]; both {
		return badRequest("state %q: it is to be both set and deleted", key)
	}
	if _, there := of[key]; !there {
		return badRequest("state %q: there is none to delete when %s begins, but %s", key, c.from,
			someOf(slices.Sorted(maps.Keys(of))))
	}
	delete(of, key)
	return nil
}

// ownUnfinished says that a message belongs to an activation of the run that isn't over: an agent in the middle of its
// turns, which takes up what it has written itself, or an isolated activation, which goes on in its own session.
func (c *cut) ownUnfinished(p placed) bool {
	m, ok := p.Record.(journal.Msg)
	if !ok || p.run != c.run || m.Path == "" {
		return false
	}
	live := func(path string) bool {
		a := c.fold.Run(c.run).Activation(path)
		return a != nil && a.State.Live()
	}
	return live(m.Path) || live(m.Within)
}

// transcript returns the messages of the session but for those that are under way. Who follows one of them follows what
// that follows.
func (c *cut) transcript() []journal.Record {
	var records []journal.Record
	instead := map[string]string{}
	parent := func(id string) string {
		for {
			before, moved := instead[id]
			if !moved {
				return id
			}
			id = before
		}
	}
	for _, p := range c.messages {
		switch rec := p.Record.(type) {
		case journal.Msg:
			if c.ownUnfinished(p) {
				instead[rec.ID] = rec.Parent
				continue
			}
			rec.Parent = parent(rec.Parent)
			records = append(records, rec)
		case journal.Sum:
			rec.Parent, rec.Upto = parent(rec.Parent), parent(rec.Upto)
			records = append(records, rec)
		case journal.Tip:
			rec.ID = parent(rec.ID)
			records = append(records, rec)
		}
	}
	return records
}

// underWay returns the messages of the run's unfinished activations, one after the other, behind the transcript.
func (c *cut) underWay(tip string) []journal.Record {
	var records []journal.Record
	for _, p := range c.messages {
		if m, ok := p.Record.(journal.Msg); ok && c.ownUnfinished(p) {
			m.Parent, tip = tip, m.ID
			records = append(records, m)
		}
	}
	return records
}
