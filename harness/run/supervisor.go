package run

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// DefaultMaxRuns is how many runs execute at once when nobody says otherwise.
const DefaultMaxRuns = 64

// SupervisorConfig describes a [Supervisor]. Current is required.
type SupervisorConfig struct {
	// Current begins new runs, and goes on with those of its config.
	Current *Service

	// Pinned returns the service for runs that began with another config; nil means that they stay suspended.
	Pinned func(ctx context.Context, digest string) (*Service, error)

	// MaxRuns bounds how many runs execute at once; default [DefaultMaxRuns].
	MaxRuns int

	// Released is called when a run of a session has ended or was suspended, before another one begins; nil for nothing.
	Released func(session string)

	// Logger gets a line for the begin and the end of each run, and for what goes wrong; nil discards them.
	Logger *slog.Logger
}

// Supervisor executes runs apart from whoever asks for them. It is safe for concurrent use. Its owner calls
// [Supervisor.Drain] before it goes.
type Supervisor struct {
	cfg      SupervisorConfig
	store    journal.Store
	index    *index
	watchers broker
	locks    keyLock
	slots    chan struct{}

	mu       sync.Mutex
	live     map[string]*execution // by run
	inside   map[string]*execution // by session
	draining bool
	all      sync.WaitGroup
}

// NewSupervisor reads the index of the store. Sessions that can't be read are logged, and unknown to the supervisor.
func NewSupervisor(ctx context.Context, cfg SupervisorConfig) (*Supervisor, error) {
	cfg.MaxRuns = cmp.Or(max(cfg.MaxRuns, 0), DefaultMaxRuns)
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Supervisor{
		cfg:    cfg,
		store:  cfg.Current.cfg.Store,
		index:  newIndex(),
		slots:  make(chan struct{}, cfg.MaxRuns),
		live:   map[string]*execution{},
		inside: map[string]*execution{},
	}
	unread, err := s.index.load(ctx, s.store, cfg.Current.cfg.App)
	for _, err := range unread {
		cfg.Logger.Error("a session can't be read", "error", err)
	}
	return s, err
}

// Adopt goes on with the runs that earlier processes left, the oldest first, as far as [SupervisorConfig.MaxRuns] allows
// and the others when there is room. It doesn't wait for them.
func (s *Supervisor) Adopt() {
	for _, info := range s.index.all(func(r journal.RunInfo) bool { return r.Status == journal.Waiting }) {
		s.wakeAt(info, info.Wake)
	}
	unfinished := func(r journal.RunInfo) bool { return r.Status == journal.Running || r.Status == journal.Suspended }
	for _, info := range s.index.all(unfinished) {
		if info.Reason == journal.Damaged {
			s.log(info.Session, info.Run).Error("the run stays suspended: an entry of its session is damaged")
			continue
		}
		s.takeUp(info, nil)
	}
}

// Run returns a run of a principal, or a *[NotFoundError].
func (s *Supervisor) Run(principal, run string) (journal.RunInfo, error) {
	info, ok := s.index.run(principal, run)
	if !ok {
		return journal.RunInfo{}, &NotFoundError{Run: run}
	}
	return info, nil
}

// Runs returns the runs of a principal, oldest first.
func (s *Supervisor) Runs(principal string) []journal.RunInfo {
	return s.index.all(func(r journal.RunInfo) bool { return r.Principal == principal })
}

// Owns reports whether there is a session of that id and the principal owns it.
func (s *Supervisor) Owns(principal, session string) bool { return s.index.owns(principal, session) }

// Store is where the runs are recorded.
func (s *Supervisor) Store() journal.Store { return s.store }

// Watch begins to watch a run, which needn't execute, or even be there.
func (s *Supervisor) Watch(run string) *Watcher { return s.watchers.add(run) }

// Cancel ends a run for good, and returns when its end is recorded. A run that is over, or can't be advanced by this
// process, is an *[OverError].
func (s *Supervisor) Cancel(ctx context.Context, info journal.RunInfo, reason string) error {
	if info.Status.Final() {
		return &OverError{Run: info.Run, Status: info.Status}
	}
	e := s.takeUp(info, errors.New(reason))
	if e == nil {
		return ErrDraining
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now, ok := s.index.run(info.Principal, info.Run)
	if !ok || now.Status != journal.Canceled {
		return &OverError{Run: info.Run, Status: now.Status}
	}
	return nil
}

// Refuse makes [Supervisor.Begin] refuse new runs with [ErrDraining].
func (s *Supervisor) Refuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
}

// Drain refuses new runs, waits for those that execute until ctx is done, suspends the rest, and ends all watching. When
// it returns nothing executes any more.
func (s *Supervisor) Drain(ctx context.Context) {
	s.Refuse()
	ended := make(chan struct{})
	go func() {
		s.all.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		s.suspend()
		<-ended
	}
	s.watchers.close()
}

func (s *Supervisor) suspend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.live {
		e.cancel(workflow.ErrSuspend)
	}
}

func (s *Supervisor) log(session, run string) *slog.Logger {
	return s.cfg.Logger.With("session", session, "run", run)
}
