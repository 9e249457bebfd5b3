package agentkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// cached is a recorded model behind a cache of answers.
func cached(t *testing.T, cache agentkit.AnswerCache, turns ...faux.Turn) (*recorder, core.Model) {
	t.Helper()
	inner := script(t, turns...)
	return inner, agentkit.CachedAnswers(cache)(inner)
}

func collect(t *testing.T, m core.Model, req *core.Request) core.Answer {
	t.Helper()
	a, err := core.Collect(m.Stream(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ask(text string) *core.Request {
	return &core.Request{Turn: 1, Messages: []core.Message{core.UserMessage(text)}}
}

func TestAnAnswerIsGivenAgainWithoutTheModel(t *testing.T) {
	inner, model := cached(t, agentkit.NewMemoryCache(4), faux.Turn{Thinking: "hm", Signature: "s", Text: "Blue.",
		Usage: &faux.Usage{Input: 7, Output: 3}})
	first := collect(t, model, ask("colour?"))
	again := collect(t, model, ask("colour?"))
	saved := first.Usage
	want := first
	want.Usage, want.Saved = core.Usage{}, &saved
	if diff := cmp.Diff(want, again); diff != "" || len(inner.requests) != 1 || first.Saved != nil {
		t.Errorf("%d requests, first hit %v, answer (-want +got):\n%s", len(inner.requests), first.Saved, diff)
	}
	if saved != (core.Usage{Input: 7, Output: 3}) {
		t.Errorf("the answer had consumed %+v", saved)
	}
}

// A hit is worth what that answer consumed, not what answers consume on average.
func TestAHitIsMarkedAndCredited(t *testing.T) {
	cache := agentkit.NewMemoryCache(4)
	for _, size := range []int64{100, 900} {
		text := strings.Repeat("x", int(size))
		cfg := agentkit.Config{Model: script(t, faux.Turn{Text: "ok", Usage: &faux.Usage{Input: size}}),
			Middleware: agentkit.Middleware{Model: []func(core.Model) core.Model{agentkit.CachedAnswers(cache)}}}
		if res := run(t, cfg, agentkit.RunInput{Input: text}); res.Usage.Input != size || res.Saved != (core.Usage{}) {
			t.Errorf("first: %+v", res)
		}
		meter := agentkit.NewTokenMeter(1, 0)
		var notes []string
		var res *agentkit.Result
		for e, err := range newAgent(t, cfg).Stream(t.Context(), agentkit.RunInput{Input: text, Meters: []agentkit.Meter{meter}}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case e.Kind == agentkit.EventNote:
				notes = append(notes, e.Note.Code)
			case e.Kind == agentkit.EventEnd:
				res = e.Result
			}
		}
		if res.Usage != (core.Usage{}) || res.Saved.Input != size || meter.Allow() != nil {
			t.Errorf("hit: used %+v, saved %+v, meter %v", res.Usage, res.Saved, meter.Allow())
		}
		if diff := cmp.Diff([]string{"answer-cached"}, notes); diff != "" {
			t.Errorf("notes (-want +got):\n%s", diff)
		}
	}
}

func TestWhatIsNotKept(t *testing.T) {
	for name, turn := range map[string]faux.Turn{
		"an answer with calls":     {Calls: []faux.Call{call("look", `{}`)}, Stop: core.StopEnd},
		"one that was cut":         {Text: "x", Stop: core.StopMaxTokens},
		"one that was refused":     {Text: "x", Stop: core.StopRefusal},
		"one that ended too early": {Text: "x", Fault: &faux.Fault{Kind: faux.FaultCut, After: 1}},
		"one that failed":          {Text: "x", Fault: &faux.Fault{Kind: faux.FaultError, After: 1}},
	} {
		inner, model := cached(t, agentkit.NewMemoryCache(4), turn)
		for range 2 {
			if a, err := core.Collect(model.Stream(t.Context(), ask("go"))); err == nil && a.Saved != nil {
				t.Errorf("%s: it was taken from the cache", name)
			}
		}
		if n := len(inner.requests); n != 2 {
			t.Errorf("%s: the model was asked %d times", name, n)
		}
	}
}

// brokenCache fails in one of its methods.
type brokenCache struct {
	agentkit.AnswerCache
	get, put error
}

func (c brokenCache) Get(ctx context.Context, key string) (core.Answer, bool, error) {
	if c.get != nil {
		return core.Answer{}, false, c.get
	}
	return c.AnswerCache.Get(ctx, key)
}

func (c brokenCache) Put(ctx context.Context, key string, a core.Answer) error {
	if c.put != nil {
		return c.put
	}
	return c.AnswerCache.Put(ctx, key, a)
}

func TestACacheThatFailsIsPassedBy(t *testing.T) {
	full := errors.New("disk full")
	for name, cache := range map[string]brokenCache{
		"reading": {agentkit.NewMemoryCache(4), full, nil}, "writing": {agentkit.NewMemoryCache(4), nil, full},
	} {
		_, model := cached(t, cache, faux.Turn{Text: "Blue."})
		a := collect(t, model, ask("colour?"))
		if diff := cmp.Diff([]string{"the cache of answers: disk full"}, a.Warnings); diff != "" || len(a.Parts) != 1 {
			t.Errorf("%s: parts %v, warnings (-want +got):\n%s", name, a.Parts, diff)
		}
	}
}

func TestAStreamThroughTheCacheMayBeLeft(t *testing.T) {
	cache := agentkit.NewMemoryCache(4)
	inner, model := cached(t, cache, faux.Turn{Text: "Blue as the sky, or nearly so."})
	for range model.Stream(t.Context(), ask("colour?")) {
		break
	}
	collect(t, model, ask("colour?"))
	for range model.Stream(t.Context(), ask("colour?")) {
		break
	}
	if n := len(inner.requests); n != 2 {
		t.Errorf("the model was asked %d times: an answer that was left isn't kept, one that was taken to its end is", n)
	}
}

// keyOf returns the key that a request is looked up by.
type keySpy struct{ key string }

func (s *keySpy) Get(_ context.Context, key string) (core.Answer, bool, error) {
	s.key = key
	return core.Answer{Stop: core.StopEnd}, true, nil
}

func (*keySpy) Put(context.Context, string, core.Answer) error { return nil }

func keyOf(t *testing.T, m core.Model, req core.Request) string {
	t.Helper()
	spy := &keySpy{}
	collect(t, agentkit.CachedAnswers(spy)(m), &req)
	return spy.key
}

// Everything that is sent is part of the key: a field that a struct of a request gets must be listed here as one or the
// other.
func TestTheKeyHoldsAllThatIsSent(t *testing.T) {
	notSent := map[string]bool{"Request.Agent": true, "Request.Turn": true, "Request.Attempt": true, "Request.Image": true,
		"Msg.ID": true, "Msg.Parent": true, "Msg.Path": true, "Msg.Author": true, "Msg.Branch": true, "Msg.Stop": true,
		"Msg.Model": true, "Msg.Within": true, "Msg.Usage": true, "Msg.Set": true, "Msg.Delete": true}
	parts := []core.Part{core.Text{Text: "a"}, core.Thinking{Text: "a"}, core.ToolCall{ID: "c"}, core.ToolResult{ID: "c"}, core.Image{Digest: "d"}}
	base := func() core.Request {
		return core.Request{Messages: []core.Message{{Role: core.RoleModel, Parts: append([]core.Part(nil), parts...)}},
			Tools: []core.Spec{{Name: "look"}}}
	}
	model := script(t)
	plain := keyOf(t, model, base())
	changed := func(name string, req core.Request) {
		if differs := keyOf(t, model, req) != plain; differs == notSent[name] {
			t.Errorf("%s: the key differs: %t", name, differs)
		}
	}
	fields := func(of reflect.Type, set func(field int) core.Request) {
		for i := range of.NumField() {
			changed(of.Name()+"."+of.Field(i).Name, set(i))
		}
	}
	fields(reflect.TypeFor[core.Request](), func(i int) core.Request {
		req := base()
		alter(reflect.ValueOf(&req).Elem().Field(i))
		return req
	})
	fields(reflect.TypeFor[core.Message](), func(i int) core.Request {
		req := base()
		alter(reflect.ValueOf(&req.Messages[0]).Elem().Field(i))
		return req
	})
	fields(reflect.TypeFor[core.Spec](), func(i int) core.Request {
		req := base()
		alter(reflect.ValueOf(&req.Tools[0]).Elem().Field(i))
		return req
	})
	fields(reflect.TypeFor[core.Generate](), func(i int) core.Request {
		req := base()
		alter(reflect.ValueOf(&req.Generate).Elem().Field(i))
		return req
	})
	for n, p := range parts {
		fields(reflect.TypeOf(p), func(i int) core.Request {
			req := base()
			v := reflect.New(reflect.TypeOf(p)).Elem()
			v.Set(reflect.ValueOf(p))
			alter(v.Field(i))
			req.Messages[0].Parts[n] = v.Interface().(core.Part)
			return req
		})
	}
	if keyOf(t, modelNamed{model, "other"}, base()) == plain {
		t.Error("another model has the same key")
	}
}

type modelNamed struct {
	core.Model
	name string
}

func (m modelNamed) Name() string { return m.name }

func (m modelNamed) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return m.Model.Stream(ctx, req)
}

// alter gives a value another one of its type.
func alter(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "!")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), nil))
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a":1}`))
			return
		}
		v.Set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
	case reflect.Struct:
		for _, field := range v.Fields() {
			alter(field)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(core.Text{Text: "?"}))
	default:
		panic("no other value of " + v.Type().String())
	}
}

func TestAMemoryCacheKeepsWhatWasUsedLast(t *testing.T) {
	c := agentkit.NewMemoryCache(2)
	put := func(key string) {
		if err := c.Put(t.Context(), key, core.Answer{Model: key}); err != nil {
			t.Fatal(err)
		}
	}
	has := func(key string) bool {
		a, ok, err := c.Get(t.Context(), key)
		if err != nil || ok && a.Model != key {
			t.Errorf("%s: %v, %v", key, a, err)
		}
		return ok
	}
	put("a")
	put("b")
	if !has("a") {
		t.Error("a is gone")
	}
	put("b")
	put("c")
	if has("a") || !has("b") || !has("c") {
		t.Error("b and c were used last")
	}
}
