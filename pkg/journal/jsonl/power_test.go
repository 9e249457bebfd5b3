//go:build unix

package jsonl_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// forgetfulDisk is a disk whose power can fail: it knows what was forced, and writes down what it was asked for.
type forgetfulDisk struct {
	t     *testing.T
	dir   string
	files []*keptFile
	names map[string]map[string]*keptFile // of each directory whose names were forced
	calls []string
	// then is called when something was written or forced.
	then func()
}

// keptFile is a file and what was forced of it. It stays open, so that no other file becomes the same one.
type keptFile struct {
	file   *os.File
	forced []byte
}

func newForgetfulDisk(t *testing.T) *forgetfulDisk {
	return &forgetfulDisk{t: t, dir: t.TempDir(), names: map[string]map[string]*keptFile{}}
}

// Write implements jsonl.Disk.
func (d *forgetfulDisk) Write(f *os.File, text []byte) error {
	err := jsonl.SystemDisk{}.Write(f, text)
	d.called("write", f.Name())
	return err
}

// Sync implements jsonl.Disk.
func (d *forgetfulDisk) Sync(f *os.File) error {
	kept := d.kept(f.Name())
	kept.forced = kept.content(d.t)
	d.called("sync", f.Name())
	return nil
}

// SyncDir implements jsonl.Disk.
func (d *forgetfulDisk) SyncDir(path string) error {
	names := map[string]*keptFile{}
	for _, name := range list(d.t, path) {
		names[name] = d.kept(filepath.Join(path, name))
	}
	d.names[path] = names
	d.called("names", path)
	return nil
}

func (d *forgetfulDisk) called(what, path string) {
	name := random.ReplaceAllString(strings.TrimPrefix(path, d.dir+"/"), ".new")
	d.calls = append(d.calls, what+" "+strings.ReplaceAll(name, d.dir, "."))
	if d.then != nil {
		d.then()
	}
}

// kept finds the file, whatever its name was before.
func (d *forgetfulDisk) kept(path string) *keptFile {
	f, err := os.Open(path)
	must(d.t, err)
	info, err := f.Stat()
	must(d.t, err)
	for _, k := range d.files {
		if known, err := k.file.Stat(); err == nil && os.SameFile(known, info) {
			must(d.t, f.Close())
			return k
		}
	}
	k := &keptFile{file: f}
	d.files = append(d.files, k)
	d.t.Cleanup(func() { must(d.t, f.Close()) })
	return k
}

func (k *keptFile) content(t *testing.T) []byte {
	info, err := k.file.Stat()
	must(t, err)
	if info.IsDir() {
		return nil
	}
	text, err := io.ReadAll(io.NewSectionReader(k.file, 0, info.Size()))
	must(t, err)
	return text
}

