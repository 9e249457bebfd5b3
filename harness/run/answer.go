package run

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// NotWaitingError says that a run takes no answer because it doesn't wait for a person.
type NotWaitingError struct {
	Run    string
	Status journal.Status
}

// Error names the run and its status.
func (e *NotWaitingError) Error() string {
	return fmt.Sprintf("run %s waits for no answer, it is %s", e.Run, e.Status)
}

// Answer goes on with a run that waits for a person, and returns when the answers are durable. The run goes on whatever
// becomes of ctx. The caller closes the watcher, which sees the events from there on.
//
// Errors are a *[NotWaitingError], a *[BusyError] when another run of the session executes, a *[FullError], [ErrDraining],
// or those of the engine: one with workflow.CodeAnswer says that an answer fits no question, and that nothing changed.
func (s *Supervisor) Answer(ctx context.Context, info journal.RunInfo, answers []workflow.Answer) (*Watcher, error) {
	unlock, err := s.locks.lock(ctx, info.Session)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.mayAnswer(ctx, info); err != nil {
		return nil, err
	}
	e, fresh, err := s.enter(info)
	switch {
	case err != nil:
		return nil, err
	case !fresh:
		return nil, &NotWaitingError{Run: info.Run, Status: journal.Running}
	case !e.tryAcquire(s.slots):
		s.leave(e)
		return nil, &FullError{Limit: s.cfg.MaxRuns}
	}
	w := s.Watch(info.Run)
	begun := make(chan error, 1)
	go s.goOn(e, answers, begun)
	if err := <-begun; err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// mayAnswer says why a run takes no answers now.
func (s *Supervisor) mayAnswer(ctx context.Context, info journal.RunInfo) error {
	now, ok := s.index.run(info.Principal, info.Run)
	if !ok || now.Status != journal.Waiting {
		return &NotWaitingError{Run: info.Run, Status: now.Status}
	}
	past, err := s.past(ctx, info.Session)
	if err != nil {
		return err
	}
	if r := executing(past); r != nil {
		return &BusyError{Session: info.Session, Run: r.ID, Status: r.Status()}
	}
	return s.vacated(ctx, info.Session)
}

// executing returns the run of a session that executes, or would if it could; nil for none.
func executing(past *journal.SessionState) *journal.RunState {
	for _, r := range past.Runs {
		if r.Done == nil && r.Status() != journal.Waiting {
			return r
		}
	}
	return nil
}

// goOn executes a run with answers.
func (s *Supervisor) goOn(e *execution, answers []workflow.Answer, begun chan<- error) {
	defer s.leave(e)
	service, err := s.service(e.info.Config)
	if err != nil {
		begun <- err
		return
	}
	first := func(ctx context.Context) iter.Seq2[workflow.Event, error] {
		return service.Answer(ctx, e.info, answers)
	}
	s.advance(e, service, first, begun)
}

// busyPause is how long a run whose deadline has passed waits for another one of its session.
const busyPause = time.Second

// wakeAt goes on with a run that waits when the deadline of one of its questions passes.
func (s *Supervisor) wakeAt(info journal.RunInfo, at time.Time) {
	if !at.IsZero() {
		time.AfterFunc(time.Until(at), func() { s.wake(info) })
	}
}

func (s *Supervisor) wake(info journal.RunInfo) {
	unlock, err := s.locks.lock(context.Background(), info.Session)
	if err != nil {
		return
	}
	defer unlock()
	s.mu.Lock()
	busy := s.inside[info.Session] != nil
	s.mu.Unlock()
	switch now, ok := s.index.run(info.Principal, info.Run); {
	case !ok || now.Status != journal.Waiting:
	case busy:
		s.wakeAt(info, time.Now().Add(busyPause))
	default:
		s.takeUp(info, nil)
	}
}
