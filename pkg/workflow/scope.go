package workflow

import (
	"context"
	"sync"
)

// scope is the context of all attempts of an item of a list: that of the list, until nothing more is wanted of the item.
// Most bodies never look at their context, so it becomes one that can be cancelled only when somebody does.
type scope struct {
	context.Context // that of the list

	mu     sync.Mutex
	own    context.Context
	cancel context.CancelCauseFunc
}

func newScope(list context.Context) *scope { return &scope{Context: list} }

// made returns the context of the item's own.
func (s *scope) made() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		s.own, s.cancel = context.WithCancelCause(s.Context)
	}
	return s.own
}

// now is the context as it is: the item's own, or that of the list.
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

// giveUp ends the context of an item that nothing more is wanted of.
func (s *scope) giveUp(cause error) {
	s.made()
	s.cancel(cause)
}

// close lets go of the list's context.
func (s *scope) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != nil {
		s.cancel(context.Canceled)
	}
}
