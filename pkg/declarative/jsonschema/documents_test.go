package jsonschema_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	jsonschemago "github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/tools/txtar"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/jsonschema"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// resolve makes a validator of the schema.
func resolve(t *testing.T) *jsonschemago.Resolved {
	t.Helper()
	text, err := jsonschema.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschemago.Schema
	if err := s.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschemago.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// decode reads a document as JSON values; ok is false when it can't be read.
func decode(text []byte) (value any, ok bool) {
	wrapped, found := source.Parse("", text)
	if wrapped == nil || len(found) > 0 {
		return nil, false
	}
	return source.NewReport(nil).JSON(wrapped.Root()), true
}

func files(t *testing.T, patterns ...string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, p := range patterns {
		names, err := filepath.Glob(p)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s matches nothing: %v", p, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = text
		}
	}
	return all
}

// TestValidDocumentsPass checks everything that is valid elsewhere in the repository.
func TestValidDocumentsPass(t *testing.T) {
	schema := resolve(t)
	all := files(t, "../../../test/conformance/document/*.yaml", "../../../test/conformance/document/*.json",
		"../../../examples/*/agentsystem.yaml", "../testdata/valid/*.yaml")
	for name, text := range files(t, "../build/testdata/*.txtar") {
		for _, f := range txtar.Parse(text).Files {
			if strings.HasSuffix(f.Name, ".yaml") && strings.Contains(string(f.Data), declarative.APIVersion) {
				all[name+"/"+f.Name] = f.Data
			}
		}
	}
	for name, text := range all {
		value, ok := decode(text)
		if !ok {
			t.Errorf("%s can't be read", name)
			continue
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhatTheSchemaRefusesTheLoaderRefuses tries all documents that something is wrong with.
func TestWhatTheSchemaRefusesTheLoaderRefuses(t *testing.T) {
	schema := resolve(t)
	refused := 0
	for name, text := range files(t, "../testdata/invalid/*.yaml") {
		value, ok := decode(text)
		if !ok {
			continue
		}
		doc, list := declarative.Load(name, text)
		if doc != nil {
			_, more := declarative.Validate(doc, declarative.Options{})
			list = append(list, more...)
		}
		err := schema.Validate(value)
		if err == nil {
			continue
		}
		if refused++; !list.HasErrors() {
			t.Errorf("%s: the schema alone refuses it: %v", name, err)
		}
	}
	if refused < 20 {
		t.Errorf("the schema refuses %d documents only", refused)
	}
}
