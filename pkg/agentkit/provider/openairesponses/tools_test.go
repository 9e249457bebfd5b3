package openairesponses_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

func declared(t *testing.T, body string) string {
	t.Helper()
	_, rest, ok := strings.Cut(body, `"tools":[`)
	tools, _, _ := strings.Cut(rest, `],"input":`)
	if !ok {
		t.Fatalf("no tools in %s", body)
	}
	return tools
}

func TestDeferredToolsStandBehindTheSearch(t *testing.T) {
	tool := func(name, more string) string {
		return `{"type":"function","name":"` + name + `","parameters":{"type":"object","properties":{}},"strict":false` + more + `}`
	}
	tools := []core.Spec{{Name: "late", Deferred: true}, {Name: "a"}}
	plain := tool("late", "") + "," + tool("a", "")
	for _, c := range []struct{ profile, model, want, warn string }{
		{ours, "gpt-5.4", tool("a", "") + `,{"type":"tool_search"},` + tool("late", `,"defer_loading":true`), ""},
		{ours, "gpt-5.2", plain, "the model gpt-5.2 has no search for tools"},
		{"vllm-responses", "qwen", plain, "this vendor isn't known to have a search for tools"},
	} {
		req := oaitest.Hi()
		req.Tools = tools
		body, warnings := send(t, named(t, c.profile, c.model), req)
		if got := declared(t, body); got != c.want {
			t.Errorf("%s, %s\n got %s\nwant %s", c.profile, c.model, got, c.want)
		}
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.warn) || (got == "") != (c.warn == "") {
			t.Errorf("%s, %s: warnings %q", c.profile, c.model, warnings)
		}
	}
}

const (
	looked = `"type":"tool_search_call","id":"tsc_1","execution":"server","call_id":null,"status":"completed","arguments":{"paths" : ["late"]}`
	found  = `"type":"tool_search_output","id":"tso_1","execution":"server","call_id":null,"status":"completed","tools":[{"type":"function","name":"late","defer_loading":true,"parameters":{"z":1,"a":2.50}}]`
	called = `"type":"function_call","id":"fc_1","call_id":"call_1","name":"late","namespace":"late","arguments":"{}"`
)

func TestASearchForToolsIsKeptAndGoesBackInItsPlace(t *testing.T) {
	items := []string{secret, looked + `,"created_by":"x"`, found, called}
	var events []string
	for n, item := range items {
		events = append(events, added(n, item), ended(n, item))
	}
	streamed, err := receive(t, ours, append(events, completed)...)
	if err != nil || len(streamed.Warnings) > 0 {
		t.Fatalf("err %v, warnings %q", err, streamed.Warnings)
	}
	x := ask(t, named(t, ours, "m"), oaitest.Hi(), oaitest.Whole(`{"status":"completed","output":[{`+strings.Join(items, "},{")+`}]}`))
	if diff := cmp.Diff(streamed, x.Answer); diff != "" || x.Err != nil {
		t.Errorf("streamed and whole differ, err %v:\n%s", x.Err, diff)
	}
	without := func(item, member string) string { return strings.Replace(item, member, "", 1) }
	const sealed = `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2ln"}`
	call := func(id, namespace string) string {
		return `{"type":"function_call",` + id + `"call_id":"call_1","name":"late",` + namespace + `"arguments":"{}"}`
	}
	for _, c := range []struct {
		name, model string
		parts       []core.Part
		deferred    bool
		want        string
		warns       int
	}{
		{"as it was", "m", streamed.Parts, true, sealed + ",{" + looked + "},{" + found + "}," + call(`"id":"fc_1",`, `"namespace":"late",`), 0},
		{"without reasoning in front", "m", streamed.Parts[1:], true,
			"{" + without(looked, `"id":"tsc_1",`) + "},{" + without(found, `"id":"tso_1",`) + "}," + call("", `"namespace":"late",`), 0},
		{"of another model", "n", streamed.Parts, true, call("", `"namespace":"late",`), 0},
		{"nothing is deferred any more", "m", streamed.Parts, false, sealed + "," + call(`"id":"fc_1",`, ""), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := session.Repair([]core.Message{core.UserMessage("Hi"), {Role: core.RoleModel, Model: c.model, Parts: c.parts},
				{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "call_1", Text: "r"}}}}, "m")
			body, warnings := send(t, named(t, ours, "m"), &core.Request{Messages: said, Tools: []core.Spec{{Name: "late", Deferred: c.deferred}}})
			want := "[" + hiItem + "," + c.want + `,{"type":"function_call_output","call_id":"call_1","output":"r"}]`
			if got := input(t, body); got != want || len(warnings) != c.warns {
				t.Errorf("warnings %q\n got %s\nwant %s", warnings, got, want)
			}
		})
	}
}

func TestStrictTools(t *testing.T) {
	const fits = `{"type":"object","properties":{"z":{"type":"string"}},"required":["z"],"additionalProperties":false}`
	for _, c := range []struct{ profile, schema, warn string }{
		{ours, fits, ""},
		{ours, strings.Replace(fits, `["z"]`, `[]`, 1), `the optional member "z"`},
		{ours, "", "additionalProperties: false is missing"},
		{"vllm-responses", fits, "this vendor isn't known to be able to"},
	} {
		req := oaitest.Hi()
		req.Tools = []core.Spec{{Name: "a", Strict: true, InputSchema: []byte(c.schema)}}
		body, warnings := send(t, named(t, c.profile, "m"), req)
		if got := strings.Contains(declared(t, body), `"strict":true`); got != (c.warn == "") {
			t.Errorf("%s %s: %s", c.profile, c.schema, declared(t, body))
		}
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.warn) || (got == "") != (c.warn == "") {
			t.Errorf("%s %s: warnings %q", c.profile, c.schema, warnings)
		}
	}
}
