package jsonl

import "time"

// SyncPolicy says when what was written is forced to the disk. Without that, a power failure loses it, while the death
// of the process doesn't.
type SyncPolicy int

// The policies. SyncAlways forces each entry before its append returns. SyncInterval forces within a second, in the
// background. SyncNever leaves it to the operating system.
const (
	SyncAlways SyncPolicy = iota
	SyncInterval
	SyncNever
)

// String returns the word for the policy that settings use.
func (p SyncPolicy) String() string {
	switch p {
	case SyncAlways:
		return "always"
	case SyncInterval:
		return "interval"
	default:
		return "never"
	}
}

// syncDelay is how long SyncInterval waits after an entry, which leaves half a second for the disk.
const syncDelay = 500 * time.Millisecond

// defaultMaxOpen stays far below the number of files that a process may have open on any system.
const defaultMaxOpen = 128

// Option changes what [Open] makes.
type Option func(*Store)

// WithSync sets the policy; the default is [SyncAlways].
func WithSync(policy SyncPolicy) Option { return func(s *Store) { s.sync = policy } }

// ReadOnly opens a store that is there already, makes nothing in its directory, and refuses to write: with [ErrReadOnly].
// [Open] fails with fs.ErrNotExist where there is no store.
func ReadOnly() Option { return func(s *Store) { s.readOnly = true } }

// WithMaxOpen sets how many sessions are kept open, and locked, for writing; the default is 128. The one that was not
// written to for the longest time is closed for another one.
func WithMaxOpen(n int) Option { return func(s *Store) { s.maxOpen = max(n, 1) } }

// WithClock gives the store another clock for its leases than time.Now.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }
