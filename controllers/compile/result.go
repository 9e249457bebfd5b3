package compile

import (
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Result is what the compiler has to say. It has either a revision or a refusal.
type Result struct {
	Revision *Revision
	Refusal  *Refusal

	// Document describes the document as far as it could be read; nil for a template with a prompt.
	Document *DocumentInfo

	// Diagnostics are the findings about the document, warnings included, in the order of the text.
	Diagnostics diag.List
}

// Refusal says why there is no revision.
type Refusal struct {
	// Reason is one of those of v1alpha1.ConditionCompatible.
	Reason string
	// Message is a sentence without a final stop. For findings it is the first error with line and column.
	Message string
}

// DocumentInfo describes a document.
type DocumentInfo struct {
	// SourceHash is the SHA-256 of the text.
	SourceHash string
	// SHA256 is that of the canonical form; empty while there are errors.
	SHA256 string
	// Agents, Nodes and Edges count its parts.
	Agents, Nodes, Edges int
}

// Revision is an immutable attachment of a template to a harness.
type Revision struct {
	// Hash names the revision: SHA-256 of the canonical form of Manifest in lower-case hexadecimal digits. [Revision.Short]
	// is what people see of it.
	Hash string

	// Config are the canonical bytes of the AgentConfig.
	Config []byte

	// Manifest is everything else that decides how the revision behaves.
	Manifest *Manifest

	// Provenance are the inputs, sorted by kind, name and key.
	Provenance []Input
}

// shortDigits of a hash are what people see.
const shortDigits = 12

// Short is the short form of the hash.
func (r *Revision) Short() string { return r.Hash[:shortDigits] }

// Input is one object, or one key of an object, that a revision was made of.
type Input struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Key        string `json:"key,omitempty"`
	UID        string `json:"uid,omitempty"`
	// Hash of what counts of the object: the key's content, the spec, for a Secret the HMAC.
	Hash string `json:"hash"`
}
