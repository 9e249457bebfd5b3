package tools_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/tools"
)

var update = flag.Bool("update", false, "write the golden files")

// workspace is a folder with files, and beside it a folder that no tool must reach.
type workspace struct {
	*testing.T
	*tools.Workspace
	dir     string
	outside string
}

func newWorkspace(t *testing.T, files map[string]string) workspace {
	t.Helper()
	base := t.TempDir()
	w := workspace{T: t, dir: filepath.Join(base, "work"), outside: filepath.Join(base, "outside")}
	for _, dir := range []string{w.dir, w.outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.put("../outside/secret.txt", "secret")
	for name, content := range files {
		w.put(name, content)
	}
	ws, err := tools.OpenWorkspace(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	w.Workspace = ws
	return w
}

func (w workspace) put(name, content string) {
	w.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		w.Fatal(err)
	}
}

func (w workspace) get(name string) string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// link makes name point to target, which may be relative to the link.
func (w workspace) link(target, name string) {
	w.Helper()
	if err := os.Symlink(target, filepath.Join(w.dir, name)); err != nil {
		w.Fatal(err)
	}
}

// call calls a tool and returns its text, or its error.
func (w workspace) call(tool string, args any) (string, error) {
	w.Helper()
	raw, ok := args.(string)
	if !ok {
		data, err := json.Marshal(args)
		if err != nil {
			w.Fatal(err)
		}
		raw = string(data)
	}
	for _, t := range w.Tools() {
		if t.Spec().Name != tool {
			continue
		}
		res, err := t.Run(w.Context(), core.Call{Name: tool, Args: json.RawMessage(raw)})
		if res.IsError {
			w.Fatalf("%s returned an error as a result", tool)
		}
		return res.Text, err
	}
	w.Fatalf("there is no tool %s", tool)
	return "", nil
}

// must is a call that succeeds.
func (w workspace) must(tool string, args any) string {
	w.Helper()
	text, err := w.call(tool, args)
	if err != nil {
		w.Fatalf("%s: %v", tool, err)
	}
	return text
}

// fails is a call that fails with an error of exactly that text.
func (w workspace) fails(tool string, args any, want string) {
	w.Helper()
	if text, err := w.call(tool, args); err == nil || err.Error() != want {
		w.Errorf("%s %v: got %q and the error\n     %v\nwant %s", tool, args, text, err, want)
	}
}

type m = map[string]any

func TestTheToolSetIsTheGoldenFile(t *testing.T) {
	w := newWorkspace(t, nil)
	type entry struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
		Guidelines  []string        `json:"guidelines"`
		ReadOnly    bool            `json:"read_only"`
		Idempotent  bool            `json:"idempotent"`
	}
	var all []entry
	for _, t := range w.Tools() {
		s := t.Spec()
		all = append(all, entry{s.Name, s.Description, s.InputSchema, s.Guidelines, s.ReadOnly, s.Idempotent})
	}
	got, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/tools.json"
	if *update {
		if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

func TestNoPathLeavesTheWorkspace(t *testing.T) {
	rule := func(name string) string {
		return `path "` + name + `" leads out of the workspace: give a path relative to its root; ` +
			`absolute paths, .. above the root and links that lead outside are refused`
	}
	w := newWorkspace(t, map[string]string{"dir/in.txt": "inside"})
	w.link(w.outside, "abs")
	w.link("../outside", "rel")
	w.link("../../outside/secret.txt", "dir/file")
	w.link("dir", "within")
	for _, name := range []string{
		"../outside/secret.txt", "dir/../../outside/secret.txt", filepath.Join(w.outside, "secret.txt"), "/etc/passwd", "..",
		"abs/secret.txt", "rel/secret.txt", "dir/file", "within/../../outside/secret.txt",
	} {
		w.fails("read_file", m{"path": name}, rule(name))
		w.fails("edit_file", m{"path": name, "edits": []m{{"old_string": "secret", "new_string": "x"}}}, rule(name))
		if name != "dir/file" { // a link itself is refused before it is followed
			w.fails("write_file", m{"path": name, "content": "x"}, rule(name))
		}
	}
	for _, name := range []string{"..", "../outside", "abs", "rel", "/"} {
		w.fails("list_files", m{"path": name}, rule(name))
	}
	if got := w.get("../outside/secret.txt"); got != "secret" {
		t.Errorf("the file outside holds %q", got)
	}
	if entries, err := os.ReadDir(w.outside); err != nil || len(entries) != 1 {
		t.Errorf("outside are now %v (err %v)", entries, err)
	}
	if got := w.must("read_file", m{"path": "within/../dir/./in.txt"}); got != "inside" {
		t.Errorf("a path that stays inside gave %q", got)
	}
	if got := w.must("read_file", m{"path": "within/in.txt"}); got != "inside" {
		t.Errorf("a link that stays inside gave %q", got)
	}
}

func TestArguments(t *testing.T) {
	w := newWorkspace(t, map[string]string{"a.txt": "a"})
	w.fails("read_file", `{}`, `argument "path" is missing`)
	w.fails("read_file", `{"path":null}`, `argument "path" is missing`)
	w.fails("read_file", `{"path":7}`, `argument "path": 7 is not a string`)
	w.fails("read_file", `{"path":"a.txt","Path":"b"}`, `unknown argument "Path"; the arguments are: path, offset, limit`)
	w.fails("read_file", `{"path":"a.txt","path":"b"}`, `byte 16: the key "path" is given twice in one object`)
	w.fails("read_file", `{"path":"a.txt","offset":1.5}`, `argument "offset": 1.5 is not an integer`)
	w.fails("read_file", `{"path":""}`, `path is empty: give a path relative to the workspace`)
	w.fails("read_file", `{"path":"a\u0000b"}`, `path "a\x00b" holds a NUL byte`)
	w.fails("list_files", `{"recursive":"yes"}`, `argument "recursive": "yes" is not a boolean`)
	w.fails("edit_file", `{"path":"a.txt","edits":{"old_string":"`+strings.Repeat("x", 50)+`"}}`,
		`argument "edits": {"old_string":"`+strings.Repeat("x", 25)+`… is not a list`)
}

func TestReadFile(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 20_000) // 320 kB
	w := newWorkspace(t, map[string]string{
		"a.txt": "one\ntwo\nthree", "empty.txt": "", "long.txt": long, "bin": "a\x00b", "latin": "caf\xe9",
		"line.txt": "x" + strings.Repeat("é", tools.MaxRead/2) + "\nend\n", "dir/x": "",
	})
	for _, c := range []struct {
		args m
		want string
	}{
		{m{"path": "a.txt"}, "one\ntwo\nthree"},
		{m{"path": "a.txt", "offset": 2}, "two\nthree"},
		{m{"path": "a.txt", "limit": 2}, "one\ntwo\n"},
		{m{"path": "a.txt", "offset": 2, "limit": 1}, "two\n"},
		{m{"path": "a.txt", "offset": 3, "limit": 9}, "three"},
		{m{"path": "empty.txt"}, ""},
		{m{"path": "line.txt", "offset": 2}, "end\n"},
	} {
		if got := w.must("read_file", c.args); got != c.want {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
	const lines = tools.MaxRead / 16
	if got := w.must("read_file", m{"path": "long.txt"}); got != long[:tools.MaxRead]+"[cut: the file goes on; continue with offset 16385]\n" {
		t.Errorf("a long file: %d bytes, ends with %q", len(got), got[len(got)-80:])
	}
	if got := w.must("read_file", m{"path": "long.txt", "offset": lines + 1}); got != long[tools.MaxRead:] {
		t.Errorf("the rest of a long file: %d bytes", len(got))
	}
	got := w.must("read_file", m{"path": "line.txt"})
	if text, remark, _ := strings.Cut(got, "\n["); len(text) != tools.MaxRead-1 || remark != "cut: line 1 is longer than 262144 bytes; continue with offset 2]\n" {
		t.Errorf("a long line: %d bytes, %q", len(text), remark)
	}
	w.fails("read_file", m{"path": "gone.txt"}, `there is no file or folder "gone.txt"`)
	w.fails("read_file", m{"path": "dir"}, `"dir" is a folder; list_files shows what is in it`)
	w.fails("read_file", m{"path": "bin"}, `"bin" is not a text file in UTF-8`)
	w.fails("read_file", m{"path": "latin"}, `"latin" is not a text file in UTF-8`)
	w.fails("read_file", m{"path": "a.txt", "offset": 9}, `"a.txt" has fewer than 9 lines`)
	w.fails("read_file", m{"path": "a.txt", "offset": 0}, `offset and limit count from 1`)
	w.fails("read_file", m{"path": "a.txt", "limit": -1}, `offset and limit count from 1`)
}

func TestWriteFile(t *testing.T) {
	w := newWorkspace(t, map[string]string{"old.txt": "a long old text", "dir/x": ""})
	w.link("old.txt", "link")
	w.link("gone", "dangling")
	if got := w.must("write_file", m{"path": "new/deep/file.txt", "content": "hello"}); got != "created new/deep/file.txt (5 bytes)" {
		t.Errorf("text %q", got)
	}
	if got := w.must("write_file", m{"path": "old.txt", "content": ""}); got != "replaced old.txt (0 bytes)" {
		t.Errorf("text %q", got)
	}
	if w.get("new/deep/file.txt") != "hello" || w.get("old.txt") != "" {
		t.Error("the content isn't what was written")
	}
	info, err := os.Stat(filepath.Join(w.dir, "old.txt"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of a replaced file became %v (err %v)", info.Mode(), err)
	}
	w.fails("write_file", m{"path": "link", "content": "x"}, `"link" is a link; write to the file that it points to`)
	w.fails("write_file", m{"path": "dangling", "content": "x"}, `"dangling" is a link; write to the file that it points to`)
	w.fails("write_file", m{"path": "dir", "content": "x"}, `"dir" is a folder`)
	w.fails("write_file", m{"path": "old.txt/x", "content": "x"}, `"old.txt/x": not a directory`)
	w.fails("write_file", m{"path": "big", "content": strings.Repeat("x", tools.MaxWrite+1)},
		`"big": the content has 1048577 bytes, 1048576 are allowed`)
	w.must("write_file", m{"path": "big", "content": strings.Repeat("x", tools.MaxWrite)})
	if got := w.must("list_files", m{"recursive": true}); strings.Contains(got, ".tmp") {
		t.Errorf("temporary files are left:\n%s", got)
	}
}

func TestListFiles(t *testing.T) {
	w := newWorkspace(t, map[string]string{"b/2": "", "b/1": "", "b/c/3": "", "a": "", ".hidden": "", "new\nline": ""})
	w.link("b", "z")
	if err := os.Mkdir(filepath.Join(w.dir, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args m
		want string
	}{
		{m{}, ".hidden\na\nb/\n\"new\\nline\"\nnone/\nz\n"},
		{m{"recursive": true}, ".hidden\na\nb/\nb/1\nb/2\nb/c/\nb/c/3\n\"new\\nline\"\nnone/\nz\n"},
		{m{"path": "b/"}, "b/1\nb/2\nb/c/\n"},
		{m{"path": "z"}, "z/1\nz/2\nz/c/\n"},
		{m{"path": "none"}, "none is empty"},
	} {
		if got := w.must("list_files", c.args); got != c.want {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
	w.fails("list_files", m{"path": "a"}, `"a" is a file; read_file shows what is in it`)
	w.fails("list_files", m{"path": "gone"}, `there is no file or folder "gone"`)
}

func TestAListingIsCut(t *testing.T) {
	files := map[string]string{}
	for i := range tools.MaxEntries {
		files["d/"+strings.Repeat("x", i/100+1)+string(rune('a'+i%100))] = ""
	}
	w := newWorkspace(t, files)
	if got := w.must("list_files", m{"path": "d"}); strings.Count(got, "\n") != tools.MaxEntries || strings.Contains(got, "[cut") {
		t.Errorf("as many as fit: %d lines", strings.Count(got, "\n"))
	}
	w.put("d/zz", "")
	if got := w.must("list_files", m{"path": "d"}); !strings.HasSuffix(got, "\n[cut: there are more than 1000; list a folder below]\n") {
		t.Errorf("one more ends with %q", got[len(got)-80:])
	}
}

func TestAWorkspaceHasToExist(t *testing.T) {
	if _, err := tools.OpenWorkspace(filepath.Join(t.TempDir(), "gone")); err == nil || !strings.HasPrefix(err.Error(), "workspace: ") {
		t.Errorf("err = %v", err)
	}
}
