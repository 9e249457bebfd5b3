package wires_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// cutArgs are arguments as a limit of the output leaves them.
const cutArgs = `{"a":"b`

// signature is that of reasoning.
const signature = "c2ln"

// events are an answer with a call, reasoning where the vendor signs it, and usage, as a vendor streams it: written by hand.
// Arguments come in two pieces where they may; the last event is the terminal one, and broken what a vendor sends instead of it.
func events(wire, args, stop string) (all []string, broken string) {
	first, second := quoted(args[:len(args)/2]), quoted(args[len(args)/2:])
	switch wire {
	case "anthropic":
		return []string{
			`{"type":"message_start","message":{"usage":{"input_tokens":25,"cache_read_input_tokens":2000,"cache_creation_input_tokens":100}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"hm","signature":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"find","input":{}}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":` + first + `}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":` + second + `}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"message_delta","delta":{"stop_reason":"` + stop + `"},"usage":{"output_tokens":89}}`,
			`{"type":"message_stop"}`,
		}, `{"type":"error","error":{"type":"overloaded_error","message":"no"}}`
	case "openai":
		call := func(more string) string {
			return `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,` + more + `}]}}]}`
		}
		return []string{
			call(`"id":"c","type":"function","function":{"name":"find","arguments":""}`),
			call(`"function":{"arguments":` + first + `}`), call(`"function":{"arguments":` + second + `}`),
			`{"choices":[{"index":0,"delta":{},"finish_reason":"` + stop + `"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":2125,"completion_tokens":89,"prompt_tokens_details":{"cached_tokens":2000,"cache_write_tokens":100}}}`,
			`[DONE]`,
		}, `{"error":{"code":503,"message":"overloaded"}}`
	case "openai-responses":
		item := `"item":{"type":"function_call","id":"fc","call_id":"c","name":"find","arguments":`
		usage := `"usage":{"input_tokens":2125,"output_tokens":89,"input_tokens_details":{"cached_tokens":2000,"cache_write_tokens":100}}`
		return []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"c2ln"}}`,
			`{"type":"response.output_item.added","output_index":1,` + item + `""}}`,
			`{"type":"response.function_call_arguments.delta","output_index":1,"delta":` + first + `}`,
			`{"type":"response.function_call_arguments.delta","output_index":1,"delta":` + second + `}`,
			`{"type":"response.output_item.done","output_index":1,` + item + quoted(args) + `}}`,
			`{"type":"response.` + stop + `","response":{"status":"` + stop + `","incomplete_details":{"reason":"max_output_tokens"},` + usage + `}}`,
		}, `{"type":"error","error":{"type":"server_error","code":"server_error","message":"no"}}`
	case "google":
		return []string{
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","id":"c","args":` + args + `},"thoughtSignature":"c2ln"}]}}]}`,
			`{"candidates":[{"content":{"parts":[]},"finishReason":"` + stop + `"}],"usageMetadata":{"promptTokenCount":2025,"cachedContentTokenCount":2000,"candidatesTokenCount":58,"thoughtsTokenCount":31}}`,
		}, `{"error":{"code":503,"status":"UNAVAILABLE","message":"no"}}`
	}
	return []string{
		`{"message":{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"find","arguments":` + args + `}}]},"done":false}`,
		`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"` + stop + `","prompt_eval_count":25,"eval_count":89}`,
	}, `{"error":"no"}`
}

