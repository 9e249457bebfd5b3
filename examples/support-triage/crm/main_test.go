package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asServer makes the test binary behave as the command itself.
const asServer = "CRM_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// connect starts the command with flags and connects the official client over stdio.
func connect(t *testing.T, flags ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(os.Args[0], flags...)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return connectOver(t, &mcp.CommandTransport{Command: cmd})
}

func connectOver(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(ctx context.Context, session *mcp.ClientSession, tool string, args map[string]any) (*mcp.CallToolResult, error) {
	return session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
}

func TestLookupOverStdio(t *testing.T) {
	session := connect(t)
	res, err := call(t.Context(), session, "lookup_customer", map[string]any{"query": "I was charged twice, invoice 1042"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"customer": "Ada Lovett", "email": "ada@lovett.example", "plan": "pro", "since": "2024-03-01",
		"invoice": map[string]any{
			"number": 1042.0, "date": "2026-11-02", "amount": 49.0, "currency": "EUR", "status": "paid",
			"note": "charged twice on 2026-11-02",
		},
	}
	if diff := cmp.Diff(want, res.StructuredContent); diff != "" {
		t.Errorf("structured content (-want +got):\n%s", diff)
	}
	var text any
	if err := json.Unmarshal([]byte(res.Content[0].(*mcp.TextContent).Text), &text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(want), text); diff != "" {
		t.Errorf("the text doesn't repeat the structured content (-want +got):\n%s", diff)
	}
}

func TestUnknownIsAnErrorResultThatHelps(t *testing.T) {
	session := connect(t)
	for tool, tt := range map[string]struct{ arg, value, mentions string }{
		"lookup_customer": {"query", "hello there", "invoice number"},
		"list_invoices":   {"customer", "Nobody", "full name or the e-mail address"},
	} {
		res, err := call(t.Context(), session, tool, map[string]any{tt.arg: tt.value})
		if err != nil {
			t.Fatal(err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		if !res.IsError || !strings.Contains(text, tt.mentions) {
			t.Errorf("%s: isError %v, %q; want an error that mentions %q", tool, res.IsError, text, tt.mentions)
		}
	}
}

func TestListInvoices(t *testing.T) {
	session := connect(t)
	for name, want := range map[string]int{"curie instruments": 2, "ada@lovett.example": 2, "Brickfield Bakery": 0} {
		res, err := call(t.Context(), session, "list_invoices", map[string]any{"customer": name})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := res.StructuredContent.(map[string]any)
		list, ok := out["invoices"].([]any)
		if !ok || len(list) != want {
			t.Errorf("%s: %v, want %d invoices", name, res.StructuredContent, want)
		}
	}
}

func TestToolsSayThatTheyChangeNothing(t *testing.T) {
	session := connect(t)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint || !a.IdempotentHint {
			t.Errorf("%s: annotations %+v, want read-only and idempotent", tool.Name, a)
		}
	}
	if diff := cmp.Diff([]string{"list_invoices", "lookup_customer"}, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

func TestFailFirstLeavesCallsUnanswered(t *testing.T) {
	session := connect(t, "-fail-first", "1")
	args := map[string]any{"query": "invoice 1042"}

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := call(ctx, session, "lookup_customer", args); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("first call: %v, want the caller's deadline", err)
	}
	res, err := call(t.Context(), session, "lookup_customer", args)
	if err != nil || res.IsError {
		t.Fatalf("second call: %v, %v; want an answer", res, err)
	}
}

func TestDelay(t *testing.T) {
	session := connect(t, "-delay", "150ms")
	begin := time.Now()
	if _, err := call(t.Context(), session, "lookup_customer", map[string]any{"query": "invoice 1042"}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < 150*time.Millisecond {
		t.Errorf("answered after %v, want 150ms or more", took)
	}
}

func TestAnUnansweredCallDoesNotKeepTheServerUp(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-fail-first", "1")
	cmd.Env = append(os.Environ(), asServer+"=1")
	session := connectOver(t, &mcp.CommandTransport{Command: cmd})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _ = call(ctx, session, "lookup_customer", map[string]any{"query": "invoice 1042"})
	begin := time.Now()
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 4*time.Second {
		t.Errorf("closing took %v: the server waited to be killed", took)
	}
}

func TestHTTP(t *testing.T) {
	db, err := newStore(customersJSON)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- serveHTTP(ctx, listener, newServer(db)) }()
	session := connectOver(t, &mcp.StreamableClientTransport{Endpoint: "http://" + listener.Addr().String() + "/mcp"})
	res, err := call(t.Context(), session, "lookup_customer", map[string]any{"query": "accounts@curie.example"})
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := res.StructuredContent.(map[string]any); out["plan"] != "enterprise" {
		t.Errorf("plan %v, want enterprise", out["plan"])
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("after the end of its context: %v", err)
	}
}

func TestBadFlagsAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-nope"}, {"extra"}, {"-http", "127.0.0.1:-1"}} {
		var stderr strings.Builder
		if err := run(t.Context(), args, &stderr); err == nil {
			t.Errorf("%v: accepted", args)
		}
	}
}
