package workflow_test

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

var schedules = flag.Int("schedules", 4, "how many real schedules each random graph is run under")

// disturbance yields at hand-overs, more or less often, as a seed says.
func disturbance(seed uint64) func() {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, seed))
	return func() {
		mu.Lock()
		n := random.IntN(8)
		mu.Unlock()
		switch {
		case n == 0:
			time.Sleep(time.Duration(seed%5) * time.Microsecond)
		case n < 4:
			for range n {
				runtime.Gosched()
			}
		}
	}
}

// On real goroutines, disturbed at every hand-over, a random graph without plain fan-in does the same every time. With
// -race this is also what finds unguarded memory.
func TestE5_random_graphs_on_real_goroutines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGraph(rt, false, rapid.Bool().Draw(rt, "loops"))
		g.nest(rt)
		seed := rapid.Uint64().Draw(rt, "seed")
		stored := rapid.Bool().Draw(rt, "stored")
		var first outcome
		for schedule := range *schedules {
			w, err := workflow.New("test", g.lab().edges(strings.Join(g.edges, "\n")))
			if err != nil {
				rt.Fatalf("%v\n%s", err, g)
			}
			req := workflow.RunRequest{Env: workflow.WithHandOver(workflow.Env{
				Limits:        workflow.Limits{MaxSteps: 300},
				Deterministic: schedule%2 == 1,
			}, disturbance(seed+uint64(schedule)))}
			if stored {
				req.Store = memory.New()
			}
			got := run(w, req)
			switch {
			case codeOf(got.err) == workflow.CodeLimit:
				return // too large to follow
			case got.err != nil:
				rt.Fatalf("schedule %d: %v\n%s", schedule, got.err, g)
			case schedule == 0:
				first = got
			default:
				if diff := cmp.Diff(signature(first), signature(got)); diff != "" {
					rt.Fatalf("schedule %d differs from schedule 0:\n%s\n%s", schedule, diff, g)
				}
			}
		}
	})
}
