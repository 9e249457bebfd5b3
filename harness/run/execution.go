package run

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// How long a run that can't be recorded pauses before it is tried again: at first, and at most.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// execution is a run that this process advances, or will when there is room.
type execution struct {
	info   journal.RunInfo
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{}
	slot   chan struct{} // what it holds one of; nil for nothing
}

// enter makes a run one of this process's, unless it is that already.
func (s *Supervisor) enter(info journal.RunInfo) (e *execution, fresh bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.live[info.Run]; ok {
		return e, false, nil
	}
	if s.draining {
		return nil, false, ErrDraining
	}
	e = &execution{info: info, done: make(chan struct{})}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	s.live[info.Run], s.inside[info.Session] = e, e
	s.all.Add(1)
	return e, true, nil
}

// leave ends what enter began.
func (s *Supervisor) leave(e *execution) {
	e.cancel(nil)
	if e.slot != nil {
		<-e.slot
	}
	if s.cfg.Released != nil {
		s.cfg.Released(e.info.Session)
	}
	s.mu.Lock()
	delete(s.live, e.info.Run)
	delete(s.inside, e.info.Session)
	s.mu.Unlock()
	close(e.done)
	s.all.Done()
}

// takeUp goes on with a run, unless this process is at it already. With a cause the run is cancelled, whoever began it.
// It returns nil when the process drains.
func (s *Supervisor) takeUp(info journal.RunInfo, cause error) *execution {
	e, fresh, err := s.enter(info)
	if err != nil {
		return nil
	}
	if cause != nil {
		e.cancel(cause)
	}
	if !fresh {
		return e
	}
	s.index.put(info)
	go func() {
		defer s.leave(e)
		if !e.acquire(s.slots) || s.refuses() && e.ctx.Err() == nil {
			return // the process ends, and another one takes the run up
		}
		service, err := s.service(info.Config)
		if err != nil {
			s.log(info.Session, info.Run).Error("the run stays suspended: its config can't be used", "config", info.Config, "error", err)
			return
		}
		s.advance(e, service, e.resume(service), nil)
	}()
	return e
}

// refuses says that the process ends: runs that waited for their turn don't begin any more.
func (s *Supervisor) refuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draining
}

// service returns the one for runs of a config.
func (s *Supervisor) service(digest string) (*Service, error) {
	if digest == s.cfg.Current.cfg.Digest || s.cfg.Pinned == nil {
		return s.cfg.Current, nil
	}
	return s.cfg.Pinned(context.Background(), digest)
}

func (e *execution) resume(service *Service) func(context.Context) iter.Seq2[workflow.Event, error] {
	return func(ctx context.Context) iter.Seq2[workflow.Event, error] { return service.Resume(ctx, e.info) }
}

// tryAcquire takes one of the slots, if one is free.
func (e *execution) tryAcquire(slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		e.slot = slots
		return true
	default:
		return false
	}
}

// acquire waits for a slot. A run that is to be cancelled needs none; for one that is to be suspended it returns false.
func (e *execution) acquire(slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		e.slot = slots
	case <-e.ctx.Done():
	}
	return !e.suspended()
}

func (e *execution) suspended() bool { return errors.Is(context.Cause(e.ctx), workflow.ErrSuspend) }

// pause waits before the next try. It ends early when the run is to be cancelled, and returns false when it is to be
// suspended.
func (e *execution) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-e.ctx.Done():
		return !e.suspended()
	}
}

// advance executes a run until it is over or suspended. What keeps it from being recorded is waited for. Begun gets one
// value: nil when the run has begun, or why it hasn't.
func (s *Supervisor) advance(
	e *execution, service *Service, first func(context.Context) iter.Seq2[workflow.Event, error], begun chan<- error,
) {
	log := s.log(e.info.Session, e.info.Run)
	failure := s.follow(e, first(e.ctx), begun, log)
	for delay := firstPause; failure != nil; delay = min(2*delay, maxPause) {
		log.Error("the run pauses: its journal can't be read or written", "error", failure, "again_in", delay.String())
		s.watchers.tell(e.info.Run, signal{err: &InterruptedError{Run: e.info.Run, Err: failure}})
		canceled := e.ctx.Err() != nil
		if permanent(failure) || canceled || !e.pause(delay) {
			return
		}
		failure = s.follow(e, e.resume(service)(e.ctx), nil, log)
	}
}

// permanent reports whether a log will not become readable by waiting.
func permanent(err error) bool {
	return errors.As(err, new(*journal.FoldError)) || errors.As(err, new(*journal.NewerFormatError))
}

// follow tells of the events of a run. It returns an error when the run, which had begun, can't be recorded.
func (s *Supervisor) follow(
	e *execution, events iter.Seq2[workflow.Event, error], begun chan<- error, log *slog.Logger,
) error {
	for ev, err := range events {
		if begun != nil {
			if err == nil && e.info.Started.IsZero() {
				s.put(e, ev)
			}
			begun <- err
			begun = nil
			if err != nil {
				return nil
			}
		}
		if err != nil {
			return ended(err, log)
		}
		s.see(e, ev, log)
		s.watchers.tell(e.info.Run, signal{event: ev})
	}
	return nil
}

// put makes a new run known.
func (s *Supervisor) put(e *execution, first workflow.Event) {
	info := e.info
	info.Started, info.Updated = first.At, first.At
	s.index.put(info)
}

// see keeps the index and the log up to date.
func (s *Supervisor) see(e *execution, ev workflow.Event, log *slog.Logger) {
	run := e.info.Run
	switch ev.Kind {
	case workflow.RunStarted:
		log.Info("the run begins")
	case workflow.RunResumed:
		s.index.update(run, journal.Running, "", ev.At)
		log.Info("the run goes on")
	case workflow.RunSuspended:
		stop, _ := ev.Record.(journal.Stop)
		s.index.update(run, journal.Suspended, stop.Why, ev.At)
		log.Info("the run is suspended", "why", stop.Why)
	case workflow.RunWaiting:
		s.index.update(run, journal.Waiting, "", ev.At)
		log.Info("the run waits for a person", "questions", len(ev.Interrupts))
		s.wakeAt(e.info, ev.Wake)
	case workflow.RunCompleted:
		s.over(run, journal.Completed, ev, log)
	case workflow.RunFailed:
		s.over(run, journal.Failed, ev, log)
	case workflow.RunCanceled:
		s.over(run, journal.Canceled, ev, log)
	case workflow.NodeFailed:
		log.Warn("a node failed", "node", ev.Path, "field", ev.Err.Field, "code", ev.Err.Code,
			"error", ev.Err.Message)
	case workflow.NoteTaken:
		if n, ok := ev.Record.(journal.Note); ok {
			log.Warn(n.Text, "node", n.Path, "code", n.Code)
		}
	case workflow.NodeStarted, workflow.NodeCompleted, workflow.NodeRetrying, workflow.NodeCanceled, workflow.NodeWaiting,
		workflow.MessageAdded, workflow.CallIntended, workflow.Progressed:
		// They are for watchers.
	}
}

func (s *Supervisor) over(run string, status journal.Status, ev workflow.Event, log *slog.Logger) {
	s.index.update(run, status, "", ev.At)
	log.Info("the run is over", "status", status)
}

// ended looks at the error that ends the events of a run, and returns it if the run isn't over by it.
func ended(err error, log *slog.Logger) error {
	var run *workflow.RunError
	switch {
	case !errors.As(err, &run) || run.Code == workflow.CodeRequest:
		log.Error("the run can't be taken up", "error", err)
		return nil
	case run.Code == workflow.CodeJournal:
		return err
	default:
		return nil // the events have told of it
	}
}
