//go:build unix

package jsonl_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A fault happens to a store from outside, after four entries were acknowledged. Each has a paragraph in a golden file,
// which says what the next append returns and what readers find then, and the same afterwards.
type fault struct {
	name string
	// closed says that no store has the session open when it happens.
	closed bool
	// size is how long a text the next entries have; the value of one above journal.InlineLimit goes to a blob.
	size int
	// happen makes it happen and returns what ends it; nil when nothing does.
	happen func(t *testing.T, w *world) (end func())
}

// world is a store with a session s, the value of whose third entry is in a blob.
type world struct {
	dir   string
	disk  *faultyDisk
	store *jsonl.Store
}

func newWorld(t *testing.T, dir string) *world {
	t.Helper()
	w := &world{dir: dir, disk: &faultyDisk{}}
	w.store = open(t, dir, jsonl.WithDisk(w.disk))
	for seq := 1; seq <= acknowledged; seq++ {
		size := 0
		if seq == withBlob {
			size = toBlob
		}
		if err := w.append(t, seq, size); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

const (
	acknowledged = 4
	withBlob     = 3

	// The sizes of texts that matter: longer than a page of memory, and too long for a line.
	overPage = 6 << 10
	toBlob   = journal.InlineLimit
)

func (w *world) append(t *testing.T, seq, size int) error {
	e := entry(seq)
	if size > 0 {
		text := strings.Repeat(fmt.Sprint(seq), size)
		e.Records = []journal.Record{journal.Note{Text: text[:size]}}
	}
	return w.store.Append(t.Context(), "s", int64(seq), e)
}

// suffer lets a fault happen and tells what comes of it.
func (w *world) suffer(t *testing.T, f fault) string {
	if f.closed {
		if err := w.store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	end := f.happen(t, w)
	next, done, told := w.next(t, acknowledged+1, f.size)
	text := "\n" + f.name + "\n" + told
	if end != nil {
		end()
		var again bool
		next, again, told = w.next(t, next, f.size)
		text, done = text+"  afterwards\n"+told, done || again
	}
	w.check(t, f, next, done)
	return text
}

// next appends an entry and reads the log. It returns the number that comes then, and whether the append was done.
func (w *world) next(t *testing.T, seq, size int) (next int, done bool, told string) {
	err := w.append(t, seq, size)
	told = fmt.Sprintf("  append %d: %s\n", seq, w.outcome(err))
	if conflict, ok := errors.AsType[*journal.ConflictError](err); ok {
		seq = int(conflict.Next)
		err = w.append(t, seq, size)
		told += fmt.Sprintf("  append %d: %s\n", seq, w.outcome(err))
	}
	if err == nil {
		seq++
	}
	found, damage, refusal := w.read(t)
	told += "  read: " + strings.Join(found, " ") + "\n"
	for _, d := range damage {
		told += "    " + w.outcome(d) + "\n"
	}
	if refusal != nil {
		told += "    " + w.outcome(refusal) + "\n"
	}
	return seq, err == nil, told
}

// read returns the numbers of the entries, of damaged ones with a mark, what is said of these, and the error that ended it.
func (w *world) read(t *testing.T) (found []string, damage []error, refusal error) {
	for e, err := range open(t, w.dir).Read(t.Context(), "s", 1) {
		damaged, ok := errors.AsType[*journal.DamagedError](err)
		switch {
		case ok:
			found, damage = append(found, fmt.Sprint("!", damaged.Seq)), append(damage, err)
		case err != nil:
			refusal = err
		default:
			found = append(found, fmt.Sprint(e.Seq))
		}
	}
	return found, damage, refusal
}

// check holds what counts against what is read at the end, unless the log is refused: nothing is missing without a word
// that was acknowledged, nothing is there that wasn't appended, and the numbers have no gap.
func (w *world) check(t *testing.T, f fault, next int, done bool) {
	found, _, refusal := w.read(t)
	if refusal != nil {
		if done {
			t.Errorf("%s: entry %d was appended, but reading ends with %v", f.name, next-1, refusal)
		}
		return
	}
	for i, number := range found {
		if strings.TrimPrefix(number, "!") != fmt.Sprint(i+1) {
			t.Errorf("%s: the numbers have a gap: %v", f.name, found)
		}
	}
	if len(found) != next-1 || len(found) < acknowledged {
		t.Errorf("%s: read %v, where %d comes next", f.name, found, next)
	}
}

var random = regexp.MustCompile(`\.new-\d+`)

// outcome is the text of an error, without what differs from run to run.
func (w *world) outcome(err error) string {
	if err == nil {
		return "done"
	}
	return random.ReplaceAllString(strings.ReplaceAll(err.Error(), w.dir, "DIR"), ".new-N")
}

// tellFaults lets each fault happen to a store of its own and compares what is told with a golden file.
func tellFaults(t *testing.T, name string, faults []fault) {
	var told strings.Builder
	happened := 0
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			told.WriteString(newWorld(t, t.TempDir()).suffer(t, f))
			happened++
		})
	}
	if happened < len(faults) {
		t.Skipf("%d of %d faults happened", happened, len(faults))
	}
	golden(t, name, told.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	got = strings.TrimPrefix(got, "\n")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", file, diff)
	}
}

// edit is a fault that changes the lines of the session's file.
func edit(name string, change func(lines []string) []string) fault {
	return fault{name: name, closed: true, happen: func(t *testing.T, w *world) func() {
		write(t, w.dir, change(slices.Clone(lines(t, w.dir)))...)
		return nil
	}}
}
