package agentkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

func TestARunWithoutToolsIsOneTurn(t *testing.T) {
	model := script(t, faux.Turn{Thinking: "hm", Text: "Hello.", Usage: &faux.Usage{Input: 5, Output: 2, CacheRead: 3}})
	res := run(t, agentkit.Config{Model: model, Instruction: "Greet."}, agentkit.RunInput{Input: "hi"})
	want := &agentkit.Result{Text: "Hello.", Stop: core.StopEnd, Turns: 1,
		Usage: core.Usage{Input: 5, Output: 2, CacheRead: 3}}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	wantReq := core.Request{Agent: "bot", Turn: 1, Attempt: 1, System: "Greet.",
		Messages: []core.Message{core.UserMessage("hi")}}
	if diff := cmp.Diff(wantReq, model.last(t)); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestResultsAreShownInCallOrderWhateverOrderTheyFinishIn(t *testing.T) {
	second := make(chan struct{})
	first := newTool("first", func(context.Context, core.Call) (core.Result, error) {
		<-second
		return core.TextResult("1"), nil
	})
	model := script(t,
		faux.Turn{Calls: []faux.Call{call("first", `{}`), call("second", `{}`), call("nowhere", `{}`)}},
		faux.Turn{Text: "done"})
	log := &flakyLog{onWrite: func(recs []journal.Record) {
		for _, r := range recs {
			if m, ok := r.(journal.Msg); ok && m.Role == core.RoleTool {
				if res, _ := core.ResultOf(m); res.Name == "second" {
					close(second) // the first call ends only when the second one's result is committed
				}
			}
		}
	}}
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{first, says("second", "2")}},
		agentkit.RunInput{Input: "go", Log: log})
	order := func(msgs []core.Message) (ids []string) {
		for _, r := range results(msgs) {
			ids = append(ids, r.ID)
		}
		return ids
	}
	if diff := cmp.Diff([]string{"c3", "c2", "c1"}, order(log.Messages())); diff != "" {
		t.Errorf("committed, which has to be as soon as a result is there (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"c1", "c2", "c3"}, order(model.last(t).Messages)); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestWhatIsWrongWithACallIsToldToTheModel(t *testing.T) {
	for _, c := range []struct {
		name string
		call faux.Call
		want []string
	}{
		{"unknown tool", call("fetch", `{}`), []string{`no tool "fetch"`, "the tools are: read, write"}},
		{"not JSON", rawCall("read", `{'path': "x"}`), []string{"not run", "arguments of read", "byte 1", "a key in quotes"}},
		{"no object", rawCall("read", `["x"]`), []string{"a JSON object is expected, not an array"}},
		{"a key twice", rawCall("read", `{"path":"a","path":"b"}`), []string{`"path" is given twice`}},
		{"does not fit", call("read", `{"way":"x"}`), []string{"don't fit its schema", "path is missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := says("read", "text")
			read.spec.InputSchema = json.RawMessage(`["path"]`)
			model := script(t, faux.Turn{Calls: []faux.Call{c.call}}, faux.Turn{Text: "sorry"})
			log := &flakyLog{}
			run(t, agentkit.Config{Model: model, Tools: []core.Tool{read, says("write", "")}, Schemas: required{}},
				agentkit.RunInput{Input: "go", Log: log})
			wantError(t, model.last(t).Messages, c.want...)
			if len(read.runs()) != 0 {
				t.Error("the call was run")
			}
			for _, r := range log.Records() {
				if r.Kind() == journal.KindCall {
					t.Errorf("an intent was recorded: %v", r)
				}
			}
		})
	}
}

func TestArgumentsThatFitTheSchemaReachTheTool(t *testing.T) {
	read := says("read", "text")
	read.spec.InputSchema = json.RawMessage(`["path"]`)
	model := script(t, faux.Turn{Calls: []faux.Call{call("read", `{"path":"x"}`)}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{read}, Schemas: required{}}, agentkit.RunInput{Input: "go"})
	if ran := read.runs(); len(ran) != 1 || string(ran[0].Args) != `{"path":"x"}` {
		t.Errorf("the tool got %v", ran)
	}
}

func TestErrorsHaveStableCodes(t *testing.T) {
	for want, err := range map[string]interface{ Code() string }{
		"limit-exceeded": &agentkit.LimitError{},
		"output-schema":  &agentkit.OutputError{},
		"prompt":         &agentkit.PromptError{},
		"model-error":    &agentkit.ModelError{},
	} {
		if err.Code() != want {
			t.Errorf("%T has the code %s, want %s", err, err.Code(), want)
		}
	}
}

func TestNoToolsAtAll(t *testing.T) {
	model := script(t, faux.Turn{Calls: []faux.Call{call("x", `{}`)}}, faux.Turn{Text: "sorry"})
	run(t, agentkit.Config{Model: model}, agentkit.RunInput{Input: "go"})
	wantError(t, model.last(t).Messages, `there is no tool "x": no tools are available`)
}

func TestEmptyArgumentsStandForNone(t *testing.T) {
	look := says("look", "ok")
	model := script(t, faux.Turn{Calls: []faux.Call{{Name: "look"}}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{look}}, agentkit.RunInput{Input: "go"})
	if got := string(look.runs()[0].Args); got != "{}" {
		t.Errorf("the tool got %q", got)
	}
	if got := core.CallsOf(model.last(t).Messages[1])[0].Args; got != "" {
		t.Errorf("the transcript has %q, the model wrote nothing", got)
	}
}

func TestAToolThatEndsItsGoroutineIsAResult(t *testing.T) {
	quit := newTool("quit", func(context.Context, core.Call) (core.Result, error) { runtime.Goexit(); return core.Result{}, nil })
	model := script(t, faux.Turn{Calls: []faux.Call{call("quit", `{}`)}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{quit}}, agentkit.RunInput{Input: "go"})
	wantError(t, model.last(t).Messages, "the tool quit ended its goroutine")
}

func TestStateThatAToolWritesIsCommittedAndSeenInTheNextPrompt(t *testing.T) {
	set := newTool("set", func(context.Context, core.Call) (core.Result, error) {
		return core.Result{Text: "ok", Set: map[string]any{"plan": []string{"pro"}, "n": 3}, Delete: []string{"old"}}, nil
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("set", `{}`)}}, faux.Turn{Text: "done"})
	log := &flakyLog{}
	state := map[string]any{"plan": "free", "old": "here", "kept": "yes"}
	in := agentkit.RunInput{Input: "go", Log: log, State: func(k string) (any, bool) { v, ok := state[k]; return v, ok }}
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{set}, Instruction: "plan {plan}, n {n?}, old {old?}, kept {kept}"}
	res := run(t, cfg, in)
	if got := model.requests[0].System; got != "plan free, n , old here, kept yes" {
		t.Errorf("first prompt: %s", got)
	}
	if got := model.requests[1].System; got != `plan ["pro"], n 3, old , kept yes` {
		t.Errorf("second prompt: %s", got)
	}
	want := map[string]any{"plan": []any{"pro"}, "n": int64(3)}
	if diff := cmp.Diff(want, log.Messages()[1].Set); diff != "" {
		t.Errorf("committed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, res.Set); diff != "" || len(res.Delete) != 1 || res.Delete[0] != "old" {
		t.Errorf("result: delete %v, set (-want +got):\n%s", res.Delete, diff)
	}
	model.requests = nil
	in.Progress = log.Records()[:3] // killed behind the result
	run(t, cfg, in)
	if got := model.last(t).System; got != `plan ["pro"], n 3, old , kept yes` {
		t.Errorf("prompt after a restart: %s", got)
	}
}

