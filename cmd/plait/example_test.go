package main_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// The ids of the only run that each test of the example makes.
const (
	session = "s_test"
	runID   = "r_test"
)

// example is the support-triage example in one process: its document, prompts and scripted model as they are shipped, a
// workspace of its own, and the CRM that the test started.
type example struct {
	crm       *harnesstest.CRM
	mark      int // the calls that the CRM had answered before
	project   *project.Project
	compiled  *project.Compiled
	workspace string
	started   map[string]int // by activation
}

// writeRunFile writes a run file of the example that differs from the shipped one in the CRM's endpoint alone.
func writeRunFile(t *testing.T, crm string) string {
	t.Helper()
	shipped, err := filepath.Abs("../../examples/support-triage")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`
apiVersion: plait.dev/v1alpha1
kind: RunConfig
document: %[1]s/agentsystem.yaml
models:
  default: { provider: faux, model: scripted, script: %[1]s/model.yaml }
mcpServers:
  crm: { %[2]s }
prompts: %[1]s/prompts.yaml
harnessTools: [write_file]
`, filepath.ToSlash(shipped), crm)
	file := filepath.Join(t.TempDir(), project.FileName)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// newExample compiles the example with the CRM that the test started.
func newExample(t *testing.T, crm *harnesstest.CRM) *example {
	t.Helper()
	file := writeRunFile(t, "url: "+crm.URL)
	p, found, err := project.Open(file)
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	compiled, found, err := p.Compile()
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	return &example{crm: crm, mark: len(crm.Keys()), project: p, compiled: compiled, workspace: t.TempDir(), started: map[string]int{}}
}

// successor is the example in the process that comes after this one.
func (e *example) successor() *example {
	next := *e
	next.started = map[string]int{}
	return &next
}

// service takes the config in as a new process would.
func (e *example) service(t *testing.T, store journal.Store) *run.Service {
	t.Helper()
	sys, found, err := intake.New(e.compiled.Config, intake.Environment{
		WorkspaceDir: func(string) string { return e.workspace },
	})
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	t.Cleanup(func() {
		if err := sys.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := sys.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	digest, err := store.PutConfig(t.Context(), e.compiled.Config)
	if err != nil {
		t.Fatal(err)
	}
	return run.New(run.Config{Store: store, System: sys.System, Digest: digest, App: e.compiled.App, Owner: "test"})
}

func (e *example) start(t *testing.T, store journal.Store, text string) error {
	t.Helper()
	return e.watch(e.service(t, store).Start(context.Background(), run.Message{Session: session, Run: runID, Text: text}))
}

// resume takes the run up, unless the crash came after its last record.
func (e *example) resume(t *testing.T, store journal.Store) error {
	t.Helper()
	info, err := run.Find(context.Background(), store, runID)
	if err != nil || info.Status.Final() {
		return err
	}
	return e.watch(e.service(t, store).Resume(context.Background(), info))
}

func (e *example) watch(events func(func(workflow.Event, error) bool)) error {
	for ev, err := range events {
		if err != nil {
			return err
		}
		if ev.Kind == workflow.NodeStarted {
			e.started[ev.Path]++
		}
	}
	return nil
}
