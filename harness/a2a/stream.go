package a2a

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// SubscribeToTask implements [a2asrv.RequestHandler].
func (h *handler) SubscribeToTask(ctx context.Context, req *a2a.SubscribeToTaskRequest) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		principal, err := h.admit(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		w := h.runs.Watch(string(req.ID)) // before the run is looked at, so that nothing is missed
		defer w.Close()
		info, err := h.runs.Run(principal, string(req.ID))
		if err != nil {
			yield(nil, h.reply(ctx, err))
			return
		}
		if info.Status.Final() {
			yield(nil, a2a.NewError(a2a.ErrUnsupportedOperation,
				fmt.Sprintf("the task is over (%s) and has no more events: get it instead", info.Status)))
			return
		}
		s := &stream{handler: h, info: info, watcher: w, yield: yield}
		s.resume(ctx)
	}
}

// stream sends the events of one run to one client.
type stream struct {
	*handler
	info    journal.RunInfo
	watcher *run.Watcher
	yield   func(a2a.Event, error) bool

	// endsWaiting says that the stream ends when the run waits for a person, as its client is about to ask one.
	endsWaiting bool

	progress *progress
	// seen is the last entry of the journal that the client knows of.
	seen int64
}

// begin sends everything that happens in a run that has just begun.
func (s *stream) begin(ctx context.Context, m *a2a.Message) {
	s.progress = newProgress(s.info, s.outline(ctx, s.info))
	task := &a2a.Task{
		ID:        s.progress.TaskID,
		ContextID: s.progress.ContextID,
		Status:    status(s.progress.TaskInfo, journal.Queued, "", s.info.Started),
		History:   []*a2a.Message{{ID: m.ID, Role: m.Role, Parts: m.Parts, TaskID: s.progress.TaskID, ContextID: s.progress.ContextID}},
	}
	if s.yield(task, nil) {
		s.follow(ctx)
	}
}

// resume sends the state of a run, and what happens from there on.
func (s *stream) resume(ctx context.Context) {
	if s.snapshot(ctx) {
		s.follow(ctx)
	}
}

// snapshot sends the state of a run. It returns false when nothing comes after it.
func (s *stream) snapshot(ctx context.Context) bool {
	view, err := readSession(ctx, s.runs.Store(), s.info.Session)
	var r *journal.RunState
	if err == nil {
		r, err = view.run(s.info.Run)
	}
	if err != nil {
		s.yield(nil, s.reply(ctx, err))
		return false
	}
	outline := s.outline(ctx, s.info)
	s.progress = newProgress(s.info, outline)
	s.progress.catchUp(r, view.outputs(r, outline))
	s.seen = view.fold.Seq
	return s.yield(view.task(r, outline), nil) && r.Done == nil
}

// follow sends what happens until the run is over.
func (s *stream) follow(ctx context.Context) {
	for e, err := range s.watcher.Events(ctx) {
		switch {
		case errors.Is(err, run.ErrLagged):
			if !s.snapshot(ctx) {
				return
			}
		case err != nil:
			s.yield(nil, s.reply(ctx, err))
			return
		case e.Pos.IsZero() || e.Pos.Seq > s.seen:
			for _, update := range s.progress.updates(e) {
				if !s.yield(update, nil) {
					return
				}
			}
			if over(e) || s.endsWaiting && e.Kind == workflow.RunWaiting {
				return
			}
		}
	}
}
