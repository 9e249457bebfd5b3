//go:build unix

package jsonl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What happens to the files of a store.
func TestFaultsOfFiles(t *testing.T) {
	tellFaults(t, "filefaults.txt", []fault{
		edit("a crash in the middle of an append", func(l []string) []string { return append(l, l[3][:20]) }),
		edit("a crash before the end of the line was written", func(l []string) []string {
			return append(l, strings.TrimSuffix(reseal(`{"v":1,"seq":5,"recs":[{"t":"tip","id":"m"}]}`), "\n"))
		}),
		edit("zeros behind the last line", func(l []string) []string { return append(l, strings.Repeat("\x00", 50)) }),
		edit("the last line has lost its end", func(l []string) []string { return append(l[:3], strings.TrimSuffix(l[3], "\n")) }),
		edit("the last line changed", func(l []string) []string { return append(l[:3], flip(l[3])) }),
		edit("a line in the middle changed", func(l []string) []string { l[1] = flip(l[1]); return l }),
		edit("the first line changed", func(l []string) []string { l[0] = flip(l[0]); return l }),
		edit("a line removed", func(l []string) []string { return append(l[:1], l[2:]...) }),
		edit("lines converted to those of Windows", converted),
		edit("a remark between the lines", func(l []string) []string { return append(l[:2:2], "# seen\n", l[2], l[3]) }),
		edit("a remark behind the lines", func(l []string) []string { return append(l, "# seen\n") }),
		edit("an empty line behind the lines", func(l []string) []string { return append(l, "\n") }),
		edit("a line twice", func(l []string) []string { return append(l, l[3]) }),
		edit("lines in another order", func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }),
		edit("a line of a newer format", func(l []string) []string { return append(l, reseal(`{"v":2,"seq":5,"recs":7}`)) }),
		edit("half a line of a newer format", func(l []string) []string { return append(l, `{"v":2,"seq":5,"rec`) }),
		edit("a record of a newer release", func(l []string) []string {
			return append(l, reseal(`{"v":1,"seq":5,"recs":[{"t":"leap"}]}`))
		}),
		{name: "the file removed", closed: true, happen: func(t *testing.T, w *world) func() {
			return must(t, os.Remove(file(w.dir, "s")))
		}},
		{name: "the file removed while it is open", happen: func(t *testing.T, w *world) func() {
			return must(t, os.Remove(file(w.dir, "s")))
		}},
		{name: "the file moved away while it is open, and back", happen: func(t *testing.T, w *world) func() {
			away := filepath.Join(w.dir, "away")
			must(t, os.Rename(file(w.dir, "s"), away))
			return func() { must(t, os.Rename(away, file(w.dir, "s"))) }
		}},
		{name: "the file saved by an editor while it is open", happen: func(t *testing.T, w *world) func() {
			saved := lines(t, w.dir)
			must(t, os.Remove(file(w.dir, "s")))
			write(t, w.dir, saved...)
			return func() {}
		}},
		{name: "the file emptied while it is open", happen: func(t *testing.T, w *world) func() {
			return must(t, os.Truncate(file(w.dir, "s"), 0))
		}},
		{name: "a remark added while it is open", happen: func(t *testing.T, w *world) func() {
			write(t, w.dir, append(lines(t, w.dir), "# seen\n")...)
			return nil
		}},
		{name: "the directory of sessions removed", closed: true, happen: func(t *testing.T, w *world) func() {
			return must(t, os.RemoveAll(filepath.Join(w.dir, "sessions")))
		}},
		blobFault("a blob missing", os.Remove),
		blobFault("a blob cut", func(blob string) error { return os.Truncate(blob, 100) }),
		blobFault("a blob changed", func(blob string) error { return os.WriteFile(blob, []byte(`"other"`), 0o600) }),
		{name: "the session locked by another process", closed: true, happen: func(t *testing.T, w *world) func() {
			return lockElsewhere(t, w.dir)
		}},
	})
}

// must fails the test with an error, and is the end of a fault that has none.
func must(t *testing.T, err error) func() {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return nil
}

// blobFault is a fault of the blob that holds the value of the third entry. It ends when the blob is put back.
func blobFault(name string, change func(blob string) error) fault {
	return fault{name: name, happen: func(t *testing.T, w *world) func() {
		blobs, err := filepath.Glob(filepath.Join(w.dir, "blobs", "*"))
		if err != nil || len(blobs) != 1 {
			t.Fatalf("blobs %v, %v; want one", blobs, err)
		}
		kept, err := os.ReadFile(blobs[0])
		must(t, err)
		must(t, change(blobs[0]))
		return func() { must(t, os.WriteFile(blobs[0], kept, 0o600)) }
	}}
}
