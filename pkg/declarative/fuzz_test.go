package declarative_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/internal/cputime"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// FuzzLoad loads and validates whatever it gets. Nothing may panic, findings lie inside of the file, the text form is
// written, a valid document has a canonical form that is valid and its own canonical form, and all of that together takes
// less than a second of work.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/invalid/*.yaml", filepath.Join(conformance, "*.yaml"), filepath.Join(conformance, "*.json")} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	env, err := expr.NewEnv()
	if err != nil {
		f.Fatal(err)
	}
	opts := harness()
	opts.Expressions = env
	f.Fuzz(func(t *testing.T, text []byte) {
		var took time.Duration
		timed := func(call func()) {
			more, err := cputime.Of(call)
			if took += more; err != nil || took > time.Second {
				t.Fatalf("%d bytes took %v of work, %v", len(text), took, err)
			}
		}
		var checked, again *declarative.Checked
		var list diag.List
		timed(func() { checked, list = check("x.yaml", text, opts) })
		inside(t, text, list)
		timed(func() { render(t, list, text) })
		if checked == nil {
			if !list.HasErrors() {
				t.Fatal("refused, and nothing is said about it")
			}
			return
		}
		var out []byte
		var err error
		timed(func() { out, err = declarative.Canonicalize(checked.Document) })
		if err != nil {
			t.Fatal(err)
		}
		timed(func() { again, list = check("x.json", out, opts) })
		if again == nil {
			t.Fatalf("the canonical form isn't valid: %v\n%s", list.Err(), out)
		}
		if fixed, err := declarative.Canonicalize(again.Document); err != nil || string(fixed) != string(out) {
			t.Fatalf("not a fixed point (%v):\n%s\n%s", err, out, fixed)
		}
	})
}

// inside fails on findings that lie outside of the file.
func inside(t *testing.T, text []byte, list diag.List) {
	t.Helper()
	clean := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(text), "\ufeff"))
	lines := strings.Split(clean, "\n")
	for _, d := range list {
		if _, known := diag.Lookup(d.Code); !known {
			t.Errorf("the code %q has no row in the table", d.Code)
		}
		if d.IsZero() {
			if d.Code != diag.TooLarge {
				t.Errorf("no position: %v", d)
			}
			continue
		}
		if d.Line > len(lines) || d.Column < 1 || d.Column > len([]rune(lines[d.Line-1]))+1 || d.EndColumn <= d.Column {
			t.Errorf("%+v lies outside of the file", d)
		}
	}
}
