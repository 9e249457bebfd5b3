package mcp_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func TestCoreTools(t *testing.T) {
	t.Parallel()
	pool := connected(t, quick(), child("official"))
	tools, err := pool.CoreTools(t.Context(), "crm", "echo")
	if err != nil || len(tools) != 1 {
		t.Fatalf("%v, %v", tools, err)
	}
	want := core.Spec{
		Name: "crm__echo", Description: "The tool echo.", Server: "crm", ServerTool: "echo", ReadOnly: true, Idempotent: true,
		InputSchema: json.RawMessage(`{"properties":{"text":{"type":"string"}},"required":["text"],"type":"object"}`),
	}
	if diff := cmp.Diff(want, tools[0].Spec()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	args := `{"text": "hi",  "big":12345678901234567890, "alpha":1.0}`
	res, err := tools[0].Run(t.Context(), core.Call{ID: "c1", Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"text":"hi","big":12345678901234567890,"alpha":1.0}`; res.Text != want {
		t.Errorf("the server got %s, want %s", res.Text, want)
	}

	all, err := pool.CoreTools(t.Context(), "crm")
	if err != nil || len(all) != 11 {
		t.Errorf("%d tools, %v", len(all), err)
	}
	_, err = pool.CoreTools(t.Context(), "crm", "echo", "nope")
	wantServerError(t, err, "not offered: nope")
}

func TestACoreToolCarriesItsKeyAndReportsFailure(t *testing.T) {
	t.Parallel()
	pool := connected(t, quick(), child("official"))
	tools, err := pool.CoreTools(t.Context(), "crm", "key", "fails", "facts")
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]core.Result{}
	for _, tool := range tools {
		res, err := tool.Run(t.Context(), core.Call{ID: "c1", Key: "K9"})
		if err != nil {
			t.Fatal(err)
		}
		run[tool.Spec().ServerTool] = res
	}
	want := map[string]core.Result{
		"key":   {Text: "K9"},
		"fails": {Text: "no such customer", IsError: true},
		"facts": {Text: facts, Structured: json.RawMessage(facts)},
	}
	if diff := cmp.Diff(want, run); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnAgentKeepsTheToolsOfAServerThatIsDown(t *testing.T) {
	t.Parallel()
	cfg := child("official")
	pool := connected(t, quick(), cfg, named("down", mcp.ServerConfig{Command: []string{"/no/such/program"}, Lazy: true}))
	if _, err := pool.CoreTools(t.Context(), "down"); err == nil {
		t.Error("a server that was never reached has tools")
	}
	before, err := pool.CoreTools(t.Context(), "crm", "echo", "crash")
	if err != nil {
		t.Fatal(err)
	}
	_ = call(t.Context(), pool, "crash")
	if err := pool.Close(); err != nil { // now it can't be reached any more
		t.Fatal(err)
	}
	after, err := pool.CoreTools(t.Context(), "crm", "echo", "crash")
	if err != nil || len(after) != len(before) {
		t.Fatalf("%d tools, %v; want %d", len(after), err, len(before))
	}
	if _, err := after[0].Run(t.Context(), core.Call{}); err == nil {
		t.Error("a call succeeded")
	}
}
