package openairesponses_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// added and ended are an item's first and last event.
func added(index int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":{%s}}`, index, item)
}

func ended(index int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":{%s}}`, index, item)
}

func piece(kind string, index int, members string) string {
	return fmt.Sprintf(`{"type":"response.%s.delta","output_index":%d,%s}`, kind, index, members)
}

const (
	secret   = `"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2ln"`
	unsealed = `"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null`
	opened   = `"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]`
	preamble = `"type":"message","id":"msg_1","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"I look."}]`
	looking  = `"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{\"z\" : 1}"`
)

// The chain of a model's thoughts survives a session: what it thought goes back with its id, in front of the items that it
// led to, with theirs. Without the first there are none of the others.
func TestReasoningGoesBackWithWhatItLedTo(t *testing.T) {
	const sealed = `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2ln"}`
	const bare = `{"type":"message","role":"assistant","phase":"commentary","content":"I look."},` +
		`{"type":"function_call","call_id":"call_1","name":"look","arguments":"{\"z\" : 1}"}`
	const paired = `{"type":"message","role":"assistant","phase":"commentary","id":"msg_1","status":"completed","content":[{"type":"output_text","text":"I look.","annotations":[]}]},` +
		`{"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{\"z\" : 1}"}`
	for _, c := range []struct {
		name, profile string
		items         []string
		model         string // that the answer is said to be of
		want          string // between the user's message and the result
	}{
		{"encrypted", ours, []string{secret, preamble, looking}, "m", sealed + "," + paired},
		{"of another model", ours, []string{secret, preamble, looking}, "n",
			`{"type":"message","role":"assistant","content":"I look."},{"type":"function_call","call_id":"call_1","name":"look","arguments":"{\"z\" : 1}"}`},
		{"lost", ours, []string{unsealed, preamble, looking}, "m", bare},
		{"none", ours, []string{preamble, looking}, "m", bare},
		{"two in a row", ours, []string{secret, strings.ReplaceAll(secret, "rs_1", "rs_2"), looking}, "m", sealed + "," +
			strings.ReplaceAll(sealed, "rs_1", "rs_2") + `,{"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{\"z\" : 1}"}`},
		{"nothing follows it", ours, []string{preamble, looking, secret}, "m", bare},
		{"as text", "deepseek-responses", []string{opened, preamble, looking}, "m",
			`{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]},` + paired},
		{"as text to who wants it encrypted", ours, []string{opened, preamble, looking}, "m", bare},
	} {
		t.Run(c.name, func(t *testing.T) {
			var events []string
			for n, item := range c.items {
				events = append(events, ended(n, item))
			}
			a, err := receive(t, c.profile, append(events, completed)...)
			if err != nil {
				t.Fatal(err)
			}
			said := session.Repair([]core.Message{core.UserMessage("Hi"), {Role: core.RoleModel, Model: c.model, Parts: a.Parts},
				{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "call_1", Text: "r"}}}}, "m")
			body, warnings := send(t, named(t, c.profile, "m"), &core.Request{Messages: said})
			want := "[" + hiItem + "," + c.want + `,{"type":"function_call_output","call_id":"call_1","output":"r"}]`
			if got := input(t, body); got != want || len(warnings) > 0 {
				t.Errorf("warnings %q\n got %s\nwant %s", warnings, got, want)
			}
		})
	}
}

func TestReasoningOfAnotherKind(t *testing.T) {
	for profile, thought := range map[string]core.Thinking{
		ours:             {Text: "a", Signature: "reasoning_text", Item: "rs_1"},
		"vllm-responses": {Signature: "c2ln", Item: "rs_1"},
	} {
		parts := []core.Part{thought, core.Text{Text: "x", Signature: "not ours"}, core.ToolCall{ID: "a", Item: "fc_1", Name: "f"}}
		body, warnings := send(t, named(t, profile, "m"), &core.Request{Messages: []core.Message{{Role: core.RoleModel, Parts: parts}}})
		const want = `[{"type":"message","role":"assistant","content":"x"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]`
		if got := input(t, body); got != want || len(warnings) != 1 {
			t.Errorf("%s: warnings %q, %s", profile, warnings, got)
		}
	}
}

