package diag_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

func TestTable(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[diag.Code]bool{}
	for _, row := range diag.Table() {
		if seen[row.Code] {
			t.Errorf("%s has two rows", row.Code)
		}
		seen[row.Code] = true
		if !kebab.MatchString(string(row.Code)) {
			t.Errorf("%q is no kebab-case word", row.Code)
		}
		if row.Summary == "" || strings.HasSuffix(row.Summary, ".") || strings.Contains(row.Summary, "\n") {
			t.Errorf("%s: the summary %q isn't one line without a final stop", row.Code, row.Summary)
		}
		if got, ok := diag.Lookup(row.Code); !ok || got != row {
			t.Errorf("%s isn't found", row.Code)
		}
		if row.Code.Severity() != row.Severity {
			t.Errorf("%s has the severity %s", row.Code, row.Code.Severity())
		}
	}
}

func TestTableCantBeChanged(t *testing.T) {
	diag.Table()[0].Summary = "changed"
	if diag.Table()[0].Summary == "changed" {
		t.Error("the table of the package was changed")
	}
}

func TestUnknownCode(t *testing.T) {
	if _, ok := diag.Lookup("no-such-code"); ok {
		t.Error("found")
	}
	if diag.Code("no-such-code").Severity() != diag.Error {
		t.Error("a code without a row must be an error, or it would pass unnoticed")
	}
}

func TestNearest(t *testing.T) {
	fields := []string{"instruction", "instruction_from", "max_concurrency", "mode", "model", "tools"}
	tests := map[string]string{
		"instructions":              "instruction",
		"instructon":                "instruction",
		"intsruction":               "instruction",
		"Instruction":               "instruction",
		"maxConcurrency":            "max_concurrency",
		"max":                       "max_concurrency",
		"tolos":                     "tools",
		"tool":                      "tools",
		"x":                         "",
		"":                          "",
		"temperature":               "",
		strings.Repeat("model", 50): "",
	}
	for name, want := range tests {
		if got := diag.Nearest(name, fields); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := diag.Nearest("ab", []string{"", "aa", "bb"}); got != "" {
		t.Errorf("half of a short word was changed to get %q", got)
	}
	if got := diag.Nearest("abcd", []string{"abce", "abcf"}); got != "abce" {
		t.Errorf("among equals the first wins, got %q", got)
	}
}

func TestDidYouMean(t *testing.T) {
	if got := diag.DidYouMean("modl", []string{"model"}); got != `did you mean "model"?` {
		t.Errorf("got %q", got)
	}
	if got := diag.DidYouMean("model", []string{"model"}); got != "" {
		t.Errorf("asks for what it has: %q", got)
	}
}
