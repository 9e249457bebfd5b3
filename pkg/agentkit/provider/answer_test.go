package provider_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

func TestLinesAsFraming(t *testing.T) {
	const whole = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"done\":true}\n"
	for name, c := range map[string]struct {
		kind, body string
		err        error
	}{
		"complete":                  {"application/x-ndjson", whole, nil},
		"the last line end is lost": {"application/jsonl", whole[:len(whole)-1], nil},
		"cut within a line":         {"application/ndjson", whole[:len(whole)-4], core.ErrCutStream},
		"cut between lines":         {"application/x-ndjson", whole[:26], core.ErrCutStream},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, c.kind, c.body) })
		got, err := ask(t, newModel(t, echo{provider.FramingLines}, provider.Options{BaseURL: s.URL}))
		if !errors.Is(err, c.err) || err == nil && cmp.Diff([]core.Part{core.Text{Text: "ab"}}, got.Parts) != "" {
			t.Errorf("%s: %v, err %v", name, got, err)
		}
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, "application/x-ndjson", "x\n{\"done\":true}\n")
	})
	_, err := ask(t, newModel(t, echo{provider.FramingLines}, provider.Options{BaseURL: s.URL}))
	if core.Transient(err) || err == nil || !strings.Contains(err.Error(), "a line of the vendor can't be understood") {
		t.Errorf("a line of no JSON: %v", err)
	}
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	for _, kind := range []string{"text/event-stream", "application/json"} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, kind, `{"text":"`+strings.Repeat("x", 1000)+`","done":true}`)
		})
		_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, MaxBody: 500, MaxEvent: 500}))
		if err == nil || !strings.Contains(err.Error(), "larger than 500 bytes") || core.Transient(err) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestARequestThatCannotBeSaidIsABadRequest(t *testing.T) {
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: "http://127.0.0.1:1"})
	_, err := core.Collect(m.Stream(t.Context(), &core.Request{System: "unsayable"}))
	var pe *core.ProviderError
	if !errors.As(err, &pe) || pe.Class != core.ClassBadRequest || err.Error() != "it can't be said" {
		t.Errorf("err = %v", err)
	}
}
