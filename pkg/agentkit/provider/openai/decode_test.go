package openai_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestTheEndOfAStream(t *testing.T) {
	text := delta(`"content":"x"`)
	used := `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}`
	for _, c := range []struct {
		name     string
		events   []string
		complete bool
	}{
		{"as it should be", []string{text, ended("stop"), used, done}, true},
		{"no usage", []string{text, ended("stop"), done}, true},
		{"no mark", []string{text, ended("stop"), used}, true},
		{"usage beside the reason, and no mark", []string{text,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`}, true},
		{"neither usage nor mark", []string{text, ended("stop")}, false},
		{"a gateway marks what broke off", []string{text, done}, false},
		{"usage only", []string{text, used}, false},
		{"a mark only", []string{done}, false},
		{"something behind the mark", []string{text, ended("stop"), used, done, delta(`"content":"y"`)}, true},
		{"another choice is none of ours", []string{text, `{"choices":[{"index":1,"delta":{"content":"y"},"finish_reason":"stop"}]}`, done}, false},
	} {
		a, err := receive(t, "openai", c.events...)
		if c.complete && (err != nil || core.TextOf(core.Message{Parts: a.Parts}) != "x" || a.Stop != core.StopEnd) ||
			!c.complete && (!errors.Is(err, core.ErrCutStream) || !core.Transient(err)) {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
}

func TestUsageIsNettedOnce(t *testing.T) {
	for _, c := range []struct {
		name, profile, event string
		want                 core.Usage
	}{
		{"OpenAI", "openai", `{"choices":[],"usage":{"prompt_tokens":2125,"completion_tokens":89,"total_tokens":2214,` +
			`"prompt_tokens_details":{"cached_tokens":2000,"cache_write_tokens":100},"completion_tokens_details":{"reasoning_tokens":31}}}`,
			core.Usage{Input: 25, Output: 89, CacheRead: 2000, CacheWrite: 100}},
		{"DeepSeek", "deepseek", `{"choices":[],"usage":{"prompt_tokens":2025,"completion_tokens":89,"prompt_cache_hit_tokens":2000,"prompt_cache_miss_tokens":25}}`,
			core.Usage{Input: 25, Output: 89, CacheRead: 2000}},
		{"Moonshot", "moonshot", `{"choices":[],"usage":{"prompt_tokens":2025,"completion_tokens":89,"cached_tokens":2000}}`,
			core.Usage{Input: 25, Output: 89, CacheRead: 2000}},
		{"Moonshot within the choice", "moonshot", `{"choices":[{"index":0,"delta":{},"usage":{"prompt_tokens":2025,"completion_tokens":89,"cached_tokens":2000}}]}`,
			core.Usage{Input: 25, Output: 89, CacheRead: 2000}},
		{"two places at once", "deepseek", `{"choices":[],"usage":{"prompt_tokens":2025,"completion_tokens":89,"prompt_cache_hit_tokens":2000,` +
			`"prompt_tokens_details":{"cached_tokens":2000}}}`, core.Usage{Input: 25, Output: 89, CacheRead: 2000}},
		{"details are null", "openai", `{"choices":[],"usage":{"prompt_tokens":25,"completion_tokens":89,"prompt_tokens_details":null,"cost":1}}`,
			core.Usage{Input: 25, Output: 89}},
		{"reasoning beside the output", "openai-compatible", `{"choices":[],"usage":{"prompt_tokens":25,"completion_tokens":58,"total_tokens":114,` +
			`"completion_tokens_details":{"reasoning_tokens":31}}}`, core.Usage{Input: 25, Output: 89}},
		{"more cached than read", "openai", `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1,"cached_tokens":7}}`,
			core.Usage{Output: 1, CacheRead: 7}},
		{"OpenRouter's price", "openrouter", `{"choices":[],"usage":{"prompt_tokens":25,"completion_tokens":89,"cost":0.00125}}`,
			core.Usage{Input: 25, Output: 89, Cost: 0.00125}},
	} {
		// vLLM reports sums so far with every piece.
		sofar := `{"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":999,"completion_tokens":1,"cached_tokens":999}}`
		a, err := receive(t, c.profile, sofar, ended("stop"), c.event, `{"choices":[],"usage":null}`, done)
		if diff := cmp.Diff(c.want, a.Usage); diff != "" || err != nil {
			t.Errorf("%s: err %v (-want +got):\n%s", c.name, err, diff)
		}
	}
}

func TestCallsInPieces(t *testing.T) {
	begin := func(members, name, args string) string {
		return delta(`"tool_calls":[{` + members + `"type":"function","function":{"name":"` + name + `","arguments":` + args + `}}]`)
	}
	more := func(members, args string) string {
		return delta(`"tool_calls":[{` + members + `"function":{"arguments":` + args + `}}]`)
	}
	two := []core.Part{core.ToolCall{ID: "a", Name: "f", Args: `{"x": 1}`}, core.ToolCall{ID: "b", Name: "g", Args: `{}`}}
	for _, c := range []struct {
		name   string
		events []string
		want   []core.Part
	}{
		{"pieces of two calls in turn", []string{begin(`"index":0,"id":"a",`, "f", `""`), begin(`"index":1,"id":"b",`, "g", `"{"`),
			more(`"index":0,`, `"{\"x\": "`), more(`"index":1,`, `"}"`), more(`"index":0,`, `"1}"`)}, two},
		{"the id comes again with each piece", []string{begin(`"index":0,"id":"a",`, "f", `"{\"x\""`), begin(`"index":0,"id":"a",`, "f", `": 1}"`),
			begin(`"index":1,"id":"b",`, "g", `"{}"`)}, two},
		{"an empty id with each piece", []string{begin(`"index":0,"id":"a",`, "f", `""`), more(`"index":0,"id":"",`, `"{\"x\": 1}"`),
			begin(`"index":1,"id":"b",`, "g", `"{}"`)}, two},
		{"all have the index 0", []string{begin(`"index":0,"id":"a",`, "f", `"{\"x\": 1}"`), begin(`"index":0,"id":"b",`, "g", `"{"`), more(`"index":0,`, `"}"`)}, two},
		{"no index", []string{begin(`"id":"a",`, "f", `"{\"x\": "`), more(``, `"1}"`), begin(`"index":null,"id":"b",`, "g", `"{}"`)}, two},
		{"both in one piece, without index", []string{delta(`"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\": 1}"}},` +
			`{"id":"b","function":{"name":"g","arguments":"{}"}}]`)}, two},
		{"arguments as JSON", []string{begin(`"index":0,"id":"a",`, "f", `{"x": 1}`), begin(`"index":1,"id":"b",`, "g", `{}`)}, two},
		{"the name comes late", []string{more(`"index":0,"id":"a",`, `"{\"x\""`), begin(`"index":0,`, "f", `": 1}"`), begin(`"index":1,"id":"b",`, "g", `"{}"`)}, two},
		{"no ids", []string{begin(`"index":0,`, "f", `"{}"`), begin(`"index":1,"id":null,`, "f", `"{}"`)},
			[]core.Part{core.ToolCall{ID: "position_0", Name: "f", Args: "{}"}, core.ToolCall{ID: "position_1", Name: "f", Args: "{}"}}},
		{"one id for two", []string{begin(`"index":0,"id":"a",`, "f", `"{}"`), begin(`"index":1,"id":"a",`, "f", `"{}"`)},
			[]core.Part{core.ToolCall{ID: "a", Name: "f", Args: "{}"}, core.ToolCall{ID: "position_1", Name: "f", Args: "{}"}}},
	} {
		a, err := receive(t, "openai", append(c.events, ended("tool_calls"), done)...)
		if diff := cmp.Diff(c.want, a.Parts); diff != "" || err != nil || a.Stop != core.StopToolUse {
			t.Errorf("%s: stop %q, err %v (-want +got):\n%s", c.name, a.Stop, err, diff)
		}
	}
	if a, err := receive(t, "openai", more(`"index":0,"id":"a",`, `"{}"`), ended("tool_calls"), done); err == nil {
		t.Errorf("a call without a name: %+v", a)
	}
	if a, err := receive(t, "openai", delta(`"content":"x"`), more(`"index":0,"id":"a",`, `"{"`), ended("length"), done); err != nil || len(a.Parts) != 1 {
		t.Errorf("a call that a limit cut off: %+v, %v", a, err)
	}
}

// The ids that a server left out are the same in an answer in one piece.
func TestIDsOfAnAnswerInOnePiece(t *testing.T) {
	x := ask(t, named(t, "openai", "m"), oaitest.Hi(), oaitest.Whole(`{"choices":[{"message":{"content":"","tool_calls":[`+
		`{"function":{"name":"f","arguments":"{}"}},{"id":"a","function":{"name":"f"}},{"id":"a","function":{"name":"f","arguments":""}}]},"finish_reason":"stop"}]}`))
	want := []core.Part{core.ToolCall{ID: "position_0", Name: "f", Args: "{}"}, core.ToolCall{ID: "a", Name: "f"}, core.ToolCall{ID: "position_2", Name: "f"}}
	if diff := cmp.Diff(want, x.Answer.Parts); diff != "" || x.Err != nil {
		t.Errorf("err %v (-want +got):\n%s", x.Err, diff)
	}
	if x = ask(t, named(t, "openai", "m"), oaitest.Hi(), oaitest.Whole(`{"choices":[]}`)); x.Err == nil {
		t.Errorf("no choice: %+v", x.Answer)
	}
}

func TestRefusalsAndStopSequences(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []string
		stop   core.StopReason
	}{
		{"the model declines", []string{delta(`"content":null,"refusal":"x"`), ended("stop")}, core.StopRefusal},
		{"the filter cuts", []string{delta(`"content":"x"`), ended("content_filter")}, core.StopRefusal},
		{"vLLM names the sequence", []string{delta(`"content":"x"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","stop_reason":"END"}]}`}, core.StopSequence},
		{"or a token", []string{delta(`"content":"x"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","stop_reason":128009}]}`}, core.StopEnd},
	} {
		a, err := receive(t, "openai", append(c.events, done)...)
		if text := core.TextOf(core.Message{Parts: a.Parts}); err != nil || text != "x" || a.Stop != c.stop || len(a.Warnings) > 0 {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
}

func TestErrorsWithinAnAnswer(t *testing.T) {
	text := delta(`"content":"x"`)
	for _, c := range []struct {
		name  string
		event string
		class core.ErrorClass
	}{
		{"OpenAI", `{"error":{"type":"insufficient_quota","message":"no"}}`, core.ClassQuota},
		{"a gateway tells the vendor's status", `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":429,"message":"no"}}`, core.ClassRateLimited},
		{"also as a text", `{"error":{"code":"503","message":"no"}}`, core.ClassOverloaded},
		{"within the choice", `{"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"code":401,"message":"no"}}]}`, core.ClassAuth},
		{"the object is the error", `{"object":"error","message":"maximum context length is 8","type":"BadRequestError","code":400}`, core.ClassContext},
		{"nothing is said", `{"object":"error"}`, core.ClassBadAnswer},
		{"DeepSeek gave up", ended("insufficient_system_resource"), core.ClassOverloaded},
		{"vLLM was stopped", ended("abort"), core.ClassUnavailable},
		{"OpenRouter's vendor broke off", ended("error"), core.ClassUnavailable},
	} {
		a, err := receive(t, "openai", text, c.event, done)
		var pe *core.ProviderError
		if !errors.As(err, &pe) || pe.Class != c.class {
			t.Errorf("%s: %+v, %v (%+v)", c.name, a, err, pe)
		}
	}
	x := ask(t, named(t, "openai", "m"), oaitest.Hi(), wiretest.Reply{ContentType: "text/event-stream",
		Body: "event: error\ndata: {\"message\":\"overloaded\",\"type\":\"overloaded_error\"}\n\n"})
	if !core.Transient(x.Err) {
		t.Errorf("an event named error: %+v, %v", x.Answer, x.Err)
	}
}