// stops are the words for calls, and for the limit of the output.
func stops(wire string) (calls, limit string) {
	switch wire {
	case "anthropic":
		return "tool_use", "max_tokens"
	case "openai":
		return "tool_calls", "length"
	case "openai-responses":
		return "completed", "incomplete"
	case "google":
		return "STOP", "MAX_TOKENS"
	}
	return "stop", "length"
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// framed puts events into the framing of a wire.
func framed(wire string, all []string) string {
	if wire == "ollama" {
		return strings.Join(all, "\n") + "\n"
	}
	return "data: " + strings.Join(all, "\n\ndata: ") + "\n\n"
}

// told is what a wire makes of a stream.
func told(t *testing.T, wire, body string) seen {
	t.Helper()
	kind := "text/event-stream"
	if wire == "ollama" {
		kind = "application/x-ndjson"
	}
	return observe(t, wire, 200, kind, body, provider.Options{})
}

// usual is the answer of which the others are variants.
func usual(wire string) []string {
	calls, _ := stops(wire)
	all, _ := events(wire, oddArgs, calls)
	return all
}

// variant says whether a stream that says the same in another form is read alike.
func variant(t *testing.T, wire, body string) string {
	t.Helper()
	want, got := told(t, wire, framed(wire, usual(wire))), told(t, wire, body)
	if want.err != nil {
		t.Fatalf("%s: %v", wire, want.err)
	}
	if got.err != nil {
		return got.failure()
	}
	if diff := cmp.Diff(want.answer, got.answer); diff != "" {
		return "read otherwise"
	}
	return "read"
}

// ofSSE asks only wires that have server-sent events.
func ofSSE(change func(body string) string) func(*testing.T, string) string {
	return func(t *testing.T, wire string) string {
		if wire == "ollama" {
			return "–"
		}
		return variant(t, wire, change(framed(wire, usual(wire))))
	}
}

// streamRows are about what comes back.
func streamRows() []row {
	return []row{
		{"arguments of calls received", func(t *testing.T, wire string) string {
			if calls := core.CallsOf(core.Message{Parts: told(t, wire, framed(wire, usual(wire))).answer.Parts}); len(calls) != 1 || calls[0].Args != oddArgs {
				return fmt.Sprintf("changed: %v", calls)
			}
			return "exact"
		}},
		{"arguments while they are written", func(t *testing.T, wire string) string {
			if told(t, wire, framed(wire, usual(wire))).pieces > 1 {
				return "in pieces"
			}
			return "whole"
		}},
		{"arguments cut off by a limit", cutOff},
		{"signatures and encrypted reasoning", func(t *testing.T, wire string) string {
			for _, p := range told(t, wire, framed(wire, usual(wire))).answer.Parts {
				switch p := p.(type) {
				case core.Thinking:
					if p.Signature == signature {
						return "kept with the reasoning"
					}
				case core.ToolCall:
					if p.Signature == signature {
						return "kept with the call"
					}
				}
			}
			return "–"
		}},
		{"tokens in full, from the cache, to it, and written", func(t *testing.T, wire string) string {
			u := told(t, wire, framed(wire, usual(wire))).answer.Usage
			return fmt.Sprintf("%d, %d, %d, %d", u.Input, u.CacheRead, u.CacheWrite, u.Output)
		}},
		{"a stream with events that aren't known", func(t *testing.T, wire string) string {
			return variant(t, wire, framed(wire, slices.Insert(usual(wire), 1, `{"type":"galaxy"}`)))
		}},
		{"a stream with members that aren't known", func(t *testing.T, wire string) string {
			all := usual(wire)
			for i := range all {
				if strings.HasPrefix(all[i], "{") {
					all[i] = `{"galaxy":{"type":["x",null]},` + all[i][1:]
				}
			}
			return variant(t, wire, framed(wire, all))
		}},
		{"a stream with comments, `id`, `retry` and CRLF", ofSSE(func(body string) string {
			body = strings.ReplaceAll(body, "data: ", ": comment\nid: 1\nretry: 5\ndata: ")
			return strings.ReplaceAll(body, "\n", "\r\n")
		})},
		{"a stream with CR alone at line ends", ofSSE(func(body string) string { return strings.ReplaceAll(body, "\n", "\r") })},
		{"a stream with two `data` lines in an event", ofSSE(func(body string) string {
			return strings.ReplaceAll(body, `data: {`, "data: {\ndata: ")
		})},
		{"an error amid a stream", func(t *testing.T, wire string) string {
			all := usual(wire)
			_, broken := events(wire, oddArgs, "x")
			return told(t, wire, framed(wire, append(all[:len(all)-1:len(all)-1], broken))).failure()
		}},
		{"a stream cut before its terminal event", func(t *testing.T, wire string) string {
			all := usual(wire)
			if wire == "openai" { // where the reason and the usage say that all is there
				all = all[:len(all)-2]
			}
			return told(t, wire, framed(wire, all[:len(all)-1])).failure()
		}},
	}
}

// cutOff: where arguments come as text, a limit may cut them; a call of which half came isn't mended.
func cutOff(t *testing.T, wire string) string {
	if wire == "google" || wire == "ollama" {
		return "–" // they come as a value
	}
	_, limit := stops(wire)
	all, _ := events(wire, cutArgs, limit)
	got := told(t, wire, framed(wire, all))
	calls := core.CallsOf(core.Message{Parts: got.answer.Parts})
	if got.err != nil || len(calls) != 1 || calls[0].Args != cutArgs || got.answer.Stop != core.StopMaxTokens {
		return fmt.Sprintf("changed: %+v, err %v", got.answer, got.err)
	}
	return "exact, `" + string(got.answer.Stop) + "`"
}