func TestItemsInPieces(t *testing.T) {
	call := core.ToolCall{ID: "call_1", Name: "look", Args: `{"z" : 1}`, Item: "fc_1"}
	begun := `"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{}"`
	text := core.Text{Text: "I look.", Signature: `{"id":"msg_1","phase":"commentary"}`}
	for _, c := range []struct {
		name   string
		events []string
		want   []core.Part
	}{
		{"the arguments that a call begins with aren't its own", []string{added(0, begun),
			piece("function_call_arguments", 0, `"delta":"{\"z\" "`), piece("function_call_arguments", 0, `"delta":": 1}"`), ended(0, looking)}, []core.Part{call}},
		{"arguments come at the end", []string{added(0, begun), ended(0, looking)}, []core.Part{call}},
		{"an item that only ends", []string{ended(0, looking)}, []core.Part{call}},
		{"pieces of two calls in turn", []string{added(0, begun), added(1, strings.ReplaceAll(begun, "_1", "_2")),
			piece("function_call_arguments", 1, `"delta":"{"`), piece("function_call_arguments", 0, `"delta":"{\"z\" : 1}"`),
			piece("function_call_arguments", 1, `"delta":"}"`), ended(0, looking), ended(1, strings.ReplaceAll(looking, "_1", "_2"))},
			[]core.Part{call, core.ToolCall{ID: "call_2", Name: "look", Args: "{}", Item: "fc_2"}}},
		{"a summary of two paragraphs", []string{added(0, unsealed), piece("reasoning_summary_text", 0, `"summary_index":0,"delta":"a "`),
			piece("reasoning_summary_text", 0, `"summary_index":0,"delta":"b"`), piece("reasoning_summary_text", 0, `"summary_index":1,"delta":"c"`),
			piece("reasoning_text", 0, `"content_index":0,"delta":"NO"`), ended(0, secret)},
			[]core.Part{core.Thinking{Text: "a b\n\nc", Signature: "c2ln", Item: "rs_1"}}},
		{"in one piece", []string{ended(0, strings.Replace(secret, "[]", `[{"type":"summary_text","text":"a b"},{"type":"summary_text","text":"c"}]`, 1))},
			[]core.Part{core.Thinking{Text: "a b\n\nc", Signature: "c2ln", Item: "rs_1"}}},
		{"withheld", []string{added(0, secret), ended(0, secret)}, []core.Part{core.Thinking{Signature: "c2ln", Item: "rs_1", Redacted: true}}},
		{"two messages are two parts", []string{ended(0, preamble), added(1, `"type":"message","id":"msg_2"`), piece("output_text", 1, `"delta":"x"`), ended(1, `"type":"message","id":"msg_2"`)},
			[]core.Part{text, core.Text{Text: "x", Signature: `{"id":"msg_2"}`}}},
		{"an empty message", []string{ended(0, preamble), ended(1, `"type":"message","id":"msg_2","content":[{"type":"output_text","text":""}]`)}, []core.Part{text}},
		{"pieces of nothing", []string{piece("output_text", 7, `"delta":"NO"`), ended(0, preamble), piece("output_text", 0, `"delta":"NO"`),
			piece("audio", 0, `"delta":{}`)}, []core.Part{text}},
	} {
		a, err := receive(t, ours, append(c.events, completed)...)
		if diff := cmp.Diff(c.want, a.Parts); diff != "" || err != nil || len(a.Warnings) > 0 {
			t.Errorf("%s: warnings %q, err %v (-want +got):\n%s", c.name, a.Warnings, err, diff)
		}
	}
	a, err := receive(t, ours, ended(0, `"type":"web_search_call","id":"ws_1"`), ended(1, preamble), completed)
	if err != nil || len(a.Parts) != 1 || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], `"web_search_call"`) {
		t.Errorf("an item of another kind: %+v, %v", a, err)
	}
	if a, err := receive(t, ours, added(0, `"type":"function_call","name":"f"`), completed); err == nil {
		t.Errorf("a call without its id: %+v", a)
	}
}

