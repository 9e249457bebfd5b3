package provider_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// canned is a model that says what it was made to.
type canned struct {
	name   string
	deltas []core.Delta
	err    error
	asked  []core.Message
	calls  int
}

func (m *canned) Name() string { return m.name }

func (m *canned) Stream(_ context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		m.asked = req.Messages
		m.calls++
		for _, d := range m.deltas {
			if !yield(d, nil) {
				return
			}
		}
		if m.err != nil {
			yield(core.Delta{}, m.err)
		}
	}
}

func says(name string) *canned {
	return &canned{name: name, deltas: []core.Delta{{Kind: core.TextDelta, Text: "by " + name}, {Kind: core.Done, Stop: core.StopEnd,
		Usage: core.Usage{Input: 6, Output: 2, CacheRead: 1, CacheWrite: 1}}}}
}

func fails(class core.ErrorClass) *canned {
	return &canned{name: "a", err: &core.ProviderError{Class: class, Message: string(class)}}
}

func TestAModelThatCannotAnswerIsStoodInFor(t *testing.T) {
	half := fails(core.ClassOverloaded)
	half.deltas = []core.Delta{{Kind: core.TextDelta, Text: "ha"}}
	warned := fails(core.ClassOverloaded)
	warned.deltas = []core.Delta{{Kind: core.Warning, Text: "no seed"}}
	for _, c := range []struct {
		name     string
		first    *canned
		model    string // that answered
		warnings []string
		err      string
	}{
		{"it answers", says("a"), "", nil, ""},
		{"overloaded", fails(core.ClassOverloaded), "b", []string{"the model b stands in: overloaded"}, ""},
		{"a bad key", fails(core.ClassAuth), "b", []string{"the model b stands in: auth"}, ""},
		{"an empty account", fails(core.ClassQuota), "b", []string{"the model b stands in: quota"}, ""},
		{"cut before anything came", &canned{name: "a"}, "b", []string{"the model b stands in: the model's stream was cut: it ended before its terminal event"}, ""},
		{"a remark is no beginning", warned, "b", []string{"no seed", "the model b stands in: overloaded"}, ""},
		{"a bad request", fails(core.ClassBadRequest), "", nil, "bad-request"},
		{"too long", fails(core.ClassContext), "", nil, "context"},
		{"it had begun", half, "", nil, "overloaded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := provider.Failover(c.first, says("b"), says("c"))
			got, err := core.Collect(m.Stream(t.Context(), &core.Request{}))
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("err = %v, want %s", err, c.err)
				}
				return
			}
			if diff := cmp.Diff(c.warnings, got.Warnings); diff != "" || err != nil || got.Model != c.model || m.Name() != "a" {
				t.Errorf("model %q, err %v, warnings (-want +got):\n%s", got.Model, err, diff)
			}
		})
	}
}

func TestTheLastFailureIsTold(t *testing.T) {
	m := provider.Failover(fails(core.ClassOverloaded), fails(core.ClassQuota), fails(core.ClassRateLimited))
	if _, err := core.Collect(m.Stream(t.Context(), &core.Request{})); err == nil || err.Error() != "rate-limited" {
		t.Errorf("err = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	second := says("b")
	if _, err := core.Collect(provider.Failover(fails(core.ClassOverloaded), second).Stream(ctx, &core.Request{})); err == nil || second.calls > 0 {
		t.Errorf("err = %v, %d calls behind the end", err, second.calls)
	}
}

func TestAStandInIsNotSentTheReasoningOfAnother(t *testing.T) {
	second := says("b")
	thought := core.Message{Role: core.RoleModel, Model: "a", Parts: []core.Part{core.Thinking{Text: "h", Signature: "s"}, core.Text{Text: "x"}}}
	req := &core.Request{Messages: []core.Message{core.UserMessage("u"), thought, core.UserMessage("v")}}
	if _, err := core.Collect(provider.Failover(fails(core.ClassOverloaded), second).Stream(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	if len(second.asked) != 3 || len(second.asked[1].Parts) != 1 || len(req.Messages[1].Parts) != 2 {
		t.Errorf("asked %+v", second.asked)
	}
}

func TestACallerWhoLeavesEndsTheFailover(t *testing.T) {
	second := says("b")
	for d, err := range provider.Failover(fails(core.ClassOverloaded), second).Stream(t.Context(), &core.Request{}) {
		if err != nil || !strings.HasPrefix(d.Text, "the model b") {
			t.Errorf("%v, %v", d, err)
		}
		break
	}
	if second.calls > 0 {
		t.Error("the stand-in was asked")
	}
}
