package journal

import "fmt"

// ConflictError says that an append named another sequence number than the next one: someone else has written.
type ConflictError struct {
	Session string
	// Seq is the number that the append named, Next the one that it had to name.
	Seq  int64
	Next int64
}

// Error says which number was named and which was expected.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("session %s: entry %d can't be appended, the next entry is %d", e.Session, e.Seq, e.Next)
}

// UnknownSessionError says that there is no log of that session.
type UnknownSessionError struct{ Session string }

// Error names the session.
func (e *UnknownSessionError) Error() string {
	return fmt.Sprintf("session %s: not in this store", e.Session)
}

// NewerFormatError says that a log was written by a newer release: its session can't be read by this one.
type NewerFormatError struct {
	Session string
	Seq     int64
	// Format is the entry's version; 0 when the entry gave itself away by a record type that isn't known.
	Format int
	// Record is that unknown type.
	Record string
}

// Error says what is newer than this release.
func (e *NewerFormatError) Error() string {
	what := fmt.Sprintf("format %d, this release reads up to %d", e.Format, FormatVersion)
	if e.Record != "" {
		what = fmt.Sprintf("record type %q is unknown to this release", e.Record)
	}
	return fmt.Sprintf("session %s: entry %d was written by a newer plait (%s)", e.Session, e.Seq, what)
}

// DamagedError says that an entry of a log can't be read. The entries around it can.
type DamagedError struct {
	Session string
	// Seq is the number of the damaged entry.
	Seq int64
	// Line is its line in the file; 0 for stores that have no lines.
	Line int
	// Err says what is wrong with it.
	Err error
}

// Error says where the damage is and what it consists of.
func (e *DamagedError) Error() string {
	at := fmt.Sprintf("entry %d", e.Seq)
	if e.Line > 0 {
		at = fmt.Sprintf("line %d, entry %d", e.Line, e.Seq)
	}
	return fmt.Sprintf("session %s: %s is damaged: %v", e.Session, at, e.Err)
}

// Unwrap returns the cause.
func (e *DamagedError) Unwrap() error { return e.Err }

// LockedError says that another process has the session open for writing.
type LockedError struct{ Session string }

// Error names the session.
func (e *LockedError) Error() string {
	return fmt.Sprintf("session %s: locked by another process", e.Session)
}

// MovedError says that the file of a session was moved or removed while the store had it open: what was appended to it
// since can't be found there.
type MovedError struct{ Session string }

// Error names the session.
func (e *MovedError) Error() string {
	return fmt.Sprintf("session %s: its file was moved or removed while it was open for writing", e.Session)
}

// StaleLeaseError says that a lease, or the epoch of an entry, isn't the run's present one: another process may have
// taken the run over, and this one must not go on with it.
type StaleLeaseError struct {
	Session string
	Run     string
	// Epoch is the one that was presented, Current the newest.
	Epoch   int64
	Current int64
}

// Error names the run and both epochs.
func (e *StaleLeaseError) Error() string {
	return fmt.Sprintf("session %s, run %s: the lease of epoch %d is over, the newest epoch is %d",
		e.Session, e.Run, e.Epoch, e.Current)
}

// LeaseHeldError says that another owner holds the lease of a run.
type LeaseHeldError struct{ Lease Lease }

// Error names the run and its owner.
func (e *LeaseHeldError) Error() string {
	return fmt.Sprintf("session %s, run %s: leased by %s", e.Lease.Session, e.Lease.Run, e.Lease.Owner)
}

// NotFoundError says that no blob or configuration has that digest.
type NotFoundError struct{ Digest string }

// Error names the digest.
func (e *NotFoundError) Error() string { return e.Digest + ": not in this store" }

// DigestError says that stored bytes aren't those that the digest stands for.
type DigestError struct {
	Want string
	Got  string
}

// Error names both digests.
func (e *DigestError) Error() string {
	return fmt.Sprintf("%s: the stored bytes have changed, their digest is %s", e.Want, e.Got)
}

// VersionError says that a key has another version than the one that was named.
type VersionError struct {
	Scope   string
	Key     string
	Version int64
	Current int64
}

// Error names the key and both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("%s %q: version %d was expected, it has version %d", e.Scope, e.Key, e.Version, e.Current)
}

// ValueError says that a value has no place in a log. Path is where it is, for instance out.items[3].price.
type ValueError struct {
	Path    string
	Problem string
}

// Error gives the place and the problem.
func (e *ValueError) Error() string {
	if e.Path == "" {
		return e.Problem
	}
	return e.Path + ": " + e.Problem
}

// EntryError says that an entry or its session's id isn't fit to be written or read.
type EntryError struct {
	Session string
	Seq     int64
	Problem string
}

// Error gives the place and the problem.
func (e *EntryError) Error() string {
	return fmt.Sprintf("session %s, entry %d: %s", e.Session, e.Seq, e.Problem)
}

// FoldError says that a log contradicts itself: what a record says can't have happened after what is before it.
type FoldError struct {
	Session string
	Pos     Pos
	// Run and Path say what the record is about, where it says so.
	Run  string
	Path string
	// Problem says what was expected.
	Problem string
}

// Error gives the place and the problem.
func (e *FoldError) Error() string {
	where := fmt.Sprintf("session %s, record %s", e.Session, e.Pos)
	if e.Run != "" {
		where += ", run " + e.Run
	}
	if e.Path != "" {
		where += ", " + e.Path
	}
	return where + ": " + e.Problem
}
