package workflow_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// A random graph whose process dies up to three times, at random appends and under another schedule each time, does
// what it does without dying, and executes nothing again that had ended.
func TestCrash_random_graphs(t *testing.T) {
	for _, loops := range []bool{false, true} {
		t.Run(fmt.Sprintf("loops=%v", loops), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				g := drawGraph(rt, false, loops)
				g.nest(rt)
				if rapid.Bool().Draw(rt, "people") {
					g.ask(rt)
				}
				crashes := rapid.SliceOfN(rapid.IntRange(1, 8), 1, 3).Draw(rt, "crashes")
				after := rapid.Bool().Draw(rt, "after")
				synctest.Test(t, func(*testing.T) {
					want, _ := g.history(rt, nil, storetest.Before)
					got, again := g.history(rt, crashes, moment(after))
					if diff := cmp.Diff(want, got); diff != "" {
						rt.Fatalf("crashes %v (-want +got):\n%s\n%s", crashes, diff, g)
					}
					if len(again) > 0 {
						rt.Fatalf("crashes %v: executed again: %v\n%s", crashes, again, g)
					}
				})
			})
		})
	}
}

func moment(after bool) storetest.Moment {
	if after {
		return storetest.After
	}
	return storetest.Before
}

// history runs the graph, which dies at the given appends, and returns what the journal says in the end, and what was
// executed although it had ended.
func (g randomGraph) history(rt *rapid.T, crashes []int, at storetest.Moment) (told, again []string) {
	store := memory.New()
	begin := workflow.RunRequest{Store: store, Session: "s", Run: "r", Env: workflow.Env{IDs: ids("1")}}
	took := workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Env: workflow.Env{IDs: ids("2")}}
	var answers []workflow.Answer
	for i := 0; ; i++ {
		ended := map[string]bool{}
		fold, err := journal.Load(context.Background(), store, "s")
		begun := err == nil && fold.Run("r") != nil
		if begun {
			for _, a := range fold.Run("r").Activations {
				ended[a.Path] = !a.State.Live()
			}
		}
		if i < len(crashes) {
			faulty := storetest.NewFaulty(store, crashes[i], at)
			begin.Store, took.Store = faulty, faulty
		} else {
			begin.Store, took.Store = store, store
		}
		l := g.lab()
		l.delay = scheduled(i)
		w, err := workflow.New("test", l.edges(strings.Join(g.edges, "\n")))
		if err != nil {
			rt.Fatal(err)
		}
		var got outcome
		if begun {
			took.Answers = answers
			got = resume(w, took)
		} else {
			got = run(w, begin)
		}
		for _, path := range l.paths() {
			if ended[path] {
				again = append(again, path)
			}
		}
		answers = nil
		switch {
		case got.last().Kind == workflow.RunWaiting:
			for _, i := range got.last().Interrupts {
				answers = append(answers, workflow.Answer{ID: i.Ask.ID, Value: "yes to " + i.Path})
			}
		case codeOf(got.err) != workflow.CodeJournal:
			return g.told(rt, store, got), again
		}
	}
}

// told is what the journal says of each activation and of the run.
func (g randomGraph) told(rt *rapid.T, store journal.Store, got outcome) []string {
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil {
		rt.Fatalf("%v\n%s", err, g)
	}
	if v, there := fold.State["inside"]; there {
		rt.Fatalf("the session has what %v wrote in one of its own\n%s", v, g)
	}
	var list []string
	for _, a := range fold.Run("r").Activations {
		if journal.NodeOf(a.Path) != "START" {
			list = append(list, fmt.Sprint(a.Path, a.State, a.From, a.Input, a.Output.Value(), a.Routes, a.Next, a.Branch))
		}
	}
	slices.Sort(list)
	return append(list, fmt.Sprint(got.last().Kind, got.last().Output, got.err))
}
