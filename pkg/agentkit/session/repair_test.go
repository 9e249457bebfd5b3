package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

func user(text string) core.Message { return core.UserMessage(text) }

// model is a message of the model m.
func model(parts ...core.Part) core.Message {
	return core.Message{Role: core.RoleModel, Author: "bot", Path: "a@1", Branch: "b", Model: "m", Parts: parts}
}

func stopped(m core.Message, stop core.StopReason) core.Message {
	m.Stop = string(stop)
	return m
}

func text(s string) core.Part { return core.Text{Text: s} }

func ask(id string) core.Part { return core.ToolCall{ID: id, Name: "t", Args: "{}"} }

func answer(id string) core.Message {
	return core.Message{Role: core.RoleTool, Author: "bot", Path: "a@1", Branch: "b",
		Parts: []core.Part{core.ToolResult{ID: id, Name: "t", Text: "result of " + id}}}
}

func unanswered(id string) core.Message {
	return core.Message{Role: core.RoleTool, Author: "bot", Path: "a@1", Branch: "b",
		Parts: []core.Part{core.ToolResult{ID: id, Name: "t", Text: session.Unanswered, Error: true}}}
}

func TestRepair(t *testing.T) {
	type msgs = []core.Message
	signed := core.Thinking{Text: "hm", Signature: "s", Item: "rs_1"}
	other := func(m core.Message) core.Message { m.Model = "other"; return m }
	for _, c := range []struct {
		name     string
		in, want msgs
	}{
		{"a sound transcript stays as it is",
			msgs{user("u"), model(signed, text("x"), ask("1"), ask("2")), answer("1"), answer("2"), model(text("y"))},
			msgs{user("u"), model(signed, text("x"), ask("1"), ask("2")), answer("1"), answer("2"), model(text("y"))}},
		{"rule 1: empty parts and messages are dropped",
			msgs{user(""), user("u"), model(text(""), text("x"), core.Thinking{}), model(text("")), {Role: core.RoleUser}},
			msgs{user("u"), model(text("x"))}},
		{"rule 1: so is what can't come from the speaker",
			msgs{{Role: core.RoleUser, Parts: []core.Part{signed, ask("1"), text("u")}}, model(text("x"), answer("1").Parts[0])},
			msgs{{Role: core.RoleUser, Parts: []core.Part{text("u")}}, model(text("x"))}},
		{"rule 1: an empty result is a result",
			msgs{model(ask("1")), {Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "1"}}}},
			msgs{model(ask("1")), {Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "1"}}}}},
		{"rule 2: what ended in an error is dropped",
			msgs{user("u"), stopped(model(text("x")), core.StopError), stopped(model(text("y")), core.StopAborted), model(text("z"))},
			msgs{user("u"), model(text("z"))}},
		{"rule 2: so are the results of its calls",
			msgs{user("u"), stopped(model(ask("1")), core.StopAborted), answer("1"), user("again")},
			msgs{user("u"), user("again")}},
		{"rule 2: and they don't answer an older call of the same id",
			msgs{model(ask("1")), stopped(model(ask("1")), core.StopError), answer("1")},
			msgs{model(ask("1")), unanswered("1")}},
		{"rule 3: open calls are answered in call order",
			msgs{user("u"), model(ask("1"), ask("2"), ask("3")), answer("2"), user("hello?")},
			msgs{user("u"), model(ask("1"), ask("2"), ask("3")), unanswered("1"), answer("2"), unanswered("3"), user("hello?")}},
		{"rule 4: results without a call are dropped",
			msgs{answer("0"), user("u"), answer("1"), model(text("x"))},
			msgs{user("u"), model(text("x"))}},
		{"rule 4: a second result is one without a call",
			msgs{model(ask("1")), answer("1"), answer("1")},
			msgs{model(ask("1")), answer("1")}},
		{"rule 4: a result in front of its call answers nothing",
			msgs{answer("1"), model(ask("1"))},
			msgs{model(ask("1")), unanswered("1")}},
		{"rule 5: results move behind their call, in call order",
			msgs{model(ask("1"), ask("2")), user("wait"), answer("2"), user("still?"), answer("1"), model(text("x"))},
			msgs{model(ask("1"), ask("2")), answer("1"), answer("2"), user("wait"), user("still?"), model(text("x"))}},
		{"rule 5: one message a result",
			msgs{model(ask("1"), ask("2")), {Role: core.RoleTool, Parts: append(answer("2").Parts, answer("1").Parts...)}},
			msgs{model(ask("1"), ask("2")), {Role: core.RoleTool, Parts: answer("1").Parts}, {Role: core.RoleTool, Parts: answer("2").Parts}}},
		{"ids come again: each result goes to the nearest call",
			msgs{model(ask("1")), answer("1"), model(ask("1")), answer("1"), model(ask("1"))},
			msgs{model(ask("1")), answer("1"), model(ask("1")), answer("1"), model(ask("1")), unanswered("1")}},
		{"rule 6: reasoning of another model goes, with ids and signatures",
			msgs{other(model(signed, core.Text{Text: "x", Signature: "s"}, core.ToolCall{ID: "1", Name: "t", Signature: "s", Item: "fc"})), answer("1")},
			msgs{other(model(text("x"), core.ToolCall{ID: "1", Name: "t"})), answer("1")}},
		{"rule 6: reasoning without a signature goes",
			msgs{model(core.Thinking{Text: "hm"}, text("x"))},
			msgs{model(text("x"))}},
		{"rule 6: and the item that it is paired with",
			msgs{model(core.Thinking{Text: "hm", Item: "rs_1"}, core.ToolCall{ID: "1", Name: "t", Item: "fc_1", Signature: "s"}), answer("1")},
			msgs{model(core.ToolCall{ID: "1", Name: "t", Signature: "s"}), answer("1")}},
		{"rule 6: but what led to calls stays until the next question",
			msgs{user("u"), model(core.Thinking{Text: "old"}, ask("1")), answer("1"), user("v"),
				model(core.Thinking{Text: "new"}, text("x"), ask("2")), answer("2"), model(core.Thinking{Text: "end"}, text("y"))},
			msgs{user("u"), model(ask("1")), answer("1"), user("v"),
				model(core.Thinking{Text: "new"}, text("x"), ask("2")), answer("2"), model(text("y"))}},
		{"rule 6: another model's doesn't",
			msgs{user("u"), other(model(core.Thinking{Text: "hm"}, ask("1"))), answer("1")},
			msgs{user("u"), other(model(ask("1"))), answer("1")}},
		{"rule 6: a message of nothing else goes as well",
			msgs{user("u"), model(core.Thinking{Text: "hm"})},
			msgs{user("u")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := session.Repair(c.in, "m")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("repaired (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepairWithoutAModelKeepsReasoningOfAll(t *testing.T) {
	in := []core.Message{model(core.Thinking{Text: "hm", Signature: "s", Item: "i"}, text("x"))}
	if diff := cmp.Diff(in, session.Repair(in, "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// transcript draws a transcript as damaged as can be: any roles, ids that come again, results anywhere.
func transcript() *rapid.Generator[[]core.Message] {
	id := rapid.SampledFrom([]string{"1", "2", "3"})
	short := rapid.SampledFrom([]string{"", "x"})
	part := rapid.Custom(func(t *rapid.T) core.Part {
		switch rapid.IntRange(0, 4).Draw(t, "part") {
		case 0:
			return core.Text{Text: short.Draw(t, "text"), Signature: short.Draw(t, "sig")}
		case 1:
			return core.Thinking{Text: short.Draw(t, "text"), Signature: short.Draw(t, "sig"), Item: short.Draw(t, "item")}
		case 2:
			return core.ToolCall{ID: id.Draw(t, "id"), Name: "t", Signature: short.Draw(t, "sig"), Item: short.Draw(t, "item")}
		case 3:
			return core.Image{MediaType: "image/png"}
		default:
			return core.ToolResult{ID: id.Draw(t, "id"), Name: "t", Text: short.Draw(t, "text")}
		}
	})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) core.Message {
		return core.Message{
			Role:  rapid.SampledFrom([]core.Role{core.RoleUser, core.RoleModel, core.RoleTool, core.RoleModel, core.RoleTool}).Draw(t, "role"),
			Model: rapid.SampledFrom([]string{"m", "other"}).Draw(t, "model"),
			Stop:  string(rapid.SampledFrom([]core.StopReason{core.StopEnd, core.StopToolUse, core.StopError, core.StopAborted}).Draw(t, "stop")),
			Parts: rapid.SliceOfN(part, 0, 4).Draw(t, "parts"),
		}
	}), 0, 12)
}

// unacceptable says what a provider would refuse in a prompt, or "".
func unacceptable(msgs []core.Message, m string) string {
	for i := 0; i < len(msgs); i++ {
		if problem := unacceptableParts(msgs[i], m); problem != "" {
			return problem
		}
		if msgs[i].Role == core.RoleTool {
			return "a result that isn't behind its call"
		}
		if msgs[i].Role != core.RoleModel {
			continue
		}
		if s := core.StopReason(msgs[i].Stop); s == core.StopError || s == core.StopAborted {
			return "an answer that failed"
		}
		for _, c := range core.CallsOf(msgs[i]) {
			if i++; i == len(msgs) || msgs[i].Role != core.RoleTool {
				return "an open call"
			}
			if r, ok := core.ResultOf(msgs[i]); !ok || r.ID != c.ID || len(msgs[i].Parts) != 1 {
				return "another result than the call's"
			}
		}
	}
	return ""
}

func unacceptableParts(msg core.Message, m string) string {
	if len(msg.Parts) == 0 {
		return "an empty message"
	}
	for _, p := range msg.Parts {
		switch p := p.(type) {
		case core.Text:
			if p.Text == "" && p.Signature == "" {
				return "an empty text"
			}
		case core.Thinking:
			if msg.Model != m || p.Signature == "" && (p.Item != "" || len(core.CallsOf(msg)) == 0) {
				return "reasoning that can't be replayed"
			}
		}
	}
	return ""
}

func checkRepair(t *rapid.T) {
	in := transcript().Draw(t, "transcript")
	before := cmp.Diff([]core.Message(nil), in)
	out := session.Repair(in, "m")
	if problem := unacceptable(out, "m"); problem != "" {
		t.Fatalf("repaired, it has %s: %+v", problem, out)
	}
	if diff := cmp.Diff(out, session.Repair(out, "m")); diff != "" {
		t.Fatalf("repairing again changes it (-once +twice):\n%s", diff)
	}
	if after := cmp.Diff([]core.Message(nil), in); after != before {
		t.Fatal("the argument was changed")
	}
}

func TestRepairAlwaysGivesWhatCanBeSent(t *testing.T) { rapid.Check(t, checkRepair) }

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{"", "\x00\x01\x02\x03\x04\x05\x06\x07", "0123456789abcdef0123456789abcdef0123456789abcdef"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(rapid.MakeFuzz(checkRepair))
}
