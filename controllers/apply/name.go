package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// hashDigits make shortened names unique.
const hashDigits = 8

// shortDigits is the length of a revision's short hash.
const shortDigits = 12

// Name is what the objects of a template on a harness are called: both names with a hyphen between them. One that no
// Service may have, because it is too long or has dots, is shortened, and a hash keeps it unique.
func Name(template, harness string) string {
	name := template + "-" + harness
	if len(validation.IsDNS1035Label(name)) == 0 {
		return name
	}
	// A name has no slash, so that no two pairs are the same text here.
	return shorten(strings.ReplaceAll(name, ".", "-"), template+"/"+harness)
}

// RevisionName is what the ConfigMap of a revision is called.
func RevisionName(template, harness, revision string) string {
	return Name(template, harness) + "-" + revision
}

// revisionOfName is the short hash of the revision whose ConfigMap is called that; false for one of another harness.
// Names can't be changed, as labels can.
func revisionOfName(name, template, harness string) (short string, ok bool) {
	short, ok = strings.CutPrefix(name, Name(template, harness)+"-")
	return short, ok && len(short) == shortDigits
}

// LabelValue is an object's name as the value of a label, which is at most 63 characters long.
func LabelValue(name string) string {
	if len(validation.IsValidLabelValue(name)) == 0 {
		return name
	}
	return shorten(name, name)
}

// shorten cuts a text to what fits into a label together with the hash of the whole, and sees that a letter begins it.
func shorten(text, whole string) string {
	sum := sha256.Sum256([]byte(whole))
	if text[0] < 'a' || text[0] > 'z' {
		text = "x" + text
	}
	keep := min(len(text), validation.DNS1035LabelMaxLength-hashDigits-1)
	return strings.TrimRight(text[:keep], "-.") + "-" + hex.EncodeToString(sum[:])[:hashDigits]
}