func list(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// outages are what a power failure can leave of a file beside what was forced, when its name was; the last one also keeps
// names that weren't.
var outages = []struct {
	name string
	left func(forced, written []byte) []byte
	all  bool
}{
	{"nothing else", func(forced, _ []byte) []byte { return forced }, false},
	{"half of the rest", func(forced, written []byte) []byte { return written[:(len(forced)+len(written))/2] }, false},
	{"zeros", func(forced, written []byte) []byte {
		return append(bytes.Clone(forced), make([]byte, len(written)-len(forced))...)
	}, false},
	{"everything", func(_, written []byte) []byte { return written }, false},
	{"names", func(forced, _ []byte) []byte { return forced }, true},
}

// fail returns a directory as a power failure would leave it.
func (d *forgetfulDisk) fail(left func(forced, written []byte) []byte, allNames bool) string {
	after := d.t.TempDir()
	for _, sub := range list(d.t, d.dir) {
		names := d.names[filepath.Join(d.dir, sub)]
		if d.names[d.dir][sub] == nil && !allNames {
			continue
		}
		must(d.t, os.Mkdir(filepath.Join(after, sub), 0o700))
		if allNames {
			names = map[string]*keptFile{}
			for _, name := range list(d.t, filepath.Join(d.dir, sub)) {
				names[name] = d.kept(filepath.Join(d.dir, sub, name))
			}
		}
		for name, k := range names {
			must(d.t, os.WriteFile(filepath.Join(after, sub, name), left(k.forced, k.content(d.t)), 0o600))
		}
	}
	return after
}

// ledger is what a store was asked for and what it has acknowledged.
type ledger struct {
	appended, acknowledged, config, swapped int
}

// write does the work of a run on a store of that disk, and keeps the ledger.
func (l *ledger) write(t *testing.T, store *jsonl.Store, d *forgetfulDisk) {
	note := func(what string) { d.calls = append(d.calls, "= "+what) }
	note("opened")
	_, err := store.PutConfig(t.Context(), []byte("config"))
	must(t, err)
	l.config = 1
	note("config")
	for seq := 1; seq <= 3; seq++ {
		e := entry(seq)
		if seq == 3 {
			e.Records = []journal.Record{journal.Note{Text: strings.Repeat("3", toBlob)}}
		}
		l.appended = seq
		must(t, store.Append(t.Context(), "s", int64(seq), e))
		l.acknowledged = seq
		note(fmt.Sprint("entry ", seq))
	}
	_, err = store.CompareAndSwap(t.Context(), "app", "k", 0, journal.Some("v"))
	must(t, err)
	l.swapped = 1
	note("shared state")
}

// check reads what a power failure has left.
func (l *ledger) check(t *testing.T, dir string, atLeast ledger) {
	t.Helper()
	store := open(t, dir, jsonl.WithSync(jsonl.SyncNever))
	found, err := findings(t, store, 1)
	var unknown *journal.UnknownSessionError
	if len(found) == 0 && errors.As(err, &unknown) {
		err = nil
	}
	if n := len(found); err != nil || n < atLeast.acknowledged || n > l.appended || strings.Join(found, " ") != numbers(n) {
		t.Errorf("read %v, %v; %d entries were acknowledged, %d appended", found, err, atLeast.acknowledged, l.appended)
	}
	if _, err := store.GetConfig(t.Context(), journal.Digest([]byte("config"))); err != nil && atLeast.config > 0 {
		t.Errorf("the config: %v", err)
	}
	item, err := store.Get(t.Context(), "app", "k")
	if err != nil || item.Version < int64(atLeast.swapped) {
		t.Errorf("shared state: %+v, %v", item, err)
	}
}

// Whenever the power fails, what was acknowledged is there with SyncAlways, and with SyncInterval what was before the
// last sync; nothing is there that wasn't appended, and no line is taken for a damaged one that was cut off.
func TestPowerFailures(t *testing.T) {
	for _, policy := range []jsonl.SyncPolicy{jsonl.SyncAlways, jsonl.SyncInterval} {
		for _, outage := range outages {
			t.Run(policy.String()+", left is "+outage.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // nothing is forced in the background while this goes on
					failEverywhere(t, policy, func(d *forgetfulDisk) string { return d.fail(outage.left, outage.all) })
				})
			})
		}
	}
}

// failEverywhere lets the power fail after everything that a store does with its disk.
func failEverywhere(t *testing.T, policy jsonl.SyncPolicy, fail func(*forgetfulDisk) string) {
	d := newForgetfulDisk(t)
	l := &ledger{}
	d.then = func() {
		sure := *l
		if policy == jsonl.SyncInterval {
			sure.acknowledged = 0
		}
		l.check(t, fail(d), sure)
	}
	store := open(t, d.dir, jsonl.WithSync(policy), jsonl.WithDisk(d))
	l.write(t, store, d)
	d.then()
	must(t, store.Close())
	l.check(t, fail(d), *l)
}

// In which order things are written, forced and acknowledged.
func TestOrderOfForcing(t *testing.T) {
	var told strings.Builder
	for _, policy := range []jsonl.SyncPolicy{jsonl.SyncAlways, jsonl.SyncInterval, jsonl.SyncNever} {
		d := newForgetfulDisk(t)
		synctest.Test(t, func(t *testing.T) {
			store := open(t, d.dir, jsonl.WithSync(policy), jsonl.WithDisk(d))
			(&ledger{}).write(t, store, d)
			must(t, store.Close())
		})
		text := strings.Join(append(d.calls, "= closed"), "\n  ")
		for _, content := range []string{"config", `"` + strings.Repeat("3", toBlob) + `"`} {
			text = strings.ReplaceAll(text, strings.TrimPrefix(journal.Digest([]byte(content)), "sha256:"), "SHA256")
		}
		fmt.Fprintf(&told, "\n%s\n  %s\n", policy, text)
	}
	golden(t, "order.txt", told.String())
}
