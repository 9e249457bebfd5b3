package faux_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// load parses a script and makes a model of it.
func load(t *testing.T, script string) *faux.Model {
	t.Helper()
	s, err := faux.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	m, err := faux.New("faux", s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// first is the first request of an activation.
func first(agent, text string) *core.Request {
	return &core.Request{Agent: agent, Turn: 1, Attempt: 1, Messages: []core.Message{core.UserMessage(text)}}
}

// follow is the request behind the calls of a turn and their results, which all have the given text.
func follow(req *core.Request, a core.Answer, result string) *core.Request {
	next := *req
	next.Turn++
	next.Messages = append(append([]core.Message(nil), req.Messages...), core.Message{Role: core.RoleModel, Author: req.Agent, Parts: a.Parts})
	for _, c := range core.CallsOf(core.Message{Parts: a.Parts}) {
		next.Messages = append(next.Messages, core.Message{Role: core.RoleTool, Author: req.Agent,
			Parts: []core.Part{core.ToolResult{ID: c.ID, Name: c.Name, Text: result}}})
	}
	return &next
}

func ask(t *testing.T, m core.Model, req *core.Request) core.Answer {
	t.Helper()
	a, err := core.Collect(m.Stream(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func text(a core.Answer) string { return core.TextOf(core.Message{Parts: a.Parts}) }

func TestTurnsFollowTheTurnNumber(t *testing.T) {
	m := load(t, `{"turns": [
		{"thinking": "hm", "signature": "s", "text": "I'll look.", "calls": [
			{"name": "look", "args": {"z": 1.50, "a": "x"}}, {"id": "own", "name": "look", "args": "{broken"}],
			"usage": {"input": 7, "output": 3, "cache_read": 2, "cache_write": 1}},
		{"text": "Done.", "stop": "refusal"}]}`)
	req := first("bot", "go")
	a := ask(t, m, req)
	want := core.Answer{
		Parts: []core.Part{
			core.Thinking{Text: "hm", Signature: "s"}, core.Text{Text: "I'll look."},
			core.ToolCall{ID: "c1", Name: "look", Args: `{"z": 1.50, "a": "x"}`}, core.ToolCall{ID: "own", Name: "look", Args: "{broken"},
		},
		Stop: core.StopToolUse, Usage: core.Usage{Input: 7, Output: 3, CacheRead: 2, CacheWrite: 1},
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("turn 1 (-want +got):\n%s", diff)
	}
	next := follow(req, a, "blue")
	b := ask(t, m, next)
	if text(b) != "Done." || b.Stop != core.StopRefusal {
		t.Errorf("turn 2: %+v", b)
	}
	if again := ask(t, m, req); !cmp.Equal(a, again) {
		t.Error("the same request got another answer: a restart would diverge")
	}
	if b.Usage.Input <= 0 || b.Usage.Output <= 0 {
		t.Errorf("without usage an estimate is reported, not %+v", b.Usage)
	}
	third := follow(next, b, "")
	if _, err := core.Collect(m.Stream(t.Context(), third)); err == nil {
		t.Error("there is no turn 3")
	}
}

func TestGeneratedIdsGoOnBehindThoseOfTheTranscript(t *testing.T) {
	m := load(t, `{"rules": [{"reply": {"calls": [{"name": "t"}, {"name": "t"}]}}]}`)
	req := first("bot", "go")
	a := ask(t, m, req)
	b := ask(t, m, follow(req, a, ""))
	var ids []string
	for _, p := range append(a.Parts, b.Parts...) {
		ids = append(ids, p.(core.ToolCall).ID)
	}
	if diff := cmp.Diff([]string{"c1", "c2", "c3", "c4"}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

func TestRules(t *testing.T) {
	m := load(t, `{"rules": [
		{"when": {"agent": "router", "user": "(?i)invoice (\\d+)"}, "reply": {"text": "BILLING {{1}}"}},
		{"when": {"agent": "router"}, "reply": {"text": "OTHER: {{user}}"}},
		{"when": {"tool": "lookup", "result": "plan: (\\w+)"}, "reply": {"text": "You have {{result}}."}},
		{"when": {"tool": "lookup"}, "reply": {"text": "Not found."}},
		{"when": {"system": "^Be brief"}, "reply": {"text": "ok"}},
		{"when": {"model": "faux", "user": "my \"plan\""}, "turns": [{"calls": [{"name": "lookup", "args": {"q": "{{user}}"}}]}]},
		{"when": {"model": "another"}, "reply": {"text": "never"}}
	], "turns": [{"text": "fallback"}]}`)
	for _, c := range []struct {
		name string
		req  *core.Request
		want string
	}{
		{"by agent and text", first("router", "about Invoice 1042"), "BILLING 1042"},
		{"the first rule that matches", first("router", "hello"), "OTHER: hello"},
		{"by system prompt", &core.Request{Agent: "a", Turn: 1, System: "Be brief.", Messages: []core.Message{core.UserMessage("x")}}, "ok"},
		{"the turns at the end", first("a", "hello"), "fallback"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text(ask(t, m, c.req)); got != c.want {
				t.Errorf("text %q, want %q", got, c.want)
			}
		})
	}
	req := first("a", `my "plan"`)
	a := ask(t, m, req)
	if args := a.Parts[0].(core.ToolCall).Args; args != `{"q": "my \"plan\""}` {
		t.Errorf("a text in arguments has to be quoted: %s", args)
	}
	if got := text(ask(t, m, follow(req, a, "plan: pro"))); got != "You have plan: pro." {
		t.Errorf("by result: %q", got)
	}
	if got := text(ask(t, m, follow(req, a, "none"))); got != "Not found." {
		t.Errorf("by tool: %q", got)
	}
	later := follow(req, a, "plan: pro")
	later.Messages = append(later.Messages, core.UserMessage("hello"))
	later.Turn = 1
	if got := text(ask(t, m, later)); got != "fallback" {
		t.Errorf("results in front of the newest question don't count: %q", got)
	}
}

func TestWhatAgentsSayIsNotTheUsersText(t *testing.T) {
	m := load(t, `{"rules": [{"when": {"user": "^question$"}, "turns": [{"text": "one"}, {"text": "two"}]}]}`)
	req := first("bot", "question")
	next := follow(req, ask(t, m, req), "")
	next.Messages = append(next.Messages, core.Message{Role: core.RoleUser, Author: "bot", Parts: []core.Part{core.Text{Text: "it doesn't fit"}}})
	if got := text(ask(t, m, next)); got != "two" {
		t.Errorf("text %q", got)
	}
}

func TestNoTurnSaysWhatWasAskedAndWhatThereIs(t *testing.T) {
	m := load(t, `{"rules": [{"when": {"agent": "a", "user": "x", "tool": "t", "result": "r", "system": "s", "model": "faux"}, "reply": {"text": "1"}}],
		"turns": [{"calls": [{"name": "look"}]}]}`)
	req := first("bot", "hello "+strings.Repeat("é", 300))
	next := follow(req, ask(t, m, req), "blue")
	_, err := core.Collect(m.Stream(t.Context(), next))
	want := `the script has no turn for this request: agent "bot", model "faux", turn 2, user text "hello ` + strings.Repeat("é", 194) +
		`…", result of look "blue"; it has rule 1 (agent "a", model "faux", user "x", system "s", tool "t", result "r", any turn); turns (turns 1 to 1)`
	var none *faux.NoTurnError
	if !errors.As(err, &none) || err.Error() != want {
		t.Errorf(" got %v\nwant %s", err, want)
	}
	if core.Transient(err) {
		t.Error("the next try can't differ")
	}
}

func TestChunks(t *testing.T) {
	m := load(t, `{"turns": [{"text": "größer als", "chunk": 3}]}`)
	var pieces []string
	for d, err := range m.Stream(t.Context(), first("a", "")) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Kind == core.TextDelta {
			pieces = append(pieces, d.Text)
		}
	}
	if diff := cmp.Diff([]string{"grö", "ßer", " al", "s"}, pieces); diff != "" {
		t.Errorf("pieces (-want +got):\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	count := func(m core.Model, req *core.Request) (n int, err error) {
		for _, err := range m.Stream(t.Context(), req) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	broken := load(t, `{"turns": [{"text": "hello", "fault": {"kind": "error", "status": 429, "type": "rate", "after": 1, "attempts": 2}}]}`)
	req := first("a", "x")
	for attempt := 1; attempt <= 2; attempt++ {
		req.Attempt = attempt
		n, err := count(broken, req)
		var pe *core.ProviderError
		if !errors.As(err, &pe) || pe.Status != 429 || pe.Type != "rate" || n != 1 {
			t.Errorf("attempt %d: %d pieces, err %v", attempt, n, err)
		}
	}
	req.Attempt = 3
	if n, err := count(broken, req); n != 2 || err != nil {
		t.Errorf("attempt 3: %d pieces, err %v", n, err)
	}
	cut := load(t, `{"turns": [{"text": "hello", "fault": {"kind": "cut", "after": 1}}]}`)
	if n, err := count(cut, first("a", "x")); n != 1 || err != nil {
		t.Errorf("cut: %d pieces, err %v: a cut stream ends without an error", n, err)
	}
}

func TestAHangingAnswerEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, why)
		defer cancel()
		m := load(t, `{"turns": [{"fault": {"kind": "hang"}}]}`)
		if _, err := core.Collect(m.Stream(ctx, first("a", "x"))); !errors.Is(err, why) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestDelayPassesBeforeTheAnswerOrEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := load(t, `{"turns": [{"text": "late", "delay": "1m30s"}]}`)
		began := time.Now()
		if a := ask(t, m, first("a", "x")); text(a) != "late" || time.Since(began) != 90*time.Second {
			t.Errorf("%q after %v", text(a), time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := core.Collect(m.Stream(ctx, first("a", "x"))); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestADoneContextEndsTheAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := load(t, `{"turns": [{"text": "one two three", "chunk": 4}]}`)
	n := 0
	var last error
	for _, err := range m.Stream(ctx, first("a", "x")) {
		n++
		last = err
		cancel()
	}
	if n != 2 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d pieces, err %v", n, last)
	}
	cancel()
}

func TestManyRunsShareAModel(t *testing.T) {
	m := load(t, `{"rules": [{"when": {"user": "^n(\\d+)$"}, "turns": [{"calls": [{"name": "t"}]}, {"text": "{{1}}"}]}]}`)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			n := string(rune('0' + i%10))
			req := first("a", "n"+n)
			a, err := core.Collect(m.Stream(t.Context(), req))
			if err != nil {
				t.Error(err)
				return
			}
			b, err := core.Collect(m.Stream(t.Context(), follow(req, a, "")))
			if err != nil || text(b) != n {
				t.Errorf("run %d: %q, err %v", i, text(b), err)
			}
		})
	}
	all.Wait()
}

func TestWithoutAScriptTheModelSaysSo(t *testing.T) {
	a := ask(t, load(t, `{}`), first("a", "hello"))
	if want := "This is the scripted model faux, and no script is set. The last message was: hello"; text(a) != want {
		t.Errorf("text %q", text(a))
	}
}

func TestParseRefusesWhatItDoesNotKnow(t *testing.T) {
	for script, want := range map[string]string{
		`{"turn": []}`:                       `unknown field "turn"`,
		`{"turns": [{"txt": ""}]}`:           `unknown field "txt"`,
		`{"turns": [{"delay": "soon"}]}`:     `"soon" is no duration such as 50ms or 2s`,
		`{"turns": [{"delay": "-1s"}]}`:      `the duration "-1s" is negative`,
		`{} {}`:                              "more than one JSON value",
		`{"rules": [{"when": {"user": 7}}]}`: "cannot unmarshal number",
		`{"turns": [{"calls": [{"args": {}`:  "unexpected EOF",
	} {
		if _, err := faux.Parse([]byte(script)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: err = %v, want %s", script, err, want)
		}
	}
}

func TestNewNamesEverythingThatIsWrong(t *testing.T) {
	s, err := faux.Parse([]byte(`{"rules": [
		{"when": {"user": "("}, "reply": {}},
		{"turns": [{}], "reply": {}},
		{},
		{"turns": [{"chunk": -1}, {"calls": [{}]}, {"fault": {"kind": "explode"}}, {"fault": {"kind": "cut", "status": 500}}]}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = faux.New("m", s)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"rule 1: user: error parsing regexp: missing closing )",
		"rule 2: exactly one of turns and reply is needed",
		"rule 3: exactly one of turns and reply is needed",
		"rule 4, turn 1: chunk is -1, it can't be negative",
		"rule 4, turn 2: call 1 has no name",
		`rule 4, turn 3: fault kind "explode": error, cut and hang are allowed`,
		`rule 4, turn 4: status, type and message belong to a fault of kind error, this one is "cut"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error doesn't say %q:\n%v", want, err)
		}
	}
}

func TestScriptsSurviveJSON(t *testing.T) {
	in := faux.Script{
		Rules: []faux.Rule{{When: faux.When{Agent: "a", Tool: "t"}, Reply: &faux.Turn{Text: "x", Delay: faux.Duration(time.Second)}}},
		Turns: []faux.Turn{{Calls: []faux.Call{{Name: "t", Args: json.RawMessage(`{"a":1}`)}}, Usage: &faux.Usage{}, Fault: &faux.Fault{Kind: faux.FaultCut}}},
	}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rules":[{"when":{"agent":"a","tool":"t"},"reply":{"text":"x","delay":"1s"}}],` +
		`"turns":[{"calls":[{"name":"t","args":{"a":1}}],"usage":{},"fault":{"kind":"cut"}}]}`
	if string(data) != want {
		t.Errorf(" got %s\nwant %s", data, want)
	}
	out, err := faux.Parse(data)
	if diff := cmp.Diff(in, out); diff != "" || err != nil {
		t.Errorf("err %v (-in +out):\n%s", err, diff)
	}
}
