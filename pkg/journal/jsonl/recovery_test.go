package jsonl_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

func file(dir, session string) string { return filepath.Join(dir, "sessions", session+".jsonl") }

// fill writes a session of n entries and returns its lines.
func fill(t testing.TB, dir string, n int) []string {
	t.Helper()
	store, err := jsonl.Open(dir, jsonl.WithSync(jsonl.SyncNever))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for seq := 1; seq <= n; seq++ {
		if err := store.Append(t.Context(), "s", int64(seq), entry(seq)); err != nil {
			t.Fatal(err)
		}
	}
	return lines(t, dir)
}

func entry(seq int) *journal.Entry {
	if seq == 1 {
		return &journal.Entry{Records: []journal.Record{journal.Session{ID: "s"}}}
	}
	return &journal.Entry{Records: []journal.Record{journal.Note{Code: "test", Text: fmt.Sprint("entry ", seq)}}}
}

func lines(t testing.TB, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(file(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

func write(t testing.TB, dir string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(file(dir, "s"), []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// findings describes what reading a session from a number on yields: numbers of entries, and damages as "!seq@line".
func findings(t testing.TB, store journal.Store, from int64) (found []string, last error) {
	t.Helper()
	for e, err := range store.Read(t.Context(), "s", from) {
		var damage *journal.DamagedError
		switch {
		case errors.As(err, &damage):
			if e != nil || damage.Session != "s" || damage.Err == nil {
				t.Errorf("damage with %v: %+v", e, damage)
			}
			found = append(found, fmt.Sprintf("!%d@%d", damage.Seq, damage.Line))
		case err != nil:
			last = err
		default:
			found = append(found, fmt.Sprint(e.Seq))
		}
	}
	return found, last
}

// flip changes one byte in the middle of a line.
func flip(line string) string {
	b := []byte(line)
	b[len(b)/2] ^= 1
	return string(b)
}

func TestLinesAreSealed(t *testing.T) {
	got := fill(t, t.TempDir(), 2)
	want := []string{
		`{"v":1,"seq":1,"recs":[{"t":"session","id":"s"}],"crc":"23bf72b2"}` + "\n",
		`{"v":1,"seq":2,"recs":[{"t":"note","code":"test","text":"entry 2"}],"crc":"8eee9780"}` + "\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheGoldenLogIsRead(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	text, err := os.ReadFile("../testdata/v1/s_7Q.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(dir, "s_7Q"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	state, err := journal.Load(t.Context(), store, "s_7Q")
	if err != nil || state.Seq != int64(bytes.Count(text, []byte("\n"))) {
		t.Fatalf("%+v, %v", state, err)
	}
	e := &journal.Entry{Run: "r_4", Records: []journal.Record{journal.Cancel{By: "user-1"}}}
	if err := store.Append(t.Context(), "s_7Q", state.Seq+1, e); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(file(dir, "s_7Q"))
	if err != nil || !bytes.HasPrefix(after, text) {
		t.Errorf("the append changed what was there: %v", err)
	}
}

// What a reader finds in a damaged file, and what the next append makes of it.
func TestDamagedFiles(t *testing.T) {
	good := fill(t, t.TempDir(), 5)
	for name, c := range map[string]struct {
		lines []string
		// found is what reading finds, next the number of the next append, kept how many lines are left by it.
		found      string
		next, kept int
	}{
		"sound":                      {good, "1 2 3 4 5", 6, 5},
		"last line torn":             {append(good[:4:4], good[4][:20]), "1 2 3 4", 5, 4},
		"last line changed":          {append(good[:4:4], flip(good[4])), "1 2 3 4 !5@5", 6, 5},
		"last line of zeros":         {append(good[:4:4], strings.Repeat("\x00", 100)), "1 2 3 4", 5, 4},
		"last line empty":            {append(good[:5:5], "\n"), "1 2 3 4 5", 6, 5},
		"lines of Windows":           {converted(good), "!1@1 !2@2 !3@3 !4@4 !5@5", 6, 5},
		"no line of ours":            {[]string{"# a remark\n"}, "!1@1", 2, 1},
		"line in the middle changed": {[]string{good[0], flip(good[1]), good[2], good[3], good[4]}, "1 !2@2 3 4 5", 6, 5},
		"line in the middle missing": {[]string{good[0], good[2], good[3], good[4]}, "1 !2@2 3 4 5", 6, 4},
		"two lines changed": {
			[]string{good[0], flip(good[1]), flip(good[2]), good[3], good[4]},
			"1 !2@2 !3@3 4 5",
			6,
			5,
		},
		"two lines made one": {
			[]string{good[0], strings.TrimSuffix(good[1], "\n") + " ", good[2], good[3], good[4]},
			"1 !2@2 !3@2 4 5",
			6,
			4,
		},
		"one line made two": {
			[]string{good[0], good[1][:9] + "\n" + good[1][10:], good[2], good[3], good[4]},
			"1 !2@2 3 4 5",
			6,
			6,
		},
		"garbage between the lines": {
			[]string{good[0], good[1], "# a remark\n", good[2], good[3], good[4]},
			"1 2 3 4 5",
			6,
			6,
		},
		"first line changed":         {[]string{flip(good[0]), good[1], good[2]}, "!1@1 2 3", 4, 3},
		"the last two lines changed": {[]string{good[0], good[1], flip(good[2]), flip(good[3])}, "1 2 !3@3 !4@4", 5, 4},
		"the last line made two":     {[]string{good[0], good[1][:9] + "\n", good[1][10:]}, "1 !2@2 !3@3", 4, 3},
		"the checksum alone changed": {
			[]string{good[0], strings.Replace(good[1], `"crc":"`, `"crc":"f`, 1), good[2]},
			"1 !2@2 3",
			4,
			3,
		},
		"a line that is not an entry": {[]string{good[0], reseal(`{"v":1,"seq":2,"recs":[]}`), good[2]}, "1 !2@2 3", 4, 3},
		"a last one that is not":      {[]string{good[0], reseal(`{"v":1,"seq":2,"recs":[]}`)}, "1 !2@2", 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			write(t, dir, c.lines...)
			found, err := findings(t, store, 1)
			if got := strings.Join(found, " "); err != nil || got != c.found {
				t.Fatalf("read %s, %v; want %s", got, err, c.found)
			}
			var conflict *journal.ConflictError
			if err := store.Append(t.Context(), "s", 99, entry(99)); !errors.As(err, &conflict) || conflict.Next != int64(c.next) {
				t.Fatalf("append 99: %v; want it to be told of %d", err, c.next)
			}
			if err := store.Append(t.Context(), "s", int64(c.next), entry(c.next)); err != nil {
				t.Fatal(err)
			}
			left := lines(t, dir)
			if diff := cmp.Diff(strings.Join(c.lines, ""), strings.Join(left[:len(left)-1], "")); len(left) != c.kept+1 ||
				!strings.HasPrefix(strings.Join(c.lines, ""), strings.Join(left[:len(left)-1], "")) {
				t.Errorf("%d lines are left and one new, want %d:\n%s", len(left)-1, c.kept, diff)
			}
			again, err := findings(t, store, 1)
			if want := c.found + " " + fmt.Sprint(c.next); err != nil || strings.Join(again, " ") != want {
				t.Errorf("after the append read %v, %v; want %s", again, err, want)
			}
		})
	}
}

// reseal gives a text the checksum that makes it a line.
func reseal(text string) string { return string(jsonl.Seal([]byte(text))) }

func TestReadingFromANumberReportsDamageFromThereOn(t *testing.T) {
	dir := t.TempDir()
	good := fill(t, dir, 6)
	store := open(t, dir)
	write(t, dir, good[0], flip(good[1]), good[2], good[3], flip(good[4]), good[5])
	for from, want := range map[int64]string{
		0: "1 !2@2 3 4 !5@5 6", 2: "!2@2 3 4 !5@5 6", 3: "3 4 !5@5 6", 5: "!5@5 6", 6: "6", 7: "",
	} {
		found, err := findings(t, store, from)
		if got := strings.Join(found, " "); err != nil || got != want {
			t.Errorf("from %d: read %s, %v; want %s", from, got, err, want)
		}
	}
}

func TestGarbageBetweenLinesIsNoDamage(t *testing.T) {
	dir := t.TempDir()
	good := fill(t, dir, 3)
	store := open(t, dir)
	write(t, dir, good[0], "#\n", good[2])
	for from, want := range map[int64]string{1: "1 !2@2 3", 2: "!2@2 3", 3: "3"} {
		if found, err := findings(t, store, from); err != nil || strings.Join(found, " ") != want {
			t.Errorf("in the place of an entry, from %d: read %v, %v; want %s", from, found, err, want)
		}
	}
	write(t, dir, good[0], "#\n", "#\n", good[1], good[2])
	for from, want := range map[int64]string{1: "1 2 3", 3: "3", 4: ""} {
		if found, err := findings(t, store, from); err != nil || strings.Join(found, " ") != want {
			t.Errorf("from %d: read %v, %v; want %s", from, found, err, want)
		}
	}
}

func TestFilesThatAreNoLogOfTheSession(t *testing.T) {
	good := fill(t, t.TempDir(), 3)
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"an entry twice": {
			[]string{good[0], good[1], good[1]},
			"session s, entry 2: line 3 holds it, but entry 2 is before it",
		},
		"entries in disorder": {
			[]string{good[0], good[2], good[1]},
			"session s, entry 2: line 3 holds it, but entry 3 is before it",
		},
		"another session": {
			[]string{reseal(`{"v":1,"seq":1,"recs":[{"t":"session","id":"S"}]}`)},
			"session s, entry 1: the file is not this session's",
		},
		"a huge gap": {
			[]string{good[0], reseal(`{"v":1,"seq":9999999,"recs":[{"t":"tip"}]}`)},
			"entry 9999999: line 2 holds it, but entry 2 is to be there",
		},
		"a newer format with another checksum": {
			[]string{good[0], "{\"v\":3,\"seq\":2,\"sha\":\"00\"}\n"},
			"entry 2 was written by a newer plait (format 3",
		},
		"a newer format": {
			[]string{good[0], reseal(`{"v":2,"seq":2,"recs":7}`), good[2]},
			"session s: entry 2 was written by a newer plait (format 2, this release reads up to 1)",
		},
		"a newer record": {
			[]string{good[0], reseal(`{"v":1,"seq":2,"recs":[{"t":"leap"}]}`)},
			`session s: entry 2 was written by a newer plait (record type "leap" is unknown to this release)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			write(t, dir, c.lines...)
			if _, err := findings(t, store, 1); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("read: %v, want …%s…", err, c.want)
			}
			if err := store.Append(t.Context(), "s", 4, entry(4)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("append: %v, want …%s…", err, c.want)
			}
			if diff := cmp.Diff(c.lines, lines(t, dir)); diff != "" {
				t.Errorf("the file was changed:\n%s", diff)
			}
		})
	}
}

func TestAnEmptyFileIsNoSession(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	write(t, dir)
	var unknown *journal.UnknownSessionError
	if _, err := findings(t, store, 1); !errors.As(err, &unknown) {
		t.Errorf("read: %v", err)
	}
	if err := store.Append(t.Context(), "s", 2, entry(2)); !errors.As(err, &unknown) {
		t.Errorf("append: %v", err)
	}
	if err := store.Append(t.Context(), "s", 1, entry(1)); err != nil {
		t.Error(err)
	}
}

func TestADamagedSessionSuspendsItsRunsInTheIndex(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	write(t, dir,
		reseal(`{"v":1,"seq":1,"recs":[{"t":"session","id":"s"}]}`),
		reseal(`{"v":1,"seq":2,"run":"r","recs":[{"t":"run","id":"r"}]}`),
		"garbage\n",
		reseal(`{"v":1,"seq":4,"run":"r","recs":[{"t":"note"}]}`))
	for info, err := range store.Runs(t.Context(), journal.RunFilter{}) {
		if err != nil || info.Status != journal.Suspended || info.Reason != journal.Damaged {
			t.Errorf("%+v, %v", info, err)
		}
	}
}

// converted gives lines the end that they have on Windows.
func converted(lines []string) []string {
	var other []string
	for _, line := range lines {
		other = append(other, strings.TrimSuffix(line, "\n")+"\r\n")
	}
	return other
}
