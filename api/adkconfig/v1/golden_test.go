package adkconfigv1_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A config's bytes are hashed into pod specs and journals, so these files may change with a new config_version only.
func TestCanonicalBytesAndHash(t *testing.T) {
	for _, name := range []string{"minimal", "full"} {
		t.Run(name, func(t *testing.T) {
			cfg := readGolden(t, name)
			got, err := adkconfigv1.Marshal(cfg)
			if err != nil {
				t.Fatal(err)
			}
			compareFile(t, name+".json", string(got))
			compareFile(t, name+".sha256", adkconfigv1.Digest(got)+"\n")

			again, err := adkconfigv1.Unmarshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(cfg, again, protocmp.Transform()); diff != "" {
				t.Errorf("config changed on the way through its canonical form (-before +after):\n%s", diff)
			}
			if err := again.GetWorkflow().Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Every field is pinned: a field that no golden sets could change its spelling unseen.
func TestGoldensSetEveryField(t *testing.T) {
	set := map[protoreflect.FullName]bool{}
	for _, name := range []string{"minimal", "full"} {
		collectSet(readGolden(t, name).ProtoReflect(), set)
	}
	eachField((&adkconfigv1.AgentConfig{}).ProtoReflect().Descriptor(), func(field protoreflect.FieldDescriptor) {
		if !set[field.FullName()] {
			t.Errorf("%s is set in no golden input", field.FullName())
		}
	})
}

func readGolden(t *testing.T, name string) *adkconfigv1.AgentConfig {
	t.Helper()
	input, err := os.ReadFile(filepath.Join("testdata", "golden", name+".input.json"))
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := adkconfigv1.Unmarshal(input)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func compareFile(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func collectSet(m protoreflect.Message, set map[protoreflect.FullName]bool) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		set[field.FullName()] = true
		switch {
		case field.IsMap() && field.MapValue().Message() != nil:
			value.Map().Range(func(_ protoreflect.MapKey, member protoreflect.Value) bool {
				collectSet(member.Message(), set)
				return true
			})
		case field.IsList() && field.Message() != nil:
			for i := range value.List().Len() {
				collectSet(value.List().Get(i).Message(), set)
			}
		case field.Message() != nil && !field.IsMap():
			collectSet(value.Message(), set)
		}
		return true
	})
}

// eachField visits the fields of our messages that desc can hold, at any depth.
func eachField(desc protoreflect.MessageDescriptor, visit func(protoreflect.FieldDescriptor)) {
	seen := map[protoreflect.FullName]bool{}
	var walk func(protoreflect.MessageDescriptor)
	walk = func(desc protoreflect.MessageDescriptor) {
		if seen[desc.FullName()] || !strings.HasPrefix(string(desc.FullName()), "plait.") {
			return
		}
		seen[desc.FullName()] = true
		for i := range desc.Fields().Len() {
			field := desc.Fields().Get(i)
			visit(field)
			if field.IsMap() {
				field = field.MapValue()
			}
			if field.Message() != nil {
				walk(field.Message())
			}
		}
	}
	walk(desc)
}
