package ollama_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func named(id, args string) core.ToolCall { return core.ToolCall{ID: id, Name: "f", Args: args} }

// TestIDsOfCalls: those of the server, and where it has none the same in a stream as in one piece.
func TestIDsOfCalls(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls []string
		want  []core.Part
	}{
		{"the server's", []string{`{"id":"call_1","function":{"index":0,"name":"f","arguments":{"b" :1.0}}}`, `{"id":"call_2","function":{"name":"f"}}`},
			[]core.Part{named("call_1", `{"b" :1.0}`), named("call_2", "{}")}},
		{"none", []string{`{"function":{"name":"f","arguments":{}}}`, `{"id":"","function":{"name":"f","arguments":null}}`},
			[]core.Part{named("position_0", "{}"), named("position_1", "{}")}},
		{"one twice", []string{`{"id":"x","function":{"name":"f"}}`, `{"id":"x","function":{"name":"f"}}`},
			[]core.Part{named("x", "{}"), named("position_1", "{}")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			streamed := ask(t, ollama.Options{}, hello(), `{"message":{"tool_calls":[`+c.calls[0]+`]},"done":false}`,
				`{"message":{"tool_calls":[`+c.calls[1]+`]},"done":false}`, `{"done":true,"done_reason":"stop"}`)
			opts := ollama.Options{}
			opts.Whole = true
			inOne := ask(t, opts, hello(), `{"message":{"tool_calls":[`+c.calls[0]+`,`+c.calls[1]+`]},"done":true,"done_reason":"stop"}`)
			for how, x := range map[string]wiretest.Exchange{"streamed": streamed, "in one piece": inOne} {
				if diff := cmp.Diff(c.want, x.Answer.Parts); diff != "" || x.Err != nil || x.Answer.Stop != core.StopToolUse {
					t.Errorf("%s: stop %s, err %v (-want +got):\n%s", how, x.Answer.Stop, x.Err, diff)
				}
			}
		})
	}
}

func TestHowAnswersEnd(t *testing.T) {
	const withCall = `{"message":{"content":"ok","tool_calls":[{"function":{"name":"f"}}]},"done":false}`
	for _, c := range []struct {
		name  string
		lines []string
		want  core.StopReason
		usage core.Usage
	}{
		{"no reason, no usage", []string{`{"message":{"content":"ok"},"done":true}`}, core.StopEnd, core.Usage{}},
		{"usage", []string{`{"message":{"content":"ok"},"done":true,"prompt_eval_count":26,"eval_count":3}`}, core.StopEnd,
			core.Usage{Input: 26, Output: 3}},
		{"a call", []string{withCall, `{"done":true,"done_reason":"stop"}`}, core.StopToolUse, core.Usage{}},
		{"a call and a limit", []string{withCall, `{"done":true,"done_reason":"length"}`}, core.StopMaxTokens, core.Usage{}},
	} {
		x := ask(t, ollama.Options{}, hello(), c.lines...)
		if x.Err != nil || x.Answer.Stop != c.want || x.Answer.Usage != c.usage || len(x.Answer.Warnings) > 0 {
			t.Errorf("%s: stop %s, want %s; usage %+v, warnings %q, err %v", c.name, x.Answer.Stop, c.want, x.Answer.Usage, x.Answer.Warnings, x.Err)
		}
	}
}

func TestErrorsWithinA200(t *testing.T) {
	const some = `{"message":{"content":"ok"},"done":false}`
	x := ask(t, ollama.Options{}, hello(), some, `{"error":"an error was encountered while running the model: out of memory"}`)
	wantClass(t, x.Err, core.ClassUnavailable, "out of memory")
	x = ask(t, ollama.Options{}, hello(), some, `{"error":"no","message":{"content":"half"},"done":true,"done_reason":"stop"}`)
	wantClass(t, x.Err, core.ClassUnavailable, "no")
	opts := ollama.Options{}
	opts.Whole = true
	wantClass(t, ask(t, opts, hello(), `{"error":"out of memory"}`).Err, core.ClassUnavailable, "out of memory")
	if x = ask(t, ollama.Options{}, hello(), `{"error":null,"message":{"content":"ok"},"done":true}`); x.Err != nil {
		t.Errorf("no error is one: %v", x.Err)
	}
	wantClass(t, ask(t, ollama.Options{}, hello(), `{"message":{"tool_calls":[{"function":{}}]},"done":true}`).Err,
		core.ClassBadAnswer, "a tool call has no name")
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		status  int
		message string
		class   core.ErrorClass
	}{
		{http.StatusBadRequest, "the input length exceeds the context length", core.ClassContext},
		{http.StatusNotFound, "model 'x' not found", core.ClassBadRequest},
		{http.StatusServiceUnavailable, "server busy, please try again.  maximum pending requests exceeded", core.ClassOverloaded},
		{http.StatusUnauthorized, "unauthorized", core.ClassAuth},
	} {
		x := exchange(t, ollama.Options{}, hello(), wiretest.Reply{Status: c.status, ContentType: "application/json",
			Body: `{"error":"` + c.message + `"}`})
		wantClass(t, x.Err, c.class, c.message)
	}
}
