package apply_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/plait-dev/plait/controllers/apply"
)

func TestName(t *testing.T) {
	long := strings.Repeat("a", 40)
	for _, tt := range []struct{ name, template, harness, want string }{
		{"is both names", "support-triage", "standard", "support-triage-standard"},
		{"may have 63 characters", long, strings.Repeat("b", 22), long + "-" + strings.Repeat("b", 22)},
		{"is shortened at 64", long, strings.Repeat("b", 23), long + "-" + strings.Repeat("b", 13) + "-e5a6cdab"},
		{"has no dots", "support.v2", "standard", "support-v2-standard-a6f0d87e"},
		{"begins with a letter", "1st", "standard", "x1st-standard-5d25c222"},
		{"is cut before a hyphen", strings.Repeat("a", 53), strings.Repeat("b", 20), strings.Repeat("a", 53) + "-44f88cf3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := apply.Name(tt.template, tt.harness)
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if wrong := validation.IsDNS1035Label(got); len(wrong) > 0 {
				t.Errorf("%s can't be the name of a Service: %v", got, wrong)
			}
		})
	}
}

// Names that are shortened to the same text differ in their hashes.
func TestShortenedNamesDiffer(t *testing.T) {
	for _, pairs := range [][2][2]string{
		{{"a.b", "c"}, {"a", "b.c"}},
		{{"a.b", "c"}, {"a.b-c", "c"}},
		{{strings.Repeat("a", 80), "b"}, {strings.Repeat("a", 81), "b"}},
		{{strings.Repeat("a", 80), "b"}, {strings.Repeat("a", 80), "c"}},
	} {
		a, b := apply.Name(pairs[0][0], pairs[0][1]), apply.Name(pairs[1][0], pairs[1][1])
		if a == b {
			t.Errorf("%v and %v are both called %s", pairs[0], pairs[1], a)
		}
	}
}

func TestRevisionName(t *testing.T) {
	if got, want := apply.RevisionName("triage", "standard", "0123456789ab"), "triage-standard-0123456789ab"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	long := apply.RevisionName(strings.Repeat("a", 253), strings.Repeat("b", 253), "0123456789ab")
	if wrong := validation.IsDNS1123Subdomain(long); len(wrong) > 0 {
		t.Errorf("%s can't be the name of a ConfigMap: %v", long, wrong)
	}
}

func TestLabelValue(t *testing.T) {
	for name, want := range map[string]string{
		"support.v2":            "support.v2",
		strings.Repeat("a", 63): strings.Repeat("a", 63),
		strings.Repeat("a", 64): strings.Repeat("a", 54) + "-ffe054fe",
		strings.Repeat("1", 64): "x" + strings.Repeat("1", 53) + "-3138bb9b",
	} {
		got := apply.LabelValue(name)
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if wrong := validation.IsValidLabelValue(got); len(wrong) > 0 {
			t.Errorf("%s can't be the value of a label: %v", got, wrong)
		}
	}
}
