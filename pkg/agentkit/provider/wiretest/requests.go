package wiretest

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// send sends a request, which is answered, and returns its body and the warnings.
func (v *vendor) send(t *testing.T, req *core.Request) ([]byte, []string) {
	v.streams(v.dialect.Stream(answers()[0]), nil)
	got, err := v.ask(t, v.model(t, false), req)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.dialect.Check(v.body); err != nil {
		t.Errorf("the vendor would refuse this: %v\n%s", err, v.body)
	}
	return v.body, got.Warnings
}

// said is what a transcript has to look like for the vendor.
func said(msgs []core.Message) []Said {
	data := base64.StdEncoding.EncodeToString([]byte{1, 0xfb, 0xff})
	shown := func(i core.Image) core.Image { return core.Image{MediaType: i.MediaType, Digest: data} }
	var all []Said
	for _, m := range msgs {
		for _, p := range m.Parts {
			switch part := p.(type) {
			case core.Image:
				p = shown(part)
			case core.ToolCall:
				if part.Args == "" {
					part.Args = "{}"
				}
				p = part
			case core.ToolResult:
				var images []core.Image
				for _, i := range part.Images {
					images = append(images, shown(i))
				}
				part.Images, part.Name = images, ""
				p = part
			}
			all = append(all, Said{m.Role, p})
		}
	}
	return all
}

// testTranscript: everything in a session reaches the vendor in the bytes that it has, also a second time.
func testTranscript(t *testing.T, v *vendor) {
	msgs := transcript(modelName)
	if diff := cmp.Diff(msgs, session.Repair(msgs, modelName)); diff != "" {
		t.Fatalf("the transcript needs repair:\n%s", diff)
	}
	req := request(msgs...)
	req.Tools = tools()
	body, warnings := v.send(t, req)
	again, _ := v.send(t, req)
	if string(body) != string(again) {
		t.Errorf("the same request gives different bytes:\n%s\n%s", body, again)
	}
	got, err := v.dialect.Sent(body)
	if err != nil {
		t.Fatal(err)
	}
	want := said(msgs)
	if v.dialect.AdaptSent != nil {
		want = v.dialect.AdaptSent(want)
	}
	if diff := cmp.Diff(want, got.Said, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	specs := tools()
	specs[1].InputSchema = json.RawMessage(`{"type":"object","properties":{}}`)
	if diff := cmp.Diff(specs, got.Tools); diff != "" || got.System != req.System {
		t.Errorf("system %q, tools (-want +got):\n%s", got.System, diff)
	}
	if len(warnings) > 0 && v.dialect.AdaptSent == nil {
		t.Errorf("warnings %q", warnings)
	}
}

// testRepaired: what repair makes of a damaged session is accepted.
func testRepaired(t *testing.T, v *vendor) {
	call := func(id string) core.ToolCall { return core.ToolCall{ID: id, Name: "find", Args: "{}"} }
	model := func(stop core.StopReason, parts ...core.Part) core.Message {
		return core.Message{Role: core.RoleModel, Model: modelName, Parts: parts, Stop: string(stop)}
	}
	tool := func(id string) core.Message {
		return core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: id, Name: "find", Text: "r"}}}
	}
	foreign := model(core.StopToolUse, core.Thinking{Text: "x", Signature: "s", Item: "rs_1"}, core.Text{Text: "a", Signature: "g"},
		core.ToolCall{ID: "call:1|fc_1", Name: "find", Args: "not JSON", Signature: "g", Item: "fc_1"})
	foreign.Model = "another"
	user := core.UserMessage("go")
	for name, msgs := range map[string][]core.Message{
		"calls without results":         {user, model(core.StopToolUse, call("1"), call("2")), tool("2")},
		"results without calls":         {tool("0"), user, tool("9"), model(core.StopEnd, core.Text{Text: "a"}), user},
		"an answer in error":            {user, model(core.StopError, call("1")), tool("1"), user},
		"ids come again":                {user, model("", call("c1")), tool("c1"), model("", call("c1")), tool("c1"), user},
		"ids that no wire takes":        {user, foreign, tool("call:1|fc_1"), model("", call(strings.Repeat("é", 80))), user},
		"empty messages":                {user, model(core.StopEnd), model(core.StopEnd, core.Text{}), user},
		"two answers behind another":    {user, model(core.StopEnd, core.Text{Text: "a"}), model(core.StopEnd, core.Text{Text: "b"}), user},
		"it begins with an answer":      {model(core.StopEnd, core.Text{Text: "a"}), user},
		"reasoning without a signature": {user, model(core.StopToolUse, core.Thinking{Text: "h"}, call("1")), tool("1")},
		"thinking alone":                {user, model(core.StopEnd, core.Thinking{Text: "h", Signature: "s"}), user},
	} {
		t.Run(name, func(t *testing.T) {
			body, _ := v.send(t, request(session.Repair(msgs, modelName)...))
			sent, err := v.dialect.Sent(body)
			if err != nil {
				t.Fatal(err)
			}
			paired(t, sent.Said)
		})
	}
}

