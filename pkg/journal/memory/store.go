package memory

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/internal/lease"
)

// Store is a [journal.Store] in memory. Its leases tell the owners within the process apart.
type Store struct {
	*leases

	now func() time.Time

	mu       sync.RWMutex
	sessions map[string][]*journal.Entry
	blobs    map[string][]byte
	configs  map[string][]byte
	items    map[string]map[string]journal.Item
}

var _ journal.Store = (*Store)(nil)

type leases = lease.Table

// Option changes what [New] makes.
type Option func(*Store)

// WithClock gives the store another clock for its leases than time.Now.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// New returns an empty store.
func New(options ...Option) *Store {
	s := &Store{
		now:      time.Now,
		sessions: map[string][]*journal.Entry{},
		blobs:    map[string][]byte{},
		configs:  map[string][]byte{},
		items:    map[string]map[string]journal.Item{},
	}
	for _, option := range options {
		option(s)
	}
	s.leases = lease.NewTable(s.now)
	return s
}

// Close does nothing: the store's memory is given back with its last reference.
func (s *Store) Close() error { return nil }

// Append implements [journal.Log].
func (s *Store) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := journal.CheckAppend(session, seq, e); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := s.sessions[session]
	switch next := int64(len(entries)) + 1; {
	case seq == next:
	case next == 1:
		return &journal.UnknownSessionError{Session: session}
	default:
		return &journal.ConflictError{Session: session, Seq: seq, Next: next}
	}
	if err := lease.Admit(s.leases, session, e); err != nil {
		return err
	}
	e.Seq = seq
	s.sessions[session] = append(entries, e)
	lease.Learn(s.leases, session, e)
	return nil
}

// Read implements [journal.Log].
func (s *Store) Read(ctx context.Context, session string, seq int64) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		if _, known := s.entries(session, 0); !known {
			yield(nil, &journal.UnknownSessionError{Session: session})
			return
		}
		at := max(seq-1, 0)
		for {
			entries, _ := s.entries(session, at)
			if len(entries) == 0 {
				return
			}
			for _, e := range entries {
				if err := ctx.Err(); err != nil {
					yield(nil, err)
					return
				}
				if !yield(e, nil) {
					return
				}
			}
			at += int64(len(entries))
		}
	}
}

// entries returns those of a session behind the first n.
func (s *Store) entries(session string, n int64) ([]*journal.Entry, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	entries, known := s.sessions[session]
	return entries[min(n, int64(len(entries))):], known
}

// Runs implements [journal.Log] by folding the logs.
func (s *Store) Runs(ctx context.Context, filter journal.RunFilter) iter.Seq2[journal.RunInfo, error] {
	return func(yield func(journal.RunInfo, error) bool) {
		s.mu.RLock()
		sessions := maps.Keys(maps.Clone(s.sessions))
		s.mu.RUnlock()
		journal.ScanRuns(ctx, filter, sessions, func(session string) (*journal.SessionState, error) {
			return journal.Load(ctx, s, session)
		})(yield)
	}
}

// PutBlob implements [journal.Blobs].
func (s *Store) PutBlob(ctx context.Context, data []byte) (string, error) {
	return s.put(ctx, s.blobs, data)
}

// GetBlob implements [journal.Blobs].
func (s *Store) GetBlob(ctx context.Context, digest string) ([]byte, error) {
	return s.get(ctx, s.blobs, digest)
}

// PutConfig implements [journal.Configs].
func (s *Store) PutConfig(ctx context.Context, data []byte) (string, error) {
	return s.put(ctx, s.configs, data)
}

// GetConfig implements [journal.Configs].
func (s *Store) GetConfig(ctx context.Context, digest string) ([]byte, error) {
	return s.get(ctx, s.configs, digest)
}

func (s *Store) put(ctx context.Context, in map[string][]byte, data []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	digest := journal.Digest(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	in[digest] = bytes.Clone(data)
	return digest, nil
}

func (s *Store) get(ctx context.Context, from map[string][]byte, digest string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	data, there := from[digest]
	s.mu.RUnlock()
	if !there {
		return nil, &journal.NotFoundError{Digest: digest}
	}
	if err := journal.CheckDigest(digest, data); err != nil {
		return nil, err
	}
	return bytes.Clone(data), nil
}