func TestTheEndOfAResponse(t *testing.T) {
	incomplete := func(reason string) string {
		return `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"` + reason + `"}}}`
	}
	refusal := `"type":"message","id":"msg_1","content":[{"type":"refusal","refusal":"I look."}]`
	for _, c := range []struct {
		name   string
		events []string
		stop   core.StopReason
		warned bool
	}{
		{"complete", []string{ended(0, preamble), completed}, core.StopEnd, false},
		{"the status is that of the event", []string{ended(0, preamble), `{"type":"response.completed"}`}, core.StopEnd, false},
		{"a call", []string{ended(0, preamble), ended(1, looking), completed}, core.StopToolUse, false},
		{"too long", []string{ended(0, preamble), ended(1, looking), incomplete("max_output_tokens")}, core.StopMaxTokens, false},
		{"too long, says the response only", []string{ended(0, preamble), strings.Replace(incomplete("max_output_tokens"), "response.incomplete", "response.completed", 1)}, core.StopMaxTokens, false},
		{"filtered", []string{ended(0, preamble), incomplete("content_filter")}, core.StopRefusal, false},
		{"steered", []string{ended(0, preamble), incomplete("steered")}, core.StopEnd, true},
		{"declined", []string{ended(0, refusal), completed}, core.StopRefusal, false},
		{"declined in pieces", []string{added(0, refusal), piece("refusal", 0, `"delta":"I "`), piece("refusal", 0, `"delta":"look."`), ended(0, refusal), completed}, core.StopRefusal, false},
	} {
		a, err := receive(t, ours, c.events...)
		if text := core.TextOf(core.Message{Parts: a.Parts}); err != nil || a.Stop != c.stop || text != "I look." || (len(a.Warnings) > 0) != c.warned {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
	for _, events := range [][]string{{ended(0, looking)}, {ended(0, looking), "[DONE]"}} {
		if a, err := receive(t, ours, events...); !errors.Is(err, core.ErrCutStream) || !core.Transient(err) {
			t.Errorf("%q: %+v, %v", events, a, err)
		}
	}
}

func TestFailures(t *testing.T) {
	for event, class := range map[string]core.ErrorClass{
		`{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"no"}}}`: core.ClassRateLimited,
		`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"no"}}}`:        core.ClassUnavailable,
		`{"type":"error","code":"context_length_exceeded","message":"no","param":null,"sequence_number":2}`:               core.ClassContext,
		`{"type":"error","error":{"type":"invalid_request_error","code":"invalid_prompt","message":"no"}}`:                core.ClassContentPolicy,
		`{"type":"response.failed","response":{"status":"failed","error":null}}`:                                          core.ClassBadAnswer,
		`{"type":"error"}`: core.ClassBadAnswer,
		`{"type":"response.completed","response":{"status":"cancelled"}}`: core.ClassBadAnswer,
	} {
		a, err := receive(t, ours, ended(0, preamble), event, completed)
		var pe *core.ProviderError
		if !errors.As(err, &pe) || pe.Class != class {
			t.Errorf("%s: %+v, %v (%+v)", event, a, err, pe)
		}
	}
	for body, class := range map[string]core.ErrorClass{
		`{"status":"failed","error":{"code":"rate_limit_exceeded","message":"no"},"output":[]}`: core.ClassRateLimited,
		`{"status":"in_progress","error":null,"output":[]}`:                                     core.ClassBadAnswer,
	} {
		x := ask(t, named(t, ours, "m"), oaitest.Hi(), oaitest.Whole(body))
		var pe *core.ProviderError
		if !errors.As(x.Err, &pe) || pe.Class != class {
			t.Errorf("%s: %+v, %v", body, x.Answer, x.Err)
		}
	}
}

func TestUsageIsNettedOnce(t *testing.T) {
	a, err := receive(t, ours, `{"type":"response.created","response":{"usage":null}}`,
		`{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":2125,"output_tokens":89,"total_tokens":2214,`+
			`"input_tokens_details":{"cached_tokens":2000,"cache_write_tokens":100},"output_tokens_details":{"reasoning_tokens":31}}}}`)
	want := core.Usage{Input: 25, Output: 89, CacheRead: 2000, CacheWrite: 100}
	if diff := cmp.Diff(want, a.Usage); diff != "" || err != nil {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
}
