package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

// serve serves a handler on loopback until the end of the test, wrapped so that a test can look at requests.
func serve(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	return srv
}

func remote(srv *httptest.Server) mcp.ServerConfig {
	return mcp.ServerConfig{Name: "crm", URL: srv.URL + "/mcp"}
}

// official is the official server over streamable HTTP.
func official(t *testing.T, opts *sdk.StreamableHTTPOptions) http.Handler {
	t.Helper()
	server := officialServer(t.Context())
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, opts)
}

// everyTransport configures the official server in all the ways in which it can be reached.
func everyTransport(t *testing.T) map[string]mcp.ServerConfig {
	t.Helper()
	propagate := true
	return map[string]mcp.ServerConfig{
		"stdio": child("official"),
		"http, modern, events": remote(serve(t, official(t, &sdk.StreamableHTTPOptions{
			Stateless: true, PropagateRequestCancellation: propagate,
		}))),
		"http, modern, json": remote(serve(t, official(t, &sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, PropagateRequestCancellation: propagate,
		}))),
		"http, legacy": remote(serve(t, official(t, nil))),
	}
}

// rpc is a request as a raw HTTP server sees it.
type rpc struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params struct {
		Name string `json:"name"`
	} `json:"params"`
}

// rawHTTP is a server of 2025 with one fault: call answers the calls of tools in whatever way it likes.
func rawHTTP(call func(w http.ResponseWriter, req rpc)) http.HandlerFunc {
	answers := legacyAnswers(ignore)
	return func(w http.ResponseWriter, r *http.Request) {
		var req rpc
		if readBody(r, &req) == "" {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		switch {
		case req.Method == "tools/call":
			call(w, req)
		case req.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case answers(req.Method, req.ID) == "":
			http.Error(w, "unknown method", http.StatusBadRequest)
		default:
			writeJSON(w, answers(req.Method, req.ID))
		}
	}
}

// readBody decodes a request, and returns its text; "" for one that holds none.
func readBody(r *http.Request, req *rpc) string {
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, req) != nil {
		return ""
	}
	return string(body)
}

func writeJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

// writeEvents writes an event stream and flushes it.
func writeEvents(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	_ = http.NewResponseController(w).Flush()
}

// textAnswer is the message that answers a call with a text.
func textAnswer(req rpc, text string) string {
	value := fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, text)
	return strings.TrimSuffix(result(req.ID, value), "\n")
}
