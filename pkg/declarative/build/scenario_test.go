package build_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/tools"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestScenarios runs the documents of testdata: each file holds a document, messages and what happened, which is compared.
// A message begins a run, all in one session; a line that begins with "< " answers the questions of the last run, in the
// order in which they were asked, with a JSON list of answers.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	files = slices.DeleteFunc(files, func(name string) bool { return filepath.Base(name) == "mistakes.txtar" })
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := newScenario(t, archive)
			got := s.play(t)
			if *update {
				s.files["want"] = got
				writeScenario(t, file, archive, got)
			}
			if diff := cmp.Diff(s.files["want"], got); diff != "" {
				t.Errorf("what happened (-want +got):\n%s", diff)
			}
		})
	}
}

type scenario struct {
	files     map[string]string
	system    *build.System
	run       string // the last one
	found     diag.List
	workspace string
}

func newScenario(t *testing.T, archive *txtar.Archive) *scenario {
	t.Helper()
	s := &scenario{files: map[string]string{}, workspace: t.TempDir()}
	for _, f := range archive.Files {
		s.files[f.Name] = string(f.Data)
	}
	s.build(t)
	return s
}

// build makes the system of the document, or finds out why there is none.
func (s *scenario) build(t *testing.T) *declarative.Checked {
	t.Helper()
	doc, found := declarative.Load("document.yaml", []byte(s.files["document.yaml"]))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	if _, found := declarative.InlinePrompts(doc, s.prompt); found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	space, err := tools.OpenWorkspace(s.workspace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Close() })
	s.system, s.found = build.Build(checked, build.Options{
		Functions:        functions(),
		Schedulers:       schedulers(),
		Tools:            map[string]core.Tool{"shout": shout{}},
		Hooks:            goHooks(),
		Models:           map[string]core.Model{"default": s.model(t)},
		Servers:          fakeServers{},
		People:           s.files["nobody"] == "",
		HarnessToolNames: []string{"write_file"},
		HarnessTools:     func(string) ([]core.Tool, error) { return space.Tools(), nil },
	})
	return checked
}

// prompt is a key of a ConfigMap, which a scenario has as a file CONFIGMAP/KEY.
func (s *scenario) prompt(name, key string) (string, error) {
	text, ok := s.files[name+"/"+key]
	if !ok {
		return "", fmt.Errorf("there is no file %s/%s", name, key)
	}
	return text, nil
}

