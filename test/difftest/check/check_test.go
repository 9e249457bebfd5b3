package check_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/plait-dev/plait/test/difftest/check"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Our wires do what the SDKs do, but for what the ledger accepts.
func TestWiresAgainstTheReferences(t *testing.T) {
	refs, err := check.Load("../refs")
	if err != nil {
		t.Fatal(err)
	}
	found, err := check.All(t.Context(), refs)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("there is no difference at all: nothing was compared")
	}
	for _, wrong := range check.Judge(found, check.Ledger()) {
		t.Error(wrong)
	}
}

// Each reference was made with the version of the SDK that is required now.
func TestReferencesAreOfTheVersionsRequired(t *testing.T) {
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]string{}
	for _, r := range mod.Require {
		required[r.Mod.Path] = r.Mod.Version
	}
	for _, vendor := range scenario.Vendors() {
		for _, s := range scenario.All() {
			f, err := reference.Read("../refs", vendor, s.Name)
			if err != nil {
				t.Fatal(err)
			}
			if p := f.Provenance; p.Version == "" || required[p.Module] != p.Version {
				t.Errorf("%s of %s was made with %s %s, required is %q", s.Name, vendor, p.Module, p.Version, required[p.Module])
			}
		}
	}
}

// A reference that is missing, or was made from something else, isn't passed over.
func TestDark(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../refs")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(reference.Path(dir, "openai", "calls")); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*reference.File){
		"text":   func(f *reference.File) { f.Provenance.Scenario = "sha256:0" },
		"limits": func(f *reference.File) { f.Provenance.Stream = "sha256:0" },
		"stop":   func(f *reference.File) { f.Damage = nil },
	} {
		f, err := reference.Read(dir, "google", name)
		if err != nil {
			t.Fatal(err)
		}
		change(&f)
		if err := reference.Write(dir, "google", name, f); err != nil {
			t.Fatal(err)
		}
	}
	_, err := check.Load(dir)
	for _, want := range []string{
		"DARK: calls of openai: it has no reference", "DARK: text of google: its reference was made from another scenario",
		"DARK: limits of google: its reference was made from another answer",
		"DARK: stop of google: its reference knows other ways of damage",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

// What stands in no entry, what no entry may excuse, and entries for nothing are wrong.
func TestJudge(t *testing.T) {
	f := check.Finding{Vendor: "acme", Scenario: "text", Channel: check.Sent, At: "/a/0/b/c", SDK: "1", Ours: "2"}
	fault := f
	fault.Fault = true
	e := check.Entry{Vendor: "acme", Channel: check.Sent, At: "/a/*/b/**", SDK: "1", Reason: "so"}
	change := func(do func(*check.Entry)) []check.Entry {
		changed := e
		do(&changed)
		return []check.Entry{changed}
	}
	for name, c := range map[string]struct {
		found  check.Finding
		ledger []check.Entry
		want   []string // what each line begins with
	}{
		"accepted":             {f, []check.Entry{e}, nil},
		"of any vendor":        {f, change(func(e *check.Entry) { e.Vendor = "*" }), nil},
		"unknown":              {f, nil, []string{"not in the ledger"}},
		"a fault":              {fault, []check.Entry{e}, []string{"our fault"}},
		"another vendor":       {f, change(func(e *check.Entry) { e.Vendor = "other" }), []string{"not in the ledger", "stale"}},
		"another channel":      {f, change(func(e *check.Entry) { e.Channel = check.Read }), []string{"not in the ledger", "stale"}},
		"another place":        {f, change(func(e *check.Entry) { e.At = "/a/*/b" }), []string{"not in the ledger", "stale"}},
		"a longer place":       {f, change(func(e *check.Entry) { e.At = "/a/0/b/c/d" }), []string{"not in the ledger", "stale"}},
		"nothing that follows": {f, change(func(e *check.Entry) { e.At = "/a/0/b/c/**" }), []string{"not in the ledger", "stale"}},
		"the SDK changed":      {f, change(func(e *check.Entry) { e.SDK = "3" }), []string{"not in the ledger", "stale"}},
		"ours changed":         {f, change(func(e *check.Entry) { e.Ours = "3" }), []string{"not in the ledger", "stale"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := check.Judge([]check.Finding{c.found}, c.ledger)
			if len(got) != len(c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("got %q, want %q", got[i], c.want[i])
				}
			}
		})
	}
}

func TestEveryEntryHasAReason(t *testing.T) {
	for _, e := range check.Ledger() {
		if e.Reason == "" || e.At == "" {
			t.Errorf("%+v", e)
		}
	}
}
