package agentkit_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// fiveTurns is an agent whose first four turns call look, fail, look and pay. Each of its turns takes 100 tokens, 0.25
// US dollars and a minute.
func fiveTurns(t *testing.T) (agentkit.Config, agentkit.RunInput) {
	t.Helper()
	var turns []faux.Turn
	for _, name := range []string{"look", "fail", "look", "pay"} {
		turns = append(turns, faux.Turn{Text: "I " + name, Calls: []faux.Call{call(name, `{}`)}, Usage: &faux.Usage{Output: 100}})
	}
	model := script(t, append(turns, faux.Turn{Text: "Done."})...)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	step := func(res core.Result) func(context.Context, core.Call) (core.Result, error) {
		return func(context.Context, core.Call) (core.Result, error) {
			now = now.Add(time.Minute)
			return res, nil
		}
	}
	cfg := agentkit.Config{Model: priced{model, cost.Prices{Output: 2500}}, Tools: []core.Tool{
		newTool("look", step(core.TextResult("ok"))), newTool("pay", step(core.TextResult("paid"))),
		newTool("fail", step(core.ErrorResult("no"))),
	}}
	return cfg, agentkit.RunInput{Input: "go", Started: now, Now: func() time.Time { return now }}
}

// priced is a model whose answers tell what they cost.
type priced struct {
	core.Model
	prices cost.Prices
}

func (m priced) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		for d, err := range m.Model.Stream(ctx, req) {
			if d.Usage.Cost = m.prices.Of(d.Usage); !yield(d, err) {
				return
			}
		}
	}
}

func TestStopPolicies(t *testing.T) {
	never := agentkit.StopIf("never", func(agentkit.TurnDone) bool { return false })
	for _, c := range []struct {
		policy agentkit.StopPolicy
		turns  int
		why    string
	}{
		{nil, 5, ""},
		{never, 5, ""},
		{agentkit.AfterTurns(2), 2, "turn 2 is done"},
		{agentkit.AfterTokens(300), 3, "300 tokens are used"},
		{agentkit.AfterCost(0.3), 2, "0.3 US dollars are spent"},
		{agentkit.AfterTime(3 * time.Minute), 3, "3m0s are over"},
		{agentkit.AfterTool("fail", "pay"), 4, "a call of fail or pay succeeded"},
		{agentkit.StopIf("it said so", func(t agentkit.TurnDone) bool { return core.TextOf(t.Message) == "I fail" }), 2, "it said so"},
		{agentkit.AnyOf(), 5, ""},
		{agentkit.AnyOf(never, agentkit.AfterTurns(3), agentkit.AfterTokens(300)), 3, "turn 3 is done"},
		{agentkit.AllOf(), 5, ""},
		{agentkit.AllOf(agentkit.AfterTurns(1), agentkit.AfterTool("pay")), 4, "turn 1 is done, and a call of pay succeeded"},
		{agentkit.AllOf(agentkit.AfterTurns(1), never), 5, ""},
	} {
		t.Run(c.why, func(t *testing.T) {
			cfg, in := fiveTurns(t)
			cfg.Stop = c.policy
			log := &flakyLog{}
			in.Log = log
			res := run(t, cfg, in)
			stop := core.StopPolicy
			if c.why == "" {
				stop = core.StopEnd
			}
			if res.Turns != c.turns || res.Why != c.why || res.Stop != stop {
				t.Errorf("stop %s behind turn %d because %q, want %d because %q", res.Stop, res.Turns, res.Why, c.turns, c.why)
			}
			whole(t, log.Messages())
			in.Progress = log.Records()
			if diff := cmp.Diff(res, run(t, cfg, in)); diff != "" {
				t.Errorf("taken up again (-first +again):\n%s", diff)
			}
		})
	}
}

func TestARunThatAPolicyEndsTakesNoFollowUp(t *testing.T) {
	cfg, in := fiveTurns(t)
	cfg.Stop = agentkit.AfterTurns(1)
	in.Control = &agentkit.Control{}
	d := in.Control.FollowUp("more")
	if res := run(t, cfg, in); res.Text != "I look" || res.Turns != 1 {
		t.Errorf("%q after %d turns", res.Text, res.Turns)
	}
	if err := d.Wait(t.Context()); !errors.Is(err, agentkit.ErrNotDelivered) {
		t.Errorf("err = %v", err)
	}
}

func TestAStopPolicyThatPanicsFailsTheRun(t *testing.T) {
	cfg, in := fiveTurns(t)
	cfg.Stop = func(agentkit.TurnDone) string { panic("nil map") }
	if _, err := newAgent(t, cfg).Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), "the stop policy panicked: nil map") {
		t.Errorf("err = %v", err)
	}
}

