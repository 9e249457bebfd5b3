package run

import (
	"context"
	"errors"
	"iter"

	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Config describes a [Service]. Store, System and Digest are required.
type Config struct {
	// Store keeps the journal. It holds the config of Digest before the first run begins.
	Store journal.Store

	// System is what runs, built from the config whose digest every new run is pinned to.
	System System
	Digest string

	// App names the application that new sessions belong to, Revision the revision that runs are recorded with.
	App      string
	Revision string

	// Owner names this process in the journal of a run that it takes over.
	Owner string
}

// System is as much of a config that was taken in as running it needs. [*build.System] is one.
type System interface {
	Workflow() *workflow.Workflow
	// Limits are those of every run.
	Limits() workflow.Limits
}

var _ System = (*build.System)(nil)

// Service executes runs. It is safe for concurrent use by as many sessions as the store allows.
type Service struct{ cfg Config }

// New makes a service.
func New(cfg Config) *Service { return &Service{cfg} }

// author is who a person's messages are by.
const author = "user"

// Message is what a person sends.
type Message struct {
	// Session continues a conversation; empty begins a new one.
	Session string

	// Run is the id of the run that the message begins; empty for a random one.
	Run string

	// ID is the message's own, unique in its session; empty for a random one.
	ID string

	// Text is what the person says, which is the run's input unless Input is there.
	Text  string
	Input journal.Optional

	// State is what a new session's state begins with.
	State map[string]any

	// Principal owns a new session, User is on whose behalf it speaks.
	Principal, User string
}

// Start begins a run with a message. Events are durable when they are seen; the last element is the run's end, or the
// error that prevented it: a *[BusyError], or one of the engine's.
func (s *Service) Start(ctx context.Context, m Message) iter.Seq2[workflow.Event, error] {
	return func(yield func(workflow.Event, error) bool) {
		if err := s.idle(ctx, m.Session); err != nil {
			yield(workflow.Event{}, err)
			return
		}
		s.start(ctx, m)(yield)
	}
}

// start is Start in a session where nothing executes.
func (s *Service) start(ctx context.Context, m Message) iter.Seq2[workflow.Event, error] {
	return s.cfg.System.Workflow().Run(ctx, workflow.RunRequest{
		Store:     s.cfg.Store,
		Session:   m.Session,
		Run:       m.Run,
		App:       s.cfg.App,
		Principal: m.Principal,
		User:      m.User,
		Revision:  s.cfg.Revision,
		Config:    s.cfg.Digest,
		Input:     m.input(),
		State:     m.State,
		Message: &journal.Msg{
			ID: m.ID, Role: journal.RoleUser, Author: author, Parts: []journal.Part{journal.Text{Text: m.Text}},
		},
		Env: s.env(),
	})
}

func (m *Message) input() any {
	if input, ok := m.Input.Get(); ok {
		return input
	}
	return m.Text
}

// idle returns a *[BusyError] when a run of the session still executes, or could.
func (s *Service) idle(ctx context.Context, session string) error {
	if session == "" {
		return nil
	}
	executing := []journal.Status{journal.Queued, journal.Running, journal.Suspended}
	for info, err := range s.cfg.Store.Runs(ctx, journal.RunFilter{Session: session, Statuses: executing}) {
		switch {
		case err == nil:
			return &BusyError{Session: session, Run: info.Run, Status: info.Status}
		case !errors.As(err, new(*journal.UnknownSessionError)):
			return err
		}
	}
	return nil
}

// Resume takes up a run that isn't over. The service must have been built from the config that the run began with.
func (s *Service) Resume(ctx context.Context, r journal.RunInfo) iter.Seq2[workflow.Event, error] {
	return s.Answer(ctx, r, nil)
}

// Answer is [Service.Resume] with answers to what the run asks, all of which are taken or none.
func (s *Service) Answer(ctx context.Context, r journal.RunInfo, answers []workflow.Answer) iter.Seq2[workflow.Event, error] {
	return s.cfg.System.Workflow().Resume(ctx, workflow.ResumeRequest{
		Answers: answers,
		Store:   s.cfg.Store,
		Session: r.Session,
		Run:     r.Run,
		Config:  s.cfg.Digest,
		Owner:   s.cfg.Owner,
		Env:     s.env(),
	})
}

// Retry begins a run, with the id as, that goes on from one that failed or was canceled, see [workflow.Workflow.Retry]. The
// service needn't have been built from the config that the first run began with.
func (s *Service) Retry(ctx context.Context, r journal.RunInfo, as string) iter.Seq2[workflow.Event, error] {
	return s.cfg.System.Workflow().Retry(ctx, s.further(r, as))
}

// Fork begins a run in a session of its own that goes another way from the middle of one, see [workflow.Workflow.Fork]. The
// request says where and what is edited; the service fills in the rest.
func (s *Service) Fork(ctx context.Context, r journal.RunInfo, req workflow.ForkRequest) iter.Seq2[workflow.Event, error] {
	req.RetryRequest = s.further(r, req.As)
	return s.cfg.System.Workflow().Fork(ctx, req)
}

func (s *Service) further(r journal.RunInfo, as string) workflow.RetryRequest {
	return workflow.RetryRequest{
		Store:    s.cfg.Store,
		Session:  r.Session,
		Run:      r.Run,
		As:       as,
		Revision: s.cfg.Revision,
		Config:   s.cfg.Digest,
		Env:      s.env(),
	}
}

func (s *Service) env() workflow.Env { return workflow.Env{Limits: s.cfg.System.Limits()} }
