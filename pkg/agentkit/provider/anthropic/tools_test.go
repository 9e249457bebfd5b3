package anthropic_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// declared returns the tools of a request as they were sent.
func declared(t *testing.T, body []byte) string {
	t.Helper()
	var r struct {
		Tools json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	return string(r.Tools)
}

const search = `{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"`

func plainTool(name string) string {
	return `{"name":"` + name + `","input_schema":{"type":"object","properties":{}}`
}

func TestDeferredToolsStandBehindTheSearchAndWithoutABreakpoint(t *testing.T) {
	const mark = `,"cache_control":{"type":"ephemeral"}}`
	const later = `,"defer_loading":true}`
	for _, c := range []struct {
		name   string
		opts   anthropic.Options
		system string
		tools  []core.Spec
		want   string
		warn   string
	}{
		{"between others", anthropic.Options{}, "", []core.Spec{{Name: "a"}, {Name: "late", Deferred: true}, {Name: "b"}},
			plainTool("a") + "}," + plainTool("b") + "}," + search + mark + "," + plainTool("late") + later, ""},
		{"behind a system prompt", anthropic.Options{}, "Be brief.", []core.Spec{{Name: "late", Deferred: true}, {Name: "a"}},
			plainTool("a") + "}," + search + "}," + plainTool("late") + later, ""},
		{"alone, without a cache", anthropic.Options{Cache: anthropic.CacheOff}, "", []core.Spec{{Name: "late", Deferred: true}},
			search + "}," + plainTool("late") + later, ""},
		{"by regular expressions", anthropic.Options{Search: anthropic.SearchRegex}, "x", []core.Spec{{Name: "late", Deferred: true}},
			strings.ReplaceAll(search, "bm25", "regex") + "}," + plainTool("late") + later, ""},
		{"a model that can't search", anthropic.Options{Options: provider.Options{Model: "claude-opus-4-1"}}, "x",
			[]core.Spec{{Name: "late", Deferred: true}, {Name: "a"}}, plainTool("late") + "}," + plainTool("a") + "}",
			"deferred tools are declared like the others: the model claude-opus-4-1 has no search for tools"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, warnings := send(t, c.opts, &core.Request{System: c.system, Messages: []core.Message{core.UserMessage("Hi")}, Tools: c.tools})
			if got := declared(t, body); got != "["+c.want+"]" {
				t.Errorf("tools\n got %s\nwant [%s]", got, c.want)
			}
			if got := strings.Join(warnings, "\n"); got != c.warn {
				t.Errorf("warnings %q", warnings)
			}
		})
	}
}

// Whatever is used of the deferred tools, and however many there are: what stands in front of them is the same, and they
// stay behind it.
func TestDeferredToolsLeaveThePrefixAsItIs(t *testing.T) {
	used := []core.Message{core.UserMessage("1"), {Role: core.RoleModel, Parts: []core.Part{core.ToolCall{ID: "c", Name: "late", Args: "{}"}}},
		{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "c", Name: "late", Text: "r"}}}}
	tools := []core.Spec{{Name: "late", Deferred: true}, {Name: "a"}}
	_, before, _ := send(t, anthropic.Options{}, &core.Request{Messages: used[:1], Tools: tools})
	_, after, _ := send(t, anthropic.Options{}, &core.Request{Messages: used,
		Tools: []core.Spec{{Name: "newer", Deferred: true}, {Name: "late", Deferred: true}, {Name: "a"}}})
	front := func(body []byte) string {
		front, _, _ := strings.Cut(string(body), search)
		return front
	}
	if front(before) != front(after) {
		t.Errorf("in front of the search\n got %s\nwant %s", front(after), front(before))
	}
	if got := declared(t, after); strings.Count(got, `"defer_loading":true`) != 2 {
		t.Errorf("tools %s", got)
	}
}

// A search as the vendor tells it, in pieces and in one.
const (
	looked = `{"type":"server_tool_use","id":"srvtoolu_1","name":"tool_search_tool_bm25","input":{"query" : "late"},"caller":{"type":"direct"}}`
	found  = `{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"late"}]}}`
	called = `{"type":"tool_use","id":"toolu_1","name":"late","input":{}}`
)

func searching(whole bool) wiretest.Reply {
	if whole {
		return wiretest.Reply{ContentType: "application/json", Body: `{"type":"message","content":[{"type":"text","text":"I look."},` +
			looked + "," + found + "," + called + `],"stop_reason":"tool_use"}`}
	}
	block := func(n int, start string) []byte { return eventAt("content_block_start", n, `"content_block":`+start) }
	piece := func(n int, delta string) []byte { return eventAt("content_block_delta", n, `"delta":`+delta) }
	stop := func(n int) []byte { return eventAt("content_block_stop", n, `"x":0`) }
	begun := strings.Replace(looked, `{"query" : "late"}`, "{}", 1)
	return wiretest.Reply{ContentType: "text/event-stream", Body: string(bytes.Join([][]byte{
		block(0, `{"type":"text","text":"I look."}`), stop(0),
		block(1, begun), piece(1, `{"type":"input_json_delta","partial_json":"{\"query\" : "}`),
		piece(1, `{"type":"input_json_delta","partial_json":"\"late\"}"}`), stop(1),
		block(2, found), stop(2), block(3, called), stop(3),
		event("message_delta", `"delta":{"stop_reason":"tool_use"}`), event("message_stop", `"x":0`),
	}, nil))}
}

func eventAt(kind string, index int, members string) []byte {
	return event(kind, `"index":`+string(rune('0'+index))+`,`+members)
}

