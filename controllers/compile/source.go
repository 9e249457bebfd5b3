package compile

import (
	"slices"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Source is the text of a document with what can be said of it alone. It is immutable, so that all who use the key of a
// ConfigMap may share one.
type Source struct {
	ref      v1alpha1.KeyReference
	text     string
	hash     string
	findings diag.List
	prompts  []v1alpha1.KeyReference
}

// Parse reads a document. What is wrong with its text is in the Source; a text that is no document has no prompts.
func Parse(ref v1alpha1.KeyReference, text string) *Source {
	s := &Source{ref: ref, text: text, hash: adkconfigv1.Digest([]byte(text))}
	doc, findings := declarative.Load(s.file(), []byte(text))
	s.findings = findings
	if doc == nil {
		return s
	}
	declarative.InlinePrompts(doc, func(name, key string) (string, error) {
		s.prompts = append(s.prompts, v1alpha1.KeyReference{Name: name, Key: key})
		return "", nil
	})
	slices.SortFunc(s.prompts, compareRefs)
	return s
}

// Hash is the SHA-256 of the text in lower-case hexadecimal digits.
func (s *Source) Hash() string { return s.hash }

// Findings are what is wrong with the text, in its order. They aren't to be changed.
func (s *Source) Findings() diag.List { return s.findings }

// Prompts are the keys of ConfigMaps that the document needs, sorted. They aren't to be changed.
func (s *Source) Prompts() []v1alpha1.KeyReference { return s.prompts }

// file is what findings call the document.
func (s *Source) file() string { return "configmap/" + s.ref.Name + "/" + s.ref.Key }

// document is a document of the caller's own, which compiling changes; nil if the text is none.
func (s *Source) document() *declarative.Document {
	doc, _ := declarative.Load(s.file(), []byte(s.text))
	return doc
}

func compareRefs(a, b v1alpha1.KeyReference) int {
	if by := strings.Compare(a.Name, b.Name); by != 0 {
		return by
	}
	return strings.Compare(a.Key, b.Key)
}
