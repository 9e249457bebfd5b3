package jsonl

import (
	"bufio"
	"bytes"
	"container/list"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/internal/lease"
)

const sessionSuffix = ".jsonl"

// sessionFile is a session's file while it is open, and locked, for writing.
type sessionFile struct {
	session string
	policy  SyncPolicy
	disk    disk

	// refs counts who uses it now, place is in the store's order of use. Both are guarded by the store's mutex.
	refs  int
	place *list.Element

	// mu guards the rest. Without a file it is yet to be opened.
	mu    sync.Mutex
	line  []byte // the memory of the last line, for the next one
	file  *os.File
	tip   int64
	flush *time.Timer
	err   error
}

// acquire returns a session's file, open and with its mutex held, until release. A file that isn't there is made if
// create says so. The error may be of what was written before: that it can't be kept was found out since.
func (s *Store) acquire(ctx context.Context, session string, create bool) (*sessionFile, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	f := s.enter(session)
	f.mu.Lock()
	err := f.err
	if err == nil && f.file == nil {
		err = s.open(ctx, f, create)
	}
	if err != nil {
		s.release(f)
		return nil, err
	}
	return f, nil
}

// enter counts a user of a session's file, and closes another one if that makes too many.
func (s *Store) enter(session string) *sessionFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[session]
	if f == nil {
		s.makeRoom()
		f = &sessionFile{session: session, policy: s.sync, disk: s.disk}
		f.place = s.used.PushBack(f)
		s.files[session] = f
	}
	s.used.MoveToBack(f.place)
	f.refs++
	return f
}

// forget takes a file out of the books.
func (s *Store) forget(f *sessionFile) {
	s.used.Remove(f.place)
	delete(s.files, f.session)
}

// makeRoom closes the file that was unused for the longest time, when as many are open as may be. One that can't be
// kept stays in the books, so that the next user of that session hears of it.
func (s *Store) makeRoom() {
	if len(s.files) < s.maxOpen {
		return
	}
	for place := s.used.Front(); place != nil; place = place.Next() {
		if f := place.Value.(*sessionFile); f.refs == 0 && f.close() == nil {
			s.forget(f)
			return
		}
	}
}

// release gives a file back. One that had an error is closed, so that its next user finds out what it holds.
func (s *Store) release(f *sessionFile) {
	if f.err != nil {
		_ = f.closeLocked() // the user knows the error that counts
		f.err = nil
	}
	closed := f.file == nil
	f.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.refs--; f.refs == 0 && closed {
		s.forget(f)
	}
}

// open locks a session's file, reads what is there, and cuts off a torn end.
func (s *Store) open(ctx context.Context, f *sessionFile, create bool) error {
	mode := os.O_RDWR | os.O_APPEND
	if create {
		mode |= os.O_CREATE
	}
	file, err := os.OpenFile(s.sessionPath(f.session), mode, fileMode)
	if errors.Is(err, fs.ErrNotExist) {
		return &journal.UnknownSessionError{Session: f.session}
	}
	if err != nil {
		return err
	}
	if err := s.prepare(ctx, f, file); err != nil {
		return errors.Join(err, file.Close())
	}
	f.file = file
	return nil
}

func (s *Store) prepare(ctx context.Context, f *sessionFile, file *os.File) error {
	locked, err := tryLock(file)
	if err != nil {
		return fmt.Errorf("session %s: lock: %w", f.session, err)
	}
	if !locked {
		return &journal.LockedError{Session: f.session}
	}
	scan := &scanner{ctx: ctx, session: f.session, in: bufio.NewReader(file)}
	for found, err := range scan.scan() {
		if err != nil {
			return err
		}
		if found.entry != nil {
			lease.Learn(s.leases, f.session, found.entry)
		}
	}
	f.tip = scan.tip
	switch {
	case scan.offset == 0: // it may be new
		return s.keepNames(filepath.Dir(file.Name()))
	case scan.offset > scan.end:
		return truncate(file, scan.end)
	case scan.unended:
		return s.disk.Write(file, []byte("\n"))
	}
	return nil
}

// append writes a line to the end of the file, wherever that is: others may have shortened or lengthened it. An error
// may leave a part of the line there, which the next scan cuts off.
func (f *sessionFile) append(line []byte) error {
	f.err = f.disk.Write(f.file, line)
	if f.err == nil && f.policy == SyncAlways {
		f.err = f.force()
	}
	if f.err != nil {
		f.takeBack(line)
		return f.err
	}
	f.tip++
	if f.policy == SyncInterval && f.flush == nil {
		f.flush = time.AfterFunc(syncDelay, f.flushNow)
	}
	return nil
}

// takeBack removes a line that is whole, but may not be on the disk. Readers would find it, and the next append would
// count on it. If that isn't possible either, the line stays.
func (f *sessionFile) takeBack(line []byte) {
	info, err := f.file.Stat()
	if err != nil {
		return
	}
	begin := info.Size() - int64(len(line))
	end := make([]byte, len(line))
	if _, err := f.file.ReadAt(end, max(begin, 0)); err == nil && bytes.Equal(end, line) {
		_ = truncate(f.file, begin)
	}
}

// flushNow runs in the timer's goroutine. Its error is that of the next user: what was to be made durable may be lost,
// and the system says so only once.
func (f *sessionFile) flushNow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.flush != nil {
		f.flush = nil
		f.err = f.force()
	}
}

// force makes durable what was written, in the file that readers will look for: one that was moved away or removed while
// it was open can be written to like any other.
func (f *sessionFile) force() error {
	if err := f.disk.Sync(f.file); err != nil {
		return err
	}
	written, err := f.file.Stat()
	if err != nil {
		return err
	}
	if found, err := os.Stat(f.file.Name()); err != nil || !os.SameFile(written, found) {
		return &journal.MovedError{Session: f.session}
	}
	return nil
}

// close makes durable what isn't yet, and unlocks the file by closing it.
func (f *sessionFile) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closeLocked()
}

func (f *sessionFile) closeLocked() error {
	if f.file != nil {
		if f.flush != nil {
			f.flush.Stop()
			f.err = errors.Join(f.err, f.force())
		}
		f.err = errors.Join(f.err, f.file.Close())
		f.file, f.flush = nil, nil
	}
	return f.err
}
