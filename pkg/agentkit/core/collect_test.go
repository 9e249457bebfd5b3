package core_test

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

func stream(deltas ...core.Delta) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		for _, d := range deltas {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func txt(s string) core.Delta   { return core.Delta{Kind: core.TextDelta, Text: s} }
func think(s string) core.Delta { return core.Delta{Kind: core.ThinkingDelta, Text: s} }
func done() core.Delta          { return core.Delta{Kind: core.Done, Stop: core.StopEnd} }
func start(i int, id string) core.Delta {
	return core.Delta{Kind: core.CallStart, Index: i, ID: id, Name: "t"}
}
func args(i int, s string) core.Delta { return core.Delta{Kind: core.CallDelta, Index: i, Text: s} }

func TestCollect(t *testing.T) {
	call := func(id, args string) core.ToolCall { return core.ToolCall{ID: id, Name: "t", Args: args} }
	for _, c := range []struct {
		name   string
		deltas []core.Delta
		want   []core.Part
	}{
		{"text comes together", []core.Delta{txt("a"), txt(""), txt("b"), done()}, []core.Part{core.Text{Text: "ab"}}},
		{"nothing is nothing", []core.Delta{txt(""), think(""), done()}, nil},
		{"text behind a call is a part of its own",
			[]core.Delta{txt("a"), start(0, "1"), args(0, "{}"), txt("b"), done()},
			[]core.Part{core.Text{Text: "a"}, call("1", "{}"), core.Text{Text: "b"}}},
		{"arguments of parallel calls may be interleaved",
			[]core.Delta{start(0, "1"), start(1, "2"), args(1, `{"b"`), args(0, `{"a" : 1.50`), args(1, `:2}`), args(0, ` }`), done()},
			[]core.Part{call("1", `{"a" : 1.50 }`), call("2", `{"b":2}`)}},
		{"arguments may come with the start",
			[]core.Delta{{Kind: core.CallStart, ID: "1", Name: "t", Text: "{", Item: "fc"}, {Kind: core.CallDelta, Text: "}", Signature: "s"}, done()},
			[]core.Part{core.ToolCall{ID: "1", Name: "t", Args: "{}", Item: "fc", Signature: "s"}}},
		{"thinking, text and thinking again",
			[]core.Delta{think("a"), think("b"), txt("c"), think("d"), done()},
			[]core.Part{core.Thinking{Text: "ab"}, core.Text{Text: "c"}, core.Thinking{Text: "d"}}},
		{"a signature closes a part",
			[]core.Delta{think("a"), {Kind: core.ThinkingDelta, Signature: "s1"}, think("b"), {Kind: core.ThinkingDelta, Signature: "s2"}, done()},
			[]core.Part{core.Thinking{Text: "a", Signature: "s1"}, core.Thinking{Text: "b", Signature: "s2"}}},
		{"another item begins a part",
			[]core.Delta{{Kind: core.ThinkingDelta, Text: "a", Item: "1"}, think("b"), {Kind: core.ThinkingDelta, Text: "c", Item: "2"}, done()},
			[]core.Part{core.Thinking{Text: "ab", Item: "1"}, core.Thinking{Text: "c", Item: "2"}}},
		{"withheld thinking isn't part of what was said before it",
			[]core.Delta{think("a"), {Kind: core.ThinkingDelta, Signature: "s", Redacted: true}, done()},
			[]core.Part{core.Thinking{Text: "a"}, core.Thinking{Signature: "s", Redacted: true}}},
		{"withheld thinking is kept for its signature",
			[]core.Delta{{Kind: core.ThinkingDelta, Signature: "s", Redacted: true}, done()},
			[]core.Part{core.Thinking{Signature: "s", Redacted: true}}},
		{"signed text", []core.Delta{txt("a"), {Kind: core.TextDelta, Signature: "s"}, txt("b"), done()},
			[]core.Part{core.Text{Text: "a", Signature: "s"}, core.Text{Text: "b"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := core.Collect(stream(c.deltas...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(core.Answer{Parts: c.want, Stop: core.StopEnd}, a); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCollectTakesTheEndAndTheWarnings(t *testing.T) {
	end := core.Delta{Kind: core.Done, Stop: core.StopMaxTokens, Usage: core.Usage{Input: 3, Output: 4}}
	a, err := core.Collect(stream(core.Delta{Kind: core.Warning, Text: "no seed"}, end))
	want := core.Answer{Stop: core.StopMaxTokens, Usage: core.Usage{Input: 3, Output: 4}, Warnings: []string{"no seed"}}
	if diff := cmp.Diff(want, a); diff != "" || err != nil {
		t.Errorf("err %v, answer (-want +got):\n%s", err, diff)
	}
}

func TestAnAnswerWithoutItsEndIsCut(t *testing.T) {
	whole := []core.Delta{think("a"), txt("b"), start(0, "1"), args(0, "{}"), done()}
	for n := range whole {
		if _, err := core.Collect(stream(whole[:n]...)); !errors.Is(err, core.ErrCutStream) {
			t.Errorf("cut behind %d pieces: %v", n, err)
		}
	}
}

func TestWhatAProviderMustNotDo(t *testing.T) {
	for want, deltas := range map[string][]core.Delta{
		"went on after its terminal event (text)": {done(), txt("a")},
		"unknown kind 0":                {{}},
		`gave no id to the call of "t"`: {start(0, "")},
		`gave two calls the id "1"`:     {start(0, "1"), start(1, "1")},
		`or the index 0`:                {start(0, "1"), start(0, "2")},
		"index 3 that never began":      {start(0, "1"), args(3, "{}")},
	} {
		if _, err := core.Collect(stream(deltas...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %s", err, want)
		} else if pe, ok := errors.AsType[*core.ProviderError](err); !ok || pe.Class != core.ClassBadAnswer {
			t.Errorf("%v has no class", err)
		}
	}
}

func TestCollectReturnsTheStreamsError(t *testing.T) {
	broken := errors.New("broken")
	_, err := core.Collect(func(yield func(core.Delta, error) bool) {
		_ = yield(txt("a"), nil) && yield(core.Delta{}, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("err = %v", err)
	}
}

func TestDeltaKindsHaveNames(t *testing.T) {
	var names []string
	for k := core.DeltaKind(0); k <= core.Done+1; k++ {
		names = append(names, k.String())
	}
	want := []string{"unknown", "text", "thinking", "call-start", "call-delta", "warning", "done", "unknown"}
	if !slices.Equal(names, want) {
		t.Errorf("names %v", names)
	}
}
