package storetest

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
)

// Option tells the suite what else it can do with a store.
type Option func(*suite)

// WithConfigTamper gives the suite a way to change the stored bytes of a configuration, so that it can see that the
// store notices.
func WithConfigTamper(tamper func(t *testing.T, store journal.Store, digest string)) Option {
	return func(s *suite) { s.tamperConfig = tamper }
}

// WithBlobTamper is [WithConfigTamper] for blobs.
func WithBlobTamper(tamper func(t *testing.T, store journal.Store, digest string)) Option {
	return func(s *suite) { s.tamperBlob = tamper }
}

// WithEntryTamper gives the suite a way to put a text in the place of a stored entry, as damage would, or a newer
// release: where the store keeps a checksum with it, it gets one that is right.
func WithEntryTamper(tamper func(t *testing.T, store journal.Store, session string, seq int64, text string)) Option {
	return func(s *suite) { s.tamperEntry = tamper }
}

// WithReopen gives the suite a way to open again what a store has kept, as the next process does.
func WithReopen(reopen func(t *testing.T, store journal.Store) journal.Store) Option {
	return func(s *suite) { s.reopen = reopen }
}

// Run tests the stores that open makes. Each must be empty, and open sees to its end by t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) journal.Store, options ...Option) {
	s := &suite{}
	for _, option := range options {
		option(s)
	}
	for _, c := range append(s.cases(), s.faultCases()...) {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

type suite struct {
	tamperConfig, tamperBlob func(t *testing.T, store journal.Store, digest string)
	tamperEntry              func(t *testing.T, store journal.Store, session string, seq int64, text string)
	reopen                   func(t *testing.T, store journal.Store) journal.Store
}

type testCase struct {
	name string
	test func(t *testing.T, store journal.Store)
}

func (s *suite) cases() []testCase {
	return []testCase{
		{"an entry is read as it was appended", testFidelity},
		{"entries are read in order from a number on", testOrder},
		{"a reader may stop early and read again", testStop},
		{"an append names the next number", testConflict},
		{"of concurrent appends of one number one wins", testRace},
		{"concurrent appenders leave no gap", testContention},
		{"sessions don't touch each other", testSessions},
		{"an unknown session is an error", testUnknown},
		{"an entry that can't be is refused", testRefusals},
		{"a value that can't be is refused and changes nothing", testBadValue},
		{"large values come back", testLarge},
		{"runs are found by what the filter says", testRuns},
		{"a log that contradicts itself doesn't hide other runs", testRunsContradiction},
		{"blobs", contentTest(journal.Store.PutBlob, journal.Store.GetBlob, s.tamperBlob)},
		{"configs", contentTest(journal.Store.PutConfig, journal.Store.GetConfig, s.tamperConfig)},
		{"blobs and configs are apart", testApart},
		{"shared state is swapped by version", testKV},
		{"of concurrent swaps of one version one wins", testKVRace},
		{"a lease keeps others out until it is over", testLease},
		{"an entry under a stale lease is refused", testStaleEpoch},
		{"requests need no lease", testRequests},
		{"nothing happens after the context is done", testCanceled},
	}
}

// start begins a session with one entry.
func start(t *testing.T, store journal.Store, session string) {
	t.Helper()
	add(t, store, session, 1, entry("", 0, journal.Session{ID: session, App: "app", Principal: "web", User: "u"}))
}

func entry(run string, epoch64 int64, records ...journal.Record) *journal.Entry {
	return &journal.Entry{At: epoch(), Run: run, Epoch: epoch64, Records: records}
}

func note(text string) *journal.Entry { return entry("", 0, journal.Note{Code: "test", Text: text}) }

func add(t *testing.T, store journal.Store, session string, seq int64, e *journal.Entry) {
	t.Helper()
	if err := store.Append(t.Context(), session, seq, e); err != nil {
		t.Fatalf("append %d to %s: %v", seq, session, err)
	}
	if e.Seq != seq {
		t.Fatalf("append %d to %s: the entry has the number %d", seq, session, e.Seq)
	}
}

// read returns all entries from a number on, and fails the test on any error.
func read(t *testing.T, store journal.Store, session string, seq int64) []*journal.Entry {
	t.Helper()
	var entries []*journal.Entry
	for e, err := range store.Read(t.Context(), session, seq) {
		if err != nil {
			t.Fatalf("read %s from %d: %v", session, seq, err)
		}
		entries = append(entries, e)
	}
	return entries
}

// want fails the test unless err is an E.
func want[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want a %T", err, err, e)
	}
	return e
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

// firstError returns the first error of a sequence, or nil.
func firstError[T any](seq iter.Seq2[T, error]) error {
	for _, err := range seq {
		if err != nil {
			return err
		}
	}
	return nil
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
