package agentkit_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

// world is what outlives the processes of a run: the log, and what the tools did out there.
type world struct {
	flakyLog
	mu    sync.Mutex
	runs  map[string]int  // executions by call id
	known map[string]bool // calls whose result is committed
	wrong []string

	// openOnly gives a run its progress as an engine does that has folded its journal: all messages, and behind them the
	// intents that have no result.
	openOnly bool
}

func (w *world) progress() []journal.Record {
	recs := w.Records()
	if !w.openOnly {
		return recs
	}
	var msgs, calls []journal.Record
	for _, r := range recs {
		switch r := r.(type) {
		case journal.Msg:
			msgs = append(msgs, r)
		case journal.Call:
			if !w.known[r.ID] {
				calls = append(calls, r)
			}
		}
	}
	return append(msgs, calls...)
}

func (w *world) Commit(ctx context.Context, recs ...journal.Record) error {
	err := w.flakyLog.Commit(ctx, recs...)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range results(w.Messages()) {
		w.known[r.ID] = true
	}
	return err
}

// tools are one of each kind; only the plain one mustn't run twice.
func (w *world) tools() []core.Tool {
	mk := func(name string, readOnly, idempotent bool) core.Tool {
		x := newTool(name, func(_ context.Context, call core.Call) (core.Result, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.runs[call.ID]++; w.known[call.ID] {
				w.wrong = append(w.wrong, "a finished call was repeated: "+call.ID)
			}
			if w.runs[call.ID] > 1 && !readOnly && !idempotent {
				w.wrong = append(w.wrong, "a call with an effect was repeated: "+call.ID)
			}
			return core.TextResult("did " + call.ID), nil
		})
		x.spec.ReadOnly, x.spec.Idempotent = readOnly, idempotent
		return x
	}
	return []core.Tool{mk("look", true, false), mk("put", false, true), mk("pay", false, false)}
}

func TestRandomConversationsSurviveRandomKills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) faux.Turn {
			names := rapid.SliceOfN(rapid.SampledFrom([]string{"look", "put", "pay", "nowhere"}), 1, 4).Draw(t, "calls")
			turn := faux.Turn{Text: rapid.SampledFrom([]string{"", "Working."}).Draw(t, "text")}
			for _, n := range names {
				turn.Calls = append(turn.Calls, call(n, `{}`))
			}
			return turn
		}), 0, 4).Draw(t, "turns")
		turns = append(turns, faux.Turn{Text: "The end."})
		m, err := faux.New("faux", faux.Script{Turns: turns})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{runs: map[string]int{}, known: map[string]bool{}}
		w.after, w.openOnly = rapid.Bool().Draw(t, "after"), rapid.Bool().Draw(t, "open only")
		res := w.live(t, m, rapid.SliceOfN(rapid.IntRange(1, 6), 0, 6).Draw(t, "kills"))
		if res.Text != "The end." || res.Turns != len(turns) {
			t.Errorf("text %q after %d turns of %d", res.Text, res.Turns, len(turns))
		}
		for _, problem := range w.wrong {
			t.Error(problem)
		}
		asked := 0
		for _, turn := range turns {
			asked += len(turn.Calls)
		}
		if got := len(results(w.Messages())); got != asked {
			t.Errorf("%d results for %d calls", got, asked)
		}
		if n := len(session.Repair(w.Messages(), "faux")); n != len(w.Messages()) {
			t.Errorf("the transcript of %d messages needed repair: %d", len(w.Messages()), n)
		}
	})
}

// live runs processes that die at the given commits of their life, and a last one that doesn't.
func (w *world) live(t *rapid.T, m core.Model, kills []int) *agentkit.Result {
	for life := 0; ; life++ {
		w.commits, w.failAt = 0, 0
		if life < len(kills) {
			w.failAt = kills[life]
		}
		a, err := agentkit.New(agentkit.Config{Name: "bot", Model: m, Tools: w.tools()})
		if err != nil {
			t.Fatal(err)
		}
		res, err := a.Run(context.Background(), agentkit.RunInput{Input: "go", Path: "a@1", Log: w, Progress: w.progress()})
		if err == nil {
			return res
		}
		if !errors.Is(err, errKilled) {
			t.Fatalf("life %d: %v", life, err)
		}
	}
}
