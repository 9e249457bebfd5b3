package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

const (
	// How long it takes until MCP servers that couldn't be connected are tried again: at first, and at most.
	firstRetry = time.Second
	maxRetry   = 30 * time.Second

	// closeTimeout is what requests have to end once everything else has.
	closeTimeout = 2 * time.Second

	// openSessions is the least number of sessions that the store keeps open.
	openSessions = 128
)

// server is an agent that serves.
type server struct {
	*agent
	store   *jsonl.Store
	systems *systems
	runs    *run.Supervisor
	health  *health

	public, private *listener
}

// serve answers requests until ctx is done, and then ends in order.
func (a *agent) serve(ctx context.Context) (err error) {
	s := &server{agent: a, health: newHealth(a.revision, a.digest)}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.open(ctx); err != nil {
		return err
	}
	if err := s.listen(ctx); err != nil {
		return err
	}
	var connecting sync.WaitGroup
	connecting.Go(func() { s.connect(ctx) })
	defer connecting.Wait()
	select {
	case <-ctx.Done():
		return s.drain()
	case err := <-s.public.failed:
		return fmt.Errorf("%s: %w", envListen, err)
	case err := <-s.private.failed:
		return fmt.Errorf("%s: %w", envHealthListen, err)
	}
}

// open opens the store and reads what runs are in it.
func (s *server) open(ctx context.Context) error {
	var err error
	s.store, err = jsonl.Open(s.data, jsonl.WithSync(s.fsync), jsonl.WithMaxOpen(max(openSessions, 2*s.maxRuns)))
	if err != nil {
		return fmt.Errorf("%s: %w", envData, err)
	}
	digest, err := s.store.PutConfig(ctx, s.config)
	if err != nil {
		return fmt.Errorf("%s: %w", envData, err)
	}
	cfg := run.Config{
		Store:    s.store,
		System:   s.system,
		Digest:   digest,
		App:      s.app(),
		Revision: s.revision,
		Owner:    fmt.Sprintf("%s/%d", hostname(), os.Getpid()),
	}
	s.systems = newSystems(s.env, cfg, s.system)
	s.runs, err = run.NewSupervisor(ctx, run.SupervisorConfig{
		Current:  run.New(cfg),
		Pinned:   s.systems.service,
		MaxRuns:  s.maxRuns,
		Released: s.released,
		Logger:   s.log,
	})
	return err
}

func (s *server) released(session string) {
	if err := s.systems.release(session); err != nil {
		s.log.Error("a workspace can't be closed", "session", session, "error", err)
	}
}

// listen begins to serve at both addresses, and says which they are.
func (s *server) listen(ctx context.Context) error {
	var err error
	if s.private, err = listen(ctx, s.healthAddr, s.health.handler(), s.log); err != nil {
		return fmt.Errorf("%s: %w", envHealthListen, err)
	}
	handler := a2a.NewHandler(a2a.Config{
		Agent:    s.card(),
		Runs:     s.runs,
		Outlines: s.systems.outline,
		Auth:     s.auth,
		Ready:    s.health.started,
		MaxBody:  s.maxBody,
		Logger:   s.log,
	})
	if s.public, err = listen(ctx, s.listenAddr, handler, s.log); err != nil {
		return fmt.Errorf("%s: %w", envListen, err)
	}
	s.log.Info("listening", "a2a", s.public.addr(), "health", s.private.addr(), "config", s.digest, "revision", s.revision)
	return nil
}

// connect connects the MCP servers, however long that takes; then the process is ready, and goes on with the runs that
// earlier ones left.
func (s *server) connect(ctx context.Context) {
	for delay := firstRetry; ; delay = min(2*delay, maxRetry) {
		err := s.system.Connect(ctx)
		if err == nil {
			break
		}
		s.log.Error("not ready", "error", err, "again_in", delay.String())
		s.health.lack(strings.Split(err.Error(), "\n"))
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return
		}
	}
	s.health.latch()
	s.log.Info("ready")
	s.runs.Adopt()
}

// drain ends in order: first nobody is sent here any more, then nothing begins, then what runs is given time, and then it
// is suspended.
func (s *server) drain() error {
	s.health.end()
	s.log.Info("draining", "delay", s.drainDelay.String(), "grace", s.grace.String())
	select {
	case <-time.After(s.drainDelay):
	case err := <-s.public.failed:
		s.log.Error("requests can't be served any more", "error", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.grace)
	defer cancel()
	s.runs.Drain(ctx)
	s.log.Info("drained")
	return nil
}

// close gives back what was opened, also when that was only a part.
func (s *server) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if s.public != nil {
		s.public.close(ctx)
	}
	if s.private != nil {
		s.private.close(ctx)
	}
	var errs []error
	if s.runs != nil {
		done, cancel := context.WithCancel(ctx)
		cancel()
		s.runs.Drain(done) // nothing is left to drain unless serving has failed
	}
	if s.systems != nil {
		errs = append(errs, s.systems.close())
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	return errors.Join(errs...)
}
