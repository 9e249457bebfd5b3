package jsonl

import (
	"os"
)

// SyncDelay is how long SyncInterval waits.
const SyncDelay = syncDelay

// OpenSessions returns how many sessions are open for writing.
func (s *Store) OpenSessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.files)
}

// Pending reports whether a session has entries that are yet to be forced to the disk.
func (s *Store) Pending(session string) bool {
	s.mu.Lock()
	f := s.files[session]
	s.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.flush != nil
}

// Break takes the session's file away from the store, so that its next write or sync fails.
func (s *Store) Break(session string) error {
	s.mu.Lock()
	f := s.files[session]
	s.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	closed, err := os.Open(f.file.Name())
	if err != nil {
		return err
	}
	if err := closed.Close(); err != nil {
		return err
	}
	err = f.file.Close()
	f.file = closed
	return err
}

// Seal makes a line of an entry's text.
func Seal(text []byte) []byte { return seal(text) }

// Disk is what the store asks of the system.
type Disk = disk

// SystemDisk is the system's.
type SystemDisk = systemDisk

// WithDisk puts another disk in the place of the system's.
func WithDisk(d Disk) Option { return func(s *Store) { s.disk = d } }

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }
