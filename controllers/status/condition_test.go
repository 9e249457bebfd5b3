package status

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestCut(t *testing.T) {
	for _, tt := range []struct{ name, message, want string }{
		{"short", "fine", "fine"},
		{"as long as may be", strings.Repeat("a", 1024), strings.Repeat("a", 1024)},
		{"too long", strings.Repeat("a", 1025), strings.Repeat("a", 1021) + "…"},
		{"not within a character", strings.Repeat("ä", 600), strings.Repeat("ä", 510) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Cut(tt.message)
			if got != tt.want || len(got) > MaxMessage || !utf8.ValidString(got) {
				t.Errorf("got %q with %d bytes", got, len(got))
			}
		})
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"one":                    "one",
		"one.\n":                 "one",
		"one\r\n\n  two  \n":     "one; two",
		"a\x1b[31mb\tc\xff":      "a [31mb c",
		"":                       "",
		"first line.\nsecond.":   "first line.; second",
		"PLAIT_AUTH isn't set\n": "PLAIT_AUTH isn't set",
	} {
		if got := line(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSet(t *testing.T) {
	old := metav1.NewTime(time.Unix(1000, 0))
	conditions := []metav1.Condition{{
		Type: "Ready", Status: metav1.ConditionFalse, Reason: "Progressing", LastTransitionTime: old, ObservedGeneration: 1,
	}}
	set(&conditions, 2, "Ready", no("RolloutStuck", strings.Repeat("a", 2000)))
	c := conditions[0]
	if !c.LastTransitionTime.Equal(&old) || c.ObservedGeneration != 2 || c.Reason != "RolloutStuck" || len(c.Message) > MaxMessage {
		t.Errorf("with the same status it becomes %+v", c)
	}
	set(&conditions, 3, "Ready", yes("Ready", "it serves"))
	if c := conditions[0]; c.LastTransitionTime.Equal(&old) || c.ObservedGeneration != 3 {
		t.Errorf("with another status it becomes %+v", c)
	}
	set(&conditions, 3, "Accepted", unknown("Nothing", "is known"))
	if len(conditions) != 2 || get(conditions, "Accepted").status != metav1.ConditionUnknown {
		t.Errorf("got %+v", conditions)
	}
	if f := get(conditions, "Other"); f.status != metav1.ConditionUnknown || f.reason == "" {
		t.Errorf("what isn't there is %+v", f)
	}
}
