package expr_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestEvalErrors(t *testing.T) {
	act := &expr.Activation{
		Input: m{"output": m{"list": l{m{}}}, "f": 1.5, "s": "abc", "n": int64(0), "map": m{}, "big": int64(1 << 62)},
		State: expr.StateMap{"other": 1},
	}
	for _, c := range []struct {
		text, want string
		code       expr.EvalCode
	}{
		{`input.plan`, `input has no "plan"; write default(input.plan, ...) if it may be missing`, expr.MissingKey},
		{`input.output.plan`, `input.output has no "plan"; write default(input.output.plan, ...) if it may be missing`, expr.MissingKey},
		{`input.a.b.c`, `input has no "a"; write default(input.a.b.c, ...) if it may be missing`, expr.MissingKey},
		{`input.output.list[0].k`, `input.output.list[0] has no "k"; write default(input.output.list[0].k, ...) if it may be missing`, expr.MissingKey},
		{`input['x y'].z`, `input has no "x y"; write default(input["x y"].z, ...) if it may be missing`, expr.MissingKey},
		{`state.count + 1`, `state has no "count"; write default(state.count, ...) if it may be missing`, expr.MissingKey},
		{`input.s.field`, `input.s has no "field"; write default(input.s.field, ...) if it may be missing`, expr.MissingKey},
		{`input[input.s]`, `there is no key "abc" in the value it is read from; default(..., fallback) allows for that`, expr.MissingKey},
		{`json('{}').a`, `there is no key "a" in the value it is read from; default(..., fallback) allows for that`, expr.MissingKey},
		{`input.output.list.k`, "a list has no named fields; default(..., fallback) allows for a value of another shape", expr.MissingKey},
		{`input.output.with(o, o.plan)`, `o has no "plan"; write default(o.plan, ...) if it may be missing`, expr.MissingKey},
		{`input.output.list[3]`, "the list has no element 3", expr.Failed},
		{`1 / input.n`, "division by zero", expr.Failed},
		{`input.f + 1`, `"+" was used on values of types that it doesn't take; int(), double() and string() convert`, expr.Failed},
		{`input.s.contains(input.n)`, `contains() was used on values of types that it doesn't take; int(), double() and string() convert`, expr.Failed},
		{`!input.s`, `"!" was used on values of types that it doesn't take; int(), double() and string() convert`, expr.Failed},
		{`input.s ? 1 : 2`, `the condition before "?" is no bool`, expr.Failed},
		{`int(input.s)`, "a string can't be converted to int, or not this one", expr.Failed},
		{`string(input.map)`, "string() can't convert a value of this type; toJson() makes text of lists and maps", expr.Failed},
		{`input.?x.value()`, "the optional has no value: .orValue(fallback) allows for that", expr.Failed},
		{`input.big * 4`, "integer overflow", expr.Failed},
		{`timestamp(input.big)`, "timestamp overflow", expr.Failed},
		{`dyn(int)`, "the type int is not a JSON value", expr.Failed},
		{`[0.0 / 0.0]`, "a number in the result is NaN, which JSON can't express", expr.Failed},
	} {
		_, err := evaluate(t, scopeOf(t, expr.Node), c.text, expr.Any, act)
		var e *expr.EvalError
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", c.text, err)
			continue
		}
		if e.Message != c.want || e.Code != c.code || e.Path != "agents[a].nodes[n].output" || e.Cause == nil {
			t.Errorf("%s:\n got %s %q (cause %v)\nwant %s %q", c.text, e.Code, e.Message, e.Cause, c.code, c.want)
		}
	}
}

func TestEvalErrorText(t *testing.T) {
	cause := errors.New("c")
	withPath := &expr.EvalError{Path: "agents[a].nodes[n].routes[0].when", Message: "gave a string, a bool is needed", Cause: cause}
	if got, want := withPath.Error(), "agents[a].nodes[n].routes[0].when: gave a string, a bool is needed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(withPath, cause) {
		t.Error("the cause can't be found")
	}
	if got := (&expr.EvalError{Message: "m"}).Error(); got != "m" {
		t.Errorf("without a path: %q", got)
	}
}

// stopper is a state that ends the context of the evaluation when it is read, so that a test needs no clock.
type stopper struct{ stop func() }

func (s stopper) Get(string) (any, bool) {
	s.stop()
	return int64(1), true
}
func (stopper) Keys() []string { return []string{"k"} }

// expiring is a context whose deadline passes when it is told so.
type expiring struct {
	context.Context
	done chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.done }
func (e expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestDeadlineStopsALoop(t *testing.T) {
	const loop = `lists.range(50000).all(i, i >= 0 && state.k == 1)`
	p := compile(t, scopeOf(t, expr.Node), loop, expr.Any)

	ctx := expiring{Context: t.Context(), done: make(chan struct{})}
	stopped := false
	_, err := p.Eval(ctx, &expr.Activation{State: stopper{stop: func() {
		if !stopped {
			stopped = true
			close(ctx.done)
		}
	}}})
	wantStopped(t, err, context.DeadlineExceeded, "the evaluation was stopped: context deadline exceeded")

	cancelled, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the run was cancelled")
	_, err = p.Eval(cancelled, &expr.Activation{State: stopper{stop: func() { cancel(why) }}})
	wantStopped(t, err, why, "the evaluation was stopped: the run was cancelled")
}

func TestEndedContext(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `1`, expr.Any)
	past, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, err := p.Eval(past, &expr.Activation{})
	wantStopped(t, err, context.DeadlineExceeded, "the evaluation was stopped: context deadline exceeded")
}

func wantStopped(t *testing.T, err, cause error, message string) {
	t.Helper()
	var e *expr.EvalError
	if !errors.As(err, &e) || e.Code != expr.Deadline || e.Message != message || !errors.Is(err, cause) {
		t.Errorf("error is %v, want %q with cause %v", err, message, cause)
	}
}

func TestWithoutDeadline(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `[1, 2].map(x, x + 1)`, expr.Any)
	if _, err := p.Eval(context.Background(), &expr.Activation{}); err != nil {
		t.Error(err)
	}
}
