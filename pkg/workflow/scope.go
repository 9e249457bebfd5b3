package workflow

import (
	"context"
	"sync"
)

// scope is the context of what may come to an end before what is around it: the inside of a composite, or all attempts of
// an item of a list. Most bodies never look at their context, so it becomes one that can be cancelled only when somebody
// does.
type scope struct {
	context.Context // that of what is around

	mu     sync.Mutex
	own    context.Context
	cancel context.CancelCauseFunc
}

func (r *run) newScope(around context.Context) *scope {
	s := r.scopes.take()
	s.Context = around
	return s
}

// made returns the scope's own context.
func (s *scope) made() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		s.own, s.cancel = context.WithCancelCause(s.Context)
	}
	return s.own
}

// now is the context as it is: the scope's own, or that of what is around.
func (s *scope) now() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		return s.Context
	}
	return s.own
}

// Done implements [context.Context].
func (s *scope) Done() <-chan struct{} { return s.made().Done() }

// Err implements [context.Context].
func (s *scope) Err() error { return s.now().Err() }

// Value implements [context.Context].
func (s *scope) Value(key any) any { return s.now().Value(key) }

// giveUp ends the context of what nothing more is wanted of.
func (s *scope) giveUp(cause error) {
	s.made()
	s.cancel(cause)
}

// close lets go of the context of what is around.
func (s *scope) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != nil {
		s.cancel(context.Canceled)
	}
}