func TestAStateValueThatCannotBeKeptIsAnErrorResult(t *testing.T) {
	set := newTool("set", func(context.Context, core.Call) (core.Result, error) {
		return core.Result{Text: "ok", Set: map[string]any{"f": func() {}}}, nil
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("set", `{}`)}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{set}}, agentkit.RunInput{Input: "go"})
	wantError(t, model.last(t).Messages, "the tool set wrote a state value that can't be kept")
}

func TestABatchEndsTheRunOnlyWhenEveryResultAsks(t *testing.T) {
	ends := newTool("ends", func(context.Context, core.Call) (core.Result, error) {
		return core.Result{Text: "bye", EndRun: true}, nil
	})
	for _, c := range []struct {
		name  string
		calls []faux.Call
		ended bool
	}{
		{"one", []faux.Call{call("ends", `{}`)}, true},
		{"both", []faux.Call{call("ends", `{}`), call("ends", `{}`)}, true},
		{"one of two", []faux.Call{call("ends", `{}`), call("other", `{}`)}, false},
		{"one refused", []faux.Call{call("ends", `{}`), call("nowhere", `{}`)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := script(t, faux.Turn{Text: "Leaving.", Calls: c.calls}, faux.Turn{Text: "Still here."})
			cfg := agentkit.Config{Model: model, Tools: []core.Tool{ends, says("other", "ok")}}
			log := &flakyLog{}
			res := run(t, cfg, agentkit.RunInput{Input: "go", Log: log})
			if ended := res.Stop == core.StopEndRun; ended != c.ended || (res.Text == "Leaving.") != c.ended {
				t.Errorf("ended %t with stop %s and text %q, want %t", ended, res.Stop, res.Text, c.ended)
			}
			again := run(t, cfg, agentkit.RunInput{Input: "go", Log: log, Progress: log.Records()})
			if diff := cmp.Diff(res, again); diff != "" {
				t.Errorf("after a restart (-first +again):\n%s", diff)
			}
		})
	}
}