func TestASearchForToolsIsKeptAndGoesBackInItsPlace(t *testing.T) {
	var answers []core.Answer
	for _, whole := range []bool{false, true} {
		x := wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
			o.Whole = whole
			return anthropic.New(anthropic.Options{Options: o})
		}, provider.Options{Model: "claude-sonnet-5"}, &core.Request{Messages: []core.Message{core.UserMessage("Hi")}}, searching(whole))
		if x.Err != nil || len(x.Answer.Warnings) > 0 {
			t.Fatalf("whole %v: err %v, warnings %q", whole, x.Err, x.Answer.Warnings)
		}
		answers = append(answers, x.Answer)
	}
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Errorf("streamed and whole differ:\n%s", diff)
	}
	result := core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "toolu_1", Name: "late", Text: "r"}}}
	said := []core.Message{core.UserMessage("Hi"), {Role: core.RoleModel, Parts: answers[0].Parts}, result}
	for _, c := range []struct {
		name  string
		tools []core.Spec
		kept  bool
	}{
		{"offered", []core.Spec{{Name: "late", Deferred: true}}, true},
		{"gone", []core.Spec{{Name: "other", Deferred: true}}, false},
		{"shown now", []core.Spec{{Name: "late"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, warnings := send(t, anthropic.Options{}, &core.Request{System: "x", Messages: said, Tools: c.tools})
			want := `[{"type":"text","text":"I look."},` + looked + "," + found + "," + called + "]"
			if !c.kept {
				want = `[{"type":"text","text":"I look."},` + called + "]"
			}
			if !bytes.Contains(body, []byte(`{"role":"assistant","content":`+want)) {
				t.Errorf("got %s\nwant %s", body, want)
			}
			if (len(warnings) == 0) != c.kept || len(warnings) > 1 {
				t.Errorf("warnings %q", warnings)
			}
		})
	}
}

// A search that was cut off comes at the end, and isn't sent again.
func TestASearchWithoutItsEndIsNotSent(t *testing.T) {
	half := provider.Keep("srvtoolu_1", []byte(looked))
	msgs := []core.Message{core.UserMessage("Hi"), {Role: core.RoleModel, Parts: []core.Part{core.Text{Text: "I look."},
		core.Thinking{Signature: half.Signature, Item: half.Item, Redacted: true}}}, core.UserMessage("Go on")}
	_, body, _ := send(t, anthropic.Options{}, &core.Request{Messages: msgs, Tools: []core.Spec{{Name: "late", Deferred: true}}})
	if bytes.Contains(body, []byte("srvtoolu_1")) {
		t.Errorf("sent %s", body)
	}
}

func TestStrictTools(t *testing.T) {
	const fits = `{"type":"object","properties":{"z":{"type":"string","format":"date"}},"required":["z"],"additionalProperties":false}`
	for _, c := range []struct{ name, model, schema, warn string }{
		{"fits", "", fits, ""},
		{"open", "", `{"type":"object","properties":{}}`, "an object with members that it doesn't name"},
		{"nothing", "", ``, "an object with members that it doesn't name"},
		{"a bound", "", strings.Replace(fits, `"format":"date"`, `"minLength":3`, 1), `the keyword "minLength"`},
		{"a format", "", strings.Replace(fits, `"date"`, `"iban"`, 1), `the format "iban"`},
		{"an older model", "claude-opus-4-1", fits, "the model claude-opus-4-1 can't be bound"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, warnings := send(t, anthropic.Options{Options: provider.Options{Model: c.model}}, &core.Request{System: "x",
				Messages: []core.Message{core.UserMessage("Hi")}, Tools: []core.Spec{{Name: "a", Strict: true, InputSchema: []byte(c.schema)}}})
			if got := strings.Contains(declared(t, body), `,"strict":true}`); got != (c.warn == "") {
				t.Errorf("tools %s", declared(t, body))
			}
			if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.warn) || (got == "") != (c.warn == "") {
				t.Errorf("warnings %q", warnings)
			}
			if c.schema != "" && !bytes.Contains(body, []byte(c.schema)) {
				t.Errorf("the schema was changed: %s", body)
			}
		})
	}
}

// The beginning of an answer, which the vendor goes on with when it is the last thing that it is sent.
func TestAnAnswerThatTheVendorPauses(t *testing.T) {
	reply := wiretest.Reply{ContentType: "application/json", Body: `{"type":"message","content":[` + looked + "," + found + `],"stop_reason":"pause_turn"}`}
	x := wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
		return anthropic.New(anthropic.Options{Options: o})
	}, provider.Options{Model: "claude-sonnet-5"}, &core.Request{Messages: []core.Message{core.UserMessage("Hi")}}, reply)
	if x.Err != nil || x.Answer.Stop != core.StopPaused || len(x.Answer.Warnings) > 0 {
		t.Fatalf("it stops with %q, err %v, warnings %q", x.Answer.Stop, x.Err, x.Answer.Warnings)
	}
	said := []core.Message{core.UserMessage("Hi"), {Role: core.RoleModel, Parts: x.Answer.Parts, Stop: string(x.Answer.Stop)}}
	_, body, _ := send(t, anthropic.Options{}, &core.Request{Messages: said, Tools: []core.Spec{{Name: "late", Deferred: true}}})
	if want := `{"role":"assistant","content":[` + looked + "," + found + `]}]`; !strings.Contains(string(body), want) {
		t.Errorf("it is sent again as %s", body)
	}
}