// paired checks that ids are unique and that each result stands behind its call.
func paired(t *testing.T, all []Said) {
	open, known := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		switch p := s.Part.(type) {
		case core.ToolCall:
			if p.ID != "" && known[p.ID] {
				t.Errorf("two calls have the id %q", p.ID)
			}
			open[p.ID], known[p.ID] = true, true
		case core.ToolResult:
			if !open[p.ID] {
				t.Errorf("the result %q has no call in front of it", p.ID)
			}
			delete(open, p.ID)
		}
	}
	if delete(open, ""); len(open) > 0 {
		t.Errorf("calls without result: %v", open)
	}
}

// testGenerate: a setting takes effect or is reported.
func testGenerate(t *testing.T, v *vendor) {
	bare, _ := v.send(t, hello())
	half, seed := 0.5, int64(7)
	for name, g := range map[string]core.Generate{
		"temperature": {Temperature: &half}, "top_p": {TopP: &half}, "max output tokens": {MaxOutputTokens: 77},
		"stop": {Stop: []string{"END"}}, "seed": {Seed: &seed}, "thinking": {Thinking: "high"},
		"thinking of a level that nobody has": {Thinking: "galactic"},
	} {
		req := hello()
		req.Generate = g
		body, warnings := v.send(t, req)
		if string(body) == string(bare) && len(warnings) == 0 {
			t.Errorf("%s was dropped in silence", name)
		}
	}
	req := hello()
	req.OutputSchema = json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"number"}},"required":["z","a"],"additionalProperties":false}`)
	body, warnings := v.send(t, req)
	if sent, err := v.dialect.Sent(body); err != nil || sent.Schema != string(req.OutputSchema) && len(warnings) == 0 {
		t.Errorf("the output schema was sent as %s, err %v", sent.Schema, err)
	}
}

// testKindsOfTools: what a tool asks for takes effect or is reported, and the tool is declared in any case.
func testKindsOfTools(t *testing.T, v *vendor) {
	ask := func(spec core.Spec) (string, []string) {
		req := hello()
		spec.Name, spec.InputSchema = "find", json.RawMessage(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)
		req.Tools = []core.Spec{spec, {Name: "list_all"}}
		body, warnings := v.send(t, req)
		return string(body), warnings
	}
	bare, _ := ask(core.Spec{})
	for name, spec := range map[string]core.Spec{"deferred": {Deferred: true}, "strict": {Strict: true}} {
		body, warnings := ask(spec)
		if (body == bare) != (len(warnings) == 1) || !strings.Contains(body, `"find"`) || !strings.Contains(body, `"list_all"`) {
			t.Errorf("%s: warnings %q, sent %s", name, warnings, body)
		}
	}
}

// testImagesMissing: images that can't be loaded are left out with a warning.
func testImagesMissing(t *testing.T, v *vendor) {
	req := request(transcript(modelName)...)
	req.Image = nil
	if _, warnings := v.send(t, req); !strings.Contains(strings.Join(warnings, "\n"), "image") {
		t.Errorf("warnings %q", warnings)
	}
}