func TestMaxTurns(t *testing.T) {
	step := says("step", "ok")
	turn := faux.Turn{Calls: []faux.Call{call("step", `{}`)}}
	model := script(t, turn, turn, turn)
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{step}, Limits: agentkit.Limits{MaxTurns: 2}}
	log := &flakyLog{}
	_, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
	var limit *agentkit.LimitError
	if !errors.As(err, &limit) || *limit != (agentkit.LimitError{Limit: "max_turns", Value: 2, Used: 2}) {
		t.Fatalf("err = %v", err)
	}
	if len(model.requests) != 2 || len(step.runs()) != 2 {
		t.Errorf("%d requests, %d tool calls", len(model.requests), len(step.runs()))
	}
	if _, err = newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Progress: log.Records()}); !errors.As(err, &limit) {
		t.Errorf("a restart forgot the turns that were used: %v", err)
	}
}

func TestMaxTurnsDefault(t *testing.T) {
	m, err := faux.New("faux", faux.Script{Rules: []faux.Rule{{Reply: &faux.Turn{Calls: []faux.Call{call("step", `{}`)}}}}})
	if err != nil {
		t.Fatal(err)
	}
	step := says("step", "ok")
	_, err = newAgent(t, agentkit.Config{Model: m, Tools: []core.Tool{step}}).Run(t.Context(), agentkit.RunInput{Input: "go"})
	if err == nil || !strings.Contains(err.Error(), "limit max_turns reached: 50 of 50 used") {
		t.Errorf("err = %v", err)
	}
	if n := len(step.runs()); n != agentkit.DefaultMaxTurns {
		t.Errorf("%d turns", n)
	}
}

func TestATokenMeterIsAskedBeforeEachCallAndShared(t *testing.T) {
	turn := faux.Turn{Calls: []faux.Call{call("step", `{}`)}, Usage: &faux.Usage{Input: 60, Output: 20, CacheRead: 15, CacheWrite: 5}}
	cfg := agentkit.Config{Model: script(t, turn, turn, turn), Tools: []core.Tool{says("step", "ok")}}
	meter := agentkit.NewTokenMeter(250, 60)
	_, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Meters: []agentkit.Meter{meter}})
	var limit *agentkit.LimitError
	if !errors.As(err, &limit) || *limit != (agentkit.LimitError{Limit: "max_tokens", Value: 250, Used: 260}) {
		t.Errorf("err = %v: two calls of 100 fit behind 60", err)
	}
}

func TestUsageThatIsNotReportedIsEstimatedAndMarked(t *testing.T) {
	model := script(t, faux.Turn{Text: "Hello, hello.", Usage: &faux.Usage{}})
	log := &flakyLog{}
	res := run(t, agentkit.Config{Model: model, Instruction: "Greet."}, agentkit.RunInput{Input: "hi", Log: log, Path: "a@1"})
	if res.Usage.Input <= 0 || res.Usage.Output <= 0 {
		t.Errorf("usage %+v", res.Usage)
	}
	note, ok := log.Records()[1].(journal.Note)
	if !ok || note.Code != "usage-estimated" || note.Path != "a@1" {
		t.Errorf("records: %v", log.Records())
	}
}

