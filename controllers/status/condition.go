package status

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// MaxMessage is the length of the longest message in bytes. An event takes no more either.
const MaxMessage = 1024

// ellipsis ends what was cut.
const ellipsis = "…"

// verdict is a condition without the particulars of the object that it is about.
type verdict struct {
	status          metav1.ConditionStatus
	reason, message string
}

func yes(reason, message string) verdict { return verdict{metav1.ConditionTrue, reason, message} }

func no(reason, message string) verdict { return verdict{metav1.ConditionFalse, reason, message} }

func unknown(reason, message string) verdict {
	return verdict{metav1.ConditionUnknown, reason, message}
}

// set sets a condition. The time of its last transition stays unless its status changes.
func set(conditions *[]metav1.Condition, generation int64, kind string, f verdict) {
	meta.SetStatusCondition(conditions, metav1.Condition{
		Type: kind, Status: f.status, Reason: f.reason, Message: Cut(f.message), ObservedGeneration: generation,
	})
}

// get returns a condition. One that isn't there is unknown: what was tried the first time didn't come to an end.
func get(conditions []metav1.Condition, kind string) verdict {
	c := meta.FindStatusCondition(conditions, kind)
	if c == nil {
		return unknown(v1alpha1.ReasonProgressing, "nothing is known yet")
	}
	return verdict{c.Status, c.Reason, c.Message}
}

// Cut shortens a message to [MaxMessage] without cutting a character in two.
func Cut(message string) string {
	if len(message) <= MaxMessage {
		return message
	}
	end := MaxMessage - len(ellipsis)
	for !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + ellipsis
}

// line makes one line of a text that somebody else wrote.
func line(text string) string {
	lines := slices.DeleteFunc(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }),
		func(l string) bool { return strings.TrimSpace(l) == "" })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.Map(printable, l))
	}
	return strings.TrimSuffix(strings.Join(lines, "; "), ".")
}

func printable(r rune) rune {
	if unicode.IsControl(r) || r == utf8.RuneError {
		return ' '
	}
	return r
}
