package compile_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/compile/manifests"
	"github.com/plait-dev/plait/pkg/declarative"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// goldens are the folders of testdata with manifests: a document on a program of one's own, and a prompt on the
// program of the release.
func goldens() []string { return []string{"support-triage", "assistant"} }

// Pods are named by these bytes. A change here rolls every installation that takes the release.
func TestGoldenRevisions(t *testing.T) {
	for _, name := range goldens() {
		t.Run(name, func(t *testing.T) {
			rev := revisionOfFiles(t, name)
			provenance, err := json.MarshalIndent(rev.Provenance, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, name, "config.json", rev.Config)
			compareGolden(t, name, "manifest.json", manifestBytes(t, rev))
			compareGolden(t, name, "provenance.json", append(provenance, '\n'))
			compareGolden(t, name, "hash", []byte(rev.Hash+"\n"))
		})
	}
}

// A revision can be taken up again from what is stored of it.
func TestGoldenRevisionsAreRead(t *testing.T) {
	for _, name := range goldens() {
		t.Run(name, func(t *testing.T) {
			rev := revisionOfFiles(t, name)
			manifest, hash, err := compile.ReadManifest(manifestBytes(t, rev))
			if err != nil {
				t.Fatal(err)
			}
			if hash != rev.Hash {
				t.Errorf("hash %s of the manifest that was read, want %s", hash, rev.Hash)
			}
			if manifest.ConfigSHA256 != adkconfigv1.Digest(rev.Config) {
				t.Error("the manifest is one of another config")
			}
			again, err := manifest.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(manifestBytes(t, rev)), string(again)); diff != "" {
				t.Errorf("the manifest changed on its way (-before +after):\n%s", diff)
			}
		})
	}
}

// What a harness does with the config: the document in it keeps the policy in it.
func TestGoldenDocumentsKeepTheShippedPolicy(t *testing.T) {
	for _, name := range goldens() {
		t.Run(name, func(t *testing.T) { checkShipped(t, revisionOfFiles(t, name).Config) })
	}
}

func checkShipped(t *testing.T, config []byte) {
	t.Helper()
	cfg, err := adkconfigv1.Unmarshal(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.GetWorkflow().Verify(); err != nil {
		t.Error(err)
	}
	policy := cfg.GetPolicy()
	env := []declarative.ExposedVar{}
	for _, g := range policy.GetEnv() {
		env = append(env, declarative.ExposedVar{Name: g.GetName(), Hosts: g.GetHosts()})
	}
	doc, found := declarative.Load("document", []byte(cfg.GetWorkflow().GetDocumentJson()))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	_, found = declarative.Validate(doc, declarative.Options{
		Models:       append([]string{}, policy.GetModels()...),
		HarnessTools: append([]string{}, policy.GetHarnessTools()...),
		MCPHosts:     append([]string{}, policy.GetMcpHosts()...),
		Env:          env,
	})
	if err := found.Err(); err != nil {
		t.Errorf("the shipped document breaks the shipped policy: %v", err)
	}
	for name := range cfg.GetModels() {
		for _, standIn := range cfg.GetModels()[name].GetFailover() {
			if cfg.GetModels()[standIn] == nil {
				t.Errorf("the model %s falls back to %s, which isn't shipped", name, standIn)
			}
		}
	}
}

// The values of secrets, and plain hashes of them, are nowhere in a revision.
func TestGoldenRevisionsHoldNoSecret(t *testing.T) {
	for _, name := range goldens() {
		rev := revisionOfFiles(t, name)
		provenance, err := json.Marshal(rev.Provenance)
		if err != nil {
			t.Fatal(err)
		}
		all := bytes.Join([][]byte{rev.Config, manifestBytes(t, rev), provenance}, nil)
		for _, secret := range []string{
			"Bearer planted-crm-token", "planted-status-token", "planted-api-key", "planted-credential",
			"planted-token", "planted-key",
		} {
			for _, text := range []string{secret, adkconfigv1.Digest([]byte(secret))} {
				if bytes.Contains(all, []byte(text)) {
					t.Errorf("the revision of %s holds %q, which stands for a secret", name, text)
				}
			}
		}
	}
}

func manifestBytes(t *testing.T, rev *compile.Revision) []byte {
	t.Helper()
	data, err := rev.Manifest.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func revisionOfFiles(t *testing.T, name string) *compile.Revision {
	t.Helper()
	set, err := manifests.Load(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	in := &compile.Inputs{
		Template:     set.Templates()[0],
		Harness:      set.Harnesses()[0],
		ManagedImage: "registry.example/plait/harness:0.1.0",
	}
	missing, err := compile.Resolve(t.Context(), set.Reader(manifests.ReaderOptions{}), in)
	if err != nil || missing != nil {
		t.Fatalf("missing %v, error %v", missing, err)
	}
	res := compile.Compile(in)
	if res.Refusal != nil {
		t.Fatalf("refused: %s: %s", res.Refusal.Reason, res.Refusal.Message)
	}
	if got := len(res.Diagnostics); got != 0 {
		t.Errorf("findings %v about a document that is right", res.Diagnostics)
	}
	return res.Revision
}

func compareGolden(t *testing.T, name, part string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden", part)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), ","), strings.Split(string(got), ",")); diff != "" {
		t.Errorf("%s differs (-want +got), run the test with -update if that is right:\n%s", file, diff)
	}
}
