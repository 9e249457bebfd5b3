package check_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/plait-dev/plait/test/difftest/"

// reach returns what a package of this module imports, also through other packages of it.
func reach(t *testing.T, dir string, seen map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, err %v", dir, len(files), err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			inner, own := strings.CutPrefix(path, module)
			if !seen[path] && own {
				seen[path] = true
				reach(t, inner, seen)
			}
			seen[path] = true
		}
	}
}

// Who makes the references doesn't know our wires, and who says what ours do doesn't know the SDKs: neither can be written after
// the other.
func TestTheSidesDontKnowEachOther(t *testing.T) {
	const ours = "github.com/plait-dev/plait/pkg/"
	sdks := []string{"github.com/anthropics/", "github.com/openai/", "google.golang.org/genai", "github.com/ollama/"}
	check := func(dir string, want, never []string) {
		seen := map[string]bool{}
		reach(t, dir, seen)
		for path := range seen {
			for _, n := range never {
				if strings.HasPrefix(path, n) {
					t.Errorf("%s imports %s", dir, path)
				}
			}
		}
		for _, w := range want {
			found := false
			for path := range seen {
				found = found || strings.HasPrefix(path, w)
			}
			if !found {
				t.Errorf("%s doesn't import %s: the test looks at the wrong place", dir, w)
			}
		}
	}
	for dir, sdk := range map[string]string{"anthropic": sdks[0], "openai": sdks[1], "openairesponses": sdks[1], "google": sdks[2], "ollama": sdks[3]} {
		check("ref/"+dir, []string{sdk}, []string{ours})
	}
	check("capture", sdks, []string{ours})
	check("subject", []string{ours}, sdks)
	check("check", []string{ours}, append(sdks, module+"capture", module+"ref/"))
}
