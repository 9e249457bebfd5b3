package wiretest

import (
	"context"
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// oddArgs are arguments that don't survive being decoded and encoded again.
const oddArgs = `{"z" : 2.50, "a":1e2,"big":12345678901234567890, "text":"<&>\u00e9 \"q\"" , "nested":{"y":[1, 2],"x":null}}`

// answers are the suite's answers.
func answers() []Answer {
	text := core.Text{Text: "Hello, wörld 😀\nwith \"quotes\", a \\ and <tags>."}
	thought := core.Thinking{Text: "The user greets.\nI greet back.", Signature: "c2lnbmF0dXJlKzEvMg=="}
	one := core.ToolCall{ID: "toolu_01", Name: "find", Args: oddArgs}
	two := core.ToolCall{ID: "toolu_02", Name: "list_all", Args: `{}`}
	plain := core.Usage{Input: 25, Output: 89}
	reply := func(name string, stop core.StopReason, u core.Usage, parts ...core.Part) Answer {
		return Answer{name: name, Answer: core.Answer{Parts: parts, Stop: stop, Usage: u}}
	}
	cutOff := reply("arguments cut off by max_tokens", core.StopMaxTokens, plain,
		core.ToolCall{ID: "toolu_01", Name: "find", Args: `{"path":"/a", "te`})
	cutOff.truncated = true
	return []Answer{
		reply("text", core.StopEnd, plain, text),
		reply("text and parallel calls", core.StopToolUse, core.Usage{Input: 25, Output: 89, CacheRead: 2000, CacheWrite: 100}, text, one, two),
		reply("thinking, text and a call", core.StopToolUse, core.Usage{Input: 1, Output: 7, CacheRead: 10}, thought, text, one),
		reply("withheld thinking", core.StopEnd, plain, core.Thinking{Signature: "d2l0aGhlbGQ=", Redacted: true}, text),
		reply("a call alone", core.StopToolUse, plain, one),
		reply("a call beside max_tokens", core.StopMaxTokens, plain, text, one),
		reply("cut off by max_tokens", core.StopMaxTokens, plain, text),
		cutOff,
	}
}

// transcript is a session in which everything occurs that can be sent.
func transcript(model string) []core.Message {
	said := func(parts ...core.Part) core.Message {
		return core.Message{Role: core.RoleModel, Author: "a", Model: model, Parts: parts, Stop: string(core.StopToolUse)}
	}
	result := func(r core.ToolResult) core.Message {
		return core.Message{Role: core.RoleTool, Author: "a", Parts: []core.Part{r}}
	}
	picture := core.Image{MediaType: "image/png", Digest: "sha256:1", Size: 3}
	return []core.Message{
		{Role: core.RoleUser, Author: "user", Parts: []core.Part{core.Text{Text: "What is <this>?"}, picture}},
		said(core.Thinking{Text: "Hm.", Signature: "c2ln"}, core.Thinking{Signature: "cmVk", Redacted: true},
			core.Text{Text: "I look."}, core.ToolCall{ID: "toolu_01", Name: "find", Args: oddArgs},
			core.ToolCall{ID: "toolu_02", Name: "list_all", Args: ""}, core.ToolCall{ID: "toolu_03", Name: "find", Args: "{}"}),
		result(core.ToolResult{ID: "toolu_01", Name: "find", Text: "found \"it\""}),
		result(core.ToolResult{ID: "toolu_02", Name: "list_all", Text: "refused", Error: true}),
		result(core.ToolResult{ID: "toolu_03", Name: "find", Text: "see", Images: []core.Image{picture}}),
		said(core.Text{Text: "It is a cat."}),
		core.UserMessage("Sure?"),
	}
}

// tools are declared in this order, their schemas in these bytes.
func tools() []core.Spec {
	return []core.Spec{
		{Name: "find", Description: "Finds <things>.", InputSchema: json.RawMessage(
			`{"type":"object","properties":{"z":{"type":"number","minimum":2.50},"a":{"type":"string"}},"additionalProperties":false}`)},
		{Name: "list_all", Description: "Lists everything."},
	}
}

// request is a request for the transcript.
func request(msgs ...core.Message) *core.Request {
	return &core.Request{Agent: "a", Turn: 1, Attempt: 1, System: "You are \"terse\".", Messages: msgs,
		Image: func(context.Context, core.Image) ([]byte, error) { return []byte{1, 0xfb, 0xff}, nil }}
}
