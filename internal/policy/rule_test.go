package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/internal/policy"
)

// Each rule of the repository is fed with one breach of each thing that it forbids.
func TestEveryRuleCanFail(t *testing.T) {
	for i, rule := range policy.Rules() {
		forbidden := rule.Never
		if rule.Only != nil {
			forbidden = policy.Patterns{"example.com/foreign"}
		}
		if len(rule.Of) == 0 || len(forbidden) == 0 || (rule.Only == nil) == (rule.Never == nil) {
			t.Fatalf("rule %d (%s) needs Of and exactly one of Only and Never", i, rule.Why)
		}
		for _, of := range rule.Of {
			for _, target := range forbidden {
				t.Run(fmt.Sprintf("%d/%s imports %s", i, of, target), func(t *testing.T) {
					from, to := importPath(of), importPath(target)
					const between = "github.com/plait-dev/plait/internal/between"
					graph := makeGraph(from, between, to)
					want := []policy.Violation{{Chain: []string{from, between, to}, Why: rule.Why}}
					if rule.Only != nil {
						// The package between is as foreign as what it leads to, and the walk ends there.
						want = []policy.Violation{{Chain: []string{from, between}, Why: rule.Why}}
					}
					if diff := cmp.Diff(want, rule.Check(graph)); diff != "" {
						t.Errorf("violations (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}

func TestEveryOwnerRuleCanFail(t *testing.T) {
	for _, owner := range policy.Owners() {
		t.Run(string(owner.Library), func(t *testing.T) {
			library := importPath(owner.Library)
			for _, by := range owner.By {
				if found := owner.Check(makeGraph(importPath(by), library)); found != nil {
					t.Errorf("the owner itself is refused: %v", found)
				}
			}
			const other = "github.com/plait-dev/plait/pkg/other"
			want := []policy.Violation{{Chain: []string{other, library}, Why: owner.Why}}
			if diff := cmp.Diff(want, owner.Check(makeGraph(other, library))); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRuleCheck(t *testing.T) {
	const ours = "github.com/plait-dev/plait/"
	only := policy.Rule{
		Of:   policy.Patterns{"./a/..."},
		But:  policy.Patterns{"./a/free"},
		Only: policy.Patterns{"std", "./b", "example.com/allowed/..."},
		Why:  "why",
	}
	never := policy.Rule{
		Of:    policy.Patterns{"./a"},
		Never: policy.Patterns{"./b/...", "net/http"},
		Save:  policy.Patterns{"./b/graph"},
		Why:   "why",
	}
	tests := map[string]struct {
		rule  policy.Rule
		chain []string // each imports the next
		want  string   // empty: allowed
	}{
		"only: the standard library":            {only, []string{ours + "a", "fmt"}, ""},
		"only: beside each other":               {only, []string{ours + "a/x", ours + "a/y"}, ""},
		"only: an excepted neighbour":           {only, []string{ours + "a", ours + "a/free"}, "./a -> ./a/free: why"},
		"only: the excepted package is free":    {only, []string{ours + "a/free", "example.com/b"}, ""},
		"only: a like-named neighbour":          {only, []string{ours + "ab", "example.com/b"}, ""},
		"only: not below an exact pattern":      {only, []string{ours + "a", ours + "b/c"}, "./a -> ./b/c: why"},
		"only: through a package of ours":       {only, []string{ours + "a", ours + "b", "example.com/c"}, "./a -> ./b -> example.com/c: why"},
		"only: an allowed library's own needs":  {only, []string{ours + "a", "example.com/allowed/x", "example.com/c"}, ""},
		"never: another package":                {never, []string{ours + "a", ours + "c"}, ""},
		"never: the exception":                  {never, []string{ours + "a", ours + "b/graph"}, ""},
		"never: through the exception":          {never, []string{ours + "a", ours + "b/graph", ours + "b"}, "./a -> ./b/graph -> ./b: why"},
		"never: through a library":              {never, []string{ours + "a", "example.com/c", "net/http"}, "./a -> example.com/c -> net/http: why"},
		"never: through the standard library":   {never, []string{ours + "a", "expvar", "net/http"}, "./a -> expvar -> net/http: why"},
		"never: a package that isn't bound":     {never, []string{ours + "a/x", "net/http"}, ""},
		"never: a cycle of imports ends anyhow": {never, []string{ours + "a", ours + "c", ours + "a"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found := make([]string, 0, 1)
			for _, violation := range tt.rule.Check(makeGraph(tt.chain...)) {
				// What stands in the middle may be bound as well; the chain from its start is what counts.
				if violation.Chain[0] == tt.chain[0] {
					found = append(found, violation.String())
				}
			}
			if got := strings.Join(found, "\n"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestViolationsTakeTheShortestWay(t *testing.T) {
	graph := makeGraph("github.com/plait-dev/plait/a", "example.com/x", "example.com/y", "net/http")
	graph["github.com/plait-dev/plait/a"].Imports = []string{"example.com/x", "example.com/y"}
	rule := policy.Rule{Of: policy.Patterns{"./a"}, Never: policy.Patterns{"net/http"}, Why: "why"}
	found := rule.Check(graph)
	if len(found) != 1 || found[0].String() != "./a -> example.com/y -> net/http: why" {
		t.Errorf("violations %v", found)
	}
}

// importPath gives a package that the pattern matches.
func importPath(p policy.Pattern) string {
	path := strings.TrimSuffix(string(p), "/...")
	if below, ok := strings.CutPrefix(path, "./"); ok {
		return policy.ModulePath + "/" + below
	}
	return path
}

// makeGraph makes packages each of which imports the next.
func makeGraph(chain ...string) policy.Graph {
	graph := policy.Graph{}
	for i, path := range chain {
		pkg := graph[path]
		if pkg == nil {
			first, _, _ := strings.Cut(path, "/")
			pkg = &policy.Package{ImportPath: path, Standard: !strings.Contains(first, ".")}
			graph[path] = pkg
		}
		if i+1 < len(chain) {
			pkg.Imports = append(pkg.Imports, chain[i+1])
		}
	}
	return graph
}