func TestAnswersThatEndedInAnErrorAreErrors(t *testing.T) {
	for _, stop := range []core.StopReason{core.StopError, core.StopAborted} {
		log := &flakyLog{}
		model := script(t, faux.Turn{Text: "half", Calls: []faux.Call{call("x", `{}`)}, Stop: stop})
		x := says("x", "")
		_, err := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{x}}).
			Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
		var pe *core.ProviderError
		if !errors.As(err, &pe) || len(log.Records()) != 0 || len(x.runs()) != 0 {
			t.Errorf("stop %s: err %v, %d records, %d calls", stop, err, len(log.Records()), len(x.runs()))
		}
	}
}

func TestImagesOfAToolGoToTheBlobs(t *testing.T) {
	png := []byte("\x89PNG…")
	shot := newTool("shot", func(context.Context, core.Call) (core.Result, error) {
		return core.Result{Text: "here", Images: []core.ImageData{{MediaType: "image/png", Data: png}}}, nil
	})
	model := script(t, faux.Turn{Calls: []faux.Call{call("shot", `{}`)}}, faux.Turn{Text: "done"})
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{shot}}
	kept := blobs{}
	run(t, cfg, agentkit.RunInput{Input: "go", Blobs: kept})
	got := results(model.last(t).Messages)[0]
	want := core.ToolResult{ID: "c1", Name: "shot", Text: "here",
		Images: []core.Image{{MediaType: "image/png", Digest: journal.Digest(png), Size: int64(len(png))}}}
	if diff := cmp.Diff(want, got); diff != "" || string(kept[journal.Digest(png)]) != string(png) {
		t.Errorf("with blobs (-want +got):\n%s", diff)
	}
	if data, err := model.last(t).Image(t.Context(), got.Images[0]); string(data) != string(png) || err != nil {
		t.Errorf("the request loads %q, %v", data, err)
	}
	run(t, cfg, agentkit.RunInput{Input: "go"})
	if model.last(t).Image != nil {
		t.Error("a request without blobs loads images")
	}
	if got := results(model.last(t).Messages)[0]; len(got.Images) != 0 || !strings.Contains(got.Text, "an image (image/png) is left out") {
		t.Errorf("without blobs: %+v", got)
	}
}

type blobs map[string][]byte

func (b blobs) PutBlob(_ context.Context, data []byte) (string, error) {
	b[journal.Digest(data)] = data
	return journal.Digest(data), nil
}

func (b blobs) GetBlob(_ context.Context, digest string) ([]byte, error) { return b[digest], nil }

func TestAChatSeesTheSessionAndIsSeenByIt(t *testing.T) {
	model := script(t, faux.Turn{Text: "Fine."})
	log := &session.Memory{}
	if err := log.Commit(t.Context(), core.UserMessage("hello"),
		core.Message{Role: core.RoleModel, Author: "bot", Parts: []core.Part{core.Text{Text: "Hello."}}},
		core.UserMessage("how are you?")); err != nil {
		t.Fatal(err)
	}
	run(t, agentkit.Config{Model: model}, agentkit.RunInput{History: log.Messages(), View: session.ViewSession, Log: log})
	var texts []string
	for _, m := range model.last(t).Messages {
		texts = append(texts, core.TextOf(m))
	}
	if diff := cmp.Diff([]string{"hello", "Hello.", "how are you?"}, texts); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	if last := log.Messages()[3]; core.TextOf(last) != "Fine." || last.ID != "m4" || last.Parent != "m3" {
		t.Errorf("committed: %+v", last)
	}
}

// remarker is a model whose provider remarks the same with every answer.
type remarker struct{ core.Model }

func (m remarker) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		if yield(core.Delta{Kind: core.Warning, Text: "no seed"}, nil) {
			m.Model.Stream(ctx, req)(yield)
		}
	}
}

func TestARemarkOfTheProviderIsNotedOnce(t *testing.T) {
	log := &flakyLog{}
	model := remarker{script(t, faux.Turn{Calls: []faux.Call{call("x", `{}`)}}, faux.Turn{Text: "done"})}
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{says("x", "")}}, agentkit.RunInput{Input: "go", Log: log})
	if diff := cmp.Diff([]string{"provider-warning: no seed"}, notes(log)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}
