package storetest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// Each broken store does one thing wrong.
type (
	ignoresNumbers    struct{ *memory.Store }
	knowsEverySession struct{ *memory.Store }
	readsFromOne      struct{ *memory.Store }
	losesTypes        struct{ *memory.Store }
	ignoresFilter     struct{ *memory.Store }
	ignoresVersions   struct{ *memory.Store }
	ignoresOwners     struct{ *memory.Store }
	ignoresEpochs     struct{ *memory.Store }
	keepsAfterCancel  struct{ *memory.Store }
	mixesContent      struct{ *memory.Store }
	trustsContent     struct {
		*memory.Store
		edited map[string]bool
	}
	hidesDamage struct {
		*memory.Store
		damaged map[int64]bool
	}
)

func (s hidesDamage) Read(ctx context.Context, session string, seq int64) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for e, err := range s.Store.Read(ctx, session, seq) {
			if (err != nil || session != "s" || !s.damaged[e.Seq]) && !yield(e, err) {
				return
			}
		}
	}
}

func (s ignoresNumbers) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	next := int64(1)
	for range s.Read(ctx, session, 1) {
		next++
	}
	return s.Store.Append(ctx, session, max(next-1, 1), e)
}

func (s knowsEverySession) Read(ctx context.Context, session string, seq int64) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for e, err := range s.Store.Read(ctx, session, seq) {
			if err == nil && !yield(e, err) {
				return
			}
		}
	}
}

func (s readsFromOne) Read(ctx context.Context, session string, seq int64) iter.Seq2[*journal.Entry, error] {
	return s.Store.Read(ctx, session, 1)
}

// Append writes values as encoding/json does.
func (s losesTypes) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	for i, r := range e.Records {
		if run, ok := r.(journal.Run); ok {
			text, err := json.Marshal(run.Input)
			if err != nil {
				return err
			}
			if err := json.Unmarshal(text, &run.Input); err != nil {
				return err
			}
			e.Records[i] = run
		}
	}
	return s.Store.Append(ctx, session, seq, e)
}

func (s ignoresFilter) Runs(ctx context.Context, f journal.RunFilter) iter.Seq2[journal.RunInfo, error] {
	return s.Store.Runs(ctx, journal.RunFilter{Session: f.Session})
}

func (s ignoresVersions) CompareAndSwap(
	ctx context.Context, scope, key string, _ int64, value journal.Optional,
) (int64, error) {
	item, err := s.Get(ctx, scope, key)
	if err != nil {
		return 0, err
	}
	return s.Store.CompareAndSwap(ctx, scope, key, item.Version, value)
}

func (s ignoresOwners) AcquireLease(
	ctx context.Context, session, run, _ string, ttl time.Duration,
) (journal.Lease, error) {
	return s.Store.AcquireLease(ctx, session, run, "a", ttl)
}

func (s ignoresEpochs) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	run := e.Run
	e.Run = ""
	err := s.Store.Append(ctx, session, seq, e)
	e.Run = run
	return err
}

func (s keepsAfterCancel) PutBlob(_ context.Context, data []byte) (string, error) {
	return s.Store.PutBlob(context.Background(), data)
}

func (s mixesContent) GetConfig(ctx context.Context, digest string) ([]byte, error) {
	return s.GetBlob(ctx, digest)
}

func (s mixesContent) PutConfig(ctx context.Context, data []byte) (string, error) {
	return s.PutBlob(ctx, data)
}

func (s trustsContent) GetConfig(ctx context.Context, digest string) ([]byte, error) {
	if s.edited[digest] {
		return []byte("edited"), nil
	}
	return s.Store.GetConfig(ctx, digest)
}

func tamper(_ *testing.T, store journal.Store, digest string) {
	store.(trustsContent).edited[digest] = true
}

// broken are the stores, with what the suite must say about each.
func broken() map[string]struct {
	open  func() journal.Store
	fails string
} {
	type row = struct {
		open  func() journal.Store
		fails string
	}
	return map[string]row{
		"numbers":  {func() journal.Store { return ignoresNumbers{memory.New()} }, "an_append_names_the_next_number"},
		"unknown":  {func() journal.Store { return knowsEverySession{memory.New()} }, "an_unknown_session_is_an_error"},
		"from":     {func() journal.Store { return readsFromOne{memory.New()} }, "entries_are_read_in_order"},
		"types":    {func() journal.Store { return losesTypes{memory.New()} }, "an_entry_is_read_as_it_was_appended"},
		"filter":   {func() journal.Store { return ignoresFilter{memory.New()} }, "runs_are_found_by_what_the_filter_says"},
		"versions": {func() journal.Store { return ignoresVersions{memory.New()} }, "shared_state_is_swapped_by_version"},
		"owners":   {func() journal.Store { return ignoresOwners{memory.New()} }, "a_lease_keeps_others_out"},
		"epochs":   {func() journal.Store { return ignoresEpochs{memory.New()} }, "an_entry_under_a_stale_lease_is_refused"},
		"cancel":   {func() journal.Store { return keepsAfterCancel{memory.New()} }, "nothing_happens_after_the_context_is_done"},
		"content":  {func() journal.Store { return mixesContent{memory.New()} }, "blobs_and_configs_are_apart"},
		"trust": {func() journal.Store { return trustsContent{memory.New(), map[string]bool{}} },
			"configs"},
		"damage": {func() journal.Store { return hidesDamage{memory.New(), map[int64]bool{}} },
			"an_entry_that_can't_be_read_is_reported"},
		"newer": {func() journal.Store { return hidesDamage{memory.New(), map[int64]bool{}} },
			"an_entry_of_a_newer_format_is_refused"},
		"restart": {func() journal.Store { return memory.New() }, "what_was_acknowledged_is_there"},
	}
}

// optionsFor give the suite what it needs to see what a store does wrong.
func optionsFor(name string) []storetest.Option {
	switch name {
	case "trust":
		return []storetest.Option{storetest.WithConfigTamper(tamper)}
	case "damage", "newer":
		return []storetest.Option{storetest.WithEntryTamper(
			func(_ *testing.T, store journal.Store, _ string, seq int64, _ string) {
				store.(hidesDamage).damaged[seq] = true
			})}
	case "restart":
		return []storetest.Option{storetest.WithReopen(
			func(*testing.T, journal.Store) journal.Store { return memory.New() })}
	default:
		return nil
	}
}

// TestTheSuiteFindsWhatIsBroken runs the suite on each broken store in another process, where it may fail.
func TestTheSuiteFindsWhatIsBroken(t *testing.T) {
	if name := os.Getenv("STORETEST_BROKEN"); name != "" {
		storetest.Run(t, func(*testing.T) journal.Store { return broken()[name].open() }, optionsFor(name)...)
		return
	}
	all := broken()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			child := exec.Command(os.Args[0], "-test.run=^TestTheSuiteFindsWhatIsBroken$", "-test.timeout=60s")
			child.Env = append(os.Environ(), "STORETEST_BROKEN="+name)
			out, err := child.CombinedOutput()
			want := "--- FAIL: TestTheSuiteFindsWhatIsBroken/" + all[name].fails
			if err == nil || !bytes.Contains(out, []byte(want)) {
				t.Errorf("want %q, got %v and\n%s", want, err, strings.TrimSpace(string(out)))
			}
		})
	}
}
