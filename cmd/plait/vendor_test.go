package main_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
)

// newVendor serves the Messages API to whoever has one of its keys: it asks for the tool write_file first, and then tells
// what that gave. To one of the keys it is too busy at first.
func newVendor() *httptest.Server {
	var busy atomic.Bool
	busy.Store(true)
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key := r.Header.Get("X-Api-Key")
		switch {
		case r.URL.Path != "/v1/messages" || r.Header.Get("Anthropic-Version") == "":
			http.Error(w, "not the Messages API", http.StatusNotFound)
		case key == "sk-ant-busy" && busy.Swap(false):
			w.Header().Set("Retry-After-Ms", "20")
			refuse(w, 529, "overloaded_error", "Overloaded")
		case key != "sk-ant-right" && key != "sk-ant-busy":
			refuse(w, http.StatusUnauthorized, "authentication_error", "invalid x-api-key: "+key)
		case strings.Contains(string(body), `"tool_result"`):
			sendBlock(w, `{"type":"text","text":""}`, `{"type":"text_delta","text":"The note is written."}`, "end_turn")
		default:
			sendBlock(w, `{"type":"tool_use","id":"toolu_1","name":"write_file","input":{}}`,
				`{"type":"input_json_delta","partial_json":"{\"path\": \"note.txt\", \"content\": \"remember\"}"}`, "tool_use")
		}
	}))
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"message":%q}}`, kind, message)
}

// sendBlock streams an answer of one block.
func sendBlock(w io.Writer, block, delta, stop string) {
	if h, ok := w.(http.ResponseWriter); ok {
		h.Header().Set("Content-Type", "text/event-stream")
	}
	for _, e := range []string{
		`{"type":"message_start","message":{"usage":{"input_tokens":10,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":` + block + `}`,
		`{"type":"content_block_delta","index":0,"delta":` + delta + `}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"` + stop + `"},"usage":{"output_tokens":5}}`,
		`{"type":"message_stop"}`,
	} {
		fmt.Fprintf(w, "data: %s\n\n", e)
	}
}
