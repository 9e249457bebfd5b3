package ollama_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// says is an answer that says nothing.
const says = `{"message":{"content":"ok"},"done":true,"done_reason":"stop"}`

// ask sends a request to a server that answers with lines, or with one body when opts ask for it.
func ask(t *testing.T, opts ollama.Options, req *core.Request, lines ...string) wiretest.Exchange {
	t.Helper()
	reply := wiretest.Reply{ContentType: "application/x-ndjson", Body: strings.Join(lines, "\n") + "\n"}
	if opts.Whole {
		reply.ContentType = "application/json; charset=utf-8"
	}
	return exchange(t, opts, req, reply)
}

func exchange(t *testing.T, opts ollama.Options, req *core.Request, reply wiretest.Reply) wiretest.Exchange {
	t.Helper()
	if opts.Model == "" {
		opts.Model = "qwen3:8b"
	}
	return wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
		opts.Options = o
		return ollama.New(opts)
	}, opts.Options, req, reply)
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
