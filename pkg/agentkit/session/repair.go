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
func Repair(msgs []core.Message, model string) []core.Message {
	return AppendRepaired(make([]core.Message, 0, len(msgs)), msgs, model)
}

// AppendRepaired appends what [Repair] makes of messages to a prompt, whose own messages it doesn't look at.
func AppendRepaired(prompt, msgs []core.Message, model string) []core.Message {
	answers := pair(msgs)
	asked := newest(msgs)
	for i := range msgs {
		m := &msgs[i]
		parts := m.Parts
		var results []core.Message // of the message's calls
		switch m.Role {
		case core.RoleTool:
			continue
		case core.RoleModel:
			n := countCalls(parts)
			results, answers = answers[:n], answers[n:]
			if stop := core.StopReason(m.Stop); stop == core.StopError || stop == core.StopAborted {
				continue
			}
			parts = replayable(m, model, i > asked && n > 0)
		default: // what a person or the system says can be sent as it is
		}
		if parts = fitting(m.Role, parts); len(parts) == 0 {
			continue
		}
		prompt = append(prompt, *m)
		prompt[len(prompt)-1].Parts = parts
		prompt = answered(prompt, parts, results)
	}
	return prompt
}

// answered appends the results of the calls of the newest message, whose parts are given. One that isn't there has no parts.
func answered(prompt []core.Message, parts []core.Part, results []core.Message) []core.Message {
	if len(results) == 0 {
		return prompt
	}
	m := prompt[len(prompt)-1]
	for _, p := range parts {
		call, ok := p.(core.ToolCall)
		if !ok {
			continue
		}
		answer := results[0]
		results = results[1:]
		if len(answer.Parts) == 0 {
			answer = Answer(m, core.ToolResult{ID: call.ID, Name: call.Name, Text: Unanswered, Error: true})
		}
		prompt = append(prompt, answer)
	}
	return prompt
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

// pair finds the result of each call, in the order of all calls; it is empty where there is none. The calls of messages that
// are going to be dropped are among them, so that no result is left over to answer a call that it doesn't belong to.
func pair(msgs []core.Message) []core.Message {
	type open struct {
		call int
		id   string
	}
	var answers []core.Message
	var pending []open
	for i := range msgs {
		m := &msgs[i]
		if m.Role == core.RoleModel {
			first := len(pending)
			for _, p := range m.Parts {
				if call, ok := p.(core.ToolCall); ok {
					pending = append(pending, open{len(answers), call.ID})
					answers = append(answers, core.Message{})
				}
			}
			// The last of the pending calls is taken first: of several messages the newest, of one message the first.
			slices.Reverse(pending[first:])
		}
		if m.Role != core.RoleTool {
			continue
		}
		for _, p := range m.Parts {
			r, ok := p.(core.ToolResult)
			for k := len(pending) - 1; ok && k >= 0; k-- {
				if pending[k].id != r.ID {
					continue
				}
				answer := *m
				if len(m.Parts) > 1 {
					answer.Parts = []core.Part{r}
				}
				answers[pending[k].call] = answer
				pending = append(pending[:k], pending[k+1:]...)
				break
			}
		}
	}
	return answers
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
	if !foreign && !slices.ContainsFunc(m.Parts, func(p core.Part) bool { _, thinks := p.(core.Thinking); return thinks }) {
		return m.Parts
	}
	dropped := false
	out := make([]core.Part, 0, len(m.Parts))
	for _, p := range m.Parts {
		if t, ok := p.(core.Thinking); ok && (foreign || t.Signature == "" && (!current || t.Item != "")) {
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
