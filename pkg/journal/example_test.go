package journal_test

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
)

// A run of two nodes is cut off during the second one. The fold of the log says where to go on.
func Example() {
	ctx := context.Background()
	store := memory.New()
	session := journal.NewAppender(store, "s_1", 0, nil)
	must(session.Append(ctx, "", 0, journal.Session{ID: "s_1", App: "default/support"}))

	run := session.Writer("r_1", 0)
	must(run.Commit(ctx, journal.Run{ID: "r_1", Root: "triage", Input: "invoice 1042"}))
	must(run.Commit(ctx, // what has no effects waits for the start of what has
		journal.Start{Path: "classify@1", From: []string{"START"}, Attempt: 1},
		journal.End{Path: "classify@1", Output: journal.Some(int64(1042)), Next: []string{"lookup@1"}},
		journal.Start{Path: "lookup@1", From: []string{"classify@1"}, Attempt: 1}))
	// lookup begins its effects here, and the process dies.

	state, err := journal.Load(ctx, store, "s_1")
	if err != nil {
		panic(err)
	}
	for _, a := range state.Run("r_1").Activations {
		fmt.Println(a.Path, a.State, a.Input)
	}
	// Output:
	// classify@1 done invoice 1042
	// lookup@1 running 1042
}

func must(_ *journal.Entry, err error) {
	if err != nil {
		panic(err)
	}
}
