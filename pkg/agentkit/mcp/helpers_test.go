package mcp_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

// quick are options under which tests of what doesn't happen don't take long.
func quick() *mcp.PoolOptions {
	return &mcp.PoolOptions{
		ConnectTimeout: 20 * time.Second, ProbeTimeout: 300 * time.Millisecond,
		WriteTimeout: 300 * time.Millisecond, CloseTimeout: 2 * time.Second,
	}
}

// patient are the quick options for a server that must not be started twice.
func patient() *mcp.PoolOptions {
	opts := quick()
	opts.ProbeTimeout = opts.ConnectTimeout
	return opts
}

// child configures the test binary as a server.
func child(name string) mcp.ServerConfig {
	return mcp.ServerConfig{Name: "crm", Command: []string{os.Args[0]}, Env: map[string]string{asChild: name}}
}

// newPool returns a pool that is closed with the test.
func newPool(t *testing.T, opts *mcp.PoolOptions, servers ...mcp.ServerConfig) *mcp.Pool {
	t.Helper()
	pool, err := mcp.NewPool(servers, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

// connected returns a pool whose servers have been connected.
func connected(t *testing.T, opts *mcp.PoolOptions, servers ...mcp.ServerConfig) *mcp.Pool {
	t.Helper()
	pool := newPool(t, opts, servers...)
	if err := pool.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return pool
}

// callText calls a tool of the server crm and returns its text.
func callText(t *testing.T, pool *mcp.Pool, tool string) string {
	t.Helper()
	res, err := pool.Call(t.Context(), "crm", tool, map[string]any{"text": "hello"}, mcp.CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Text()
}

func call(ctx context.Context, pool *mcp.Pool, tool string) error {
	_, err := pool.Call(ctx, "crm", tool, map[string]any{"text": "hello"}, mcp.CallOptions{})
	return err
}

// wantServerError checks that an error is a *mcp.ServerError whose text mentions all of the words.
func wantServerError(t *testing.T, err error, mentions ...string) *mcp.ServerError {
	t.Helper()
	var se *mcp.ServerError
	if !errors.As(err, &se) {
		t.Fatalf("%v is not a *ServerError", err)
	}
	for _, word := range mentions {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v\ndoesn't mention %q", err, word)
		}
	}
	return se
}

// eventually waits for something that another process or goroutine does.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("still not: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
