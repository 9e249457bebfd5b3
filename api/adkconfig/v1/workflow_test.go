package adkconfigv1_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

const document = `{"apiVersion":"adk.declarative/v0.2","kind":"AgentSystem"}`

func TestNewWorkflow(t *testing.T) {
	prompts := []*adkconfigv1.PromptSource{{Name: "p", Key: "b", Sha256: "2"}, {Name: "p", Key: "a", Sha256: "1"}}
	got, err := adkconfigv1.NewWorkflow([]byte(document), prompts...)
	if err != nil {
		t.Fatal(err)
	}
	want := &adkconfigv1.ADKWorkflowConfig{
		ApiVersion:   "adk.declarative/v0.2",
		DocumentJson: document,
		Sha256:       "2780d26eb4b9afebf4fa9a9caab6ff997f533a5865030f2d929757f48522dd79",
		Prompts:      prompts,
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("workflow (-want +got):\n%s", diff)
	}
	if err := got.Verify(); err != nil {
		t.Errorf("a fresh workflow doesn't verify: %v", err)
	}
}

func TestNewWorkflowRefuses(t *testing.T) {
	tests := map[string]struct{ document, want string }{
		"nothing":         {"", "workflow.document_json: Unexpected EOF reached"},
		"white space":     {`{"apiVersion": "a"}`, "workflow.document_json: byte 14: not in canonical form (RFC 8785)"},
		"a trailing line": {`{"apiVersion":"a"}` + "\n", "workflow.document_json: byte 18: not in canonical form (RFC 8785)"},
		"keys out of order": {
			`{"kind":"b","apiVersion":"a"}`,
			"workflow.document_json: byte 2: not in canonical form (RFC 8785)",
		},
		"another spelling of a number": {
			`{"apiVersion":"a","n":1.0}`,
			"workflow.document_json: byte 23: not in canonical form (RFC 8785)",
		},
		"duplicate key":            {`{"a":1,"a":1}`, `workflow.document_json: Duplicate key: "a"`},
		"not an object":            {`["apiVersion"]`, "workflow.document_json: want an object"},
		"no apiVersion":            {`{"apiversion":"a"}`, "workflow.document_json: want an apiVersion, a string that isn't empty"},
		"apiVersion of a bad type": {`{"apiVersion":1}`, "workflow.document_json: want an apiVersion, a string that isn't empty"},
		"empty apiVersion":         {`{"apiVersion":""}`, "workflow.document_json: want an apiVersion, a string that isn't empty"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := adkconfigv1.NewWorkflow([]byte(tt.document))
			wantText(t, err, tt.want)
		})
	}
}

func TestVerifyRefuses(t *testing.T) {
	hash := adkconfigv1.Digest([]byte(document))
	loose := strings.ReplaceAll(document, ",", ", ")
	tests := map[string]struct {
		workflow *adkconfigv1.ADKWorkflowConfig
		want     string
	}{
		"no workflow": {nil, "workflow.document_json: empty, want an AgentSystem document"},
		"no document": {
			&adkconfigv1.ADKWorkflowConfig{Sha256: adkconfigv1.Digest(nil)},
			"workflow.document_json: empty, want an AgentSystem document",
		},
		"an edited document": {
			&adkconfigv1.ADKWorkflowConfig{
				ApiVersion: "adk.declarative/v0.2", Sha256: hash, DocumentJson: strings.Replace(document, "S", "s", 1),
			},
			"workflow.sha256: want " + adkconfigv1.Digest([]byte(strings.Replace(document, "S", "s", 1))) +
				`, the hash of document_json, got "` + hash + `"`,
		},
		"a hash in upper case": {
			&adkconfigv1.ADKWorkflowConfig{
				ApiVersion: "adk.declarative/v0.2", Sha256: strings.ToUpper(hash), DocumentJson: document,
			},
			"workflow.sha256: want " + hash + `, the hash of document_json, got "` + strings.ToUpper(hash) + `"`,
		},
		"another api_version": {
			&adkconfigv1.ADKWorkflowConfig{ApiVersion: "adk.declarative/v0.3", Sha256: hash, DocumentJson: document},
			`workflow.api_version: want "adk.declarative/v0.2", the document's apiVersion, got "adk.declarative/v0.3"`,
		},
		"another spelling with its own hash": {
			&adkconfigv1.ADKWorkflowConfig{
				ApiVersion: "adk.declarative/v0.2", Sha256: adkconfigv1.Digest([]byte(loose)), DocumentJson: loose,
			},
			"workflow.document_json: byte 37: not in canonical form (RFC 8785)",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { wantText(t, tt.workflow.Verify(), tt.want) })
	}
}

func wantText(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}
