package agentkit_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// around is middleware for both sides that tells what passes through it.
type around struct {
	name string
	told *[]string
}

func (a around) model(next core.Model) core.Model {
	return modelFunc{next, func(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
		return func(yield func(core.Delta, error) bool) {
			*a.told = append(*a.told, a.name+" asks")
			for d, err := range next.Stream(ctx, req) {
				if d.Kind == core.TextDelta {
					d.Text = a.name + "(" + d.Text + ")"
				}
				if !yield(d, err) {
					return
				}
			}
			*a.told = append(*a.told, a.name+" has it")
		}
	}}
}

func (a around) tool(next core.Tool) core.Tool {
	spec := next.Spec()
	spec.Description = a.name + "(" + spec.Description + ")"
	return &tool{spec: spec, run: func(ctx context.Context, c core.Call) (core.Result, error) {
		*a.told = append(*a.told, a.name+" calls")
		res, err := next.Run(ctx, c)
		res.Text = a.name + "(" + res.Text + ")"
		return res, err
	}}
}

// modelFunc is a model with another way to stream.
type modelFunc struct {
	core.Model
	stream func(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error]
}

func (m modelFunc) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return m.stream(ctx, req)
}

func TestTheFirstMiddlewareIsTheOutermost(t *testing.T) {
	var told []string
	a, b := around{"a", &told}, around{"b", &told}
	model := script(t, faux.Turn{Calls: []faux.Call{call("look", `{}`)}}, faux.Turn{Text: "x"})
	res := run(t, agentkit.Config{Model: model, Tools: []core.Tool{says("look", "blue")}, Middleware: agentkit.Middleware{
		Model: []func(core.Model) core.Model{a.model, b.model}, Tool: []func(core.Tool) core.Tool{a.tool, b.tool},
	}}, agentkit.RunInput{Input: "go"})
	want := []string{"a asks", "b asks", "b has it", "a has it", "a calls", "b calls", "a asks", "b asks", "b has it", "a has it"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	req := model.last(t)
	if got := results(req.Messages)[0].Text; got != "a(b(blue))" || res.Text != "a(b(x))" {
		t.Errorf("the result is %q, the answer %q", got, res.Text)
	}
	if got := req.Tools[0].Description; got != "a(b(does look))" {
		t.Errorf("the model is told %q", got)
	}
}

func TestMiddlewareKeepsStreaming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		model := script(t, faux.Turn{Text: "early", Fault: &faux.Fault{Kind: faux.FaultHang, After: 1}})
		a := newAgent(t, agentkit.Config{Model: model,
			Middleware: agentkit.Middleware{Model: []func(core.Model) core.Model{around{"a", &told}.model}}})
		var text string
		for e, err := range a.Stream(t.Context(), agentkit.RunInput{Input: "go"}) {
			if text = e.Text; err != nil {
				t.Fatal(err)
			}
			break // the stream hangs: nobody else ends it
		}
		if text != "a(early)" {
			t.Errorf("text %q", text)
		}
	})
}

func TestEachTryGoesThroughTheMiddleware(t *testing.T) {
	var told []string
	busy := &core.ProviderError{Class: core.ClassOverloaded, Message: "try later"}
	model := &failing{Model: script(t, faux.Turn{Text: "x"}), errs: []error{busy}}
	run(t, agentkit.Config{Model: model, Retry: agentkit.Retry{Attempts: 2, Delay: 1},
		Middleware: agentkit.Middleware{Model: []func(core.Model) core.Model{around{"a", &told}.model}}}, agentkit.RunInput{Input: "go"})
	if diff := cmp.Diff([]string{"a asks", "a asks", "a has it"}, told); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestAModelThatPanicsIsAFailedCall(t *testing.T) {
	for name, pieces := range map[string]int{"at once": 0, "in the middle": 1, "behind the end": 3} {
		model := modelFunc{script(t), func(context.Context, *core.Request) iter.Seq2[core.Delta, error] {
			return func(yield func(core.Delta, error) bool) {
				for _, d := range []core.Delta{{Kind: core.TextDelta, Text: "a"}, {Kind: core.TextDelta, Text: "b"},
					{Kind: core.Done, Stop: core.StopEnd}}[:pieces] {
					if !yield(d, nil) {
						return
					}
				}
				panic("nil map")
			}
		}}
		log := &flakyLog{}
		_, err := newAgent(t, agentkit.Config{Model: model}).Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
		var failed *agentkit.ModelError
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), "it panicked: nil map") || len(log.Records()) != 0 {
			t.Errorf("%s: err %v, committed %v", name, err, log.Records())
		}
	}
}

func TestAToolMiddlewareThatPanicsIsAFailedCall(t *testing.T) {
	boom := func(next core.Tool) core.Tool {
		return &tool{spec: next.Spec(), run: func(context.Context, core.Call) (core.Result, error) { panic("nil map") }}
	}
	model := script(t, faux.Turn{Calls: []faux.Call{call("look", `{}`)}}, faux.Turn{Text: "x"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{says("look", "blue")},
		Middleware: agentkit.Middleware{Tool: []func(core.Tool) core.Tool{boom}}}, agentkit.RunInput{Input: "go"})
	wantError(t, model.last(t).Messages, "the tool look panicked: nil map")
}

func TestAPanicOfTheConsumerIsNotTheModels(t *testing.T) {
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("recovered %v", p)
		}
	}()
	for range newAgent(t, agentkit.Config{Model: script(t, faux.Turn{Text: "x"})}).Stream(t.Context(), agentkit.RunInput{Input: "go"}) {
		panic("mine")
	}
}

func TestMiddlewareThatReturnsNothingIsRefused(t *testing.T) {
	none := agentkit.Middleware{Model: []func(core.Model) core.Model{func(core.Model) core.Model { return nil }},
		Tool: []func(core.Tool) core.Tool{func(core.Tool) core.Tool { return nil }}}
	_, err := agentkit.New(agentkit.Config{Name: "bot", Model: script(t), Tools: []core.Tool{says("a", "")}, Middleware: none})
	if err == nil || err.Error() != "agent bot: no model is given\nagent bot: tool 0 is nil" {
		t.Errorf("err = %v", err)
	}
}
