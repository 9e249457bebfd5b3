package adkconfigv1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gowebpki/jcs"
)

// NewWorkflow wraps a canonical document: api_version and sha256 follow from its bytes. Prompts are kept in the order
// given.
func NewWorkflow(document []byte, prompts ...*PromptSource) (*ADKWorkflowConfig, error) {
	version, err := documentVersion(document)
	if err != nil {
		return nil, err
	}
	return &ADKWorkflowConfig{
		ApiVersion:   version,
		DocumentJson: string(document),
		Sha256:       Digest(document),
		Prompts:      prompts,
	}, nil
}

// Verify says whether the document is the one that was validated: document_json must hash to sha256, be RFC 8785 text,
// so that one document can't have two hashes, and have the apiVersion that api_version names. Whether the document is
// right is for the validator to say.
func (x *ADKWorkflowConfig) Verify() error {
	if x.GetDocumentJson() == "" {
		return errors.New("workflow.document_json: empty, want an AgentSystem document")
	}
	document := []byte(x.GetDocumentJson())
	if got := Digest(document); got != x.GetSha256() {
		return fmt.Errorf("workflow.sha256: want %s, the hash of document_json, got %q", got, x.GetSha256())
	}
	version, err := documentVersion(document)
	if err != nil {
		return err
	}
	if version != x.GetApiVersion() {
		return fmt.Errorf("workflow.api_version: want %q, the document's apiVersion, got %q", version, x.GetApiVersion())
	}
	return nil
}

// documentVersion gives the apiVersion of a canonical document.
func documentVersion(document []byte) (string, error) {
	canonical, err := jcs.Transform(document)
	if err != nil {
		return "", fmt.Errorf("workflow.document_json: %w", err)
	}
	if !bytes.Equal(canonical, document) {
		return "", fmt.Errorf("workflow.document_json: byte %d: not in canonical form (RFC 8785)",
			firstDifference(canonical, document))
	}
	// A map and not a struct: a struct's field also takes "apiversion".
	var members map[string]json.RawMessage
	if err := json.Unmarshal(document, &members); err != nil {
		return "", errors.New("workflow.document_json: want an object")
	}
	var version string
	if err := json.Unmarshal(members["apiVersion"], &version); err != nil || version == "" {
		return "", errors.New("workflow.document_json: want an apiVersion, a string that isn't empty")
	}
	return version, nil
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
