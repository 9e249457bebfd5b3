package expr_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func fullActivation() *expr.Activation {
	return &expr.Activation{
		Input:   "in",
		State:   expr.StateMap{"k": "v"},
		Vars:    m{"text": "hello", "n": int64(3)},
		Session: expr.Session{ID: "s1", UserID: "u1", App: "app"},
		User: expr.User{ID: "u1", Content: "hi", Files: []expr.File{
			{Name: "a.pdf", Type: "application/pdf", Size: 10}, {Name: "b.txt", Type: "text/plain", Size: 2},
		}},
		Invocation: expr.Invocation{
			ID: "i1", Agent: "triage", Node: "classify", Attempt: 2, Index: 4,
			StartedAt: time.Date(2026, 11, 30, 13, 0, 0, 0, time.FixedZone("CET", 3600)),
		},
		Error:    &expr.Failure{Message: "no", Type: "net", Code: "timeout", Timeout: true, Attempt: 3},
		Request:  &expr.Request{Model: "gpt", System: "sys", Messages: l{m{"role": "user"}}, Tools: l{m{"name": "t"}}},
		Response: &expr.Response{Text: "ok", ToolCalls: l{m{"name": "t"}}, StopReason: "end", Usage: m{"input": int64(5)}},
		Tool:     &expr.Tool{Name: "crm__refund", Server: "crm", Args: m{"id": int64(7)}},
		Result:   m{"done": true},
	}
}

func TestVariablesOfEveryPlace(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), fullActivation(), []evalCase{
		{name: "input", text: `input`, want: "in"},
		{name: "state", text: `state.k`, want: "v"},
		{name: "session", text: `[session.id, session.user_id, session.app]`, want: l{"s1", "u1", "app"}},
		{name: "user", text: `[user.id, user.content]`, want: l{"u1", "hi"}},
		{name: "a file", text: `user.files[1].name + user.files[1].type + string(user.files[1].size)`, want: "b.txttext/plain2"},
		{name: "files in a loop", text: `user.files.filter(f, f.size > 5).map(f, f.name)`, want: l{"a.pdf"}},
		{name: "invocation", text: `[invocation.id, invocation.agent, invocation.node]`, want: l{"i1", "triage", "classify"}},
		{name: "attempt and index", text: `[invocation.attempt, invocation.index]`, want: l{int64(2), int64(4)}},
		{name: "start of the run", text: `invocation.started_at`, want: "2026-11-30T12:00:00Z"},
		{name: "time since the start", text: `timestamp('2026-11-30T12:00:30Z') - invocation.started_at == duration('30s')`, want: true},
		{name: "a whole object", text: `session`, want: m{"id": "s1", "user_id": "u1", "app": "app"}},
		{name: "a whole file", text: `user.files[0]`, want: m{"name": "a.pdf", "type": "application/pdf", "size": int64(10)}},
		{name: "an object under another name", text: `session.with(s, s.id + s.app)`, want: "s1app"},
		{name: "presence of a field", text: `has(session.id)`, want: true},
		{name: "a field as an optional", text: `session.?id.orValue('none')`, want: "s1"},
		{name: "an object that became dyn", text: `dyn(session).id`, want: "s1"},
		{name: "a missing field of such an object", text: `default(dyn(session).idd, 'x')`, want: "x"},
		{name: "the size of an object", text: `size(dyn(session))`, want: int64(3)},
	})
}

func TestVariablesOfHooks(t *testing.T) {
	for _, c := range []struct {
		place expr.Place
		evalCase
	}{
		{expr.CelNode, evalCase{text: `toJson(vars)`, want: `{}`}},
		{expr.RetryWhen, evalCase{text: `[error.message, error.type, error.code]`, want: l{"no", "net", "timeout"}}},
		{expr.RetryWhen, evalCase{text: `error.timeout && error.attempt == 3`, want: true}},
		{expr.BeforeModel, evalCase{text: `request.model + request.system + request.messages[0].role + request.tools[0].name`, want: "gptsysusert"}},
		{expr.AfterModel, evalCase{text: `response.text + response.tool_calls[0].name + response.stop_reason`, want: "oktend"}},
		{expr.AfterModel, evalCase{text: `response.usage.input`, want: int64(5)}},
		{expr.BeforeTool, evalCase{text: `tool.name + tool.server + string(tool.args.id)`, want: "crm__refundcrm7"}},
		{expr.AfterTool, evalCase{text: `tool.name == 'crm__refund' && result.done`, want: true}},
	} {
		act := fullActivation()
		act.Vars = nil
		runEvalCases(t, scopeOf(t, c.place), act, []evalCase{c.evalCase})
	}
}

func TestHookVariablesAreUnknownElsewhere(t *testing.T) {
	for name, place := range map[string]expr.Place{
		"error": expr.Node, "vars": expr.Node, "request": expr.AfterModel, "response": expr.BeforeModel,
		"tool": expr.RetryWhen, "result": expr.BeforeTool,
	} {
		problems := problemsOf(t, scopeOf(t, place), "toJson("+name+")", expr.Any)
		if len(problems) != 1 || problems[0].Start != len("toJson(") {
			t.Errorf("%s in place %d: %+v", name, place, problems)
		}
	}
}

