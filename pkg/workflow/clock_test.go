package workflow_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// counting is a clock of another time zone that knows how many of its timers have neither fired nor been stopped.
type counting struct {
	mu   sync.Mutex
	open int
	made int
}

func (c *counting) Now() time.Time { return time.Now().In(time.FixedZone("elsewhere", 3600)) }

func (c *counting) AfterFunc(d time.Duration, f func()) func() bool {
	c.add(1)
	stop := time.AfterFunc(d, func() {
		c.add(-1)
		f()
	}).Stop
	return func() bool {
		stopped := stop()
		if stopped {
			c.add(-1)
		}
		return stopped
	}
}

func (c *counting) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	c.made += max(n, 0)
}

// However a run ends, no timer of it is left, and all its time is that of its clock.
func TestClock_no_timer_is_left(t *testing.T) {
	pausing := workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: time.Hour, MaxDelay: time.Hour, Jitter: zero()}}
	for _, tc := range []struct {
		name, graph string
		setup       func(*lab)
		cancelAfter time.Duration
	}{
		{name: "a timeout that isn't reached", graph: "START -> limited"},
		{name: "a timeout that is", graph: "START -> limited -[ERROR]-> b", setup: func(l *lab) {
			l.does("limited", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				if deadline, ok := ctx.Deadline(); ok {
					t.Errorf("a deadline that the network would take for its own: %v", deadline)
				}
				<-ctx.Done()
				return workflow.Result{}, ctx.Err()
			})
		}},
		{name: "a failure while another node pauses", graph: "START -> paused; START -> slow", setup: func(l *lab) {
			l.does("slow", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{}, sleep(ctx, 2*time.Hour+time.Minute)
			})
		}, cancelAfter: 90 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab().does("paused", fails("x"))
				l.config["limited"] = workflow.NodeConfig{Timeout: time.Minute}
				l.config["paused"] = pausing
				if tc.setup != nil {
					tc.setup(l)
				}
				clock := &counting{}
				ctx := context.Background()
				if tc.cancelAfter > 0 {
					limited, cancel := context.WithTimeout(ctx, tc.cancelAfter)
					defer cancel()
					ctx = limited
				}
				store := memory.New()
				watch(l.build(t, tc.graph), ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r",
					Env: workflow.Env{Clock: clock, Limits: workflow.Limits{MaxDuration: 24 * time.Hour}}})
				if clock.open != 0 || clock.made < 2 {
					t.Errorf("%d of %d timers are left", clock.open, clock.made)
				}
				fold, err := journal.Load(context.Background(), store, "s")
				if err != nil || !fold.Run("r").Started.Equal(fold.Run("r").Started.UTC()) || fold.Run("r").Started.Location() != time.UTC {
					t.Errorf("started at %v, %v", fold.Run("r").Started, err)
				}
			})
		})
	}
}