func TestLimitsNameThemselvesAndCountOverRestarts(t *testing.T) {
	for want, limits := range map[string]agentkit.Limits{
		"limit max_turns reached: 2 of 2 used":        {MaxTurns: 2},
		"limit max_tokens reached: 200 of 150 used":   {MaxTokens: 150},
		"limit max_cost_usd reached: 0.5 of 0.3 used": {MaxCostUSD: 0.3},
		"limit max_duration reached: 120 of 90 used":  {MaxDuration: 90 * time.Second},
	} {
		cfg, in := fiveTurns(t)
		cfg.Limits = limits
		log := &flakyLog{failAt: 3} // in the second turn
		in.Log = log
		if _, err := newAgent(t, cfg).Run(t.Context(), in); !errors.Is(err, errKilled) {
			t.Fatalf("first process: %v", err)
		}
		log.failAt = 0
		in.Progress = log.Records()
		_, err := newAgent(t, cfg).Run(t.Context(), in)
		var limit *agentkit.LimitError
		if !errors.As(err, &limit) || limit.Error() != want {
			t.Errorf("err %v, want %s", err, want)
		}
		if n := len(results(log.Messages())); n != 2 {
			t.Errorf("%s: %d turns were taken", want, n)
		}
	}
}

func TestTheTimeOfARunCountsFromItsStartOrFromTheRestart(t *testing.T) {
	cfg, in := fiveTurns(t)
	cfg.Limits.MaxDuration = 4 * time.Minute
	cfg.Stop = agentkit.AfterTurns(3)
	log := &flakyLog{}
	in.Log = log
	run(t, cfg, in)
	cfg.Stop = nil
	again := in
	again.Progress = log.Records()
	_, err := newAgent(t, cfg).Run(t.Context(), again) // the fourth turn is the last one that begins in time
	if want := "limit max_duration reached: 240 of 240 used"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("with the time of its start: %v", err)
	}
	again.Started = time.Time{}
	if res := run(t, cfg, again); res.Turns != 5 {
		t.Errorf("with the time of the restart: %d turns", res.Turns)
	}
}

// What a tool's own model calls consumed counts for limits, meters and result, also when the tool fails, and once.
func TestTheUsageOfAToolCounts(t *testing.T) {
	used := core.Usage{Input: 30, Output: 10, Cost: 0.5}
	for name, err := range map[string]error{"it answers": nil, "it fails": errors.New("no")} {
		ask := newTool("ask", func(context.Context, core.Call) (core.Result, error) {
			return core.Result{Text: "ok", Usage: used}, err
		})
		turn := faux.Turn{Calls: []faux.Call{call("ask", `{}`), call("ask", `{}`)}, Usage: &faux.Usage{Input: 20}}
		cfg := agentkit.Config{Model: script(t, turn, turn), Tools: []core.Tool{ask}, Stop: agentkit.AfterTurns(1)}
		meter := agentkit.NewTokenMeter(100, 0)
		log := &flakyLog{}
		res := run(t, cfg, agentkit.RunInput{Input: "go", Log: log, Meters: []agentkit.Meter{meter}})
		if want := (core.Usage{Input: 80, Output: 20, Cost: 1}); res.Usage != want {
			t.Errorf("%s: the result has %+v, want %+v", name, res.Usage, want)
		}
		var limit *agentkit.LimitError
		if !errors.As(meter.Allow(), &limit) || limit.Used != 100 {
			t.Errorf("%s: the meter has %v", name, limit)
		}
		cfg.Stop, cfg.Limits.MaxCostUSD = nil, 1
		if _, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Progress: log.Records()}); !errors.As(err, &limit) {
			t.Errorf("%s: after a restart: %v", name, err)
		}
	}
}

func TestUsageOfACallThatWasCutShortIsMetered(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ask := newTool("ask", func(ctx context.Context, _ core.Call) (core.Result, error) {
		cancel()
		return core.Result{Usage: core.Usage{Input: 7}}, ctx.Err()
	})
	meter := agentkit.NewTokenMeter(7, 0)
	cfg := agentkit.Config{Model: script(t, faux.Turn{Calls: []faux.Call{call("ask", `{}`)}, Usage: &faux.Usage{CacheRead: 0, Input: 1}}), Tools: []core.Tool{ask}}
	if _, err := newAgent(t, cfg).Run(ctx, agentkit.RunInput{Meters: []agentkit.Meter{meter}}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	var limit *agentkit.LimitError
	if !errors.As(meter.Allow(), &limit) || limit.Used != 8 {
		t.Errorf("the meter has %v", limit)
	}
}

func TestNewRefusesLimitsThatMakeNoSense(t *testing.T) {
	_, err := agentkit.New(agentkit.Config{Name: "bot", Model: script(t), Limits: agentkit.Limits{MaxTokens: -1, MaxCostUSD: -0.5, MaxDuration: -1}})
	for _, want := range []string{"max_tokens is -1, it can't be negative", "max_cost_usd is -0.5,", "max_duration is -1ns,"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error doesn't say %q: %v", want, err)
		}
	}
}
