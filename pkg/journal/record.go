package journal

import (
	"strconv"
	"time"
)

// FormatVersion is the format that this package writes, and the newest one that it reads.
const FormatVersion = 1

// Kind is the name of a record type as it stands in the log.
type Kind string

// The record types of format 1.
const (
	KindSession Kind = "session"
	KindRun     Kind = "run"
	KindQueue   Kind = "queue"
	KindStart   Kind = "start"
	KindEnd     Kind = "end"
	KindFail    Kind = "fail"
	KindWait    Kind = "wait"
	KindAnswer  Kind = "answer"
	KindMsg     Kind = "msg"
	KindCall    Kind = "call"
	KindTip     Kind = "tip"
	KindSum     Kind = "sum"
	KindNote    Kind = "note"
	KindOwn     Kind = "own"
	KindCancel  Kind = "cancel"
	KindStop    Kind = "stop"
	KindDone    Kind = "done"
)

// Record is one fact. The set is closed: [Session], [Run], [Queue], [Start], [End], [Fail], [Wait], [Answer], [Msg],
// [Call], [Tip], [Sum], [Note], [Own], [Cancel], [Stop] and [Done], always as values, never as pointers.
//
// A record and every value inside it are immutable once they were handed to a store or a [Writer].
type Record interface {
	// Kind is the type's name in the log.
	Kind() Kind

	record()
}

// Entry is one append to a session's log: the records of one transition, or of several that needed no durability of
// their own. It is atomic, and immutable once it was appended or read.
type Entry struct {
	// Format is the version that the entry is written in; zero means [FormatVersion].
	Format int

	// Seq counts the entries of a session from 1, without gaps. [Log.Append] sets it.
	Seq int64

	// At is the time of writing in UTC, to the millisecond.
	At time.Time

	// Run is the run that the records belong to; empty for records of the session itself.
	Run string

	// Epoch is the epoch of the lease under which the entry is written; 0 without leases.
	Epoch int64

	// Records are the facts in the order in which they became true; never empty.
	Records []Record
}

// Pos is the place of a record in its session: the entry's sequence number and the record's index in it.
type Pos struct {
	Seq   int64
	Index int
}

// String writes the position as seq.index, which is also the event id that subscribers see.
func (p Pos) String() string { return strconv.FormatInt(p.Seq, 10) + "." + strconv.Itoa(p.Index) }

// Compare orders positions as the log does: negative when p comes before q.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.Seq != q.Seq && p.Seq < q.Seq, p.Seq == q.Seq && p.Index < q.Index:
		return -1
	case p == q:
		return 0
	default:
		return 1
	}
}

// IsZero reports whether p names no record.
func (p Pos) IsZero() bool { return p == Pos{} }
