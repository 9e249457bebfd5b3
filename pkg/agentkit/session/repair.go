package session

import (
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Unanswered is what a model reads as the result of a call that has none in the transcript.
const Unanswered = "there is no result: the run was interrupted before this call had been answered"

// Repair returns the transcript in a form that every provider accepts: each call of an assistant message is answered
// right behind it, in call order, by one message a result; nothing else answers; nothing is empty. It is idempotent and
// doesn't change its argument. The rules, in the order in which they are applied:
//
//  1. Empty parts, those that can't come from their speaker, and messages without parts are dropped.
//  2. Assistant messages that ended in an error or were aborted are dropped with their calls, and so are the results
//     of those calls: a result whose call is missing is refused by every provider.
//  3. A call without a result is answered with [Unanswered].
//  4. A result without a call in front of it is dropped.
//  5. Results are moved behind their call.
//  6. Reasoning of another model than the given one is dropped, and with it what refers to it: the vendor's ids and
//     signatures in the same message. An empty model name keeps the reasoning of all models. Reasoning without a
//     signature is dropped likewise, but where it led to calls behind the newest message of a person: there some models
//     want to see it again. Wires whose vendor takes none leave it out.
//
// A result answers the nearest call in front of it that has its id and no result yet: ids may come again in later turns.
//
// Where there is nothing to mend the result is the transcript itself: most are like that, and long.
func Repair(msgs []core.Message, model string) []core.Message {
	p := prompt{of: msgs}
	p.mend(model)
	if p.out == nil {
		return slices.Clip(msgs[:p.same])
	}
	return p.out
}

// AppendRepaired appends what [Repair] makes of messages to a prompt, whose own messages it doesn't look at.
func AppendRepaired(to, msgs []core.Message, model string) []core.Message {
	if len(to) == 0 {
		return Repair(msgs, model)
	}
	p := prompt{of: msgs, out: to}
	p.mend(model)
	return p.out
}

// mend takes the messages of the transcript one by one.
func (p *prompt) mend(model string) {
	var room [8]reply // of a turn with few calls, which then costs no memory of its own
	replies := pair(p.of, room[:0])
	asked := newest(p.of)
	for i := range p.of {
		m := &p.of[i]
		parts := m.Parts
		var own []reply // to the message's calls
		switch m.Role {
		case core.RoleTool:
			continue
		case core.RoleModel:
			n := countCalls(parts)
			own, replies = replies[:n], replies[n:]
			if stop := core.StopReason(m.Stop); stop == core.StopError || stop == core.StopAborted {
				continue
			}
			parts = replayable(m, model, i > asked && n > 0)
		default: // what a person or the system says can be sent as it is
		}
		if parts = fitting(m.Role, parts); len(parts) == 0 {
			continue
		}
		p.take(i, parts)
		if len(own) > 0 {
			p.answer(m, own)
		}
	}
}

// answer takes the results of the calls of a message, in their order.
func (p *prompt) answer(m *core.Message, own []reply) {
	for _, part := range m.Parts {
		call, ok := part.(core.ToolCall)
		if !ok {
			continue
		}
		is := own[0]
		own = own[1:]
		if is.message < 0 {
			p.put(Answer(*m, core.ToolResult{ID: call.ID, Name: call.Name, Text: Unanswered, Error: true}))
			continue
		}
		parts := p.of[is.message].Parts
		p.take(is.message, parts[is.part:is.part+1:is.part+1])
	}
}

func countCalls(parts []core.Part) (n int) {
	for _, p := range parts {
		if _, ok := p.(core.ToolCall); ok {
			n++
		}
	}
	return n
}

// Answer returns the message that holds the result of a call of m.
func Answer(m core.Message, result core.ToolResult) core.Message {
	return core.Message{Role: core.RoleTool, Author: m.Author, Path: m.Path, Branch: m.Branch,
		Parts: []core.Part{result}}
}

// reply is where the result of a call stands: a part of a message. There is none when the message is negative.
type reply struct{ message, part int }

// pending is a call that has no result yet: the place of its reply, and its id.
type pending struct {
	call int
	id   string
}

// pair appends the reply to each call, in the order of all calls. The calls of messages that are going to be dropped are
// among them, so that no result is left over to answer a call that it doesn't belong to.
func pair(msgs []core.Message, replies []reply) []reply {
	var room [8]pending
	open := room[:0]
	for i := range msgs {
		m := &msgs[i]
		switch m.Role {
		case core.RoleModel:
			first := len(open)
			for _, p := range m.Parts {
				if call, ok := p.(core.ToolCall); ok {
					open = append(open, pending{len(replies), call.ID})
					replies = append(replies, reply{message: -1})
				}
			}
			// The last of the open calls is taken first: of several messages the newest, of one message the first.
			slices.Reverse(open[first:])
		case core.RoleTool:
			for n, p := range m.Parts {
				if r, ok := p.(core.ToolResult); ok {
					open = settle(open, r.ID, replies, reply{i, n})
				}
			}
		default: // nobody else calls or answers
		}
	}
	return replies
}

// settle notes the reply to the newest open call with an id, if there is one, and returns those that are still open.
func settle(open []pending, id string, replies []reply, is reply) []pending {
	for k, call := range slices.Backward(open) {
		if call.id == id {
			replies[call.call] = is
			return slices.Delete(open, k, k+1)
		}
	}
	return open
}

// newest is the index of the newest message that isn't of the model or a tool; -1 if there is none.
func newest(msgs []core.Message) int {
	for i := len(msgs) - 1; i >= 0; i-- {
		if m := &msgs[i]; m.Role != core.RoleModel && m.Role != core.RoleTool {
			return i
		}
	}
	return -1
}

// replayable returns the parts of a model's message that may be sent to the given model again; it is the same slice when
// all may. The message led to calls that belong to the answer that is being written when it is current.
func replayable(m *core.Message, model string, current bool) []core.Part {
	foreign := model != "" && m.Model != model
	drops := func(p core.Part) bool {
		t, thinks := p.(core.Thinking)
		return thinks && (foreign || t.Signature == "" && (!current || t.Item != ""))
	}
	if !foreign && !slices.ContainsFunc(m.Parts, drops) {
		return m.Parts
	}
	dropped := false
	out := make([]core.Part, 0, len(m.Parts))
	for _, p := range m.Parts {
		if t, thinks := p.(core.Thinking); thinks && drops(p) {
			dropped = dropped || t.Item != ""
			continue
		}
		out = append(out, p)
	}
	if !foreign && !dropped {
		return out
	}
	for i, p := range out {
		switch p := p.(type) {
		case core.Text:
			if foreign {
				p.Signature = ""
			}
			out[i] = p
		case core.ToolCall:
			if foreign {
				p.Signature = ""
			}
			p.Item = ""
			out[i] = p
		}
	}
	return out
}

// fitting returns the parts that hold something and belong to the speaker; it is the same slice when all do.
func fitting(role core.Role, parts []core.Part) []core.Part {
	if i := slices.IndexFunc(parts, func(p core.Part) bool { return !fits(role, p) }); i < 0 {
		return parts
	}
	var out []core.Part
	for _, p := range parts {
		if fits(role, p) {
			out = append(out, p)
		}
	}
	return out
}

func fits(role core.Role, p core.Part) bool {
	switch p := p.(type) {
	case core.Text:
		return p.Text != "" || p.Signature != ""
	case core.Thinking:
		return role == core.RoleModel && (p.Text != "" || p.Signature != "")
	case core.ToolCall:
		return role == core.RoleModel
	case core.Image:
		return true
	}
	return false
}
