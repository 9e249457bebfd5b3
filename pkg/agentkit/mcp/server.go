package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A server that can't be reached isn't tried again before this much time has passed, doubled with every failure.
const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 15 * time.Second
)

// server owns the session with one configured server: it makes one when there is none, for all who wait for it at once.
type server struct {
	cfg  *ServerConfig
	opts *PoolOptions

	// open makes a session.
	open func(ctx context.Context) (*session, error)

	base context.Context // of all attempts to connect; done when the pool is closed
	stop context.CancelFunc
	work sync.WaitGroup // attempts, and sessions that are being closed

	mu       sync.Mutex
	closed   bool
	current  *session
	attempt  *attempt // under way
	failures int      // in a row
	retryAt  time.Time
	lastErr  error
	known    []ToolInfo // the tools of the last listing
	listed   bool
}

// attempt is one connecting under way; its result is meant to be read once done is closed.
type attempt struct {
	done chan struct{}
	sess *session
	err  error
}

func newServer(cfg *ServerConfig, opts *PoolOptions) *server {
	s := &server{cfg: cfg, opts: opts}
	s.base, s.stop = context.WithCancel(context.Background())
	s.open = (&dialer{cfg: cfg, opts: opts}).open
	return s
}

// session returns the live session or waits for one. The attempt that it may start isn't tied to ctx: others wait for it,
// too. After a failure the server is left alone for a while, and the last error is the answer.
func (s *server) session(ctx context.Context) (*session, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, ErrClosed
	}
	if s.current != nil && !s.current.over() {
		defer s.mu.Unlock()
		return s.current, nil
	}
	if wait := time.Until(s.retryAt); s.attempt == nil && wait > 0 {
		defer s.mu.Unlock()
		return nil, s.unavailable(wait)
	}
	a := s.attempt
	if a == nil {
		a = &attempt{done: make(chan struct{})}
		s.attempt = a
		s.work.Go(func() { s.connect(a) })
	}
	s.mu.Unlock()

	select {
	case <-a.done:
		return a.sess, a.err
	case <-ctx.Done():
		return nil, classify(s.cfg.Name, "connect", ended(ctx))
	}
}

// unavailable repeats the last failure and says when the next attempt will be made. The caller holds the lock.
func (s *server) unavailable(wait time.Duration) error {
	var last *ServerError
	if !errors.As(s.lastErr, &last) {
		return s.lastErr
	}
	again := *last
	again.Err = fmt.Errorf("%w (not tried again for another %v)", last.Err, wait.Round(10*time.Millisecond))
	return &again
}

// connect runs an attempt and publishes its result.
func (s *server) connect(a *attempt) {
	defer close(a.done)
	ctx, cancel := context.WithTimeoutCause(s.base, s.opts.ConnectTimeout,
		&timeoutError{fmt.Sprintf("not connected within %v", s.opts.ConnectTimeout)})
	defer cancel()
	a.sess, a.err = s.open(ctx)

	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempt = nil
	if s.closed {
		if a.sess != nil {
			s.retire(a.sess)
		}
		a.sess, a.err = nil, ErrClosed
	}
	if a.err != nil {
		s.lastErr = a.err
		s.retryAt = time.Now().Add(min(maxBackoff, firstBackoff<<min(s.failures, 10)))
		s.failures++
		return
	}
	if s.current != nil {
		s.retire(s.current) // it is over, but may not have given everything back
	}
	s.current, s.failures, s.retryAt, s.lastErr = a.sess, 0, time.Time{}, nil
}

// drop gives up a session that turned out to be lost, so that the next caller makes a new one.
func (s *server) drop(sess *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == sess {
		s.current = nil
		s.retire(sess)
	}
}

// retire closes a session in the background. The caller holds the lock, under which no work is added after closing.
func (s *server) retire(sess *session) {
	s.work.Go(func() { sess.close(s.opts.CloseTimeout / 4) })
}

// close ends attempts and session and returns when nothing of them is left.
func (s *server) close() {
	s.mu.Lock()
	s.closed = true
	if s.current != nil {
		s.retire(s.current)
		s.current = nil
	}
	s.mu.Unlock()
	s.stop()
	s.work.Wait()
}

// tools returns the allowed tools of the server. What the configuration names and the server doesn't offer is an error
// until it has once been there; after that its calls fail and the rest goes on.
func (s *server) tools(ctx context.Context) ([]ToolInfo, error) {
	sess, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	infos, err := sess.list(ctx, s.opts.ConnectTimeout)
	if err != nil {
		return nil, err
	}
	kept, missing := allowed(infos, s.cfg.AllowTools)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(missing) > 0 {
		err := notOffered(missing, infos)
		if !s.listed {
			return nil, classify(s.cfg.Name, "list tools", err)
		}
		s.opts.Logger.Warn("mcp server withdrew tools", "server", s.cfg.Name, "error", err)
	}
	s.known, s.listed = kept, true
	return slices.Clone(kept), nil
}

// lastKnown returns the tools of the last listing, and whether there was one.
func (s *server) lastKnown() ([]ToolInfo, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known, s.listed
}

// notOffered names tools that a configuration expects of a server, and what it has instead.
func notOffered(missing []string, infos []ToolInfo) error {
	return refusef("not offered: %s; offered: %s", listed(missing), listed(toolNames(infos)))
}
