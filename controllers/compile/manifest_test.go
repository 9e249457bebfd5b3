package compile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plait-dev/plait/controllers/compile"
)

func diffInputs(a, b *compile.Inputs) string {
	return cmp.Diff(a, b, cmpopts.IgnoreFields(compile.Inputs{}, "Source"))
}

func TestReadManifestRefuses(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"nothing":              {"", "unexpected end of JSON input"},
		"no JSON":              {"{", "unexpected end of JSON input"},
		"null":                 {"null", `its version is ""; this program reads "v1"`},
		"another version":      {`{"version":"v2"}`, `its version is "v2"; this program reads "v1"`},
		"an unknown field":     {`{"version":"v1","imege":"x"}`, `unknown field "imege"`},
		"another case":         {`{"version":"v1","Image":"x"}`, `unknown field "Image"`},
		"a field twice":        {`{"version":"v1","image":"x","image":"y"}`, `duplicate field "image"`},
		"an unknown field in":  {`{"version":"v1","egress":[{"host":"a","prot":1}]}`, `unknown field "egress[0].prot"`},
		"a wrong type":         {`{"version":"v1","image":1}`, "cannot unmarshal number"},
		"more behind the text": {`{"version":"v1"} {}`, "after top-level value"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := compile.ReadManifest([]byte(c.data))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "manifest of a revision: ") {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// White space and the order of keys aren't part of the name.
func TestReadManifestHashesTheCanonicalForm(t *testing.T) {
	_, a, err := compile.ReadManifest([]byte(`{"version":"v1","image":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := compile.ReadManifest([]byte("{ \"image\": \"x\",\n \"version\": \"v1\" }"))
	if err != nil || a != b {
		t.Errorf("hashes %s and %s, error %v", a, b, err)
	}
}

func FuzzReadManifest(f *testing.F) {
	golden, err := os.ReadFile(filepath.Join("testdata", "support-triage.golden", "manifest.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add([]byte(`{"version":"v1"}`))
	f.Add([]byte(`{"version":"v1","resources":{"limits":{"cpu":"1e3"}},"pod":{"tolerations":[{"tolerationSeconds":9007199254740993}]}}`))
	f.Add([]byte(`{"version":"v1","pod":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, hash, err := compile.ReadManifest(data)
		if err != nil {
			return
		}
		if len(hash) != 64 {
			t.Errorf("hash %q", hash)
		}
		written, err := m.Bytes()
		if err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
		again, name, err := compile.ReadManifest(written)
		if err != nil {
			t.Fatalf("what was written can't be read: %v", err)
		}
		twice, err := again.Bytes()
		if err != nil || string(twice) != string(written) {
			t.Errorf("written twice:\n%s\n%s\nerror %v", written, twice, err)
		}
		if _, same, _ := compile.ReadManifest(twice); same != name {
			t.Errorf("one text has the hashes %s and %s", name, same)
		}
	})
}
