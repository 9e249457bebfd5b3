package jsonschema_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/jsonschema"
)

var update = flag.Bool("update", false, "write the schema instead of comparing with it")

// committed is the file that editors are pointed at.
const committed = "agentsystem.schema.json"

func TestCommittedSchemaIsUpToDate(t *testing.T) {
	got, err := jsonschema.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(committed, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got), run the test with -update if that is right:\n%s", committed, diff)
	}
}
