package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/plait-dev/plait/pkg/journal"
)

// maxGap bounds how many missing entries are reported one by one. A larger gap isn't damage but another file.
const maxGap = 10_000

// scanned is one finding of a scan: an entry, or a damaged one.
type scanned struct {
	entry  *journal.Entry
	damage *journal.DamagedError
}

// scanner reads the file of a session from its beginning.
type scanner struct {
	ctx     context.Context
	session string
	blobs   journal.Blobs
	in      *bufio.Reader

	// from is the first entry that is wanted.
	from int64
	// tip is the last entry that was passed, end the offset behind its line. Unended says that the line lacks its end.
	tip     int64
	end     int64
	unended bool

	line   int
	offset int64
	// unread are the lines since the tip that couldn't be read.
	unread []unreadable
}

// unreadable is a line that gave no entry.
type unreadable struct {
	line int
	end  int64
	err  error
}

// scan yields the entries of a file and those that are damaged, in order. An error ends it.
func (s *scanner) scan() iter.Seq2[scanned, error] {
	return func(yield func(scanned, error) bool) {
		for {
			if err := s.ctx.Err(); err != nil {
				yield(scanned{}, err)
				return
			}
			line, err := s.in.ReadBytes('\n')
			end := errors.Is(err, io.EOF)
			if err != nil && !end {
				yield(scanned{}, err)
				return
			}
			if len(line) > 0 && !s.take(line, yield) {
				return
			}
			if end { // A line that grows while it is read is no line yet.
				s.finish(yield)
				return
			}
		}
	}
}

// take deals with one line, and reports whether to go on.
func (s *scanner) take(line []byte, yield func(scanned, error) bool) bool {
	s.line++
	s.offset += int64(len(line))
	if len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	format, seq := head(line)
	if s.unwanted(format, seq, line) {
		s.tip, s.end = seq, s.offset
		return true
	}
	entry, err := s.decode(line)
	if format > journal.FormatVersion { // its checksum may be another one, and mustn't be taken for a torn line's
		err = &journal.NewerFormatError{Session: s.session, Seq: seq, Format: int(format)}
	}
	if isDamage(err) {
		s.unread = append(s.unread, unreadable{line: s.line, end: s.offset, err: err})
		return true
	}
	if err == nil {
		err = s.follows(entry)
	}
	if err != nil {
		yield(scanned{}, err)
		return false
	}
	if !s.report(entry.Seq-1, yield) {
		return false
	}
	s.tip, s.end = entry.Seq, s.offset
	s.unended = line[len(line)-1] != '\n'
	return entry.Seq < s.from || yield(scanned{entry: entry}, nil)
}

// unwanted reports whether a line is that of the next entry and before those that are wanted.
func (s *scanner) unwanted(format, seq int64, line []byte) bool {
	return format == journal.FormatVersion && seq == s.tip+1 && seq < s.from && len(s.unread) == 0 &&
		line[len(line)-1] == '\n'
}

func (s *scanner) decode(line []byte) (*journal.Entry, error) {
	if err := checkSeal(line); err != nil {
		return nil, err
	}
	entry, err := journal.DecodeEntry(s.ctx, line, s.blobs)
	if newer, ok := errors.AsType[*journal.NewerFormatError](err); ok {
		newer.Session = s.session
	}
	return entry, err
}

// isDamage tells an entry that can't be read from a store that can't.
func isDamage(err error) bool {
	_, value := errors.AsType[*journal.ValueError](err)
	_, digest := errors.AsType[*journal.DigestError](err)
	_, missing := errors.AsType[*journal.NotFoundError](err)
	return value || digest || missing ||
		errors.Is(err, errTorn) || errors.Is(err, errChecksum) || errors.Is(err, errConverted)
}

// follows checks that an entry has its place behind those before it.
func (s *scanner) follows(e *journal.Entry) error {
	problem := ""
	switch {
	case e.Seq <= s.tip:
		problem = fmt.Sprintf("line %d holds it, but entry %d is before it", s.line, s.tip)
	case e.Seq > s.tip+maxGap:
		problem = fmt.Sprintf("line %d holds it, but entry %d is to be there", s.line, s.tip+1)
	case e.Seq == 1:
		if first, ok := e.Records[0].(journal.Session); !ok || first.ID != s.session {
			problem = "the file is not this session's"
		}
	}
	if problem == "" {
		return nil
	}
	return &journal.EntryError{Session: s.session, Seq: e.Seq, Problem: problem}
}

// report yields a damaged entry for each number up to the given one. A line that can't be read between entries that
// follow each other was none.
func (s *scanner) report(upto int64, yield func(scanned, error) bool) bool {
	for i := 0; s.tip < upto; i++ {
		damage := &journal.DamagedError{Session: s.session, Seq: s.tip + 1, Line: s.line, Err: errMissing}
		if len(s.unread) > 0 {
			at := s.unread[min(i, len(s.unread)-1)]
			damage.Line, damage.Err = at.line, at.err
		}
		s.tip++
		if s.tip >= s.from && !yield(scanned{damage: damage}, nil) {
			return false
		}
	}
	s.unread = nil
	return true
}

// finish deals with the lines at the end that can't be read: the last one, if it is torn, was never acknowledged; each
// of the others was an entry, as far as anybody can tell.
func (s *scanner) finish(yield func(scanned, error) bool) {
	n := len(s.unread)
	if n > 0 && errors.Is(s.unread[n-1].err, errTorn) {
		n--
	}
	if n > 0 {
		s.end = s.unread[n-1].end
	}
	s.report(s.tip+int64(n), yield)
}
