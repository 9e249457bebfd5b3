package core_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

func TestPartsOfAMessage(t *testing.T) {
	one, two := core.ToolCall{ID: "1", Name: "a"}, core.ToolCall{ID: "2", Name: "b"}
	m := core.Message{Parts: []core.Part{
		core.Thinking{Text: "hidden"}, core.Text{Text: "a"}, one, core.Text{Text: "b"}, two, core.Text{},
	}}
	if got := core.TextOf(m); got != "ab" {
		t.Errorf("text %q", got)
	}
	if diff := cmp.Diff([]core.ToolCall{one, two}, core.CallsOf(m)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if _, ok := core.ResultOf(m); ok {
		t.Error("a message of a model has no result")
	}
	result := core.ToolResult{ID: "1", Text: "r"}
	if got, ok := core.ResultOf(core.Message{Parts: []core.Part{result}}); !ok || got.Text != "r" {
		t.Errorf("result %v", got)
	}
}

func TestProviderErrorsSayWhatIsKnown(t *testing.T) {
	cause := errors.New("connection reset")
	for want, e := range map[string]*core.ProviderError{
		"overloaded (status 529): later": {Status: 529, Type: "overloaded", Message: "later"},
		"status 400: bad":                {Status: 400, Message: "bad"},
		"quota: none left":               {Type: "quota", Message: "none left"},
		"connection reset":               {Err: cause},
	} {
		if e.Error() != want {
			t.Errorf("%+v says %q, want %q", *e, e.Error(), want)
		}
	}
	if !errors.Is(&core.ProviderError{Err: cause}, cause) {
		t.Error("the cause is lost")
	}
}

func TestTransient(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{core.ErrCutStream, true},
		{fmt.Errorf("model: %w", core.ErrCutStream), true},
		{&core.ProviderError{Status: 408}, true},
		{&core.ProviderError{Status: 429}, true},
		{&core.ProviderError{Status: 500}, true},
		{&core.ProviderError{Status: 529}, true},
		{&core.ProviderError{Err: errors.New("refused")}, true},
		{&core.ProviderError{Status: 400}, false},
		{&core.ProviderError{Status: 401, Err: errors.New("x")}, false},
		{&core.ProviderError{Message: "refused"}, false},
		{&core.ProviderError{Class: core.ClassOverloaded, Status: 200}, true},
		{&core.ProviderError{Class: core.ClassQuota, Status: 429}, false},
		{&core.ProviderError{Class: core.ClassBadAnswer, Err: errors.New("x")}, false},
		{errors.New("x"), false},
		{nil, false},
	} {
		if got := core.Transient(c.err); got != c.want {
			t.Errorf("Transient(%v) = %t", c.err, got)
		}
	}
}

func TestRepeatable(t *testing.T) {
	for _, c := range []struct{ readOnly, idempotent, want bool }{
		{false, false, false}, {true, false, true}, {false, true, true}, {true, true, true},
	} {
		if got := (core.Spec{ReadOnly: c.readOnly, Idempotent: c.idempotent}).Repeatable(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

func TestEstimateCountsAllThatIsSentAndReceived(t *testing.T) {
	size := func(n int) string { return string(make([]byte, n)) }
	req := &core.Request{
		System: size(40),
		Tools:  []core.Spec{{Name: size(4), Description: size(20), InputSchema: []byte(size(16))}},
		Messages: []core.Message{
			{Parts: []core.Part{core.Text{Text: size(80)}, core.Thinking{Text: size(40)}}},
			{Parts: []core.Part{core.ToolCall{Name: size(4), Args: size(36)}, core.ToolResult{Text: size(160)}}},
		},
	}
	answer := &core.Answer{Parts: []core.Part{core.Text{Text: size(400)}}}
	if diff := cmp.Diff(core.Usage{Input: 101, Output: 101}, core.EstimateUsage(req, answer)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(core.Usage{Input: 1, Output: 1}, core.EstimateUsage(&core.Request{}, &core.Answer{})); diff != "" {
		t.Errorf("of nothing (-want +got):\n%s", diff)
	}
}
