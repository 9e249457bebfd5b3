package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func Example() {
	// A server with one tool, as anybody may write it.
	type input struct {
		Name string `json:"name"`
	}
	type output struct {
		Plan string `json:"plan"`
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "crm", Version: "1.0.0"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "lookup", Description: "Finds a customer."},
		func(context.Context, *sdk.CallToolRequest, input) (*sdk.CallToolResult, output, error) {
			return nil, output{Plan: "pro"}, nil
		})
	handler := sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true})
	web := httptest.NewServer(handler)
	defer web.Close()

	ctx := context.Background()
	pool, err := mcp.NewPool([]mcp.ServerConfig{{Name: "crm", URL: web.URL, AllowTools: []string{"lookup"}}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	if err := pool.Connect(ctx); err != nil {
		fmt.Println(err)
		return
	}
	res, err := pool.Call(ctx, "crm", "lookup", map[string]any{"name": "Ada"}, mcp.CallOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Output())
	_, err = pool.Call(ctx, "crm", "refund", nil, mcp.CallOptions{})
	fmt.Println(err)
	// Output:
	// map[plan:pro]
	// mcp server "crm": call refund: not among the tools that are allowed: lookup
}