func TestZeroActivation(t *testing.T) {
	act := &expr.Activation{}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "input", text: `input`, want: nil},
		{name: "state", text: `toJson(state)`, want: "{}"},
		{name: "key of the state", text: `default(state.k, 'x')`, want: "x"},
		{name: "session", text: `session.id`, want: ""},
		{name: "files", text: `size(user.files)`, want: int64(0)},
	})
	runEvalCases(t, scopeOf(t, expr.RetryWhen), act, []evalCase{
		{name: "error", text: `default(error.message, 'x')`, want: "x"},
		{name: "error without default", text: `error.message`, wantErr: `error has no "message"`},
		{name: "presence", text: `has(error.message)`, want: false},
	})
	runEvalCases(t, scopeOf(t, expr.AfterTool), act, []evalCase{{name: "result", text: `result`, want: nil}})
}

// lookupState is a state that isn't a map and counts how often it is asked for all of its keys.
type lookupState struct {
	values map[string]any
	keys   int
}

func (s *lookupState) Get(key string) (any, bool) {
	v, ok := s.values[key]
	return v, ok
}

func (s *lookupState) Keys() []string {
	s.keys++
	return slices.Collect(maps.Keys(s.values))
}

func TestStateThatIsNoMap(t *testing.T) {
	state := &lookupState{values: m{"b": int64(2), "a": m{"c": "d"}}}
	act := &expr.Activation{State: state}
	s := scopeOf(t, expr.Node)
	runEvalCases(t, s, act, []evalCase{
		{name: "key", text: `state.b`, want: int64(2)},
		{name: "path", text: `state.a.c`, want: "d"},
		{name: "index", text: `state['b']`, want: int64(2)},
		{name: "missing key", text: `default(state.z, 0)`, want: int64(0)},
		{name: "presence", text: `has(state.a) && !has(state.z)`, want: true},
		{name: "membership", text: `'a' in state && !('z' in state)`, want: true},
	})
	if state.keys != 0 {
		t.Errorf("reading single keys listed all of them %d times", state.keys)
	}
	runEvalCases(t, s, act, []evalCase{
		{name: "whole state", text: `state`, want: m{"b": int64(2), "a": m{"c": "d"}}},
		{name: "keys in order", text: `state.map(k, k)`, want: l{"a", "b"}},
		{name: "size", text: `size(state)`, want: int64(2)},
		{name: "as JSON", text: `toJson(state)`, want: `{"a":{"c":"d"},"b":2}`},
	})
}

type named string

// Values are meant to be plain JSON values, but what Go code hands over isn't always.
func TestGoValues(t *testing.T) {
	for name, c := range map[string]struct{ in, want any }{
		"int":            {int(1), int64(1)},
		"int32":          {int32(-1), int64(-1)},
		"uint8":          {uint8(1), uint64(1)},
		"float32":        {float32(0.5), 0.5},
		"json.Number":    {json.Number("12"), int64(12)},
		"json.Number.5":  {json.Number("1.5"), 1.5},
		"bytes":          {[]byte("hi"), "aGk="},
		"time":           {time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "2026-01-02T03:04:05Z"},
		"duration":       {90 * time.Second, "90s"},
		"strings":        {[]string{"a"}, l{"a"}},
		"ints":           {[]int{1}, l{int64(1)}},
		"maps in a list": {[]map[string]any{{"b": 1}}, l{m{"b": int64(1)}}},
		"map of strings": {map[string]string{"a": "b"}, m{"a": "b"}},
		"map of ints":    {map[int]string{2: "b"}, m{"2": "b"}},
		"named string":   {named("x"), "x"},
		"named keys":     {map[named]int{"k": 1}, m{"k": int64(1)}},
		"deep":           {m{"a": []map[string]int{{"b": 1}}}, m{"a": l{m{"b": int64(1)}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := evaluate(t, scopeOf(t, expr.Node), `input`, expr.Any, &expr.Activation{Input: c.in})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	for name, in := range map[string]any{
		"struct": struct{ A int }{1}, "channel": make(chan int), "function": func() {}, "number": json.Number("x"),
		"struct in a list": []any{struct{}{}}, "pointer": new(int),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compile(t, scopeOf(t, expr.Node), `input`, expr.Any).Eval(t.Context(), &expr.Activation{Input: in})
			wantEvalError(t, err, "not a")
		})
	}
}

// A result shares nothing with what it was made of.
func TestResultsAreCopies(t *testing.T) {
	act := &expr.Activation{Input: m{"list": l{m{"a": "b"}}}, State: expr.StateMap{"k": m{"a": "b"}}}
	for _, text := range []string{`input`, `{'x': input.list}`, `state`, `[state.k, input.list[0]]`, `input.list.map(i, i)`} {
		got, err := compile(t, scopeOf(t, expr.Node), text, expr.Any).Eval(t.Context(), act)
		if err != nil {
			t.Fatal(err)
		}
		vandalise(got)
	}
	want := &expr.Activation{Input: m{"list": l{m{"a": "b"}}}, State: expr.StateMap{"k": m{"a": "b"}}}
	if diff := cmp.Diff(want, act); diff != "" {
		t.Errorf("changing a result changed the activation:\n%s", diff)
	}
}

func vandalise(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, item := range v {
			vandalise(item)
			v[k] = "broken"
		}
	case []any:
		for i, item := range v {
			vandalise(item)
			v[i] = "broken"
		}
	}
}
