package jsonl

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/internal/lease"
)

// Append implements [journal.Log].
func (s *Store) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := journal.CheckAppend(session, seq, e); err != nil {
		return err
	}
	f, err := s.acquire(ctx, session, seq == 1)
	if err != nil {
		return err
	}
	defer s.release(f)
	return s.appendTo(ctx, f, seq, e)
}

func (s *Store) appendTo(ctx context.Context, f *sessionFile, seq int64, e *journal.Entry) error {
	switch {
	case f.tip == 0 && seq != 1:
		return &journal.UnknownSessionError{Session: f.session}
	case seq != f.tip+1:
		return &journal.ConflictError{Session: f.session, Seq: seq, Next: f.tip + 1}
	}
	if err := lease.Admit(s.leases, f.session, e); err != nil {
		return err
	}
	numbered := *e
	numbered.Seq = seq
	text, err := journal.AppendEntry(ctx, f.line[:0], &numbered, s)
	if err != nil {
		return err
	}
	line := seal(text)
	if cap(line) <= maxKeptLine {
		f.line = line
	}
	if err := f.append(line); err != nil {
		return err
	}
	e.Seq = seq
	lease.Learn(s.leases, f.session, e)
	return nil
}

// Read implements [journal.Log].
func (s *Store) Read(ctx context.Context, session string, seq int64) iter.Seq2[*journal.Entry, error] {
	return s.read(ctx, session, seq, s)
}

// read is Read with the values from those blobs, or without them.
func (s *Store) read(
	ctx context.Context, session string, seq int64, blobs journal.Blobs,
) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		if err := journal.CheckSessionID(session); err != nil {
			yield(nil, &journal.UnknownSessionError{Session: session})
			return
		}
		file, err := os.Open(s.sessionPath(session))
		if errors.Is(err, fs.ErrNotExist) {
			err = &journal.UnknownSessionError{Session: session}
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		scan := &scanner{ctx: ctx, session: session, blobs: blobs, in: bufio.NewReader(file), from: seq}
		for found, err := range scan.scan() {
			failed := err != nil
			if found.damage != nil {
				err = found.damage
			}
			if !yield(found.entry, err) || failed {
				return
			}
		}
		if scan.tip == 0 {
			yield(nil, &journal.UnknownSessionError{Session: session})
		}
	}
}

// Runs implements [journal.Log] by folding the files.
func (s *Store) Runs(ctx context.Context, filter journal.RunFilter) iter.Seq2[journal.RunInfo, error] {
	return func(yield func(journal.RunInfo, error) bool) {
		sessions, err := s.sessions()
		if err != nil {
			yield(journal.RunInfo{}, err)
			return
		}
		load := func(session string) (*journal.SessionState, error) {
			return journal.Fold(session, s.read(ctx, session, 1, nil))
		}
		journal.ScanRuns(ctx, filter, slices.Values(sessions), load)(yield)
	}
}

// sessions returns the ids of all sessions. Other files are left alone.
func (s *Store) sessions() ([]string, error) {
	files, err := os.ReadDir(s.path(sessionsDir, ""))
	if err != nil {
		return nil, err
	}
	var sessions []string
	for _, file := range files {
		id, ok := strings.CutSuffix(file.Name(), sessionSuffix)
		if ok && journal.CheckSessionID(id) == nil {
			sessions = append(sessions, id)
		}
	}
	return sessions, nil
}
