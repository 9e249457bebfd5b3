package jsonl

import (
	"container/list"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/internal/lease"
)

// The modes of what the store makes: sessions hold what people said, which is nobody else's business.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// The directories of a store.
const (
	sessionsDir = "sessions"
	blobsDir    = "blobs"
	configsDir  = "configs"
	kvDir       = "kv"
)

// Store is a [journal.Store] in a directory.
type Store struct {
	*leases

	dir      string
	sync     SyncPolicy
	maxOpen  int
	readOnly bool
	now      func() time.Time
	disk     disk

	kv sync.Mutex

	mu    sync.Mutex
	files map[string]*sessionFile
	// used holds the files by their last use, the latest one at its end.
	used *list.List
}

var _ journal.Store = (*Store)(nil)

type leases = lease.Table

// ErrReadOnly is what a store that was opened with [ReadOnly] says to who writes.
var ErrReadOnly = errors.New("the store is open for reading only")

// Open returns the store in a directory, which it makes if need be. It reads nothing yet.
func Open(dir string, options ...Option) (*Store, error) {
	s := &Store{
		dir:     dir,
		maxOpen: defaultMaxOpen,
		now:     time.Now,
		disk:    systemDisk{},
		files:   map[string]*sessionFile{},
		used:    list.New(),
	}
	for _, option := range options {
		option(s)
	}
	s.leases = lease.NewTable(s.now)
	if s.readOnly {
		return s, s.isThere()
	}
	for _, sub := range []string{sessionsDir, blobsDir, configsDir, kvDir} {
		if err := s.makeDir(filepath.Join(dir, sub)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// isThere says whether the directory holds a store. What it holds none of may be missing: who copies a store may leave out
// what is empty.
func (s *Store) isThere() error {
	_, err := os.Stat(s.path(sessionsDir, ""))
	return err
}

// makeDir makes a directory, and those around it, if need be.
func (s *Store) makeDir(path string) error {
	err := os.Mkdir(path, dirMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.makeDir(filepath.Dir(path)); err != nil {
			return err
		}
		err = os.Mkdir(path, dirMode)
	}
	if info, there := os.Stat(path); errors.Is(err, fs.ErrExist) && there == nil && info.IsDir() {
		return nil
	}
	if err != nil {
		return err
	}
	return s.keepNames(filepath.Dir(path))
}

// keepNames forces the names in a directory, unless the policy leaves that to the system.
func (s *Store) keepNames(dir string) error {
	if s.sync == SyncNever {
		return nil
	}
	return s.disk.SyncDir(dir)
}

// Close forces what was written to the disk, unless the policy is [SyncNever], and unlocks all sessions.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.close())
		s.forget(f)
	}
	return errors.Join(errs...)
}

func (s *Store) path(dir, name string) string { return filepath.Join(s.dir, dir, name) }

func (s *Store) sessionPath(session string) string { return s.path(sessionsDir, session+sessionSuffix) }
