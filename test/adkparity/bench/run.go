package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/workflow"
	"github.com/plait-dev/plait/test/benchkit"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// consume reads a run on either engine: both tell what happens by an iterator of events and errors.
func consume[E any](events iter.Seq2[E, error]) error {
	for _, err := range events {
		if err != nil {
			return err
		}
	}
	return nil
}

// onADK makes the run of a case on ADK. The workflow runs below an invocation that a runner made, but its events go to
// no session: what they cost there isn't the engine's. The context belongs to the invocation, which lasts until f returns.
func onADK(ctx context.Context, c benchCase, f func(benchkit.Side) error) error {
	w, err := c.adk()
	if err != nil {
		return err
	}
	var result error
	a, err := agent.New(agent.Config{Name: "bench", Run: func(in agent.InvocationContext) iter.Seq2[*session.Event, error] {
		return func(func(*session.Event, error) bool) {
			result = f(func() error { return consume(w.Run(in)) })
		}
	}})
	if err != nil {
		return err
	}
	r, err := runner.New(runner.Config{AppName: "bench", Agent: a, SessionService: session.InMemoryService(), AutoCreateSession: true})
	if err != nil {
		return err
	}
	err = consume(r.Run(ctx, "user", "session", genai.NewContentFromText("x", genai.RoleUser), agent.RunConfig{}))
	return errors.Join(err, result)
}

// onOurs makes the run of a case on ours. Each run has a session of its own when it has a journal.
func onOurs(ctx context.Context, c benchCase, dir string, f func(benchkit.Side) error) error {
	w, err := c.ours()
	if err != nil {
		return err
	}
	limits := workflow.Limits{MaxVisits: 1 << 20, MaxSteps: 1 << 20}
	var store journal.Store
	if c.journal {
		if store, err = jsonl.Open(dir, jsonl.WithSync(jsonl.SyncNever)); err != nil {
			return fmt.Errorf("the journal: %w", err)
		}
		defer store.Close()
	}
	return f(func() error {
		return consume(w.Run(ctx, workflow.RunRequest{Store: store, Input: "x", Env: workflow.Env{Limits: limits}}))
	})
}
