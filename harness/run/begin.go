package run

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"iter"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Begun is the run that a message began, now or when it was sent before.
type Begun struct {
	Session, Run string

	// Repeated says that the message had been sent before and began nothing now.
	Repeated bool

	// Watcher sees the run's events: all of them, or when Repeated those from now on. The caller closes it.
	Watcher *Watcher
}

// Begin begins a run with a message, and returns when that is durable. The run goes on whatever becomes of ctx.
//
// A message with an ID that its session has already begins nothing: the answer is the run that it began then, for as long
// as the session is kept. That holds for messages without a session, too, whose session's id follows from the principal and
// the message. Errors are a *[NotFoundError] for a session that isn't there or another principal's, a *[ReusedError], a
// *[BusyError], a *[FullError], [ErrDraining], or those of the engine and the store.
func (s *Supervisor) Begin(ctx context.Context, m Message) (*Begun, error) {
	switch {
	case m.Session == "":
		m.Session = s.sessionOf(m)
	case !s.index.owns(m.Principal, m.Session):
		return nil, &NotFoundError{Session: m.Session}
	}
	unlock, err := s.locks.lock(ctx, m.Session)
	if err != nil {
		return nil, err
	}
	defer unlock()
	past, err := s.past(ctx, m.Session)
	if err != nil {
		return nil, err
	}
	if n := past.Node(m.ID); n != nil {
		return s.repeated(past, n, m)
	}
	if r := executing(past); r != nil {
		s.takeUp(past.Info(r), nil)
		return nil, &BusyError{Session: m.Session, Run: r.ID, Status: r.Status()}
	}
	if err := s.vacated(ctx, m.Session); err != nil {
		return nil, err
	}
	return s.begin(m)
}

// sessionOf is the id of the session that a message without one begins.
func (s *Supervisor) sessionOf(m Message) string {
	if m.ID == "" {
		return "s_" + rand.Text()
	}
	h := sha256.New()
	for _, text := range []string{s.cfg.Current.cfg.App, m.Principal, m.ID} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	return "s_" + base32.StdEncoding.EncodeToString(h.Sum(nil))[:26]
}

// past is what a session holds; nothing when it is new.
func (s *Supervisor) past(ctx context.Context, session string) (*journal.SessionState, error) {
	fold, err := journal.Load(ctx, s.store, session)
	if errors.As(err, new(*journal.UnknownSessionError)) {
		return journal.NewSessionState(session), nil
	}
	return fold, err
}

// repeated answers a message that its session has already.
func (s *Supervisor) repeated(past *journal.SessionState, n *journal.Node, m Message) (*Begun, error) {
	if first, ok := n.Record.(journal.Msg); !ok || first.Path != "" || textOf(first) != m.Text {
		return nil, &ReusedError{Session: m.Session, Message: m.ID}
	}
	info := past.Info(past.Run(n.Run))
	if !info.Status.Final() && info.Status != journal.Waiting {
		s.takeUp(info, nil) // its process may have failed to find out whether the run was recorded
	}
	return &Begun{Session: m.Session, Run: info.Run, Repeated: true, Watcher: s.Watch(info.Run)}, nil
}

func textOf(m journal.Msg) string {
	var text strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(journal.Text); ok {
			text.WriteString(t.Text)
		}
	}
	return text.String()
}

// vacated waits until a run that is over has let go of its session.
func (s *Supervisor) vacated(ctx context.Context, session string) error {
	s.mu.Lock()
	e := s.inside[session]
	s.mu.Unlock()
	if e == nil {
		return nil
	}
	select {
	case <-e.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// begin begins a run in a session where nothing executes.
func (s *Supervisor) begin(m Message) (*Begun, error) {
	m.Run = "r_" + rand.Text()
	e, _, err := s.enter(journal.RunInfo{
		Session: m.Session, Run: m.Run, App: s.cfg.Current.cfg.App, Principal: m.Principal, User: m.User,
		Status: journal.Running, Config: s.cfg.Current.cfg.Digest,
	})
	if err != nil {
		return nil, err
	}
	if !e.tryAcquire(s.slots) {
		s.leave(e)
		return nil, &FullError{Limit: s.cfg.MaxRuns}
	}
	w := s.Watch(m.Run)
	begun := make(chan error, 1)
	go func() {
		defer s.leave(e)
		start := func(ctx context.Context) iter.Seq2[workflow.Event, error] { return s.cfg.Current.start(ctx, m) }
		s.advance(e, s.cfg.Current, start, begun)
	}()
	if err := <-begun; err != nil {
		w.Close()
		return nil, err
	}
	return &Begun{Session: m.Session, Run: m.Run, Watcher: w}, nil
}
