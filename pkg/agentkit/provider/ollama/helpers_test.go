package ollama_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
)

// exchange is a request as the server got it, and what came of the answer.
type exchange struct {
	path   string
	header http.Header
	body   string
	answer core.Answer
	err    error
}

// says is an answer that says nothing.
const says = `{"message":{"content":"ok"},"done":true,"done_reason":"stop"}`

// ask sends a request to a server that answers with lines, or with one body when opts ask for it.
func ask(t *testing.T, opts ollama.Options, req *core.Request, lines ...string) exchange {
	t.Helper()
	return refused(t, http.StatusOK, opts, req, lines...)
}

// refused does so with another status.
func refused(t *testing.T, status int, opts ollama.Options, req *core.Request, lines ...string) exchange {
	t.Helper()
	var x exchange
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		x.path, x.header, x.body = r.URL.String(), r.Header, string(body)
		w.Header().Set("Content-Type", "application/x-ndjson")
		if opts.Whole || status != http.StatusOK {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.Join(lines, "\n")+"\n")
	}))
	defer server.Close()
	opts.BaseURL = server.URL + opts.BaseURL
	if opts.Model == "" {
		opts.Model = "qwen3:8b"
	}
	m, err := ollama.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	x.answer, x.err = core.Collect(m.Stream(t.Context(), req))
	return x
}

func hello() *core.Request { return talk(core.UserMessage("hello")) }

func talk(msgs ...core.Message) *core.Request { return &core.Request{Messages: msgs} }

// wantClass checks the kind of a failure, and that it tells what the server said.
func wantClass(t *testing.T, err error, class core.ErrorClass, message string) {
	t.Helper()
	pe, ok := errors.AsType[*core.ProviderError](err)
	if !ok || pe.Class != class || !strings.Contains(err.Error(), message) {
		t.Errorf("err = %v (%+v), want class %s with %q", err, pe, class, message)
	}
}
