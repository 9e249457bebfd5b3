package reference_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/test/difftest/reference"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := t.TempDir()
	want := reference.File{
		Provenance: reference.Provenance{Module: "m", Version: "v1", Scenario: "sha256:1", Stream: "sha256:2"},
		Request:    reference.Request{Method: "POST", Path: "/x", Header: map[string]string{"Accept": "*/*"}, Body: `{"a":"<&>\u003c"}`},
		Answer: reference.Answer{Stop: reference.End, Usage: reference.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4},
			Parts: []reference.Part{{Kind: reference.Call, ID: "1", Name: "n", Args: `{"z" : 2.50}`, Signature: "s", Item: "i"}}},
		Damage: []reference.Damage{{How: "cut", Outcomes: "1 same"}},
	}
	if err := reference.Write(dir, "acme", "text", want); err != nil {
		t.Fatal(err)
	}
	got, err := reference.Read(dir, "acme", "text")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("err %v (-written +read):\n%s", err, diff)
	}
}

func TestAReferenceWithOtherMembersIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := reference.Write(dir, "acme", "text", reference.File{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(reference.Path(dir, "acme", "text"), []byte(`{"note":"by hand"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := reference.Read(dir, "acme", "text"); err == nil || !strings.Contains(err.Error(), "note") {
		t.Errorf("err = %v", err)
	}
}

func TestOutcomes(t *testing.T) {
	all := []reference.Outcome{reference.Failed, reference.Failed, reference.Same, reference.Failed}
	d := reference.Damage{Outcomes: reference.Tell(all)}
	if d.Outcomes != "2 failed, 1 same, 1 failed" {
		t.Errorf("outcomes %q", d.Outcomes)
	}
	if !d.Has(reference.Failed) || !d.Has(reference.Same) || d.Has(reference.Other) {
		t.Errorf("%q has failed %v, same %v, other %v", d.Outcomes, d.Has(reference.Failed), d.Has(reference.Same), d.Has(reference.Other))
	}
}

func TestPiecesOfAPart(t *testing.T) {
	var a reference.Answer
	for _, p := range []reference.Part{
		{Kind: reference.Text}, {Kind: reference.Thinking, Text: "a"}, {Kind: reference.Thinking, Text: "b", Signature: "s"},
		{Kind: reference.Thinking, Text: "c"}, {Kind: reference.Text, Text: "d"}, {Kind: reference.Text, Text: "e"},
	} {
		a.Extend(p)
	}
	want := []reference.Part{{Kind: reference.Thinking, Text: "ab", Signature: "s"}, {Kind: reference.Thinking, Text: "c"}, {Kind: reference.Text, Text: "de"}}
	if diff := cmp.Diff(want, a.Parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
