package main

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"google.golang.org/adk/v2/session"
)

// adkSession is a session of ADK with a history that each run begins with. ADK's own in memory has no way back to where a
// run began, and copies all events for each; this one copies nothing while a run goes on.
type adkSession struct {
	history []*session.Event
	events  adkEvents
	state   adkState
}

// begin forgets what the last run said.
func (s *adkSession) begin() {
	s.events = append(s.events[:0], s.history...)
	s.state = adkState{}
}

func (*adkSession) ID() string                  { return "chat" }
func (*adkSession) AppName() string             { return "bench" }
func (*adkSession) UserID() string              { return "user" }
func (s *adkSession) State() session.State      { return s.state }
func (s *adkSession) Events() session.Events    { return s.events }
func (s *adkSession) LastUpdateTime() time.Time { return time.Time{} }

type adkEvents []*session.Event

func (e adkEvents) All() iter.Seq[*session.Event] { return slices.Values(e) }
func (e adkEvents) Len() int                      { return len(e) }
func (e adkEvents) At(i int) *session.Event       { return e[i] }

type adkState map[string]any

func (s adkState) Get(key string) (any, error) {
	if v, ok := s[key]; ok {
		return v, nil
	}
	return nil, session.ErrStateKeyNotExist
}

func (s adkState) Set(key string, v any) error {
	s[key] = v
	return nil
}

func (s adkState) All() iter.Seq2[string, any] { return maps.All(s) }

// adkSessions is the service that holds one session.
type adkSessions struct{ chat *adkSession }

func (s adkSessions) Get(context.Context, *session.GetRequest) (*session.GetResponse, error) {
	return &session.GetResponse{Session: s.chat}, nil
}

func (s adkSessions) AppendEvent(_ context.Context, _ session.Session, e *session.Event) error {
	if !e.Partial {
		s.chat.events = append(s.chat.events, e)
	}
	return nil
}

var errOneSession = errors.New("there is one session, which is read and appended to")

func (adkSessions) Create(context.Context, *session.CreateRequest) (*session.CreateResponse, error) {
	return nil, errOneSession
}

func (adkSessions) List(context.Context, *session.ListRequest) (*session.ListResponse, error) {
	return nil, errOneSession
}

func (adkSessions) Delete(context.Context, *session.DeleteRequest) error { return errOneSession }
