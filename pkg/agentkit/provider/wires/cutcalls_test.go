package wires_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// inOnePiece is an answer with a call as a vendor gives it whole: written by hand.
func inOnePiece(wire, stop string) string {
	switch wire {
	case "anthropic":
		return `{"type":"message","content":[{"type":"tool_use","id":"c","name":"find","input":{}}],"stop_reason":"` + stop + `"}`
	case "openai":
		return `{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"find","arguments":"{}"}}]},"finish_reason":"` + stop + `"}]}`
	case "openai-responses":
		return `{"status":"` + stop + `","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"function_call","call_id":"c","name":"find","arguments":"{}"}]}`
	case "google":
		return `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"find","args":{}}}]},"finishReason":"` + stop + `"}]}`
	}
	return `{"message":{"tool_calls":[{"id":"c","function":{"name":"find","arguments":{}}}]},"done":true,"done_reason":"` + stop + `"}`
}

// Behind every wire, streamed and whole: the calls of an answer that a limit cut off aren't run, however complete they look,
// and those of one that ended are.
func TestTheCallsOfACutAnswerAreNotRun(t *testing.T) {
	for _, wire := range wires.Names() {
		ends, limit := stops(wire)
		for _, c := range []struct {
			stop string
			runs int
		}{{limit, 0}, {ends, 1}} {
			for _, whole := range []bool{false, true} {
				kind, body := "text/event-stream", inOnePiece(wire, c.stop)
				if wire == "ollama" {
					kind = "application/x-ndjson"
				}
				if whole {
					kind = "application/json"
				} else {
					all, _ := events(wire, `{ }`, c.stop)
					body = framed(wire, all)
				}
				if runs, cut := runsOf(t, wire, kind, body, whole); runs != c.runs || cut != (c.runs == 0) {
					t.Errorf("%s, whole %v, %s: the tool ran %d times, the model was told that it was cut: %v", wire, whole, c.stop, runs, cut)
				}
			}
		}
	}
}

// runsOf lets an agent get that answer first, and none then: how often its tool ran, and whether the second request said
// that the call was cut.
func runsOf(t *testing.T, wire, kind, body string, whole bool) (runs int, cut bool) {
	t.Helper()
	asked := 0
	client, err := provider.NewClient(provider.ClientOptions{
		Between: func(p provider.Passing, _ func() (*http.Response, error)) (*http.Response, error) {
			if asked++; asked > 1 {
				cut = strings.Contains(string(p.Body), agentkit.CutCall)
				return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{}, Body: http.NoBody}, nil
			}
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body))}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := wires.New(wire, wires.Options{Options: provider.Options{Model: "model", BaseURL: "http://vendor.invalid", Client: client, Whole: whole}})
	if err != nil {
		t.Fatal(err)
	}
	find, err := agentkit.NewTool(core.Spec{Name: "find", Description: "Finds."}, func(context.Context, core.Call, struct{}) (core.Result, error) {
		runs++
		return core.TextResult("found"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	agent, err := agentkit.New(agentkit.Config{Name: "bot", Model: m, Tools: []core.Tool{find}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Run(t.Context(), agentkit.RunInput{Input: "hello"}); err == nil || asked != 2 {
		t.Fatalf("%s: asked %d times, err %v", wire, asked, err)
	}
	return runs, cut
}
