package agentkit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

// Subagent is an agent as a tool of another one. Each call is a run of its own, and those of one batch work at the same
// time. What it uses counts in the run that called it: for limits, meters and result, see [core.Result].Usage; its
// own limits bound it while it works.
type Subagent struct {
	// Agent does the work.
	Agent *Agent

	// Name is the tool's; empty: the agent's. Description tells the model what the agent does and when to ask it.
	Name        string
	Description string

	// Shared lets the agent read the conversation that it is called from, as that of others (see [session.Reader]), and
	// write to its state. Otherwise it sees its task alone, and its writes end with it.
	Shared bool

	// Session keeps the run of a call: its log, and what was committed there before under the same [core.Call].Key. With it a
	// call that a process left behind is made again and goes on where it was; without it its outcome is unknown.
	Session func(ctx context.Context, call core.Call) (Log, []journal.Record, error)
}

// task is what the model gives a subagent.
type task struct {
	Task string `json:"task" doc:"What the agent is to do, with all that it needs to know."`
}

// Tool makes the tool.
func (s Subagent) Tool() (core.Tool, error) {
	if s.Agent == nil {
		return nil, errors.New("a subagent needs an agent")
	}
	if s.Name == "" {
		s.Name = s.Agent.Name()
	}
	return NewTool(core.Spec{Name: s.Name, Description: s.Description, Idempotent: s.Session != nil}, s.run)
}

// run is one call.
func (s Subagent) run(ctx context.Context, call core.Call, in task) (core.Result, error) {
	spent := &spending{}
	run := RunInput{Input: in.Task, Meters: []Meter{spent}}
	if s.Shared {
		run.History, run.View = call.Transcript, session.ViewSession
	}
	if s.Session != nil {
		var err error
		if run.Log, run.Progress, err = s.Session(ctx, call); err != nil {
			return core.Result{}, fmt.Errorf("the session of %s: %w", s.Name, err)
		}
		spent.before(run.Progress)
	}
	done, err := s.Agent.Run(ctx, run)
	res := core.Result{Usage: spent.total()}
	if err != nil {
		return res, err
	}
	res.Text, res.Structured = done.Text, done.Output
	if s.Shared {
		res.Set, res.Delete = done.Set, done.Delete
	}
	return res, nil
}

// spending is a [Meter] that sums up and bounds nothing. It also has what a run that fails has used.
type spending struct {
	mu   sync.Mutex
	used core.Usage
}

var _ Meter = (*spending)(nil)

// before counts what was committed in earlier processes: nobody else has counted it, because the call had no result.
func (s *spending) before(progress []journal.Record) {
	for _, r := range progress {
		if m, ok := r.(journal.Msg); ok && m.Usage != nil {
			s.Charge(*m.Usage)
		}
	}
}

// Allow has no objection.
func (*spending) Allow() error { return nil }

// Charge adds what was used.
func (s *spending) Charge(used core.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = s.used.Add(used)
}

func (s *spending) total() core.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}
