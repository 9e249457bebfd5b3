package apply

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestSurplusRevisions(t *testing.T) {
	var all []metav1.PartialObjectMetadata
	add := func(revision, harness string, age int) {
		all = append(all, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name:              RevisionName("triage", harness, short(revision)),
			CreationTimestamp: metav1.NewTime(time.Unix(1000-int64(age), 0)),
		}})
	}
	add("b", "standard", 2)
	add("e", "standard", 0)
	add("a", "standard", 3)
	add("d", "standard", 1)
	add("c", "standard", 1) // in the same second
	add("z", "other", 9)
	add("y", "standard-2", 9)
	all = append(all, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "triage-standard-notes"}})
	for _, tt := range []struct {
		name  string
		limit int
		keep  []string
		want  []string
	}{
		{"nothing below the limit", 5, nil, nil},
		{"the oldest first", 2, nil, []string{"a", "b", "c"}},
		{"all but what is kept", 0, []string{"e", "a"}, []string{"b", "c", "d"}},
		{"what is kept doesn't count", 2, []string{"e", "a"}, []string{"b"}},
		{"nothing that isn't there", 10, []string{"x", ""}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, obj := range surplusRevisions(all, "triage", "standard", tt.limit, shorts(tt.keep)) {
				got = append(got, obj.GetName())
			}
			if diff := cmp.Diff(names(tt.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// short is a short hash that begins with a letter.
func short(letter string) string { return letter + strings.Repeat("0", shortDigits-len(letter)) }

func shorts(letters []string) []string {
	var all []string
	for _, l := range letters {
		all = append(all, short(l))
	}
	return all
}

func names(letters []string) []string {
	var all []string
	for _, l := range letters {
		all = append(all, RevisionName("triage", "standard", short(l)))
	}
	return all
}

func TestIsFor(t *testing.T) {
	for name, want := range map[string]bool{
		"triage-standard":                       true,
		"triage-standard-0123456789ab":          true,
		"triage-standard-0123456789":            false,
		"triage-standard-2":                     false,
		"triage-standard-2-0123456789ab":        false,
		"triage-other":                          false,
		"triage-other-0123456789ab":             false,
		"triage":                                false,
		"triage-standard-0123456789ab-and-more": false,
	} {
		if got := isFor(name, "triage", "standard"); got != want {
			t.Errorf("%s: got %t, want %t", name, got, want)
		}
	}
}
