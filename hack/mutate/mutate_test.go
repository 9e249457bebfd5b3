package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const right, wrong = "\t\ttotal += n", "\t\ttotal -= n"

// edit is a patch of the toy's code.
func edit(lines ...string) string {
	return "--- sum/sum.go\n@@\n" + strings.Join(lines, "\n") + "\n"
}

// live is a row of the toy whose patch is called after its id.
func live(id int, tests string) string {
	return fmt.Sprintf("%d\tlive\tpkg\tsum %s\t%d.patch\ta sum is right\t", id, tests, id)
}

// toy copies the toy module and gives it a table with these rows and patches. Its files have names that keep the tools of
// this repository from taking them for code of it.
func toy(t *testing.T, count int, rows []string, patches map[string]string) Folder {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "sum/sum.go", "sum/sum_test.go"} {
		text, err := os.ReadFile(filepath.Join("testdata", "toy", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(text))
	}
	write("mut/rows.tsv", strings.Join(append([]string{header}, rows...), "\n")+"\n")
	if err := os.MkdirAll(filepath.Join(root, "mut", "rows"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range patches {
		write("mut/rows/"+name, text)
	}
	return Folder{Root: root, Dir: "mut", Count: count}
}

// told lists problems, each up to the end of its first line.
func told(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		first, _, _ := strings.Cut(p.String(), "\n")
		out = append(out, first)
	}
	return out
}

// Each way of failing that needs no compiler is armed.
func TestWhatTheCheckFinds(t *testing.T) {
	good := map[string]string{"1.patch": edit("-"+right, "+"+wrong)}
	for _, c := range []struct {
		name    string
		count   int
		row     string
		patches map[string]string
		want    string
	}{
		{"nothing wrong", 1, live(1, "TestOf"), good, ""},
		{"a row is missing", 2, live(1, "TestOf"), good, "row 2: it is missing"},
		{"a row too many", 0, live(1, "TestOf"), good, "row 1: there are 0 rows: change the number as well"},
		{"the same row twice", 1, live(1, "TestOf") + "\n" + live(1, "TestOf"), good, "row 1: it stands behind row 1"},
		{"a column is missing", 1, "1\tlive", nil, "row 1: it has 2 columns, not 7"},
		{"no number", 0, "x\tlive", nil, `a number from 1 on is expected at the beginning of "x\tlive"`},
		{"an unknown state", 1, "1\tnew\tsum\t\t\tb\tw", nil, `row 1: the state is "new", not live, open or void`},
		{"live without tests", 1, "1\tlive\tpkg\tsum\t1.patch\tb\t", nil, "row 1: it is live, but has no tests (PACKAGE NAME|NAME) or no patch"},
		{"live and says why not", 1, live(1, "TestOf") + "w", nil, "row 1: it is live, and says why it isn't: w"},
		{"open without a reason", 1, "1\topen\tsum\t\t\tb\t", nil, "row 1: it is open, but doesn't say why"},
		{"open with a patch", 1, "1\topen\tsum\t\t1.patch\tb\tw", nil, "row 1: it is open, but has tests or a patch"},
		{"no behaviour", 1, "1\tvoid\tsum\t\t\t\tw", nil, "row 1: it has no owner or no behaviour"},
		{"open", 1, "1\topen\tsum\t\t\tb\tw", nil, ""},
		{"void", 1, "1\tvoid\tsum\t\t\tb\tw", nil, ""},
		{"no such test", 1, live(1, "TestOf|TestGone"), good, "row 1: there is no test TestGone in sum"},
		{"a patch that nobody names", 1, live(1, "TestOf"), map[string]string{"1.patch": good["1.patch"], "2.patch": ""},
			"the patch 2.patch belongs to no live row"},
		{"the anchor isn't there", 1, live(1, "TestOf"), map[string]string{"1.patch": edit("-total := 1", "+total := 2")},
			"row 1: the patch 1.patch doesn't apply: sum/sum.go: the anchor isn't there: total := 1"},
		{"nothing but new lines", 1, live(1, "TestOf"), map[string]string{"1.patch": edit("+var x int")},
			"row 1: the patch 1.patch doesn't apply: sum/sum.go: a hunk has no anchor"},
		{"the anchor is in two places", 1, live(1, "TestOf"), map[string]string{"1.patch": edit("-}", "+})")},
			"row 1: the patch 1.patch doesn't apply: sum/sum.go: the anchor stands in lines 9 and 11: (no anchor)"},
		{"a comment", 1, live(1, "TestOf"), map[string]string{"1.patch": edit("-// Of adds numbers; small ones only.", "+// Of subtracts.")},
			"row 1: the patch 1.patch doesn't apply: sum/sum.go: no code is changed: // Of adds numbers; small ones only."},
		{"a test is mutated", 1, live(1, "TestOf"), map[string]string{"1.patch": "--- sum/sum_test.go\n@@\n-x\n+y\n"},
			"row 1: the patch 1.patch doesn't apply: sum/sum_test.go is a test: a mutation changes what is tested"},
		{"no hunk", 1, live(1, "TestOf"), map[string]string{"1.patch": "--- sum/sum.go\n"}, "row 1: the patch 1.patch: it has no hunk"},
		{"a line in front of the hunk", 1, live(1, "TestOf"), map[string]string{"1.patch": "--- sum/sum.go\n-x\n"},
			`row 1: the patch 1.patch: line 2: "-x" stands in front of a file (--- NAME) and a hunk (@@)`},
		{"a line without a mark", 1, live(1, "TestOf"), map[string]string{"1.patch": edit("x")},
			`row 1: the patch 1.patch: line 3: "x" begins with none of blank, + and -`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, problems, err := toy(t, c.count, []string{c.row}, c.patches).Check()
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(told(problems), "\n"); got != c.want {
				t.Errorf("problems:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestAPatchMayHaveSeveralEdits(t *testing.T) {
	patch, err := ParsePatch("--- a.go\n@@\n x := 1\n-\ty()\n+\tz()\n@@\n-z()\n+w()\n--- b.go\n@@\n-q\n")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"a.go": "x := 1\n\t\ty()\nend\n", "b.go": "p\nq\nr\n"}
	got, err := patch.Apply(func(name string) (string, error) { return files[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a.go": "x := 1\nw()\nend\n", "b.go": "p\nr\n"}, got); diff != "" {
		t.Errorf("mutated (-want +got):\n%s", diff)
	}
}

// Each way of failing that needs a compiler is armed, beside a mutation that is noticed and one that hangs.
func TestWhatARoundFinds(t *testing.T) {
	hang := edit("-"+right, "+\t\tfor n != 0 {\n+\t\t}")
	folder := toy(t, 7, []string{
		live(1, "TestOf"), live(2, "TestOfNothing"), live(3, "TestOf"), live(4, "TestRed"), live(5, "TestSkipped"),
		live(6, "TestOf"), live(7, "TestOfNothing|TestOf"),
	}, map[string]string{
		"1.patch": edit("-"+right, "+"+wrong), "2.patch": edit("-"+right, "+"+wrong), "3.patch": edit("-"+right, "+\t\ttotal += m"),
		"4.patch": edit("-"+right, "+"+wrong), "5.patch": edit("-"+right, "+"+wrong), "6.patch": hang, "7.patch": edit("-"+right, "+"+wrong),
	})
	_, mutations, problems, err := folder.Check()
	if err != nil || len(problems) != 0 {
		t.Fatalf("%v, problems %v", err, problems)
	}
	var out strings.Builder
	round := Round{Lab: Lab{Root: folder.Root, Scratch: t.TempDir(), Timeout: 2 * time.Second}, Parallel: 2, Out: &out}
	want := []string{
		"row 2: not noticed: TestOfNothing stays green in sum",
		"row 3: the mutation doesn't compile: exit status 1",
		"row 4: TestRed is red without the mutation",
		"row 5: TestSkipped is skipped without the mutation",
	}
	if diff := cmp.Diff(want, told(round.Run(t.Context(), mutations))); diff != "" {
		t.Errorf("problems (-want +got):\n%s\n%s", diff, out.String())
	}
	if n := strings.Count(out.String(), "noticed "); n != 3 {
		t.Errorf("%d mutations are noticed:\n%s", n, out.String())
	}
	tree, err := os.ReadFile(filepath.Join(folder.Root, "sum", "sum.go"))
	if err != nil || !strings.Contains(string(tree), right) {
		t.Errorf("the tree was touched, or %v", err)
	}
}

func TestAPackageThatIsBrokenAnyway(t *testing.T) {
	folder := toy(t, 1, []string{live(1, "TestOf")}, map[string]string{"1.patch": edit("-"+right, "+"+wrong)})
	if err := os.WriteFile(filepath.Join(folder.Root, "sum", "broken.go"), []byte("package sum\n\nvar x = y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, mutations, _, err := folder.Check()
	if err != nil {
		t.Fatal(err)
	}
	round := Round{Lab: Lab{Root: folder.Root, Scratch: t.TempDir(), Timeout: time.Second}, Parallel: 1, Out: io.Discard}
	got := told(round.Run(t.Context(), mutations))
	if want := []string{"row 1: TestOf can't be run without the mutation: exit status 1"}; cmp.Diff(want, got) != "" {
		t.Errorf("problems %v", got)
	}
}

// The tests of a module of its own are built within it.
func TestAPackageOfAModuleBelow(t *testing.T) {
	row := strings.Replace(live(1, "TestOf"), "\tsum ", "\town/sum ", 1)
	folder := toy(t, 1, []string{row}, map[string]string{"1.patch": strings.Replace(edit("-"+right, "+"+wrong), "sum/", "own/sum/", 1)})
	copied := toy(t, 0, nil, nil)
	if err := os.CopyFS(filepath.Join(folder.Root, "own"), os.DirFS(copied.Root)); err != nil {
		t.Fatal(err)
	}
	_, mutations, problems, err := folder.Check()
	if err != nil || len(problems) != 0 || len(mutations) != 1 {
		t.Fatalf("%v, problems %v, %d mutations", err, problems, len(mutations))
	}
	round := Round{Lab: Lab{Root: folder.Root, Scratch: t.TempDir(), Timeout: time.Second}, Parallel: 1, Out: io.Discard}
	if got := told(round.Run(t.Context(), mutations)); len(got) != 0 {
		t.Errorf("problems %v", got)
	}
}

// What is chosen narrows what is tried, and never what is checked.
func TestSelection(t *testing.T) {
	for _, c := range []struct {
		rows, pkg string
		want      string
	}{
		{"", "", "1 2 3"}, {"2", "", "2"}, {"1,3-9", "", "1 3"}, {"", "./pkg/a/...", "1 2"}, {"", "pkg/a/b", "2"}, {"1", "pkg/b", ""},
	} {
		s, err := parseSelection(c.rows, c.pkg)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, owner := range []string{"pkg/a", "pkg/a/b", "pkg/ab"} {
			if s.has(Row{ID: i + 1, Owner: owner}) {
				got = append(got, fmt.Sprint(i+1))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("-rows %q -pkg %q: %v, want %s", c.rows, c.pkg, got, c.want)
		}
	}
	for _, rows := range []string{"x", "3-1", "1-"} {
		if _, err := parseSelection(rows, ""); err == nil {
			t.Errorf("-rows %q: no error", rows)
		}
	}
}

func TestTheCommandReportsAndFails(t *testing.T) {
	for _, c := range []struct {
		name, tests, want string
		parallel          int
	}{
		{"check only", "TestOfNothing", "2 rows: 1 live, 1 open, 0 void\n", 0},
		{"not noticed", "TestOfNothing", "row 1: not noticed: TestOfNothing stays green in sum\n2 rows: 1 live, 1 open, 0 void\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := toy(t, 2, []string{live(1, c.tests), "2\topen\tsum\t\t\tb\tw"}, map[string]string{"1.patch": edit("-"+right, "+"+wrong)})
			var out strings.Builder
			err := mutate(t.Context(), folder, Round{Lab: Lab{Root: folder.Root, Timeout: time.Second}, Parallel: c.parallel, Out: &out}, selection{})
			if (err != nil) != (c.parallel > 0) || !strings.HasSuffix(out.String(), c.want) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}

// The table of this repository is looked at like that of the toy.
func TestTheTableIsWhole(t *testing.T) {
	_, _, problems, err := Folder{Root: "../..", Dir: "hack/mutate", Count: rowCount}.Check()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}
