package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"slices"
	"time"
)

// Store is all that a process keeps: logs, the values that are too large for them, configurations, shared state, and
// the right to advance a run. Every method of a store is safe for concurrent use, returns ctx.Err() when it finds the
// context done before it took effect, and returns an error of this package where a caller can act on it.
//
// The suite of package storetest says in tests what an implementation has to do.
type Store interface {
	Log
	Blobs
	Configs
	KV
	Leases

	// Close gives back what the store holds, after what was written is as durable as the store's policy says. No other
	// method is called after it.
	io.Closer
}

// Log holds one log per session.
type Log interface {
	// Append adds e to the session's log as entry number seq, which must be the last number + 1: else the error is a
	// *[ConflictError]. Entry 1 makes the session; it begins with a [Session] record of that id. When Append returns nil
	// the entry is durable as the store's policy says, and its Seq is set. When it returns an error that is not a
	// *[ConflictError], *[UnknownSessionError], *[StaleLeaseError], *[LockedError], *[ValueError] or *[EntryError], the
	// entry may have been written all the same; the log has to be read to know.
	//
	// When the run of the entry was ever leased, the entry's epoch must be that of the lease, else the error is a
	// *[StaleLeaseError]. Requests, see [Entry.IsRequest], may come from processes without the lease, with epoch 0.
	Append(ctx context.Context, session string, seq int64, e *Entry) error

	// Read yields the entries of a session in order, from number seq on (1 or less: all), as far as they were written
	// when it gets there. An unknown session yields an *[UnknownSessionError]. A damaged entry yields a nil entry and a
	// *[DamagedError], and reading goes on behind it; every other error ends the sequence.
	Read(ctx context.Context, session string, seq int64) iter.Seq2[*Entry, error]

	// Runs yields the runs that the filter asks for, oldest first, and after them one error for each session that could
	// not be read.
	Runs(ctx context.Context, filter RunFilter) iter.Seq2[RunInfo, error]
}

// Blobs holds bytes by their digest.
type Blobs interface {
	// PutBlob stores data, durably before it returns, and returns its [Digest]. Storing the same bytes again is no error.
	PutBlob(ctx context.Context, data []byte) (digest string, err error)

	// GetBlob returns the bytes of a digest, which it checks: bytes that were changed are a *[DigestError], missing ones
	// a *[NotFoundError].
	GetBlob(ctx context.Context, digest string) ([]byte, error)
}

// Configs holds every configuration that ever started a run, by the digest of its bytes. It is apart from [Blobs]
// because it lives longer than any session.
type Configs interface {
	// PutConfig is [Blobs].PutBlob for configurations.
	PutConfig(ctx context.Context, data []byte) (digest string, err error)

	// GetConfig is [Blobs].GetBlob for configurations.
	GetConfig(ctx context.Context, digest string) ([]byte, error)
}

// KV holds the state that sessions share (app: and user:), in scopes.
type KV interface {
	// Get returns the item of a key; one that never was has version 0 and no value.
	Get(ctx context.Context, scope, key string) (Item, error)

	// List returns the items of a scope that have a value, by key.
	List(ctx context.Context, scope string) (map[string]Item, error)

	// CompareAndSwap gives the key a new value, or none, if its version is still the given one, and returns the new
	// version; else the error is a *[VersionError]. Versions of a key only grow, also when its value is removed.
	CompareAndSwap(ctx context.Context, scope, key string, version int64, value Optional) (int64, error)
}

// Item is a value of a [KV] with its version.
type Item struct {
	Value   Optional
	Version int64
}

// Leases give one process at a time the right to advance a run, which may be one that is yet to be recorded. Times are
// the store's.
type Leases interface {
	// AcquireLease takes the lease of a run for ttl. Its epoch is higher than that of any lease or entry of the run
	// before it. While another owner holds it the error is a *[LeaseHeldError].
	AcquireLease(ctx context.Context, session, run, owner string, ttl time.Duration) (Lease, error)

	// RenewLease extends a lease to ttl from now. If someone else took the run since, the error is a
	// *[StaleLeaseError].
	RenewLease(ctx context.Context, lease Lease, ttl time.Duration) (Lease, error)

	// ReleaseLease gives a lease back; a stale one is no error, there is nothing to give back. Entries under a released
	// lease are refused.
	ReleaseLease(ctx context.Context, lease Lease) error
}

// Lease is the right to advance a run until a moment.
type Lease struct {
	Session string
	Run     string
	Owner   string
	Epoch   int64
	Until   time.Time
}

// RunInfo is what the index of runs knows of a run.
type RunInfo struct {
	Session   string
	App       string
	Principal string
	User      string

	Run    string
	Status Status
	// Reason says why a run is suspended.
	Reason string
	Config string
	// Format is the format version that a process must know to continue the run.
	Format int

	Owner string
	Epoch int64

	// Started is when the run was recorded first, Updated when last.
	Started time.Time
	Updated time.Time
	// Wake is when a run that waits goes on by itself: a retry or a deadline; zero when it doesn't.
	Wake time.Time
	// CancelRequested says that someone asked for the run's end.
	CancelRequested bool
}

// RunFilter says which runs to yield; zero fields don't restrict.
type RunFilter struct {
	Session   string
	Run       string
	App       string
	Principal string
	Statuses  []Status

	// MaxFormat is the newest format that the caller can continue.
	MaxFormat int

	// WakeBefore asks for runs that wake before that time.
	WakeBefore time.Time
}

// Match reports whether the filter asks for the run.
func (f RunFilter) Match(r RunInfo) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Session, r.Session) && is(f.Run, r.Run) && is(f.App, r.App) && is(f.Principal, r.Principal) &&
		(len(f.Statuses) == 0 || slices.Contains(f.Statuses, r.Status)) &&
		(f.MaxFormat == 0 || r.Format <= f.MaxFormat) &&
		(f.WakeBefore.IsZero() || !r.Wake.IsZero() && r.Wake.Before(f.WakeBefore))
}

// Digest returns the content address of data: "sha256:" and the hexadecimal SHA-256.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// CheckDigest returns a *[DigestError] when data are not the bytes that the digest stands for.
func CheckDigest(digest string, data []byte) error {
	if got := Digest(data); got != digest {
		return &DigestError{Want: digest, Got: got}
	}
	return nil
}
