package tools_test

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/tools"
)

func TestEditFile(t *testing.T) {
	const before = "alpha\n  beta\r\ngamma “x”\nalpha beta\naaa\n"
	e := func(old, to string) m { return m{"old_string": old, "new_string": to} }
	for _, c := range []struct {
		name  string
		edits []m
		want  string
		err   string
	}{
		{"one", []m{e("gamma", "delta")}, "alpha\n  beta\r\ndelta “x”\nalpha beta\naaa\n", ""},
		{"several, in any order", []m{e("alpha beta", "omega"), e("alpha\n", ""), e("  beta", "\tb")}, "\tb\r\ngamma “x”\nomega\naaa\n", ""},
		{"side by side", []m{e("gam", "G"), e("ma ", "M")}, "alpha\n  beta\r\nGM“x”\nalpha beta\naaa\n", ""},
		{"what an edit makes isn't edited", []m{e("gamma", "zeta"), e("zeta", "x")}, "", "edit 2: old_string doesn't occur; read the file again and copy the text exactly"},
		{"not there", []m{e("Beta", "x")}, "", "edit 1: old_string doesn't occur; read the file again and copy the text exactly"},
		{"twice", []m{e("gamma", "x"), e("alpha", "x")}, "", "edit 2: old_string occurs more than once, in lines 1 and 4; take in more of the text around it"},
		{"twice, overlapping", []m{e("aa", "x")}, "", "edit 1: old_string occurs more than once, in lines 5 and 5; take in more of the text around it"},
		{"overlap", []m{e("mma “x", "1"), e("gamma", "2")}, "", "edits 2 and 1 overlap; make them one"},
		{"all or none", []m{e("gamma", "x"), e("gone", "y")}, "", "edit 2: old_string doesn't occur; read the file again and copy the text exactly"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkspace(t, map[string]string{"f.txt": before})
			args := m{"path": "f.txt", "edits": c.edits}
			if c.err != "" {
				w.fails("edit_file", args, `"f.txt" is unchanged: `+c.err)
				if got := w.get("f.txt"); got != before {
					t.Errorf("the file became %q", got)
				}
				return
			}
			w.must("edit_file", args)
			if got := w.get("f.txt"); got != c.want {
				t.Errorf("the file became %q, want %q", got, c.want)
			}
		})
	}
}

func TestEditFileRefuses(t *testing.T) {
	w := newWorkspace(t, map[string]string{"a.txt": "a", "bin": "a\x00", "big": strings.Repeat("x", tools.MaxWrite+1), "dir/x": ""})
	w.link("a.txt", "link")
	edits := []m{{"old_string": "a", "new_string": "b"}}
	w.fails("edit_file", m{"path": "gone", "edits": edits}, `there is no file or folder "gone"`)
	w.fails("edit_file", m{"path": "dir", "edits": edits}, `"dir" is a folder; list_files shows what is in it`)
	w.fails("edit_file", m{"path": "bin", "edits": edits}, `"bin" is not a text file in UTF-8`)
	w.fails("edit_file", m{"path": "big", "edits": edits}, `"big" has more than 1048576 bytes and can't be edited`)
	w.fails("edit_file", m{"path": "link", "edits": edits}, `"link" is a link; write to the file that it points to`)
	w.fails("edit_file", m{"path": "a.txt", "edits": []m{}}, `edits is empty`)
	w.fails("edit_file", m{"path": "a.txt", "edits": []m{{"old_string": "", "new_string": "x"}}},
		`edit 1: old_string is empty; to write a new file use write_file`)
	w.fails("edit_file", m{"path": "a.txt", "edits": []m{{"old_string": "a", "new_string": "a"}}},
		`edit 1: old_string and new_string are the same`)
	w.fails("edit_file", m{"path": "a.txt", "edits": []m{edits[0], {"old": "a"}}},
		`edit 2: unknown argument "old"; the arguments are: old_string, new_string`)
}

func TestEditsOfOneFileInParallelAllCount(t *testing.T) {
	const n = 20
	var text strings.Builder
	for i := range n {
		text.WriteString("line " + string(rune('a'+i)) + "\n")
	}
	w := newWorkspace(t, map[string]string{"f": text.String()})
	errs := make(chan error, n)
	for i := range n {
		go func() {
			letter := string(rune('a' + i))
			_, err := w.call("edit_file", m{"path": "f", "edits": []m{{"old_string": "line " + letter, "new_string": "done " + letter}}})
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if got := w.get("f"); strings.Contains(got, "line") {
		t.Errorf("edits were lost:\n%s", got)
	}
}
