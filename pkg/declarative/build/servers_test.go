package build_test

import (
	"context"
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/declarative/build"
)

// fakeServers answers for every MCP server of a scenario: the tool find says what it was asked for, and fails for "nobody".
type fakeServers struct{}

var _ build.Servers = fakeServers{}

func (fakeServers) Connect(context.Context) error { return nil }

func (fakeServers) Call(_ context.Context, _, _ string, args map[string]any, _ mcp.CallOptions) (mcp.Result, error) {
	if args["query"] == "nobody" {
		return mcp.Result{IsError: true, Content: []mcp.Block{{Kind: mcp.TextBlock, Text: "there is no such customer"}}}, nil
	}
	found, err := json.Marshal(map[string]any{"found": args["query"]})
	return mcp.Result{Structured: found}, err
}

func (fakeServers) CoreTools(_ context.Context, server string, _ ...string) ([]core.Tool, error) {
	return []core.Tool{serverTool{server}}, nil
}

// serverTool is the tool find as a model calls it.
type serverTool struct{ server string }

func (t serverTool) Spec() core.Spec {
	return core.Spec{Name: mcp.QualifiedName(t.server, "find"), Server: t.server, ServerTool: "find", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}
}

func (t serverTool) Run(_ context.Context, call core.Call) (core.Result, error) {
	return core.TextResult(t.server + " got " + string(call.Args)), nil
}
