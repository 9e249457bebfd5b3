package main_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// mails are the three ways through the example's graph, with the answer of each.
var mails = []struct{ name, text, answer string }{
	{"billing", "I was charged twice, invoice 1042", "Plan: pro"},
	{"question", "Which plan is ada@lovett.example on?",
		"I found ada@lovett.example in the CRM and kept the record in answers/customer.json."},
	{"default", "hello there", "Please rephrase."},
}

// TestCrashAtEveryRecord lets the journal fail at each append of the example, before and after it took effect, and takes
// the run up with a fresh system. The answer must be the same, what was finished must not be done again, and calls must
// carry the keys that they had.
func TestCrashAtEveryRecord(t *testing.T) {
	crm := startCRM(t)
	for _, m := range mails {
		t.Run(m.name, func(t *testing.T) {
			whole := newExample(t, crm)
			clean := storetest.NewFaulty(memory.New(), 1<<30, storetest.Before)
			if err := whole.start(t, clean, m.text); err != nil {
				t.Fatal(err)
			}
			want := whole.outcome(t, clean.Store)
			if want.Output != m.answer {
				t.Fatalf("the undisturbed run answers %q, want %q", want.Output, m.answer)
			}
			for n := 1; n <= clean.Appends(); n++ {
				for _, moment := range []storetest.Moment{storetest.Before, storetest.After} {
					t.Run(fmt.Sprintf("%s append %d", moment, n), func(t *testing.T) { crash(t, crm, m.text, n, moment, want) })
				}
			}
		})
	}
}

func crash(t *testing.T, crm *harnesstest.CRM, text string, n int, moment storetest.Moment, want outcome) {
	t.Helper()
	first := newExample(t, crm)
	store := storetest.NewFaulty(memory.New(), n, moment)
	if err := first.start(t, store, text); err == nil {
		t.Fatalf("the run completed although append %d failed", n)
	}
	before := first.ended(t, store.Store)

	second := first.successor()
	err := second.resume(t, store.Store)
	if errors.As(err, new(*run.NotFoundError)) {
		err = second.start(t, store.Store, text) // nothing of the run was recorded, so it is begun
	}
	if err != nil {
		t.Fatal(err)
	}
	got := second.outcome(t, store.Store)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcome (-undisturbed +resumed):\n%s", diff)
	}
	for _, path := range before {
		if again := second.started[path]; again > 0 {
			t.Errorf("%s had ended before the crash and was started again", path)
		}
	}
	if keys := keysSince(first.crm, first.mark); len(keys) > 1 {
		t.Errorf("the only lookup was made with the keys %v, want one", keys)
	}
}

// outcome is what a run comes to, wherever it was interrupted.
type outcome struct {
	Output any
	State  map[string]any
	Ends   map[string]int // how often each activation ended
	Files  map[string]string
	Calls  []string // the results that the transcript has, by call and tool
}

// outcome reads what the journal and the workspace say of the only run of a store.
func (e *example) outcome(t *testing.T, store journal.Store) outcome {
	t.Helper()
	out := outcome{Ends: map[string]int{}, Files: map[string]string{}}
	for _, r := range e.records(t, store) {
		switch r := r.(type) {
		case journal.End:
			out.Ends[r.Path]++
		case journal.Done:
			out.Output = r.Output.Value()
		case journal.Msg:
			for _, p := range r.Parts {
				if res, ok := p.(journal.ToolResult); ok {
					out.Calls = append(out.Calls, fmt.Sprintf("%s %s error=%t", res.ID, res.Name, res.Error))
				}
			}
		}
	}
	state, err := journal.Load(context.Background(), store, session)
	if err != nil {
		t.Fatal(err)
	}
	out.State = state.State
	err = filepath.WalkDir(e.workspace, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(e.workspace, path)
		out.Files[rel] = string(text)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

// ended are the activations that the journal calls done.
func (e *example) ended(t *testing.T, store journal.Store) []string {
	t.Helper()
	var paths []string
	for _, r := range e.records(t, store) {
		if end, ok := r.(journal.End); ok {
			paths = append(paths, end.Path)
		}
	}
	return paths
}

func (e *example) records(t *testing.T, store journal.Store) []journal.Record {
	t.Helper()
	var recs []journal.Record
	for entry, err := range store.Read(context.Background(), session, 1) {
		if err != nil {
			if len(recs) == 0 {
				return nil // the session's first append failed
			}
			t.Fatal(err)
		}
		recs = append(recs, entry.Records...)
	}
	return recs
}
