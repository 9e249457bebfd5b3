package build_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// scripted builds a document whose agents may call the tool, with a model that answers from a script.
func scripted(t *testing.T, document, script string, tool core.Tool) *workflow.Workflow {
	t.Helper()
	return builtWith(t, document, build.Options{People: true, Tools: map[string]core.Tool{"pay": tool},
		Models: map[string]core.Model{"default": fauxModel(t, script)}})
}

func fauxModel(t *testing.T, text string) core.Model {
	t.Helper()
	script, err := faux.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	model, err := faux.New("scripted", script)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func builtWith(t *testing.T, document string, opts build.Options) *workflow.Workflow {
	t.Helper()
	doc, found := declarative.Load("document.yaml", []byte(document))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	system, found := build.Build(checked, opts)
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	return system.Workflow()
}

// keyedPay is a tool with an effect, which is the same for calls with the same key.
type keyedPay struct {
	mu   sync.Mutex
	keys map[string]int
}

func (*keyedPay) Spec() core.Spec { return core.Spec{Name: "pay", Idempotent: true} }

func (p *keyedPay) Run(_ context.Context, call core.Call) (core.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[call.Key]++
	return core.TextResult("paid"), nil
}

// playCrashing plays a run to its end, and answers what it asks; its process dies at the n-th append, unless n is 0. It
// returns how the run ended, and whether there was such an append.
func playCrashing(t *testing.T, document, script string, n int) (told string, tripped bool) {
	t.Helper()
	tool := &keyedPay{keys: map[string]int{}}
	wf := scripted(t, document, script, tool)
	healthy := memory.New()
	faulty := storetest.NewFaulty(healthy, n, storetest.After)
	var last workflow.Event
	var failed error
	see := func(e workflow.Event, err error) bool {
		if err == nil {
			last = e
		}
		if e.Kind == workflow.NoteTaken {
			t.Errorf("crash after append %d: %+v", n, e.Record)
		}
		failed = err
		return true
	}
	req := workflow.RunRequest{Store: healthy, Session: "s", Run: "r", Input: "go",
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "go"}}}}
	if n > 0 {
		req.Store = faulty
	}
	wf.Run(t.Context(), req)(see)
	for range 10 {
		resume := workflow.ResumeRequest{Store: healthy, Session: "s", Run: "r"}
		switch {
		case failed != nil && !faulty.Tripped():
			t.Fatal(failed)
		case failed == nil && last.Kind == workflow.RunWaiting:
			resume.Answers = []workflow.Answer{{ID: last.Interrupts[0].Ask.ID, Value: "forty"}}
			if n > 0 && !faulty.Tripped() {
				resume.Store = faulty
			}
		case failed == nil:
			return fmt.Sprintf("%s %v, %d effects", last.Kind, last.Output, len(tool.keys)), faulty.Tripped()
		}
		failed = nil
		wf.Resume(t.Context(), resume)(see)
	}
	t.Fatalf("crash after append %d: no end", n)
	return "", false
}

// survives plays a run, and then once for each of its appends, at which its process dies: it comes to the same end.
func survives(t *testing.T, want, document, script string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		got, _ := playCrashing(t, document, script, 0)
		if got != want {
			t.Fatalf("without a crash: %s, want %s", got, want)
		}
		for n := 2; ; n++ {
			got, tripped := playCrashing(t, document, script, n)
			if !tripped {
				return
			}
			if got != want {
				t.Errorf("crash after append %d: %s, want %s", n, got, want)
			}
		}
	})
}