func (s *scenario) model(t *testing.T) core.Model {
	t.Helper()
	text, err := yaml.YAMLToJSONStrict([]byte(s.files["model.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	var script faux.Script
	if s.files["model.yaml"] != "" {
		if script, err = faux.Parse(text); err != nil {
			t.Fatal(err)
		}
	}
	m, err := faux.New("scripted", script)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// play runs the messages of the scenario and tells what happened, one line an event.
func (s *scenario) play(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	for _, d := range s.found {
		fmt.Fprintln(&out, d.Error())
	}
	if s.system == nil {
		return out.String()
	}
	store := memory.New()
	var last workflow.Event
	for n, line := range strings.Split(strings.TrimSuffix(s.files["messages"], "\n"), "\n") {
		var events iter.Seq2[workflow.Event, error]
		if list, answers := strings.CutPrefix(line, "< "); answers {
			fmt.Fprintln(&out, line)
			events = s.answer(store, answersOf(t, list, last.Interrupts))
		} else {
			fmt.Fprintln(&out, ">", line)
			events = s.message(store, fmt.Sprintf("r_%d", n), line)
		}
		for e, err := range events {
			tell(&out, e, err)
			if err == nil { // what was open stays open when an answer is refused
				last = e
			}
		}
	}
	state, err := journal.Load(context.Background(), store, "s_1")
	if err != nil {
		t.Fatal(err)
	}
	if len(state.State) > 0 {
		fmt.Fprintf(&out, "state %s\n", encode(state.State))
	}
	s.listWorkspace(t, &out)
	return inOrder(out.String())
}

// inOrder sorts the results of calls that stand one behind the other: those of one turn are committed as the calls end.
func inOrder(told string) string {
	lines := strings.SplitAfter(told, "\n")
	isResult := func(line string) bool { return strings.Contains(line, " result error=") }
	for from := 0; from < len(lines); from++ {
		to := from
		for to < len(lines) && isResult(lines[to]) {
			to++
		}
		if to > from {
			slices.Sort(lines[from:to])
			from = to
		}
	}
	return strings.Join(lines, "")
}

func (s *scenario) message(store journal.Store, run, text string) iter.Seq2[workflow.Event, error] {
	s.run = run
	return s.system.Workflow().Run(context.Background(), workflow.RunRequest{
		Store: store, Session: "s_1", Run: run, App: "test", User: "user-1", Input: text, Env: s.env(),
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: text}}},
	})
}

func (s *scenario) answer(store journal.Store, answers []workflow.Answer) iter.Seq2[workflow.Event, error] {
	return s.system.Workflow().Resume(context.Background(), workflow.ResumeRequest{
		Store: store, Session: "s_1", Run: s.run, Answers: answers, Env: s.env()})
}

func (s *scenario) env() workflow.Env {
	return workflow.Env{Limits: s.system.Limits(), Deterministic: true}
}

// answersOf reads the answers to questions, in their order.
func answersOf(t *testing.T, list string, open []journal.Interrupt) []workflow.Answer {
	t.Helper()
	value, err := journal.DecodeValue([]byte(list))
	values, ok := value.([]any)
	if err != nil || !ok || len(values) > len(open) {
		t.Fatalf("%s: %v; %d questions are open", list, err, len(open))
	}
	var answers []workflow.Answer
	for i, v := range values {
		a, err := workflow.AnswerTo(open[i].Ask, v, "ada")
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	return answers
}

func (s *scenario) listWorkspace(t *testing.T, out *bytes.Buffer) {
	t.Helper()
	entries, err := os.ReadDir(s.workspace)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(s.workspace, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(out, "file %s %q\n", e.Name(), text)
	}
}

// tell writes what an event says, without ids and times.
func tell(out *bytes.Buffer, e workflow.Event, err error) {
	var run *workflow.RunError
	switch {
	case errors.As(err, &run):
		fmt.Fprintf(out, "run failed: %s: %s\n", run.Code, run.Message)
		return
	case err != nil:
		fmt.Fprintf(out, "error: %v\n", err)
		return
	}
	switch e.Kind {
	case workflow.NodeCompleted:
		fmt.Fprintf(out, "%s %s%s\n", e.Path, encode(e.Output), routesOf(e))
	case workflow.NodeRetrying:
		fmt.Fprintf(out, "%s attempt %d failed: %s: %s\n", e.Path, e.Attempt, e.Err.Code, said(e.Err))
	case workflow.NodeFailed:
		fmt.Fprintf(out, "%s failed: %s: %s\n", e.Path, e.Err.Code, said(e.Err))
	case workflow.MessageAdded:
		tellMessage(out, e)
	case workflow.NoteTaken:
		if n, ok := e.Record.(journal.Note); ok {
			fmt.Fprintf(out, "%s note %s: %s\n", n.Path, n.Code, n.Text)
		}
	case workflow.RunWaiting:
		for _, i := range e.Interrupts {
			fmt.Fprintf(out, "? %s asks for %s: %s%s\n", i.Path, i.Ask.Kind, i.Ask.Message, argsOf(i.Ask))
		}
	case workflow.RunCompleted:
		fmt.Fprintf(out, "= %s\n", encode(e.Output))
	default:
	}
}

// said is what a failure says behind its activation: the field of the document and the message.
func said(e *workflow.NodeError) string { return strings.TrimPrefix(e.Error(), e.Path+": ") }

func argsOf(ask journal.Ask) string {
	if ask.Kind != journal.AskApproval {
		return ""
	}
	return " " + ask.Args
}

func tellMessage(out *bytes.Buffer, e workflow.Event) {
	m, ok := e.Record.(journal.Msg)
	if !ok || m.Role == journal.RoleUser && m.Path == "" {
		return
	}
	for _, part := range m.Parts {
		switch p := part.(type) {
		case journal.Text:
			fmt.Fprintf(out, "%s %s says %q\n", m.Path, m.Author, p.Text)
		case journal.ToolCall:
			fmt.Fprintf(out, "%s %s calls %s %s\n", m.Path, m.Author, p.Name, p.Args)
		case journal.ToolResult:
			fmt.Fprintf(out, "%s %s result error=%t %q\n", m.Path, p.Name, p.Error, p.Text)
		}
	}
}

func routesOf(e workflow.Event) string {
	if len(e.Routes) == 0 {
		return ""
	}
	return " -> " + strings.Join(e.Routes, ",")
}

func encode(v any) string {
	text, err := journal.EncodeValue(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// functions are those that the scenarios name.
func functions() map[string]build.Function {
	return map[string]build.Function{
		"echo": func(_ *workflow.Context, input, config any) (workflow.Result, error) {
			return workflow.Result{Output: map[string]any{"input": input, "config": config}}, nil
		},
		"third_time": func(ctx *workflow.Context, _, _ any) (workflow.Result, error) {
			if ctx.Attempt() < 3 {
				return workflow.Result{}, workflow.Errorf("busy", "attempt %d came too early", ctx.Attempt())
			}
			return workflow.Result{Output: "at last"}, nil
		},
		"slow_twice": func(ctx *workflow.Context, _, _ any) (workflow.Result, error) {
			if ctx.Attempt() < 3 {
				<-ctx.Done()
				return workflow.Result{}, ctx.Err()
			}
			return workflow.Result{Output: "in time"}, nil
		},
		"keep": func(ctx *workflow.Context, input, _ any) (workflow.Result, error) {
			return workflow.Result{Output: input}, ctx.State().Set("note", input)
		},
		"refuse": func(*workflow.Context, any, any) (workflow.Result, error) {
			return workflow.Result{}, errors.New("no, thank you")
		},
	}
}

// schedulers are those that the scenarios name.
func schedulers() map[string]build.Scheduler {
	return map[string]build.Scheduler{
		// refine runs draft until review has no objection.
		"refine": func(ctx *workflow.Context, input any, run build.RunChild) (workflow.Result, error) {
			for {
				draft, err := run("draft", input)
				if err != nil {
					return workflow.Result{}, err
				}
				objection, err := run("review", draft)
				if err != nil || objection == nil {
					return workflow.Result{Output: draft, Routes: []string{"good"}}, err
				}
				input = objection
			}
		},
		"wrong_child": func(_ *workflow.Context, input any, run build.RunChild) (workflow.Result, error) {
			out, err := run("nobody", input)
			return workflow.Result{Output: out}, err
		},
	}
}

// shout is a registered tool with one string parameter.
type shout struct{}

func (shout) Spec() core.Spec {
	return core.Spec{Name: "shout", Description: "Says it loudly.", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`)}
}

func (shout) Run(_ context.Context, call core.Call) (core.Result, error) {
	var args struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return core.Result{}, err
	}
	if args.Text == "" {
		return core.ErrorResult("there is nothing to shout"), nil
	}
	loud, err := json.Marshal(map[string]string{"said": strings.ToUpper(args.Text)})
	return core.Result{Text: strings.ToUpper(args.Text), Structured: loud, Set: map[string]any{"shouted": true}}, err
}

func writeScenario(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	if i < 0 {
		archive.Files = append(archive.Files, txtar.File{Name: "want"})
		i = len(archive.Files) - 1
	}
	archive.Files[i].Data = []byte(got)
	if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}
